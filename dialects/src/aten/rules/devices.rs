//! Devices: where the results of an operator are, and which of its operands must be there.
//!
//! Asked once, for every operator of the graph dialect ([`crate::ir::registry::OpImpl::results`]): rules of
//! types say nothing of devices. As a rule all operands are on one device, and the results too. [`ROWS`] has
//! the operators that take operands from elsewhere. Pointwise operators ([`POINTWISE`]) take a tensor without
//! dimensions from the CPU, as a number, and no more than one, which is no result. An attribute `device` says
//! where the result is.
//!
//! Source: eager's kernels for CUDA, which look at the operands as `device_check` of native_functions.yaml
//! says, and TensorIterator, which does so itself; where they say it in different words, TensorIterator's are
//! taken.

use super::Inferred;
use crate::{
    ir::{
        args::Args,
        device::{is_cuda, name, named},
        strings::text,
    },
    ops::graph,
};
use melior::ir::{AttributeLike, ValueLike};
use mlir_sys::mlirStringAttrGetValue;

/// Where an operand may be.
#[derive(Clone, Copy, PartialEq)]
enum May {
    /// On the device of the results.
    There,
    /// There; without dimensions on the CPU.
    Scalar,
    /// There; without dimensions anywhere.
    Value,
    /// There, or on the CPU.
    Index,
    /// On the CPU only.
    Host,
    /// Anywhere: a number is taken out of it, or it is copied, or only its sizes count.
    Anywhere,
}
use May::*;

/// The operators that are not [`POINTWISE`] and take operands from elsewhere, in order; the last entry stands
/// for further operands.
const ROWS: &[(&str, &[May])] = &[
    ("_unsafe_index", &[There, Index]),
    ("_unsafe_masked_index_put_accumulate", &[There, There, Index, Value]),
    ("as_strided_scatter", &[There, Anywhere]),
    ("copy", &[There, Anywhere]),
    ("diagonal_scatter", &[There, Anywhere]),
    ("expand_as", &[There, Anywhere]),
    ("fill", &[There, Anywhere]),
    ("gru.data", &[There, Host, There]),
    ("index", &[There, Index]),
    ("index_fill", &[There, There, Anywhere]),
    ("index_put", &[There, Index, Value]),
    ("lstm.data", &[There, Host, There]),
    ("masked_fill", &[There, There, Scalar]),
    ("reshape_as", &[There, Anywhere]),
    ("resize_as", &[There, Anywhere]),
    ("rnn_relu.data", &[There, Host, There]),
    ("rnn_tanh.data", &[There, Host, There]),
    ("select_scatter", &[There, Anywhere]),
    ("slice_scatter", &[There, Anywhere]),
    ("to.other", &[Anywhere, There]),
    ("type_as", &[Anywhere, There]),
    ("view_as", &[There, Anywhere]),
    ("where", &[Scalar]),
    ("write_back", &[Anywhere, There]),
];

/// The operators that iterate over operands of which one may be a number on the CPU, in order.
const POINTWISE: &[&str] = &[
    "add",
    "addcdiv",
    "addcmul",
    "atan2",
    "bitwise_and",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "copysign",
    "div",
    "eq",
    "float_power",
    "floor_divide",
    "fmax",
    "fmin",
    "fmod",
    "ge",
    "gt",
    "heaviside",
    "hypot",
    "kl_div",
    "l1_loss",
    "le",
    "lerp",
    "logical_and",
    "logical_or",
    "logical_xor",
    "lt",
    "max.other",
    "maximum",
    "min.other",
    "minimum",
    "mse_loss",
    "mul",
    "ne",
    "pow",
    "remainder",
    "rsub",
    "smooth_l1_loss",
    "special_xlog1py",
    "sub",
    "xlogy",
];

/// A tensor among the operands.
struct Operand<'c> {
    may: May,
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
    // SAFETY: the attribute, a string by ODS, lives as long as the context.
    named(unsafe { text(mlirStringAttrGetValue(device.to_raw())) }).map(Some)
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

fn operands<'c>(args: &Args<'c, '_>, roles: &[May], writes: bool) -> Result<Vec<Operand<'c>>, String> {
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
    let operator = args.operator();
    let row = ROWS.binary_search_by_key(&operator, |row| row.0).ok();
    let pointwise = POINTWISE.binary_search(&operator).is_ok();
    let roles = match row {
        Some(at) => ROWS[at].1,
        None => &[if pointwise { Scalar } else { There }],
    };
    let operands = operands(args, roles, args.class().is_in_place())?;
    let mut counting = operands.iter().filter(|operand| matches!(operand.may, There | Scalar));
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
            Scalar if is_scalar && device.is_none() => numbers += 1,
            Index if device.is_none() => {}
            Index => {
                return Err(format!(
                    "indices should be either on cpu or on the same device as the indexed tensor ({})",
                    name(common)
                ));
            }
            There | Scalar | Value => {
                return Err(format!(
                    "Expected all tensors to be on the same device, but found at least two devices, {} and {}!",
                    name(common),
                    name(device)
                ));
            }
        }
    }
    if pointwise && numbers > 1 {
        return Err("Trying to pass too many CPU scalars to non-CPU kernel!".into());
    }
    Ok(common)
}

#[cfg(test)]
mod tests {
    use super::{POINTWISE, ROWS};
    use crate::ir::registry::by_name;

    #[test]
    fn operators_are_in_order_and_known() {
        crate::init();
        assert!(ROWS.is_sorted_by_key(|row| row.0) && POINTWISE.is_sorted());
        for operator in ROWS.iter().map(|row| row.0).chain(POINTWISE.iter().copied()) {
            let in_place = format!("graph.{operator}_");
            assert!(
                by_name(&format!("graph.{operator}")).or_else(|| by_name(&in_place)).is_some(),
                "{operator}"
            );
            assert!(!(ROWS.iter().any(|row| row.0 == operator) && POINTWISE.contains(&operator)));
        }
    }
}
