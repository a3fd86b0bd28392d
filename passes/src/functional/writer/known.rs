//! What is known of the values that are written, beyond their types: the sizes of tensors, and numbers.
//!
//! A type says `?` of a size that is an expression over symbols ([`terrace_size`]). While functions of such
//! tensors are written, this says which one: what an operation makes is asked of its type rule, with what is
//! known of its operands. The other way round it has the value that a size is where operations go, written
//! when it is first needed.

use super::{Writer, Written};
use melior::ir::{OperationRef, Type, Value, ValueLike, attribute::IntegerAttribute};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use terrace_dialects::{
    aten::rules::{Inferred, TensorType},
    ir::{
        OperationLike,
        args::{Args, KnownValues},
        cursor::Cursor,
        dtype::{Dtype, ElementType},
        kept::Kept,
        operations::key,
        pass::Failure,
        refusal::Reason,
        registry,
        types::is_graph_tensor,
    },
    ops::graph,
};
use terrace_size::{
    DYNAMIC, Size,
    arithmetic::{Arithmetic, Operator},
    symbols::{Symbol, current},
    trials::asked,
};

/// What a symbol is when the program runs.
#[derive(Clone, Copy)]
enum Source {
    /// A number.
    Number(Kept),
    /// A size of a tensor.
    Dim(Kept, usize),
}

/// What was learned since a region was entered.
#[derive(Default)]
struct Scope {
    symbols: FxHashMap<usize, Source>,
    /// The values of sizes, by their keys.
    values: FxHashMap<i64, Kept>,
}

#[derive(Default)]
struct Known {
    tensors: FxHashMap<usize, Vec<Size>>,
    numbers: FxHashMap<usize, Size>,
    /// One for each region around.
    scopes: Vec<Scope>,
}

thread_local! {
    static KNOWN: RefCell<Option<Known>> = const { RefCell::new(None) };
}

fn with<T>(ask: impl FnOnce(&mut Known) -> T) -> Option<T> {
    KNOWN.with_borrow_mut(|known| known.as_mut().map(ask))
}

/// Runs something that writes values of which more is known than their types, where there are such.
pub fn remember<T>(dynamic: bool, run: impl FnOnce() -> T) -> T {
    /// Puts back what was known, after a panic too.
    struct Back(Option<Known>);
    impl Drop for Back {
        fn drop(&mut self) {
            KNOWN.set(self.0.take());
        }
    }
    let _back =
        Back(KNOWN.replace(dynamic.then(|| Known { scopes: vec![Scope::default()], ..Known::default() })));
    run()
}

/// Whether more may be known of values than their types.
pub(super) fn is_remembered() -> bool {
    KNOWN.with_borrow(|known| known.is_some())
}

/// The sizes of a tensor are these.
pub fn is_tensor(value: Value, sizes: &[Size]) {
    with(|known| known.tensors.insert(key(value), sizes.to_vec()));
}

/// A value is there no more: what has its place in memory next is another one.
pub fn forget(value: Value) {
    with(|known| {
        known.tensors.remove(&key(value));
        known.numbers.remove(&key(value));
    });
}

/// A number is this size.
pub fn is_number(value: Value, size: Size) {
    with(|known| known.numbers.insert(key(value), size));
}

/// A symbol is a number, i64, inside of the region that is written. Rules know it only where it is written as
/// a size: an index they would ask for its range.
pub fn is_symbol(symbol: Symbol, value: Value) {
    source(symbol, Source::Number(Kept::of(value)));
}

/// Whether it is known what the symbol of a place is, where something is written now.
pub fn is_known(place: usize) -> bool {
    with(|known| known.scopes.iter().any(|scope| scope.symbols.contains_key(&place))).unwrap_or(false)
}

/// A symbol is a size of a tensor.
pub fn is_size(symbol: Symbol, tensor: Value, dim: usize) {
    source(symbol, Source::Dim(Kept::of(tensor), dim));
}

fn source(symbol: Symbol, source: Source) {
    with(|known| known.scopes.last_mut().map(|scope| scope.symbols.insert(symbol.place(), source)));
}

/// A region is written from here on: what is made in it is not there behind it.
pub fn enter() {
    with(|known| known.scopes.push(Scope::default()));
}

/// The region that was entered last is written.
pub fn leave() {
    with(|known| known.scopes.pop());
}

/// The size that a number is, where it is known.
pub fn number(value: Value) -> Option<Size> {
    with(|known| known.numbers.get(&key(value)).copied()).flatten()
}

/// The sizes of a tensor as they were first said, whatever was learned of their symbols since.
pub fn first_sizes(value: Value) -> Option<Vec<Size>> {
    let ty = TensorType::of_type(value.r#type())?;
    let known = with(|known| known.tensors.get(&key(value)).cloned()).flatten();
    Some(known.filter(|_| !ty.is_static()).unwrap_or(ty.shape))
}

/// The sizes of a tensor, as far as they are known.
pub fn sizes(value: Value) -> Option<Vec<Size>> {
    let ty = TensorType::of_type(value.r#type())?;
    if ty.is_static() {
        return Some(ty.shape);
    }
    let known = with(|known| known.tensors.get(&key(value)).cloned()).flatten();
    Some(match known {
        Some(sizes) => sizes.into_iter().map(Size::simplified).collect(),
        None => ty.shape,
    })
}

/// The type of a tensor, its sizes as far as they are known.
pub fn ty<'c>(value: Value<'c, '_>) -> Option<TensorType<'c>> {
    let ty = TensorType::of_type(value.r#type())?;
    Some(if ty.is_static() { ty } else { ty.with_shape(&sizes(value)?) })
}

/// What is known, for rules.
struct Answers;

impl<'c> KnownValues<'c> for Answers {
    fn tensor(&self, value: Value<'c, '_>) -> Option<TensorType<'c>> {
        ty(value)
    }

    fn number(&self, value: Value<'c, '_>) -> Option<Size> {
        number(value)
    }
}

/// Takes in what a new operation makes.
///
/// # Errors
/// What its rule refuses.
pub fn infer(op: OperationRef) -> Result<(), Failure> {
    let unknown = |value: Value| TensorType::of_type(value.r#type()).is_some_and(|ty| !ty.is_static());
    if !is_remembered() || !op.results().any(|result| unknown(result.into())) {
        return Ok(());
    }
    let class = registry::of(op).filter(|class| class.infer.is_some() && class.dialect == "functional");
    let Some(class) = class else { return Ok(()) };
    let operands: Vec<Value> = op.operands().collect();
    let attribute = |name: &str| op.attribute(name).ok();
    let made = asked(|| {
        let made = class.results(&Args::new(class, op.context(), &operands, &attribute).with(&Answers))?;
        let mut sizes = made.iter().flat_map(|made| match made {
            Inferred::Tensor(ty) => &ty.shape[..],
            Inferred::Other(_) => &[],
        });
        match sizes.find(|size| size.simplified().known().is_some_and(|number| number < 0)) {
            Some(size) => Err(Reason::RunTime.says(format!("has a result with a negative size, {size}"))),
            None => Ok(made),
        }
    })?;
    for (result, made) in op.results().zip(made) {
        if let Inferred::Tensor(ty) = made {
            is_tensor(result.into(), &ty.shape);
        }
    }
    Ok(())
}

impl<'c, 'a> Writer<'c, 'a> {
    /// A size as a number, i64, where operations go.
    ///
    /// # Errors
    /// It depends on what is known elsewhere only.
    pub fn size(&self, size: Size) -> Written<'c, 'a> {
        let size = size.simplified();
        match size.known() {
            Some(number) => self.number(Dtype::I64, number),
            None if size.is_unknown() => Err("has a size of which nothing is known".into()),
            None => {
                let there = with(|known| {
                    known.scopes.iter().rev().find_map(|scope| scope.values.get(&size.key()).copied())
                });
                if let Some(value) = there.flatten() {
                    return Ok(value.value());
                }
                let value = current(|symbols| symbols.computed(size, &mut Sizes(*self)))?;
                with(|known| {
                    known.scopes.last_mut().map(|scope| scope.values.insert(size.key(), Kept::of(value)))
                });
                is_number(value, size);
                Ok(value)
            }
        }
    }

    /// A size as it was first said, whatever was learned of its symbols since: what a guard asks.
    pub fn first_size(&self, size: Size) -> Written<'c, 'a> {
        match size.known() {
            Some(number) => self.number(Dtype::I64, number),
            None => current(|symbols| symbols.computed(size, &mut Sizes(*self))),
        }
    }

    /// A number of 64 bits as an i64.
    pub fn word_of(&self, value: Value<'c, 'a>) -> Written<'c, 'a> {
        if value.r#type() == self.word() {
            return Ok(value);
        }
        self.plain("arith.index_cast", &[value], self.word())
    }

    /// Sizes as operators take them: the values of those that are no numbers, and all, with [`DYNAMIC`] in
    /// their places.
    pub fn listed(&self, sizes: &[Size]) -> Result<(Vec<Value<'c, 'a>>, Vec<i64>), Failure> {
        let (mut values, mut numbers) = (vec![], vec![]);
        for size in sizes {
            let number = size.simplified().in_type();
            numbers.push(number);
            if number == DYNAMIC {
                values.push(self.size(*size)?);
            }
        }
        Ok((values, numbers))
    }

    pub fn word(&self) -> Type<'c> {
        Dtype::I64.to_type(self.context)
    }

    /// A number over a size, f64.
    pub(super) fn share(&self, number: f64, size: Size) -> Written<'c, 'a> {
        let ty = Dtype::F64.to_type(self.context);
        let size = self.plain("arith.sitofp", &[self.size(size)?], ty)?;
        self.plain("arith.divf", &[self.float(number)?, size], ty)
    }

    /// An operation of another dialect on numbers, of one result.
    pub fn plain(&self, name: &str, operands: &[Value<'c, 'a>], ty: Type<'c>) -> Written<'c, 'a> {
        Cursor::before(self.before)?.op(name, operands, ty)
    }

    /// A size of a tensor as a number.
    fn dim(&self, tensor: Value<'c, 'a>, dim: usize) -> Written<'c, 'a> {
        if is_graph_tensor(tensor.r#type()) {
            return self.value(graph::sym_size(self.location(), tensor, dim as i64));
        }
        let index = Type::index(self.context);
        let at = self.constant(IntegerAttribute::new(index, dim as i64).into(), index)?;
        let size = self.plain("tensor.dim", &[tensor, at], index)?;
        self.plain("arith.index_cast", &[size], self.word())
    }
}

/// Writes the value of a size.
pub(super) struct Sizes<'c, 'a>(pub Writer<'c, 'a>);

impl<'c, 'a> Arithmetic for Sizes<'c, 'a> {
    type Value = Value<'c, 'a>;
    type Error = Failure;

    fn constant(&mut self, number: i64) -> Written<'c, 'a> {
        self.0.number(Dtype::I64, number)
    }

    fn symbol(&mut self, place: usize) -> Written<'c, 'a> {
        let source =
            with(|known| known.scopes.iter().rev().find_map(|scope| scope.symbols.get(&place).copied()));
        match source.flatten() {
            // Both are values of the function that is written, in a region around.
            Some(Source::Number(value)) => Ok(value.value()),
            Some(Source::Dim(tensor, dim)) => {
                let value = self.0.dim(tensor.value(), dim)?;
                let source = Source::Number(Kept::of(value));
                with(|known| known.scopes.last_mut().map(|scope| scope.symbols.insert(place, source)));
                Ok(value)
            }
            None => Err(Reason::RunTime
                .says("depends on a size that is known only inside of control flow, or after it")
                .into()),
        }
    }

    fn apply(&mut self, operator: Operator, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Written<'c, 'a> {
        // What is computed where it does not matter may divide by nothing.
        let b = match operator {
            Operator::Divide => {
                let one = self.constant(1)?;
                self.0.plain("arith.maxsi", &[b, one], self.0.word())?
            }
            _ => b,
        };
        let name = match operator {
            Operator::Add => "arith.addi",
            Operator::Multiply => "arith.muli",
            Operator::Divide => "arith.floordivsi",
            Operator::Max => "arith.maxsi",
        };
        self.0.plain(name, &[a, b], self.0.word())
    }

    fn scaled(&mut self, number: Value<'c, 'a>, factor: f64) -> Written<'c, 'a> {
        let w = self.0;
        let ty = Dtype::F64.to_type(w.context);
        let float = w.plain("arith.sitofp", &[number], ty)?;
        w.plain("arith.fptosi", &[w.plain("arith.mulf", &[float, w.float(factor)?], ty)?], w.word())
    }
}
