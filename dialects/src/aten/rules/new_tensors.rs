//! New tensors of given sizes, or like another.

use super::{
    Size, Types,
    creation::{filled, representable},
    reshaping::check_format,
};
use crate::ir::{args::Args, attributes as convert, dtype::Dtype, types::Shape};
use terrace_size::Number;

/// Sizes that are not negative, in eager's words for `empty`.
pub(super) fn check_sizes(size: &[Size]) -> Result<(), String> {
    match size.iter().find(|s| s.assume_lt(0) && !s.is_unknown()) {
        Some(s) => Err(format!("Trying to create tensor with negative dimension {s}: {}", Shape(size))),
        None => Ok(()),
    }
}

fn new_tensor<'c>(args: &Args<'c, '_>, size: &[Size], default: Dtype) -> Types<'c> {
    Ok(vec![args.result(size, args.dtype("dtype")?.unwrap_or(default))])
}

/// Of these sizes, in a memory format.
pub fn empty<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let size = args.dynamic_ints("size", 0)?;
    check_sizes(&size)?;
    if args.attribute("memory_format").map(convert::string).as_deref() == Some("preserve_format") {
        return Err("unsupported memory format Preserve".into());
    }
    check_format(args, size.len())?;
    new_tensor(args, &size, Dtype::F32)
}

fn check_strides(size: &[Size], stride: &[Size]) -> Result<(), String> {
    check_sizes(size)?;
    if size.len() != stride.len() {
        return Err(format!(
            "dimensionality of sizes ({}) must match dimensionality of strides ({})",
            size.len(),
            stride.len()
        ));
    }
    if stride.iter().any(|s| s.assume_lt(0) && !s.is_unknown()) {
        return Err(format!(
            "Storage size calculation overflowed with sizes={} and strides={}",
            Shape(size),
            Shape(stride)
        ));
    }
    Ok(())
}

/// Of these sizes and strides.
pub fn empty_strided<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (size, stride) = (args.dynamic_ints("size", 0)?, args.dynamic_ints("stride", 1)?);
    check_strides(&size, &stride)?;
    check_sizes(&size)?;
    new_tensor(args, &size, Dtype::F32)
}

/// Of these sizes, its dimensions in an order in memory.
pub fn empty_permuted<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (size, order) = (args.dynamic_ints("size", 0)?, args.ints("physical_layout")?);
    if size.len() != order.len() {
        return Err(format!(
            "Number of dimensions in size does not match the length of the physical_layout; i.e. len(size) = {} is not equal \
             to len(physical_layout) = {}",
            size.len(),
            order.len()
        ));
    }
    let mut seen = vec![false; size.len()];
    for d in &order {
        if *d < 0 || *d as usize >= size.len() {
            return Err(format!(
                "Dimension out of range (expected to be between 0 and {}, but got {d} at index {}).  NB: negative dims not currently supported; file an issue if you want it.",
                size.len() as i64 - 1,
                order.iter().position(|o| o == d).unwrap_or_default()
            ));
        }
        if std::mem::replace(&mut seen[*d as usize], true) {
            return Err("Duplicate dim not allowed".into());
        }
    }
    check_sizes(&order.iter().map(|d| size[*d as usize]).collect::<Vec<_>>())?;
    new_tensor(args, &size, Dtype::F32)
}

/// A matrix.
pub fn eye<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let n = args.int("n")?;
    let m = args.int_or("m", n);
    for (name, size) in [("n", n), ("m", m)] {
        if size < 0 {
            return Err(format!("{name} must be greater or equal to 0, got {size}"));
        }
    }
    new_tensor(args, &[n.into(), m.into()], Dtype::F32)
}

/// `steps` numbers.
pub fn linspace<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let steps = args.int("steps")?;
    if steps < 0 {
        return Err("number of steps must be non-negative".into());
    }
    let dtype = args.dtype("dtype")?.unwrap_or(Dtype::F32);
    if steps == 0 {
        return new_tensor(args, &[Size::ZERO], Dtype::F32);
    }
    if steps == 1 {
        // One number is filled in.
        if args.operator() == "linspace" {
            filled(args.operand(0)?, dtype, &[Size::ONE])?;
        }
        return new_tensor(args, &[Size::ONE], Dtype::F32);
    }
    if dtype == Dtype::Bool {
        return Err(super::not_implemented(&format!("{}_cpu", args.operator()), dtype));
    }
    for place in [0, 1] {
        representable(args.operand(place)?, dtype)?;
    }
    new_tensor(args, &[steps.into()], Dtype::F32)
}

/// How many elements of a matrix lie on or below its diagonal `offset`.
fn below(row: i64, col: i64, offset: i64) -> i64 {
    (0..row).map(|r| (r + offset + 1).clamp(0, col)).sum()
}

/// Two rows of indices.
pub fn triangle_indices<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (row, col, offset) = (args.int("row")?, args.int("col")?, args.int_or("offset", 0));
    for (name, size) in [("row", row), ("col", col)] {
        if size < 0 {
            return Err(format!("{name} must be non-negative, got{size}"));
        }
    }
    let dtype = args.dtype("dtype")?.unwrap_or(Dtype::I64);
    if !matches!(dtype, Dtype::I64 | Dtype::I32) {
        return Err(super::not_implemented(args.operator(), dtype));
    }
    let lower = args.operator() == "tril_indices";
    let count = if lower { below(row, col, offset) } else { row * col - below(row, col, offset - 1) };
    new_tensor(args, &[2.into(), count.into()], Dtype::I64)
}

/// Of the shape of `self`; its dtype unless another is given.
pub fn like<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    check_format(args, own.rank())?;
    let dtype = args.dtype("dtype")?.unwrap_or(own.dtype);
    if args.operand_count() > 1 {
        filled(args.operand(1)?, dtype, &own.shape)?;
    }
    super::one(&own.with_dtype(dtype))
}

/// Of these sizes; the dtype of `self` unless another is given.
pub fn new_like<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    let size = args.dynamic_ints("size", 1)?;
    let dtype = args.dtype("dtype")?.unwrap_or(own.dtype);
    if args.operator() == "new_empty_strided" {
        check_strides(&size, &args.dynamic_ints("stride", 2)?)?;
    }
    check_sizes(&size)?;
    if args.operator() == "new_full" {
        filled(args.operand(2)?, dtype, &size)?;
    }
    Ok(vec![args.result(&size, dtype)])
}
