//! Tensors stacked, repeated and rolled, and scatters: views of tensors, joined or copied.

use super::resolver::{Resolved, ResolvedValue, Resolver, tensor};
use melior::ir::{Value, ValueLike};
use terrace_dialects::{
    aten::rules,
    ir::{dtype::Dtype, refusal::Reason},
    ops::graph,
};
use terrace_size::{Number, Size};

const PACKED: &str = "contiguous_format";

/// Dimensions that are rolled together: as many parts as that many powers of two.
const TOGETHER: usize = 3;

/// A dimension that the rules have checked.
fn wrap(dim: i64, rank: usize) -> usize {
    dim.rem_euclid(rank.max(1) as i64) as usize
}

fn unsqueeze<'c, 'a>(
    r: &mut Resolver<'_, 'c, 'a>,
    value: Value<'c, 'a>,
    dim: usize,
) -> ResolvedValue<'c, 'a> {
    r.value(graph::unsqueeze(r.location(), value, dim as i64))
}

/// `stack`: joined along the dimension before which the new one stands, which is then split.
pub fn stack<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let (tensors, shape) = (r.operands(0), r.result_sizes(0)?);
    let dim = wrap(r.int("dim").unwrap_or(0), shape.len());
    if dim + 1 < shape.len() {
        let joined = r.cat(&tensors, dim)?;
        return Ok(vec![r.view(joined, &shape)?]);
    }
    let mut raised = vec![];
    for own in tensors {
        raised.push(unsqueeze(r, own, dim)?);
    }
    Ok(vec![r.cat(&raised, dim)?])
}

/// `hstack`, `vstack`, `dstack`: joined, when they have the dimension.
pub fn nstack<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let name = r.class.name.trim_start_matches("graph.");
    let mut raised = vec![];
    for own in r.operands(0) {
        let shape = r.sizes(own)?;
        let to = rules::at_least(name, &shape);
        raised.push(if to.len() == shape.len() { own } else { r.view(own, &to)? });
    }
    let dim = rules::stacked_dim(name, tensor(raised[0].r#type())?.rank());
    Ok(vec![r.cat(&raised, dim)?])
}

/// `roll`: what leaves at one end is joined to the other.
pub fn roll<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let mut own = r.operand(0);
    let shape = r.result_sizes(0)?;
    let (shifts, mut dims) = (r.ints("shifts"), r.ints("dims"));
    let flat = dims.is_empty();
    if flat {
        let copy = r.packed(own)?;
        own = r.view(copy, &[shape.iter().product::<Size>()])?;
        dims = vec![0];
    }
    let mut ends: Vec<(usize, Size)> = vec![];
    for (shift, dim) in shifts.iter().zip(&dims) {
        let sizes = r.sizes(own)?;
        if sizes.iter().any(|size| size.assume_eq(0)) {
            own = r.clone(own, "preserve_format")?;
            continue;
        }
        let dim = wrap(*dim, sizes.len());
        let start = match sizes[dim].known() {
            Some(size) => Size::from((-shift).rem_euclid(size)),
            None if sizes[dim].assume_lt(shift.abs()) => {
                return Err(Reason::RunTime
                    .says("shifts further than a size that is known at run time only")
                    .into());
            }
            None if *shift > 0 => sizes[dim] - *shift,
            None => Size::from(-shift),
        };
        if ends.len() == TOGETHER || ends.iter().any(|end| end.0 == dim) {
            own = swapped(r, own, &std::mem::take(&mut ends))?;
        }
        ends.push((dim, start));
    }
    own = swapped(r, own, &ends)?;
    Ok(vec![if flat { r.view(own, &shape)? } else { own }])
}

/// A tensor with what stands before an index of a dimension put behind the rest, for each of some dimensions:
/// parts of parts, so that each element is written once.
fn swapped<'c, 'a>(
    r: &mut Resolver<'_, 'c, 'a>,
    value: Value<'c, 'a>,
    ends: &[(usize, Size)],
) -> ResolvedValue<'c, 'a> {
    let Some(((dim, start), rest)) = ends.split_first() else { return Ok(value) };
    let size = r.sizes(value)?[*dim];
    let parts = [r.slice(value, *dim, *start, size)?, r.slice(value, *dim, 0, *start)?];
    let parts = [swapped(r, parts[0], rest)?, swapped(r, parts[1], rest)?];
    r.cat(&parts, *dim)
}

/// A tensor, each dimension so many times.
fn repeated<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>, repeats: &[i64]) -> Resolved<'c, 'a> {
    let (own, shape) = (r.operand(0), r.result_sizes(0)?);
    let mut sizes = vec![Size::ONE; repeats.len() - tensor(own.r#type())?.rank()];
    sizes.extend(r.sizes(own)?);
    let single: Vec<Size> = sizes.iter().flat_map(|size| [Size::ONE, *size]).collect();
    let spread: Vec<Size> =
        repeats.iter().zip(&sizes).flat_map(|(count, size)| [Size::from(*count), *size]).collect();
    let single = r.view(own, &single)?;
    let spread = r.expand(single, &spread)?;
    let copy = r.clone(spread, PACKED)?;
    Ok(vec![r.view(copy, &shape)?])
}

/// `repeat`: expanded along a new dimension before each, and copied.
pub fn repeat<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let repeats = r.ints("repeats");
    repeated(r, &repeats)
}

/// `tile`: [`repeat`] of the last dimensions.
pub fn tile<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let dims = r.ints("dims");
    let mut repeats = vec![1; tensor(r.operand(0).r#type())?.rank().saturating_sub(dims.len())];
    repeats.extend(dims);
    repeated(r, &repeats)
}

/// `repeat_interleave`: expanded along a new dimension behind one, and copied.
pub fn repeat_interleave<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let (mut own, shape) = (r.operand(0), r.result_sizes(0)?);
    let dim = r.int("dim");
    let from = tensor(own.r#type())?;
    if dim.is_none() || from.rank() == 0 {
        let copy = r.packed(own)?;
        let count = r.sizes(copy)?.iter().product::<Size>();
        own = r.view(copy, &[count])?;
    }
    let mut spread = r.sizes(own)?;
    let dim = wrap(dim.unwrap_or(0), spread.len());
    spread.insert(dim + 1, r.int("repeats").unwrap_or(1).into());
    let raised = unsqueeze(r, own, dim + 1)?;
    let spread = r.expand(raised, &spread)?;
    let copy = r.clone(spread, PACKED)?;
    Ok(vec![r.view(copy, &shape)?])
}

/// `diff`: neighbours subtracted; truth values differ or not.
pub fn diff<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let mut own = r.operand(0);
    let rank = tensor(own.r#type())?.rank();
    let (n, dim) = (r.int("n").unwrap_or(1), wrap(r.int("dim").unwrap_or(-1), rank));
    let (before, after) = (r.operands(1), r.operands(2));
    if n == 0 {
        return Ok(vec![r.clone(own, "preserve_format")?]);
    }
    if !before.is_empty() || !after.is_empty() {
        own = r.cat(&[before, vec![own], after].concat(), dim)?;
    }
    for _ in 0..n {
        let (ty, size) = (tensor(own.r#type())?, r.sizes(own)?[dim]);
        if size.is_unknown() {
            return Err(Reason::Size.says("sizes must be static here").into());
        }
        // Of nothing there is no difference.
        if size.assume_eq(0) {
            break;
        }
        let above = r.slice(own, dim, 1, size)?;
        let below = r.slice(own, dim, 0, size - 1)?;
        own = r.value(if ty.dtype == Dtype::Bool {
            graph::logical_xor(r.location(), above, below)
        } else {
            graph::sub(r.location(), above, below, None)
        })?;
    }
    Ok(vec![own])
}

/// A copy that has the strides and the offset of a tensor, gaps included.
fn whole<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>, own: Value<'c, 'a>) -> ResolvedValue<'c, 'a> {
    let layout = r.numbers(own)?;
    if layout.repeats() || layout.is_dense() && layout.offset == 0 {
        return r.clone(own, "preserve_format");
    }
    let location = r.location();
    let needed = layout.needed();
    let places = r.value(graph::as_strided(location, own, &[], &[needed], &[], &[1], &[], &[0]))?;
    let copy = r.clone(places, PACKED)?;
    r.value(graph::as_strided(
        location,
        copy,
        &[],
        &layout.sizes,
        &[],
        &layout.strides,
        &[],
        &[layout.offset],
    ))
}

/// `copy`: `copy_` into a copy.
pub fn copy<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let copy = whole(r, r.operand(0))?;
    let src = r.operand(1);
    r.value(graph::copy_in_place(r.location(), copy, src))?;
    Ok(vec![copy])
}
