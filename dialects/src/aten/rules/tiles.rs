//! Element and tile types of the loop and kernel dialects.

use super::Types;
use crate::{
    ir::{
        args::Args,
        dtype::{Dtype, ElementType},
        shaped::{Shaped, check_sizes},
    },
    loops::layout::{Layout, tile},
};
use melior::ir::{Value, ValueLike};

fn shaped<'c>(value: Value<'c, '_>) -> Result<Shaped<'c>, String> {
    Shaped::expect(value.r#type())
}

/// The element type of the source.
pub fn loop_load<'c>(args: &Args<'c, '_>) -> Types<'c> {
    Ok(vec![shaped(args.operand(0)?)?.element.into()])
}

/// A dimension per range, and the layout that the load says.
pub fn kernel_load<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let shape = crate::loops::layout::tile_shape(&args.ints("ranges")?);
    let layout = args.attribute("layout");
    if let Some(layout) = layout.and_then(Layout::read) {
        layout.check_shape(&shape)?;
    }
    Ok(vec![tile(&shape, shaped(args.operand(0)?)?.element, layout).into()])
}

/// Without `dim` the element type, else the tile and its layout without that dimension.
pub fn kernel_reduce<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = shaped(args.operand(0)?)?;
    if args.attribute("dim").is_none() {
        return Ok(vec![own.element.into()]);
    }
    let dim = args.int("dim")?;
    let mut shape = own.shape;
    if dim < 0 || dim as usize >= shape.len() {
        return Err(format!("reduces dimension {dim} of {}", shape.len()));
    }
    shape.remove(dim as usize);
    let layout = Layout::of(args.operand(0)?.r#type());
    let layout = layout.map(|layout| layout.sliced(&[dim as usize]).attribute(args.context()));
    let layout = layout.transpose().map_err(|e| e.to_string())?;
    Ok(vec![tile(&shape, own.element, layout).into()])
}

/// The tile, of one dimension, and the number, which is an element or f64 for f32.
pub fn kernel_scan<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (tile, carry) = (args.operand(0)?, args.operand(1)?.r#type());
    let own = shaped(tile)?;
    if own.rank() != 1 {
        return Err(format!("scans a tile of {} dimensions: expects one", own.rank()));
    }
    let wider = Dtype::of(own.element) == Some(Dtype::F32) && Dtype::of(carry) == Some(Dtype::F64);
    if carry != own.element && !wider {
        return Err(format!("expects to carry {}, or f64 for f32, got {carry}", own.element));
    }
    Ok(vec![tile.r#type().into(), carry.into()])
}

/// Pairs of bf16 along the last dimension, added to f32 of half as many.
pub fn kernel_add_pairs<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (pairs, sums) = (shaped(args.operand(0)?)?, shaped(args.operand(2)?)?);
    let (element, sum) = (pairs.element, sums.element);
    if (Dtype::of(element), Dtype::of(sum)) != (Some(Dtype::BF16), Some(Dtype::F32)) {
        return Err(format!("expects pairs of bf16, added to f32, got {element} and {sum}"));
    }
    let mut shape = pairs.shape;
    match shape.last_mut() {
        Some(last) if *last % 2 == 0 => *last /= 2,
        _ => return Err(format!("expects an even number of elements in a row, got {shape:?}")),
    }
    check_sizes("sums of", &shape, &sums.shape)?;
    Ok(vec![args.operand(2)?.r#type().into()])
}

/// [m, k] by [k, n] onto [m, n], of one element type; with `pairs` words of two bf16 onto f32. Over threads
/// each has all along k of the rows and columns of its share.
pub fn kernel_dot<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (lhs, rhs, acc) = (shaped(args.operand(0)?)?, shaped(args.operand(1)?)?, shaped(args.operand(2)?)?);
    if lhs.rank() != 2 || rhs.rank() != 2 || lhs.shape[1] != rhs.shape[0] {
        return Err(format!("can't multiply {:?} by {:?}", lhs.shape, rhs.shape));
    }
    check_sizes("an accumulator of", &[lhs.shape[0], rhs.shape[1]], &acc.shape)?;
    if lhs.element != rhs.element {
        return Err(format!("multiplies {} by {}", lhs.element, rhs.element));
    }
    let pairs = args.attribute("pairs").is_some();
    let are_pairs = (Dtype::of(lhs.element), Dtype::of(acc.element)) == (Some(Dtype::I32), Some(Dtype::F32));
    if pairs && !are_pairs {
        return Err(format!("expects pairs as i32, added to f32, got {} and {}", lhs.element, acc.element));
    }
    let layout = |n: usize| Ok::<_, String>(Layout::of(args.operand(n)?.r#type()));
    for (n, factor, dim) in [(0, "left", 1), (1, "right", 0)] {
        let wanted = layout(2)?.map(|layout| layout.factor(dim, lhs.shape[1]));
        if layout(n)? != wanted {
            let wanted = wanted.map(|layout| layout.attribute(args.context()));
            let wanted = wanted.transpose().map_err(|e| e.to_string())?;
            let wanted = wanted.map_or("no layout".into(), |layout| layout.to_string());
            return Err(format!(
                "expects a {factor} factor laid out over threads as the accumulator, with {wanted}"
            ));
        }
    }
    Ok(vec![args.operand(2)?.r#type().into()])
}
