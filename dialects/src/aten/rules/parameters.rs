//! Pointwise operators with numbers for parameters, and of three tensors.

use super::{TensorType, Types, copies::same, creation::representable, not_implemented, one, pointwise::*};
use crate::ir::{args::Args, dtype::Dtype};
use melior::ir::ValueLike;

fn no_bool_kernel(args: &Args, dtype: Dtype) -> Result<(), String> {
    if dtype == Dtype::Bool { Err(not_implemented(&kernel(args), dtype)) } else { Ok(()) }
}

/// The numbers from an operand on, where they are there, are ones that elements of a dtype are computed with.
pub(super) fn numbers(args: &Args, from: usize, dtype: Dtype) -> Result<(), String> {
    (from..args.operand_count()).try_for_each(|i| match args.optional(i)? {
        Some(number) => representable(number, dtype.opmath()),
        None => Ok(()),
    })
}

/// The type of `self`, of floats.
pub fn activation<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    if !own.dtype.is_float() {
        return Err(not_implemented(&kernel(args), own.dtype));
    }
    if args.operator() == "hardshrink" {
        // Compared as an element.
        args.optional(1)?.map_or(Ok(()), |number| representable(number, own.dtype))?;
    } else {
        numbers(args, 1, own.dtype)?;
    }
    one(&own)
}

/// [`activation`] into `self`.
pub fn activation_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    activation(args)
}

/// The type of `self`, which is no bool.
pub fn threshold<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let dtype = args.tensor(0)?.dtype;
    no_bool_kernel(args, dtype)?;
    // The value is an element; what is compared with may be a wider number.
    representable(args.operand(1)?, dtype.opmath())?;
    representable(args.operand(2)?, dtype)?;
    same(args)
}

/// [`threshold`] into `self`.
pub fn threshold_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    threshold(args)
}

fn product<'c>(args: &Args<'c, '_>) -> Result<Joined, String> {
    let joined = join(args, &[0, 1, 2])?;
    no_bool_kernel(args, joined.dtype)?;
    numbers(args, 3, joined.dtype)?;
    Ok(joined)
}

/// The promoted dtype of three tensors.
pub fn addcmul<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let joined = product(args)?;
    let dtype = joined.dtype;
    result(args, &joined, dtype)
}

/// [`addcmul`] into `self`.
pub fn addcmul_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let joined = join(args, &[0, 1, 2])?;
    let ty = in_place(args, &joined, joined.dtype)?;
    no_bool_kernel(args, joined.dtype)?;
    numbers(args, 3, joined.dtype)?;
    Ok(ty)
}

fn quotient(args: &Args) -> Result<(), String> {
    if args.tensor(1)?.dtype.is_inexact() || args.tensor(2)?.dtype.is_inexact() {
        return Ok(());
    }
    Err("Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true \
         division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value * \
         torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 / tensor2) \
         for float inputs. The future addcdiv behavior is just the latter implementation: (input + value * tensor1 / \
         tensor2), for all dtypes."
        .into())
}

/// [`addcmul`] of a quotient of which one part is a float.
pub fn addcdiv<'c>(args: &Args<'c, '_>) -> Types<'c> {
    quotient(args)?;
    addcmul(args)
}

/// [`addcdiv`] into `self`.
pub fn addcdiv_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    quotient(args)?;
    addcmul_in_place(args)
}

/// A value without dimensions, and a mask of truth values.
fn mask_and_value(args: &Args) -> Result<(), String> {
    let mask = args.tensor(1)?;
    if let Some(value) = TensorType::of_type(args.operand(2)?.r#type()).filter(|v| v.rank() > 0) {
        return Err(format!(
            "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {} dimension(s).",
            value.rank()
        ));
    }
    if mask.dtype != Dtype::Bool {
        return Err(format!(
            "masked_fill_ only supports boolean masks, but got mask with dtype {}",
            mask.dtype.c_name()
        ));
    }
    if TensorType::of_type(args.operand(2)?.r#type()).is_none() {
        representable(args.operand(2)?, args.tensor(0)?.dtype)?;
    }
    Ok(())
}

/// The dtype of `self`, the shape of both.
pub fn masked_fill<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let joined = join(args, &[1, 0])?;
    mask_and_value(args)?;
    result(args, &joined, args.tensor(0)?.dtype)
}

/// [`masked_fill`] into `self`.
pub fn masked_fill_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    mask_and_value(args)?;
    let joined = join(args, &[0, 1])?;
    in_place(args, &joined, args.tensor(0)?.dtype)
}
