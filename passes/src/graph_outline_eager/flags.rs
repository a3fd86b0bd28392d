//! Which tensors are seen as conjugates or negatives of what is stored.
//!
//! What is passed on is what is stored; a function sees it as its caller does. So memory alone goes from one to the next, and results
//! say of themselves what they are: by attributes, and where ways of control flow decide by `graph.tell_flags` ([`by_way`](super::by_way)).

use super::{
    by_way::ByWay,
    calls::{Calls, TOLD_FLAGS},
    seen::{All, Draft},
};
use melior::ir::{
    Attribute, AttributeLike, BlockRef, Identifier, OperationRef, RegionLike, ValueLike,
    attribute::ArrayAttribute,
    operation::{OperationMutLike, OperationRefMut},
};
use mlir_sys::{mlirDictionaryAttrGet, mlirNamedAttributeGet};
use std::collections::{HashMap, HashSet};
use terrace_dialects::{
    args::Args,
    attributes as convert, context,
    cursor::{Cursor, V},
    ir::{BlockLike, OperationLike},
    operations::{collect, name_of, refuse},
    pass::Failure,
    registry,
    rules::{self, Kind},
};

/// How a tensor sees elements of its storage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flagged {
    pub conj: bool,
    pub neg: bool,
}

impl Flagged {
    /// Whether it is a conjugate.
    pub fn is_conj(self) -> bool {
        self.conj
    }

    /// How a part is seen, 0 the real one and 1 the imaginary one.
    pub fn of_part(self, which: i64) -> Self {
        Self { conj: false, neg: self.neg != (self.conj && which == 1) }
    }

    /// A tensor seen so: what is stored as it is seen, and the other way round.
    pub fn seen<'c, 'a>(self, at: &Cursor<'c, 'a>, mut tensor: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        for (name, set) in [("graph._conj", self.conj), ("graph._neg_view", self.neg)] {
            if set {
                tensor = at.op(name, &[tensor], tensor.r#type())?;
            }
        }
        Ok(tensor)
    }
}

/// How the operands of operations see elements, by these.
pub(super) struct Flags(HashMap<usize, Vec<Flagged>>);

impl Flags {
    /// Those of a function, which says it of its results. Of the `decided` operations strides decide what they give when it runs. Where ways of
    /// control flow decide, there is an operation for each way, of which `copied` hears, and that it is a copy of.
    ///
    /// # Errors
    /// A function that values were made of is called with conjugates or negatives: it takes what is stored.
    pub fn of<'c: 'a, 'a>(
        function: OperationRef<'c, 'a>,
        decided: &HashSet<usize>,
        calls: &Calls<'c, 'a>,
        copied: &mut dyn FnMut(OperationRef<'c, 'a>, OperationRef<'c, 'a>),
    ) -> Result<Self, Failure> {
        let all = checked(function, decided, calls)?;
        let block = function.region(0)?.first_block().ok_or("has no body")?;
        let said = calls.given(&convert::string(function.attribute("sym_name")?));
        let mut by_way = ByWay::of(all, calls, copied);
        by_way.arguments(function, block)?;
        by_way.block(block)?;
        let returned = by_way.tell(block, &said)?;
        declare_results(function, &returned);
        Ok(Self(by_way.done()))
    }

    /// How the operands of an operation see elements.
    pub fn remove(&mut self, op: OperationRef) -> Vec<Flagged> {
        let flags = self.0.remove(&(op.to_raw().ptr as usize));
        flags.unwrap_or_else(|| vec![Flagged::default(); op.operand_count()])
    }
}

/// Says how a function of which nothing was outlined sees what it gives, and that it passes on no conjugates or negatives of what is stored: others
/// take what is stored.
///
/// # Errors
/// It does, too little is known to say so, or ways of control flow decide what a result is: said at its place.
pub fn passes_no_flags(function: OperationRef) -> Result<(), Failure> {
    let first = function.block().and_then(|block: BlockRef| block.first_operation());
    let functions: Vec<OperationRef> = std::iter::successors(first, |op| op.next_in_block()).collect();
    let functions = functions.into_iter().filter(|op| name_of(*op) == "func.func");
    let none = HashSet::new();
    let calls = Calls::of(functions, [function], false)?;
    if calls.is_done(function) {
        return Ok(());
    }
    let all = checked(function, &none, &calls)?;
    let end = function.region(0)?.first_block().and_then(|block| block.terminator());
    let mut returned = vec![];
    for value in end.iter().flat_map(|end| end.operands()) {
        let seen = all.get(value);
        if seen.is_by_way() {
            let why = "gives a tensor that is a conjugate or a negative on some ways and none on others: run graph-outline-eager first";
            return Err(refuse(function, why));
        }
        returned.push((seen.at_most(), false));
    }
    declare_results(function, &returned);
    Ok(())
}

fn checked<'c: 'a, 'a, 'd>(
    function: OperationRef<'c, 'a>,
    decided: &'d HashSet<usize>,
    calls: &Calls<'c, 'a>,
) -> Result<All<'d>, Failure> {
    let mut draft = Draft::of(function, decided, calls);
    while draft.round(&|name| Some(calls.given(name))) {}
    let all = draft.done();
    for op in collect(function, |op| op != function) {
        if name_of(op) != "func.call" || calls.callee(op).is_some_and(super::is_outlined) {
            continue;
        }
        let is_lost = |(number, value): (usize, V)| {
            all.get(value).at_most() != Flagged::default() && !calls.is_asked(op, number)
        };
        if op.operands().enumerate().any(is_lost) {
            let why = "passes on a view of conjugates or negatives, in a function that runs as it is written: \
                       take resolve_conj or resolve_neg of it";
            return Err(refuse(op, why));
        }
    }
    Ok(all)
}

/// Whether an operation is the inverse transform of real numbers: the conjugate of their transform, a view.
pub fn is_conjugate_transform(op: OperationRef) -> bool {
    let Some(class) = registry::of(op).filter(|class| class.name.starts_with("graph.fft_")) else {
        return false;
    };
    let (attribute, operands) = (|name: &str| op.attribute(name).ok(), op.operands().collect::<Vec<_>>());
    let args = Args::new(class, op.context(), &operands, &attribute);
    let from_real = |kind| matches!(kind, Kind::FromReal | Kind::FromRealToAll);
    rules::transform(&args).is_ok_and(|transform| !transform.forward && from_real(transform.kind))
}

/// Says of the results of a function how they see elements, or that they are told.
fn declare_results(function: OperationRef, results: &[(Flagged, bool)]) {
    if results.iter().all(|result| *result == (Flagged::default(), false)) {
        return;
    }
    let context = context::of(function.context());
    let of = |(flags, told): &(Flagged, bool)| {
        let named =
            [("graph.conj", flags.conj && !told), ("graph.neg", flags.neg && !told), (TOLD_FLAGS, *told)];
        let named = named.into_iter().filter(|(_, set)| *set).map(|(name, _)| {
            let name = Identifier::new(context, name);
            // SAFETY: both are of this context.
            unsafe { mlirNamedAttributeGet(name.to_raw(), Attribute::unit(context).to_raw()) }
        });
        let named: Vec<_> = named.collect();
        // SAFETY: there are as many as it says.
        unsafe {
            Attribute::from_raw(mlirDictionaryAttrGet(context.to_raw(), named.len() as isize, named.as_ptr()))
        }
    };
    let all: Vec<Attribute> = results.iter().map(of).collect();
    // SAFETY: nobody holds on to the attribute that is replaced.
    let mut function = unsafe { OperationRefMut::from_raw(function.to_raw()) };
    function.set_attribute("res_attrs", ArrayAttribute::new(context, &all).into());
}
