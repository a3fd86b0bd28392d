//! Operators that read and write at places which tensors of indices name, spelled by `gather`, `scatter` and
//! `index_put`.
//!
//! A vector of indices along a dimension becomes one index for each element of the slices. `gather` and
//! `scatter` take no negative indices, and neither do the operators that they stand for here.

use super::lowering::{Lowered, Lowering};
use crate::functional::writer::broadcast;
use melior::ir::{OperationRef, Value, ValueLike};
use terrace_dialects::{
    aten::rules::TensorType,
    ir::{OperationLike, attributes as convert, dtype::Dtype, pass::Failure, registry::OpImpl, view},
    ops::functional as f,
};
use terrace_size::{Number, Size};

pub(crate) fn wrap(dim: i64, rank: usize) -> usize {
    (if dim < 0 { dim + rank.max(1) as i64 } else { dim }) as usize
}

/// Whether a number of elements is known to be this one.
fn is(elements: Option<Size>, number: i64) -> bool {
    elements.is_some_and(|elements| elements.known() == Some(number))
}

/// Whether an operand is one value that fills, which is read before anything is written: that of
/// `index_fill`, or of `index_put` where one mask holds.
pub fn is_read_first(op: OperationRef, op_impl: &OpImpl, place: usize) -> bool {
    let of = |place: usize| op.operand(place).ok().and_then(|v| TensorType::of_type(v.r#type()));
    match op_impl.rule {
        "index_fill_in_place" => place == 2,
        "index_put_in_place" => {
            let masks = of(1).is_some_and(|index| matches!(index.dtype, Dtype::Bool | Dtype::U8));
            let one = of(2).is_some_and(|values| values.elements().is_some_and(|n| n.known() == Some(1)));
            let accumulates = view::attribute(op, "accumulate").is_some_and(convert::bool);
            place == 2 && op.operand_count() == 3 && masks && one && !accumulates
        }
        _ => false,
    }
}

impl<'c, 'a> Lowering<'_, 'c, 'a> {
    fn reshaped(&self, value: Value<'c, 'a>, sizes: &[Size]) -> Result<Value<'c, 'a>, Failure> {
        self.values.writer().view(value, sizes)
    }

    /// `dim`, a vector of indices along it as an index per element of the slices of `own`, and the sizes of
    /// these.
    fn slices(&mut self, own: &TensorType) -> Result<(i64, Value<'c, 'a>, Vec<Size>), Failure> {
        let index = self.operand(1);
        let index = self.read(index)?;
        let dim = wrap(convert::i64(view::required(self.op, "dim")), own.rank());
        let mut sizes = own.shape.clone();
        let mut spread = vec![Size::ONE; sizes.len()];
        let count = self.values.ty(index)?.shape.first().copied().unwrap_or(Size::ONE);
        reaches(own, dim, count)?;
        if let Some(size) = sizes.get_mut(dim) {
            *size = count;
            spread[dim] = count;
        }
        let index = self.reshaped(index, &spread)?;
        Ok((dim as i64, self.values.expand(index, &sizes)?, sizes))
    }

    /// The elements of the tensors of a list.
    pub(crate) fn list(&mut self, place: usize) -> Result<Vec<Value<'c, 'a>>, Failure> {
        view::variadic(self.op, self.op_impl, place).into_iter().map(|value| self.read(value)).collect()
    }
}

/// Refuses indices into a dimension without elements: of a write into nothing, nothing is left that would
/// check them.
fn reaches(own: &TensorType, dim: usize, indices: Size) -> Result<(), Failure> {
    if own.shape.get(dim).is_some_and(|size| size.known() == Some(0)) && indices.assume_gt(0) {
        return Err(format!("index is out of bounds for dimension {dim} with size 0").into());
    }
    Ok(())
}

/// [`reaches`], of a dimension that may count from the end.
pub(crate) fn reaches_of(own: &TensorType, dim: i64, indices: Size) -> Result<(), Failure> {
    reaches(own, wrap(dim, own.rank()), indices)
}

/// `index_select`.
pub fn index_select<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let own = l.read(l.operand(0))?;
    let (dim, index, _) = l.slices(&l.values.ty(own)?)?;
    Ok(vec![l.values.value(f::gather(l.values.location(), own, dim, index, None))?])
}

/// `scatter` and its kin; that of a number is one of a tensor that is filled with it.
pub fn scatter<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (own, index) = (l.read(l.operand(0))?, l.read(l.operand(1))?);
    let (ty, at) = (l.values.ty(own)?, l.values.ty(index)?);
    let dim = convert::i64(view::required(l.op, "dim"));
    reaches(&ty, wrap(dim, ty.rank()), at.elements().unwrap_or(Size::ZERO))?;
    if l.op_impl.operator() != "scatter.value" {
        return super::forms::same_operands(l);
    }
    let filled = l.values.full(l.operand(2), ty.dtype, &at.shape)?;
    Ok(vec![l.values.value(f::scatter_src(l.values.location(), own, dim, index, filled))?])
}

/// `index_copy`: the slices of the source, scattered.
pub fn index_copy<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (own, source) = (l.read(l.operand(0))?, l.read(l.operand(2))?);
    if l.values.ty(own)?.rank() == 0 && !is(l.values.ty(source)?.elements(), 1) {
        return Err("takes one index of a tensor without dimensions here".into());
    }
    let (dim, index, sizes) = l.slices(&l.values.ty(own)?)?;
    let source = l.reshaped(source, &sizes)?;
    Ok(vec![l.values.value(f::scatter_src(l.values.location(), own, dim, index, source))?])
}

/// `index_add`: the slices of the source times a number, scattered and added.
pub fn index_add<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (own, source) = (l.read(l.operand(0))?, l.read(l.operand(2))?);
    if is(l.values.ty(own)?.elements(), 0) {
        // Eager looks at no index then.
        return Ok(vec![own]);
    }
    let (dim, index, sizes) = l.slices(&l.values.ty(own)?)?;
    let mut source = l.reshaped(source, &sizes)?;
    let alpha = view::optional(l.op, l.op_impl, 3);
    if let Some(alpha) =
        alpha.filter(|alpha| !crate::graph::functionalize::decompositions::lowering::is_constant(*alpha, 1.0))
    {
        let factor = l.values.full(alpha, l.values.ty(own)?.dtype, &sizes)?;
        source = l.values.binary(f::mul, source, factor)?;
    }
    Ok(vec![l.values.value(f::scatter_add(l.values.location(), own, dim, index, source))?])
}

/// `index_fill`, whose indices may count from the end: `index_put` of one value.
pub fn index_fill<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (own, index) = (l.read(l.operand(0))?, l.read(l.operand(1))?);
    let ty = l.values.ty(own)?;
    let value = l.tensor(l.operand(2), ty.dtype, &[])?;
    let dim = wrap(convert::i64(view::required(l.op, "dim")), ty.rank());
    reaches(&ty, dim, l.values.ty(index)?.elements().unwrap_or(Size::ZERO))?;
    let (shape, location) =
        (if ty.rank() == 0 { vec![Size::ONE] } else { ty.shape.clone() }, l.values.location());
    let own = l.reshaped(own, &shape)?;
    let present: Vec<bool> = (0..=dim).map(|d| d == dim).collect();
    let filled = l.values.value(f::index_put(location, own, &[index], &present, value, None))?;
    Ok(vec![l.reshaped(filled, &ty.shape)?])
}

/// `index_put`: one value where one mask holds may be of another dtype, and of any number of dimensions.
pub fn index_put<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (own, indices, values) = (l.read(l.operand(0))?, l.list(1)?, l.read(l.operand(2))?);
    let present = convert::bools(view::required(l.op, "present"));
    let accumulate = view::attribute(l.op, "accumulate").map(convert::bool);
    let one = is(l.values.ty(values)?.elements(), 1);
    let values = if one { l.reshaped(values, &[])? } else { values };
    let values = l.values.cast(values, l.values.ty(own)?.dtype)?;
    if let [mask] = indices[..]
        && matches!(l.values.ty(mask)?.dtype, Dtype::Bool | Dtype::U8)
        && l.values.ty(mask)?.rank() == 0
    {
        // One truth value chooses all or nothing.
        let sizes = l.values.ty(own)?.shape;
        let all = |value| l.values.expand(value, &sizes);
        let chosen = l.values.choose(all(l.values.cast(mask, Dtype::Bool)?)?, all(values)?, own)?;
        return Ok(vec![chosen]);
    }
    let location = l.values.location();
    Ok(vec![l.values.value(f::index_put(location, own, &indices, &present, values, accumulate))?])
}

/// `_unsafe_index`: `index`.
pub fn unsafe_index<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (own, indices) = (l.read(l.operand(0))?, l.list(1)?);
    let present = convert::bools(view::required(l.op, "present"));
    Ok(vec![l.values.value(f::index(l.values.location(), own, &indices, &present))?])
}

/// `_unsafe_masked_index_put_accumulate`: zeros where the mask does not hold, indices brought within their
/// dimensions.
pub fn masked_index_put_accumulate<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let own = l.read(l.operand(0))?;
    let ty = l.values.ty(own)?;
    if is(ty.elements(), 0) {
        return Ok(vec![own]);
    }
    let (indices, present) = (l.list(2)?, convert::bools(view::required(l.op, "present")));
    let dims = (0..present.len()).filter(|d| present[*d]);
    let mut within = vec![];
    for (index, dim) in indices.into_iter().zip(dims) {
        let size = ty.shape[dim];
        let from = l.values.binary(f::maximum, index, l.values.like_size(index, -size)?)?;
        within.push(l.values.binary(f::minimum, from, l.values.like_size(index, size - 1)?)?);
    }
    let (mask, values) = (l.read(l.operand(1))?, l.read(l.operand(3))?);
    let mask = l.values.cast(mask, Dtype::Bool)?;
    let sizes = broadcast(&l.values.ty(mask)?.shape, &l.values.ty(values)?.shape);
    let (mask, values) = (l.values.expand(mask, &sizes)?, l.values.expand(values, &sizes)?);
    let zero = l.values.like(values, 0.0)?;
    let values = l.values.choose(mask, values, zero)?;
    let location = l.values.location();
    Ok(vec![l.values.value(f::index_put(location, own, &within, &present, values, Some(true)))?])
}

/// The inverse of a view: `src` in the dtype of `self`.
pub fn view_scatter<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let own = l.read(l.operand(0))?;
    let src = l.read(l.operand(1))?;
    let src = l.values.cast(src, l.values.ty(own)?.dtype)?;
    let mut operands = vec![vec![own], vec![src]];
    for place in 2..l.op_impl.operands.len() {
        operands.push(view::variadic(l.op, l.op_impl, place));
    }
    l.build(l.op_impl.operator(), &operands, &[])
}
