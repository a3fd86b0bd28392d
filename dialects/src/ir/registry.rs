//! What Rust knows about each operation, found by the operation's TypeID and never by comparing strings.

use super::{
    args::Args,
    operator::{Elements, OperandDevice, Role, Strides},
    parameters::Wires,
    strings::text,
    types::Inferred,
};
use melior::ir::{Attribute, OperationRef, Type, Value};
use mlir_sys::{mlirOperationGetName, mlirOperationGetTypeID};
use rustc_hash::FxHashMap;
use std::{
    cell::RefCell,
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

/// How many values an operand of ODS stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// Exactly one.
    Single,
    /// None or one.
    Optional,
    /// Any number.
    Variadic,
}

/// From operands and attributes to result types, or what is wrong.
pub type InferFn = for<'c> fn(&Args<'c, '_>) -> Result<Vec<Inferred<'c>>, String>;
/// Checks an operation, or says what is wrong; nothing where it has been said at an operation inside.
pub type VerifyFn = fn(OperationRef) -> Result<(), String>;
/// Checks the parameters of a type or an attribute, or says what is wrong.
pub type VerifyDataFn = unsafe fn(Wires) -> Result<(), String>;
/// Folds an operation whose constant operands are given.
pub type FoldFn = for<'c, 'a> fn(OperationRef<'c, 'a>, &[Option<Attribute<'c>>]) -> Option<Fold<'c, 'a>>;
/// The memory effects of an operation.
pub type EffectsFn = fn(OperationRef) -> Vec<Effect>;
/// Checks the symbol that an operation uses, or says what is wrong; None where there is no such symbol.
pub type VerifySymbolFn = fn(OperationRef, Option<OperationRef>) -> Result<(), String>;
/// Whether `read`, inside the operation, reads at each point only the element of `written` that the point
/// writes.
pub type ElementwiseFn =
    for<'c, 'a> fn(op: OperationRef<'c, 'a>, read: OperationRef<'c, 'a>, written: Value<'c, 'a>) -> bool;
/// Whether an operation's meaning depends on the old value of a destination, given by its number among all
/// operands.
pub type ReadsDestinationFn = fn(op: OperationRef, operand: usize) -> bool;

/// What an operation folds to.
pub enum Fold<'c, 'a> {
    /// A constant.
    Attribute(Attribute<'c>),
    /// A value that is there already.
    Value(Value<'c, 'a>),
}

/// One memory effect, on an operand or a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Reads what operand `.0` names.
    Read(usize),
    /// Writes what operand `.0` names.
    Write(usize),
    /// Allocates result `.0`.
    Allocate(usize),
    /// Reads what is not known.
    ReadAnything,
    /// Writes what is not known.
    WriteAnything,
}

/// The Rust side of an operation class.
pub struct OpImpl {
    /// `graph.add`.
    pub name: &'static str,
    /// `graph`.
    pub dialect: &'static str,
    /// The name of the rule that answers for its types; empty where there is none.
    pub rule: &'static str,
    /// The strides of the results that are new.
    pub strides: Strides,
    /// Where operands may be; the last entry stands for further ones.
    pub devices: &'static [OperandDevice],
    /// Eager's kernel, as its messages name it; empty for `NAME_cpu`.
    pub kernel: &'static str,
    /// Whether that kernel has complex numbers.
    pub complex: bool,
    /// What eager says of complex numbers before it looks at anything else.
    pub complex_refusal: &'static str,
    /// What kind of operation it is.
    pub role: Role,
    /// What its loops do with elements.
    pub elements: Elements,
    /// Whether each result is a view of the first operand.
    pub view: bool,
    /// What is the same in memory of its own: `permute_copy` of `permute`. In the functional dialect the
    /// operations that have one are the views.
    pub copy: Option<&'static OpImpl>,
    /// Whether an attribute `device` may say where its results are.
    pub placed: bool,
    /// The arity of each operand of ODS.
    pub operands: &'static [Arity],
    /// The operands that are dynamic entries of lists, and the attributes that are these lists.
    pub lists: &'static [(usize, &'static str)],
    /// Whether the attribute `operandSegmentSizes` says how many values each operand has.
    pub has_segments: bool,
    /// The TypeID of the C++ class; 0 until the class is first asked about.
    pub id: AtomicUsize,
    /// Type inference.
    pub infer: Option<InferFn>,
    /// Verification.
    pub verify: Option<VerifyFn>,
    /// Verification after the regions were verified.
    pub verify_regions: Option<VerifyFn>,
    /// Folding.
    pub fold: Option<FoldFn>,
    /// Memory effects.
    pub effects: Option<EffectsFn>,
    /// Verification of the symbol that it uses.
    pub verify_symbol: Option<VerifySymbolFn>,
    /// Whether reads inside stay on the element that is written.
    pub elementwise: Option<ElementwiseFn>,
    /// Whether the old value of a destination matters.
    pub reads_destination: Option<ReadsDestinationFn>,
}

impl OpImpl {
    /// Whether it writes its first operand: `graph.add_`, `graph.scatter_.src`.
    pub fn is_in_place(&self) -> bool {
        self.name.split('.').nth(1).is_some_and(|base| base.ends_with('_'))
    }

    /// The types of its results, from operands and attributes.
    ///
    /// # Errors
    /// What its rule refuses, and complex numbers where it has none.
    pub fn result_types<'c>(&self, args: &Args<'c, '_>) -> Result<Vec<Type<'c>>, String> {
        Ok(self.results(args)?.iter().map(|made| made.to_type(args.context())).collect())
    }

    /// What its results are, by operands and attributes; sizes may be expressions.
    ///
    /// # Errors
    /// [`Self::result_types`].
    pub fn results<'c>(&self, args: &Args<'c, '_>) -> Result<Vec<Inferred<'c>>, String> {
        self.infer.ok_or("has no rule for its types")?(args)
    }

    /// The operator, without dialect and in-place underscore: `add` of `graph.add_`, `scatter.src` of
    /// `graph.scatter_.src`.
    pub fn operator(&self) -> &'static str {
        let name = match self.name.split_once("_.") {
            Some((base, overload)) => by_name(&format!("{base}.{overload}")).map_or(self.name, |op| op.name),
            None => self.name,
        };
        let name = name.split_once('.').map_or(name, |(_, name)| name);
        name.strip_suffix('_').unwrap_or(name)
    }
}

/// All entries, in the order of their names: those of the table that is made of ODS.
static ALL: OnceLock<&'static [&'static OpImpl]> = OnceLock::new();

/// Takes the table; more than once is the same as once.
pub(crate) fn fill(table: &'static [&'static OpImpl]) {
    ALL.get_or_init(|| table);
}

fn table() -> &'static [&'static OpImpl] {
    ALL.get().expect("crate::init comes before any question about operations")
}

/// The entry of a number, by which generated code asks: its place among all in the order of their names.
pub fn entry(number: usize) -> &'static OpImpl {
    table()[number]
}

/// The entry of an operation by its name: for set-up, not for dispatch.
pub fn by_name(name: &str) -> Option<&'static OpImpl> {
    let table = table();
    table.binary_search_by_key(&name, |op| op.name).ok().map(|i| table[i])
}

/// What the loops of an operation do with elements; None where it is not one of the functional dialect.
pub fn elements(op: OperationRef) -> Option<Elements> {
    of(op).filter(|class| class.dialect == "functional").map(|class| class.elements)
}

/// The entries of all operations, in the order of their names.
pub fn all() -> impl Iterator<Item = &'static OpImpl> {
    table().iter().copied()
}

thread_local! {
    /// Entries by the TypeIDs of their C++ classes, as far as this thread met them.
    static MET: RefCell<FxHashMap<usize, &'static OpImpl>> = RefCell::default();
}

/// The entry of an operation of ours, or None for one of another dialect.
pub fn of(op: OperationRef) -> Option<&'static OpImpl> {
    // SAFETY: an `OperationRef` is of a live operation.
    let id = unsafe { mlirOperationGetTypeID(op.to_raw()) }.ptr as usize;
    if let Some(class) = MET.with_borrow(|met| met.get(&id).copied()) {
        return Some(class);
    }
    // The name is compared only where the class was not met yet.
    // SAFETY: the operation is live, and its name is the context's.
    let name = unsafe { text(mlir_sys::mlirIdentifierStr(mlirOperationGetName(op.to_raw()))) };
    let class = by_name(name)?;
    // An operation that is not registered, and a class that was not asked about, have none.
    if id != 0 && class.id.load(Ordering::Relaxed) == id {
        MET.with_borrow_mut(|met| met.insert(id, class));
    }
    Some(class)
}

/// Called once per class by the bridge.
pub(crate) fn resolve(name: &str, id: usize) -> &'static OpImpl {
    let op = by_name(name).unwrap_or_else(|| panic!("'{name}' has no entry in the table"));
    op.id.store(id, Ordering::Relaxed);
    op
}
