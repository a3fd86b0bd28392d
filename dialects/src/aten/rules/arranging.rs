//! Tensors stacked, repeated, turned, and cut to triangles.

use super::{
    Size, TensorType, Types,
    indexing::{joined_dtype as promoted, joined_shape},
    may_equal, may_equal_shapes, one, unless_empty,
    views::shaped,
    wrap_dim, wrap_dims,
};
use crate::ir::{args::Args, attributes as convert, types::Shape};
use terrace_size::Number;

/// Tensors of one shape along a new dimension.
pub fn stack<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let tensors = args.tensors(0)?;
    let first = tensors.first().ok_or("stack expects a non-empty TensorList")?;
    let dim = wrap_dim(args.int_or("dim", 0), first.rank() + 1)?;
    if let Some(i) = tensors.iter().position(|t| !may_equal_shapes(&t.shape, &first.shape)) {
        return Err(format!(
            "stack expects each tensor to be equal size, but got {} at entry 0 and {} at entry {i}",
            Shape(&first.shape),
            Shape(&tensors[i].shape)
        ));
    }
    let mut shape = first.shape.clone();
    shape.insert(dim, tensors.len().into());
    one(&first.with_shape(&shape).with_dtype(promoted(&tensors)))
}

/// The shape with as many dimensions as `hstack`, `vstack` or `dstack` needs, as `atleast_1d` and its kin
/// give it.
pub fn at_least<N: Number>(operator: &str, shape: &[N]) -> Vec<N> {
    let one = N::from(1);
    match (operator, shape) {
        ("hstack", []) => vec![one],
        ("vstack", []) => vec![one; 2],
        ("vstack", [n]) => vec![one, *n],
        ("dstack", []) => vec![one; 3],
        ("dstack", [n]) => vec![one, *n, one],
        ("dstack", [m, n]) => vec![*m, *n, one],
        _ => shape.to_vec(),
    }
}

/// The dimension along which `hstack`, `vstack` or `dstack` joins tensors whose first one has `rank`
/// dimensions.
pub fn stacked_dim(operator: &str, rank: usize) -> usize {
    match operator {
        "hstack" => usize::from(rank > 1),
        "vstack" => 0,
        _ => 2,
    }
}

/// Tensors along a dimension that all have in the end.
pub fn nstack<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let tensors = args.tensors(0)?;
    let name = args.operator();
    let whole: Vec<TensorType> = tensors.iter().map(|t| t.with_shape(&at_least(name, &t.shape))).collect();
    let first = whole.first().ok_or_else(|| format!("{name} expects a non-empty TensorList"))?;
    let shape = joined_shape(&whole, stacked_dim(name, first.rank()) as i64, |shape| {
        Size::assume_same(shape, &[Size::ZERO])
    })?;
    one(&first.with_shape(&shape).with_dtype(promoted(&tensors)))
}

/// The type of the operand; each dimension at most once.
pub fn flip<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    wrap_dims(&args.ints("dims")?, own.rank())?;
    one(&own)
}

/// The type of the operand: a shift for each dimension, or one over all elements.
pub fn roll<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    let (shifts, dims) = (args.ints("shifts")?, args.optional_ints("dims").unwrap_or_default());
    if shifts.is_empty() {
        return Err("`shifts` required".into());
    }
    if shifts.len() != dims.len() && !(dims.is_empty() && shifts.len() == 1) {
        return Err(format!(
            "shifts and dimensions must align. shifts: {}, dims:{}",
            shifts.len(),
            dims.len()
        ));
    }
    let mut there = dims.iter().map(|dim| match own.rank() {
        0 => Err(format!("Dimension specified as {dim} but tensor has no dimensions")),
        rank => wrap_dim(*dim, rank).map(drop),
    });
    unless_empty(&own, there.try_for_each(|dim| dim))?;
    one(&own)
}

fn repeated<'c>(args: &Args<'c, '_>, own: &TensorType<'c>, repeats: &[i64]) -> Types<'c> {
    let mut shape = vec![Size::ONE; repeats.len() - own.rank()];
    shape.extend(&own.shape);
    let shape: Vec<Size> =
        shape.iter().zip(repeats).map(|(size, count)| size.saturating_mul(*count)).collect();
    if let Some(wrong) = shape.iter().find(|s| s.assume_lt(0) && !s.is_unknown()) {
        return Err(format!("Trying to create tensor with negative dimension {wrong}: {}", Shape(&shape)));
    }
    shaped(args, &shape)
}

/// Each dimension so many times; more counts than dimensions add dimensions in front.
pub fn repeat<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, repeats) = (args.tensor(0)?, args.ints("repeats")?);
    if repeats.len() < own.rank() {
        return Err(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor"
                .into(),
        );
    }
    repeated(args, &own, &repeats)
}

/// The last dimensions so many times.
pub fn tile<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, dims) = (args.tensor(0)?, args.ints("dims")?);
    let mut repeats = vec![1; own.rank().saturating_sub(dims.len())];
    repeats.extend(dims);
    repeated(args, &own, &repeats)
}

/// Each index of a dimension so many times; without a dimension each element.
pub fn repeat_interleave<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let mut own = args.tensor(0)?;
    let repeats = args.int("repeats")?;
    let given = args.attribute("dim").map(convert::i64);
    let rank = own.rank();
    wrap_dim(given.unwrap_or(0), rank)?;
    if repeats < 0 {
        return Err("Repeats must be non-negative".into());
    }
    if rank == 0 && given.is_some() {
        // Eager puts what is repeated into a dimension behind the one that it flattens it to.
        wrap_dim(1, rank)?;
    }
    if given.is_none() {
        own = own.with_shape(&[own.elements().unwrap_or(Size::UNKNOWN)]);
    }
    let dim = wrap_dim(given.unwrap_or(0), own.rank())?;
    let size = own.shape[dim].saturating_mul(repeats);
    if let Some(expected) = args.attribute("output_size").map(convert::i64)
        && !may_equal(expected.into(), size)
    {
        return Err(format!("repeat_interleave: Invalid output_size, expected {size} but got {expected}"));
    }
    own.shape[dim] = size;
    one(&own)
}

/// The type of a batch of matrices.
pub fn triangle<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    if own.rank() < 2 {
        return Err(format!("{}: input tensor must have at least 2 dimensions", args.operator()));
    }
    one(&own)
}

/// [`triangle`] of `self`.
pub fn triangle_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    triangle(args)
}

/// One element less along the dimension for each difference that is taken.
pub fn diff<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    if own.rank() == 0 {
        return Err("diff expects input to be at least one-dimensional".into());
    }
    let n = args.int_or("n", 1);
    if n < 0 {
        return Err(format!("order must be non-negative but got {n}"));
    }
    let mut dtypes = vec![own.clone()];
    let mut size = None;
    for place in [1, 2] {
        let Some(more) = args.optional_tensor(place)? else { continue };
        if more.rank() != own.rank() {
            return Err("diff expects prepend or append to be the same dimension as input".into());
        }
        let dim = wrap_dim(args.int_or("dim", -1), own.rank())?;
        if let Some(d) = (0..own.rank()).find(|d| *d != dim && !may_equal(own.shape[*d], more.shape[*d])) {
            return Err(format!(
                "diff expects the shape of tensor to prepend or append to match that of input except along the differencing \
                 dimension; input.size({d}) = {}, but got tensor.size({d}) = {}",
                own.shape[d], more.shape[d]
            ));
        }
        size = Some(size.unwrap_or(Size::ZERO) + more.shape[dim]);
        dtypes.push(more);
    }
    // Of no differences nobody asks along which dimension.
    if n == 0 && dtypes.len() == 1 {
        return one(&own);
    }
    let dim = wrap_dim(args.int_or("dim", -1), own.rank())?;
    let mut shape = own.shape.clone();
    if let Some(more) = size.filter(|_| n > 0) {
        shape[dim] += more;
    }
    if !shape[dim].is_unknown() {
        shape[dim] = (shape[dim] - n).assume_max(0);
    }
    let dtype = if dtypes.len() > 1 && n > 0 { promoted(&dtypes) } else { own.dtype };
    one(&own.with_shape(&shape).with_dtype(dtype))
}
