//! Sizes that are known when the program runs.
//!
//! A type says `?` of them. What they are is an expression over sizes of arguments and over numbers of the
//! program: an operator's type rule gives those of its results by those of its operands ([`terrace_size`]).
//! Where loops need one it is computed, of what the expression is made of.
//!
//! Tensors that have to have equal sizes have them: that operands are what their operator takes is the
//! program's promise, which graph-functionalize has tested where nothing else says it.

use crate::emit::{Compare, Emitter, Typed};
use melior::ir::{OperationRef, Type, Value, ValueLike};
use terrace_dialects::{
    analysis::{
        fake::numbers,
        known::{Known, Source, Table},
    },
    internal,
    ir::{
        OperationLike, attributes,
        cursor::V,
        dtype::{Dtype, ElementType},
        extent::Extent,
        kept::Kept,
        operations::{definition, key, name_of},
        pass::Failure,
        types::{TensorType, is_count},
    },
};
use terrace_size::{
    DYNAMIC, Size,
    arithmetic::{Arithmetic, Operator, places},
    symbols::{Symbols, current},
};

/// Runs something over operations of which some may have sizes of the run.
pub fn enter<T>(dynamic: bool, run: impl FnOnce(Known) -> T) -> T {
    if !dynamic {
        return run(Known::NOTHING);
    }
    let table = Table::default();
    Symbols::promised().enter(|| run(table.known()))
}

/// Whether a type leaves a size open.
pub fn is_open(ty: Type) -> bool {
    TensorType::<i64>::of(ty).is_some_and(|tensor| tensor.shape.contains(&DYNAMIC))
}

/// Whether an operation takes or makes a tensor of a size of the run.
pub fn has_open(op: OperationRef) -> bool {
    op.operands().any(|value| is_open(value.r#type())) || op.results().any(|result| is_open(result.r#type()))
}

/// Takes in the sizes of an operation's operands and results.
///
/// # Errors
/// What its type rule refuses.
pub fn learn(op: OperationRef, known: Known) -> Result<(), Failure> {
    if !has_open(op) {
        return Ok(());
    }
    for value in op.operands() {
        if is_open(value.r#type()) {
            sizes(value, known);
        } else if is_count(value.r#type()) {
            number(value, known);
        }
    }
    known.infer(op)?;
    for result in op.results().map(Value::from).filter(|result| is_open(result.r#type())) {
        let open = |size: &Size| size.is_unknown();
        if known.sizes(result).is_some_and(|sizes| sizes.iter().any(open)) {
            given(op, result, known);
        }
    }
    Ok(())
}

/// Sizes that stand as operands behind all others, as those of a `functional.full`.
fn given(op: OperationRef, result: Value, known: Known) {
    let Some(ty) = TensorType::<i64>::of(result.r#type()) else { return };
    let open = ty.shape.iter().filter(|size| **size == DYNAMIC).count();
    let operands: Vec<Value> = op.operands().collect();
    let Some(first) = operands.len().checked_sub(open) else { return };
    if operands[first..].iter().any(|value| TensorType::<i64>::of(value.r#type()).is_some()) {
        return;
    }
    let mut operands = operands[first..].iter();
    let size = |size: &i64| match *size {
        DYNAMIC => operands.next().map_or(Size::UNKNOWN, |value| number(*value, known)),
        size => size.into(),
    };
    let sizes: Vec<Size> = ty.shape.iter().map(size).collect();
    known.set_sizes(result, &sizes);
}

/// A tensor stands in the place of another one.
pub fn replaced(old: Value, new: Value, known: Known) {
    if !is_open(new.r#type()) {
        return;
    }
    if let Some(sizes) = known.first_sizes(old).filter(|sizes| sizes.iter().all(|size| !size.is_unknown())) {
        known.set_sizes(new, &sizes);
    }
    for (place, source) in known.sources() {
        if let Source::Dim(tensor, dim) = source
            && key(tensor.value()) == key(old)
        {
            known.set_source(place, Source::Dim(Kept::of(new), dim));
        }
    }
}

/// An operation is about to go.
pub fn forget(op: OperationRef, known: Known) {
    op.results().for_each(|result| known.forget(result.into()));
}

/// The sizes of a tensor; of what nobody knows more than the type it is asked itself.
pub fn sizes(value: Value, known: Known) -> Vec<Size> {
    let Some(mut sizes) = known.first_sizes(value) else { return vec![] };
    if sizes.iter().all(|size| !size.is_unknown()) {
        return sizes;
    }
    for (dim, size) in sizes.iter_mut().enumerate().filter(|(_, size)| size.is_unknown()) {
        let (symbol, own) = current(|symbols| symbols.symbol(None, 0));
        known.set_dim(symbol, value, dim);
        *size = own;
    }
    known.set_sizes(value, &sizes);
    sizes
}

/// What a number of the program is.
fn number(value: Value, known: Known) -> Size {
    if let Some(size) = known.number(value) {
        return size;
    }
    let size = computed(value, known).unwrap_or_else(|| {
        let (symbol, size) = current(|symbols| symbols.symbol(None, i64::MIN));
        known.set_symbol(symbol, value);
        size
    });
    known.set_number(value, size);
    size
}

fn computed(value: Value, known: Known) -> Option<Size> {
    let op = definition(value)?;
    match name_of(op) {
        "arith.index_cast" => Some(number(op.operand(0).ok()?, known)),
        "tensor.dim" => {
            let dim = definition(op.operand(1).ok()?)?.attribute("value").ok().map(attributes::i64)?;
            sizes(op.operand(0).ok()?, known).get(usize::try_from(dim).ok()?).copied()
        }
        name if name.starts_with("arith.") => {
            numbers::computed(op, &|value| Some(number(value, known)), &|value| Some(sizes(value, known)))
        }
        _ => None,
    }
}

/// The sizes of a tensor where operations go.
pub fn extents<'c, 'a>(value: V<'c, 'a>, e: &Emitter<'c, 'a>) -> Result<Vec<Extent<'c, 'a>>, Failure> {
    let tensor = TensorType::<i64>::of(value.r#type());
    let tensor = tensor.ok_or_else(|| format!("expects a ranked tensor, got {}", value.r#type()))?;
    if tensor.is_static() {
        return Ok(Extent::numbers(&tensor.shape));
    }
    let known = sizes(value, e.known);
    let extent = |(size, known): (&i64, &Size)| match *size {
        DYNAMIC => extent(*known, e),
        size => Ok(Extent::Number(size)),
    };
    tensor.shape.iter().zip(&known).map(extent).collect()
}

/// A size where operations go.
pub fn extent<'c, 'a>(size: Size, e: &Emitter<'c, 'a>) -> Result<Extent<'c, 'a>, Failure> {
    match size.known() {
        Some(number) => Ok(Extent::Number(number)),
        None => {
            places([size]).into_iter().for_each(|place| record_alias(place, e));
            Ok(Extent::Value(current(|symbols| symbols.computed(size, &mut Indices(e)))?))
        }
    }
}

/// A symbol of a value inside of control flow, as of what a loop carries, may stand for a size from outside
/// that is the same: that is its source then.
fn record_alias(place: usize, e: &Emitter) {
    let sees = |source: &Source| e.sees(source.value());
    if e.known.source(place).is_none_or(|source| sees(&source)) {
        return;
    }
    let size_at = |place: usize| current(|symbols| symbols.size_at(place));
    let size = size_at(place);
    let seen = e.known.sources().into_iter().filter(|(_, own)| sees(own));
    let same = seen.filter(|(at, _)| size_at(*at).is_same(size)).min_by_key(|(at, _)| *at);
    if let Some((_, source)) = same {
        e.known.set_source(place, source);
    }
}

/// The type of a tensor with its sizes where operations go.
pub fn typed<'c, 'a>(value: V<'c, 'a>, e: &Emitter<'c, 'a>) -> Result<Typed<'c, 'a>, Failure> {
    Ok(Typed { ty: value.r#type(), extents: extents(value, e)? })
}

/// The sizes of a domain whose points read or write a tensor of sizes `into` at places that are found: it has
/// no points where the tensor has no elements.
pub fn unless_empty<'c, 'a>(
    into: &[Extent<'c, 'a>],
    domain: &[Extent<'c, 'a>],
    e: &Emitter<'c, 'a>,
) -> Vec<Extent<'c, 'a>> {
    let mut domain = domain.to_vec();
    let open = into.iter().filter(|size| !domain.contains(size)).filter_map(|size| size.value());
    let some = open.map(|size| e.compare(Compare::Gt, size, e.index(0))).reduce(|a, b| e.and(a, b));
    let none = into.contains(&Extent::Number(0));
    if let Some(first) = domain.first_mut() {
        *first = match some {
            _ if none => Extent::Number(0),
            Some(some) => Extent::Value(e.select(some, e.size(*first), e.index(0))),
            None => *first,
        };
    }
    domain
}

/// An integer as an index that may be negative, or a number of a list in its place.
pub fn entry<'c, 'a>(list: &[i64], dynamic: &[V<'c, 'a>], e: &Emitter<'c, 'a>) -> Option<Extent<'c, 'a>> {
    match (list, dynamic) {
        ([DYNAMIC], [value]) => Some(Extent::Value(e.as_index(*value))),
        ([number], _) if *number != DYNAMIC => Some(Extent::Number(*number)),
        _ => None,
    }
}

/// Integers as indices that may be negative: those of a list, and others in the places of its dynamic
/// entries.
pub fn entries<'c, 'a>(list: &[i64], dynamic: &[V<'c, 'a>], e: &Emitter<'c, 'a>) -> Vec<Extent<'c, 'a>> {
    let dynamic: Vec<_> = dynamic.iter().map(|value| e.as_index(*value)).collect();
    Extent::listed(list, &dynamic)
}

/// Computes with indices.
struct Indices<'e, 'c, 'a>(&'e Emitter<'c, 'a>);

impl<'c, 'a> Arithmetic for Indices<'_, 'c, 'a> {
    type Value = V<'c, 'a>;
    type Error = Failure;

    fn constant(&mut self, number: i64) -> Result<V<'c, 'a>, Failure> {
        Ok(self.0.index(number))
    }

    fn symbol(&mut self, place: usize) -> Result<V<'c, 'a>, Failure> {
        // Both are values of the function, in front of all that has to do with the symbol.
        match self.0.known.source(place).ok_or(internal!("has a size of which nothing is known"))? {
            Source::Number(value) => {
                let value: V = value.value();
                let index = value.r#type() == self.0.index_type();
                Ok(if index { value } else { self.0.as_index(value) })
            }
            Source::Dim(tensor, dim) => {
                let (tensor, dim) = (tensor.value(), self.0.index(dim as i64));
                Ok(self.0.op("tensor.dim", &[tensor, dim], self.0.index_type(), &[]))
            }
        }
    }

    fn apply(&mut self, operator: Operator, a: V<'c, 'a>, b: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        Ok(match operator {
            Operator::Add => self.0.same("arith.addi", &[a, b]),
            Operator::Multiply => self.0.same("arith.muli", &[a, b]),
            Operator::Max => self.0.same("arith.maxsi", &[a, b]),
            // What is computed where it does not matter may divide by nothing.
            Operator::Divide => {
                let above = self.0.same("arith.maxsi", &[b, self.0.index(1)]);
                self.0.same("arith.floordivsi", &[a, above])
            }
        })
    }

    fn scaled(&mut self, number: V<'c, 'a>, factor: f64) -> Result<V<'c, 'a>, Failure> {
        let (e, i64, f64) = (self.0, Dtype::I64.to_type(self.0.context), Dtype::F64.to_type(self.0.context));
        let float = e.op("arith.sitofp", &[e.as_i64(number)], f64, &[]);
        Ok(e.as_index(e.op("arith.fptosi", &[e.mul(float, e.like(float, factor))], i64, &[])))
    }
}

/// The type of a tensor of the functional dialect.
pub fn tensor<'c>(value: V<'c, '_>) -> Result<TensorType<'c>, Failure> {
    let ty = value.r#type();
    Ok(TensorType::of(ty).ok_or_else(|| format!("expects a ranked tensor, got {ty}"))?)
}

/// A dimension of a tensor of `rank`, counted from the end where negative.
pub fn wrap(dim: i64, rank: usize) -> usize {
    dim.rem_euclid(rank.max(1) as i64) as usize
}

/// A plain tensor type.
pub fn ty(shape: &[i64], dtype: Dtype) -> TensorType<'static> {
    TensorType { shape: shape.to_vec(), dtype, device: None, graph: false }
}

/// A result whose sizes are the type's numbers, and these where it says none.
pub fn with_extents<'c, 'a>(result: V<'c, 'a>, extents: &[Extent<'c, 'a>]) -> Result<Typed<'c, 'a>, Failure> {
    let shape = tensor(result)?.shape;
    let size = |(size, extent): (&i64, &Extent<'c, 'a>)| match *size {
        DYNAMIC => *extent,
        size => Extent::Number(size),
    };
    Ok(Typed { ty: result.r#type(), extents: shape.iter().zip(extents).map(size).collect() })
}

/// The sizes that two tensors broadcast to, which fit.
pub fn broadcast<'c, 'a>(a: &[Extent<'c, 'a>], b: &[Extent<'c, 'a>]) -> Vec<Extent<'c, 'a>> {
    let rank = a.len().max(b.len());
    let one = Extent::Number(1);
    let size =
        |sizes: &[Extent<'c, 'a>], d: usize| (d + sizes.len()).checked_sub(rank).map_or(one, |d| sizes[d]);
    (0..rank).map(|d| if size(a, d).is(1) { size(b, d) } else { size(a, d) }).collect()
}

/// A size in words.
pub fn text(size: Extent) -> String {
    size.number().map_or("?".into(), |number| number.to_string())
}
