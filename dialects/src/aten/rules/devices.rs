//! Devices: where the results of an operator are, and which of its operands must be there.
//!
//! Asked once, for every operator of the graph dialect ([`crate::ir::registry::OpImpl::results`]): rules of
//! types say nothing of devices. As a rule all operands are on one device, and the results too; ODS says
//! which operators take operands from elsewhere ([`OperandDevice`]). Most pointwise operators take a tensor
//! without dimensions from the CPU, as a number, and no more than one, which is no result. An attribute
//! `device` says where the result is.
//!
//! Source: eager's kernels for CUDA, which look at the operands as `device_check` of native_functions.yaml
//! says, and TensorIterator, which does so itself; where they say it in different words, TensorIterator's are
//! taken.

use super::Inferred;
use crate::{
    ir::{
        args::Args,
        attributes,
        device::{is_cuda, name, named},
        operator::OperandDevice::{self, *},
    },
    ops::graph,
};
use melior::ir::ValueLike;

/// A tensor among the operands.
struct Operand<'c> {
    may: OperandDevice,
    device: Option<&'c str>,
    is_scalar: bool,
}

/// The device of a value, None where it is on the CPU or no tensor.
fn device<'c>(value: impl ValueLike<'c>) -> Option<&'c str> {
    graph::TensorType::try_from(value.r#type()).ok().and_then(graph::TensorType::device)
}

/// The device that an attribute names, if it is there.
fn given<'c>(args: &Args<'c, '_>) -> Result<Option<Option<&'c str>>, String> {
    if !args.class().placed {
        return Ok(None);
    }
    let Some(device) = args.attribute("device") else { return Ok(None) };
    named(attributes::text_of(device)).map(Some)
}

/// Where the results are, None for the CPU.
///
/// # Errors
/// Operands that are not where the operator takes them, and a `device` that is none, in eager's words.
pub(crate) fn of_results<'c>(args: &Args<'c, '_>) -> Result<Option<&'c str>, String> {
    // Each tensor of a list is asked for alone.
    if !args.is_graph() || args.class().rule == "foreach" {
        return Ok(None);
    }
    let given = given(args)?;
    if args.all().iter().all(|value| device(*value).is_none()) {
        return Ok(given.flatten());
    }
    let common = common(args)?;
    Ok(given.unwrap_or(common))
}

/// Puts results where they are.
pub(crate) fn put<'c>(results: &mut [Inferred<'c>], device: Option<&'c str>) {
    for made in results {
        if let Inferred::Tensor(tensor) = made
            && tensor.graph
        {
            tensor.device = device;
        }
    }
}

/// Whether the first operand is on a device of CUDA's.
pub(super) fn on_cuda(args: &Args) -> bool {
    args.all().first().is_some_and(|value| is_cuda(device(*value)))
}

fn operands<'c>(
    args: &Args<'c, '_>,
    roles: &[OperandDevice],
    writes: bool,
) -> Result<Vec<Operand<'c>>, String> {
    let mut operands = vec![];
    for place in 0..args.operand_count() {
        let last = roles.last().copied().unwrap_or(There);
        let may = if place == 0 && writes { There } else { roles.get(place).copied().unwrap_or(last) };
        for value in args.variadic(place)? {
            if let Ok(ty) = graph::TensorType::try_from(value.r#type()) {
                operands.push(Operand { may, device: ty.device(), is_scalar: ty.shape().is_empty() });
            }
        }
    }
    Ok(operands)
}

/// The device that operands have in common: that of the first that is not on the CPU, of those that count.
fn common<'c>(args: &Args<'c, '_>) -> Result<Option<&'c str>, String> {
    let operands = operands(args, args.class().devices, args.class().is_in_place())?;
    let mut counting = operands.iter().filter(|operand| matches!(operand.may, There | Scalar | Number));
    let common = counting.find_map(|operand| operand.device);
    let mut numbers = 0;
    for Operand { may, device, is_scalar } in operands {
        match may {
            Host if device.is_some() => {
                return Err(format!("batch_sizes tensor should be on CPU, but got {}", name(device)));
            }
            Anywhere | Host => {}
            _ if device == common => {}
            Value if is_scalar => {}
            Scalar if is_scalar && device.is_none() => {}
            Number if is_scalar && device.is_none() => numbers += 1,
            Index if device.is_none() => {}
            Index => {
                return Err(format!(
                    "indices should be either on cpu or on the same device as the indexed tensor ({})",
                    name(common)
                ));
            }
            There | Scalar | Number | Value => {
                return Err(format!(
                    "Expected all tensors to be on the same device, but found at least two devices, {} and {}!",
                    name(common),
                    name(device)
                ));
            }
        }
    }
    if numbers > 1 {
        return Err("Trying to pass too many CPU scalars to non-CPU kernel!".into());
    }
    Ok(common)
}
