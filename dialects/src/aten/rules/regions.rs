//! Views of a part of a tensor, and their inverses, which replace the part.

use super::{Size, Types, may_equal, may_equal_shapes, one, views::shaped, wrap_dim};
use crate::ir::{args::Args, types::Shape};
use terrace_size::Number;

fn select_shape(args: &Args) -> Result<Vec<Size>, String> {
    let mut shape = args.tensor(0)?.shape;
    if shape.is_empty() {
        return Err("select() cannot be applied to a 0-dim tensor.".into());
    }
    let dim = wrap_dim(args.int_or("dim", 0), shape.len())?;
    let place = if args.operand_is_src() { 2 } else { 1 };
    let (index, size) = (args.dynamic_int("index", place)?, shape[dim]);
    if !index.is_unknown() && !size.is_unknown() && (index.assume_lt(-size) || index.assume_ge(size)) {
        return Err(format!(
            "select(): index {index} out of range for tensor of size {} at dimension {dim}",
            Shape(&shape)
        ));
    }
    shape.remove(dim);
    Ok(shape)
}

/// One index of a dimension.
pub fn select<'c>(args: &Args<'c, '_>) -> Types<'c> {
    shaped(args, &select_shape(args)?)
}

/// The size of a slice: bounds wrap once and clamp to the dimension.
pub fn slice_size<N: Number>(size: N, start: N, end: N, step: N) -> N {
    let zero = N::from(0);
    let clamp = |x: N, low: N| {
        let x = if x.assume_lt(zero) { x.saturating_add(size) } else { x };
        // A bound of the run is meant to be within; of a number, such as the largest one, nobody knows.
        let beyond = |x: N| if x.known().is_some() { x.assume_ge(size) } else { !x.demand_le(size) };
        // So is a slice of the run meant to end behind its start.
        if !low.demand_le(x) {
            low
        } else if beyond(x) {
            size
        } else {
            x
        }
    };
    let start = clamp(start, zero);
    let end = clamp(end, start);
    // Divides first: a step may be as large as an i64.
    let length = end - start;
    if step.known() == Some(1) {
        return length;
    }
    if length.assume_eq(0) { zero } else { (length - N::from(1)) / step + N::from(1) }
}

fn slice_shape(args: &Args) -> Result<Vec<Size>, String> {
    let mut shape = args.tensor(0)?.shape;
    if shape.is_empty() {
        return Err("slice() cannot be applied to a 0-dim tensor.".into());
    }
    let dim = wrap_dim(args.int_or("dim", 0), shape.len())?;
    let first = if args.operand_is_src() { 2 } else { 1 };
    let bounds = ["start", "end", "step"];
    let mut known = vec![];
    for (i, name) in bounds.iter().enumerate() {
        known.push(args.dynamic_int(name, first + i)?);
    }
    if !known[2].is_unknown() && known[2].assume_le(0) {
        return Err("slice step must be positive".into());
    }
    shape[dim] = match known[..] {
        // No bound at all, which asks nothing of sizes.
        [start, end, step] if [start, end, step].map(Size::known) == [Some(0), Some(i64::MAX), Some(1)] => {
            shape[dim]
        }
        [start, end, step] if ![start, end, step, shape[dim]].iter().any(|size| size.is_unknown()) => {
            slice_size(shape[dim], start, end, step)
        }
        _ => Size::UNKNOWN,
    };
    Ok(shape)
}

/// From `start` to `end` by `step`.
pub fn slice<'c>(args: &Args<'c, '_>) -> Types<'c> {
    shaped(args, &slice_shape(args)?)
}

/// `length` indices of a dimension from `start` on.
pub fn narrow<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let mut shape = args.tensor(0)?.shape;
    if shape.is_empty() {
        return Err("narrow() cannot be applied to a 0-dim tensor.".into());
    }
    let dim = wrap_dim(args.int("dim")?, shape.len())?;
    let (start, length) = (args.dynamic_int("start", 1)?, args.dynamic_int("length", 2)?);
    if !length.is_unknown() && length.assume_lt(0) {
        return Err("narrow(): length must be non-negative.".into());
    }
    let size = shape[dim];
    if ![start, length, size].iter().any(|size| size.is_unknown()) {
        if start.assume_lt(-size) || start.assume_gt(size) {
            return Err(format!(
                "start out of range (expected to be in range of [{}, {size}], but got {start})",
                -size
            ));
        }
        let start = if start.assume_lt(0) { start + size } else { start };
        if (start + length).assume_gt(size) {
            return Err(format!("start ({start}) + length ({length}) exceeds dimension size ({size})."));
        }
    }
    shape[dim] = length;
    shaped(args, &shape)
}

fn diagonal_shape(args: &Args) -> Result<Vec<Size>, String> {
    let mut shape = args.tensor(0)?.shape;
    let (d1, d2) =
        (wrap_dim(args.int_or("dim1", 0), shape.len())?, wrap_dim(args.int_or("dim2", 1), shape.len())?);
    if d1 == d2 {
        return Err(format!(
            "diagonal dimensions cannot be identical {}, {}",
            args.int_or("dim1", 0),
            args.int_or("dim2", 1)
        ));
    }
    let offset = args.int_or("offset", 0);
    let (rows, columns) = (shape[d1], shape[d2]);
    let length = if rows.is_unknown() || columns.is_unknown() {
        Size::UNKNOWN
    } else if offset >= 0 {
        rows.assume_min(columns.saturating_sub(offset)).assume_max(0)
    } else {
        rows.saturating_add(offset).assume_min(columns).assume_max(0)
    };
    shape.remove(d1.max(d2));
    shape.remove(d1.min(d2));
    shape.push(length);
    Ok(shape)
}

/// The diagonal of two dimensions, as the last one.
pub fn diagonal<'c>(args: &Args<'c, '_>) -> Types<'c> {
    shaped(args, &diagonal_shape(args)?)
}

/// Windows of `size` every `step` along a dimension, as one more dimension at the end.
pub fn unfold<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let mut shape = args.tensor(0)?.shape;
    let dim = wrap_dim(args.int("dimension")?, shape.len())?;
    let (size, step) = (args.int("size")?, args.int("step")?);
    let own = shape.get(dim).copied().unwrap_or(Size::ONE);
    if size < 0 {
        return Err(format!("size is {size} but must be >= 0"));
    }
    if !own.is_unknown() && own.assume_lt(size) {
        return Err(format!("maximum size for tensor at dimension {dim} is {own} but size is {size}"));
    }
    if step <= 0 {
        return Err(format!("step is {step} but must be > 0"));
    }
    if let Some(s) = shape.get_mut(dim) {
        *s = (own - size) / step + 1;
    }
    shape.push(size.into());
    shaped(args, &shape)
}

fn as_strided_shape(args: &Args, first: usize) -> Result<Vec<Size>, String> {
    let size = args.dynamic_ints("size", first)?;
    let stride = args.dynamic_ints("stride", first + 1)?;
    let offset = args.dynamic_int("storage_offset", first + 2)?;
    if size.len() != stride.len() {
        return Err("mismatch in length of strides and shape".into());
    }
    if let Some(s) = size.iter().find(|s| s.assume_lt(0) && !s.is_unknown()) {
        return Err(format!("Trying to create tensor with negative dimension {s}: {}", Shape(&size)));
    }
    if stride.iter().any(|s| s.assume_lt(0) && !s.is_unknown()) {
        return Err(format!(
            "as_strided: Negative strides are not supported at the moment, got strides: {}",
            Shape(&stride)
        ));
    }
    if !offset.is_unknown() && offset.assume_lt(0) {
        return Err(format!("Tensor: invalid storage offset {}", offset));
    }
    // The functional form names elements of its operand: they must be there.
    if !args.is_graph()
        && let Some(n) = args.tensor(0)?.elements()
        && !offset.is_unknown()
        && !size.iter().any(|size| size.is_unknown())
        && !stride.iter().any(|size| size.is_unknown())
        && !size.iter().any(|size| size.assume_eq(0))
    {
        let last = size
            .iter()
            .zip(&stride)
            .try_fold(offset, |at, (n, s)| Some(at.saturating_add((*n - 1).checked_mul(*s)?)));
        if last.is_none_or(|l| l.assume_ge(n)) {
            return Err(format!(
                "sizes {}, strides {} and offset {offset} reach beyond the {n} elements of the operand",
                Shape(&size),
                Shape(&stride)
            ));
        }
    }
    Ok(size)
}

/// Sizes, strides and offset as given.
pub fn as_strided<'c>(args: &Args<'c, '_>) -> Types<'c> {
    shaped(args, &as_strided_shape(args, 1)?)
}

/// `src` has the shape of the region that is replaced; in functional form it has the dtype of `self`.
fn scatter<'c>(args: &Args<'c, '_>, region: &[Size]) -> Types<'c> {
    let (own, src) = (args.tensor(0)?, args.tensor(1)?);
    if !may_equal_shapes(&src.shape, region) {
        return Err(format!(
            "expected src to have a size equal to the slice of self. src size = {}, slice size = {}",
            Shape(&src.shape),
            Shape(region)
        ));
    }
    if !args.is_graph() && src.dtype != own.dtype {
        return Err(format!("expects src to have the dtype of self, got {}", src.to_type(args.context())));
    }
    assert!(src.shape.iter().zip(region).all(|(a, b)| may_equal(*a, *b)));
    one(&own)
}

/// The inverse of [`select`].
pub fn select_scatter<'c>(args: &Args<'c, '_>) -> Types<'c> {
    scatter(args, &select_shape(args)?)
}

/// The inverse of [`slice()`].
pub fn slice_scatter<'c>(args: &Args<'c, '_>) -> Types<'c> {
    scatter(args, &slice_shape(args)?)
}

/// The inverse of [`diagonal`].
pub fn diagonal_scatter<'c>(args: &Args<'c, '_>) -> Types<'c> {
    scatter(args, &diagonal_shape(args)?)
}

/// The inverse of [`as_strided`].
pub fn as_strided_scatter<'c>(args: &Args<'c, '_>) -> Types<'c> {
    scatter(args, &as_strided_shape(args, 2)?)
}
