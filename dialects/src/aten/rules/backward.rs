//! Gradients, as autograd calls them.

use super::{
    Size, TensorType, Types, may_equal, may_equal_shapes, not_implemented, one,
    pointwise::{Joined, join, kernel, result},
    wrap_dim,
};
use melior::ir::ValueLike;
use terrace_size::Number;

use crate::ir::{args::Args, attributes as convert, dtype::Dtype, types::Shape};

/// A gradient and an operand or a result, in the order in which eager iterates over them.
fn joined<'c>(args: &Args<'c, '_>) -> Result<Joined, String> {
    match args.operator() {
        "leaky_relu_backward" => join(args, &[1, 0]),
        "elu_backward" => join(args, &[0, 4]),
        _ => join(args, &[0, 1]),
    }
}

/// The promoted dtype of a gradient and an operand; no bool.
pub fn threshold_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    // Eager iterates over the operand first.
    let joined = join(args, &[1, 0])?;
    if joined.dtype == Dtype::Bool {
        return Err(not_implemented("threshold_cpu", joined.dtype));
    }
    super::parameters::numbers(args, 2, joined.dtype)?;
    result(args, &joined, joined.dtype)
}

/// The promoted dtype of a gradient and a result, floats.
pub fn activation_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    of_result(args)?;
    let joined = joined(args)?;
    if !joined.dtype.is_inexact() {
        return Err(not_implemented(&kernel(args), joined.dtype));
    }
    for place in 1..args.operand_count() {
        let number = args.operand(place)?;
        if TensorType::of_type(number.r#type()).is_none() {
            super::creation::representable(number, joined.dtype.opmath())?;
        }
    }
    result(args, &joined, joined.dtype)
}

/// A gradient from the result needs what is below zero to be its own.
fn of_result(args: &Args) -> Result<(), String> {
    let (name, place, flag, more) = match args.operator() {
        "leaky_relu_backward" => (
            "leakyReLu",
            2,
            "self_is_result",
            " File an issue at https://github.com/pytorch/pytorch if you do require supporting in-place leakRelu backward calculation with negative slope",
        ),
        "elu_backward" => ("elu", 1, "is_result", ""),
        _ => return Ok(()),
    };
    let constant = crate::ir::operations::constant(args.operand(place)?).map(super::creation::float);
    if args.flag(flag) && constant.is_some_and(|slope| slope < 0.0) {
        return Err(format!(
            "In-place {name} backward calculation is triggered with a negative slope which is not supported. This is caused \
             by calling in-place forward function with a negative slope, please call out-of-place version instead.{more}"
        ));
    }
    Ok(())
}

/// [`activation_backward`], of an approximation of a known name.
pub fn gelu_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    joined(args)?;
    super::pointwise::approximation(args)?;
    activation_backward(args)
}

/// The type of the gradient, which is that of the result.
pub fn softmax_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (grad, output) = (args.tensor(0)?, args.tensor(1)?);
    let name = args.operator().trim_start_matches('_').trim_end_matches("_data");
    if !may_equal_shapes(&grad.shape, &output.shape) {
        return Err(format!(
            "Expected tensor for argument #1 'grad' to have same size as tensor for argument #2 'output'; but {} does not equal {} (while checking arguments for {name})",
            Shape(&grad.shape),
            Shape(&output.shape)
        ));
    }
    let dim = wrap_dim(args.int("dim")?, grad.rank())?;
    if !grad.dtype.is_float() {
        let last = dim + 1 >= grad.rank();
        return Err(not_implemented(
            &format!("{name}{}_kernel_impl", if last { "_lastdim" } else { "" }),
            grad.dtype,
        ));
    }
    if grad.dtype != output.dtype {
        return Err(format!(
            "expected scalar type {} but found {}",
            grad.dtype.aten_name(),
            output.dtype.aten_name()
        ));
    }
    one(&grad)
}

/// The gradients that `output_mask` asks for, in the types that are given.
pub(super) fn masked<'c>(args: &Args<'c, '_>, all: &[TensorType<'c>]) -> Types<'c> {
    let mask = convert::bools(args.attribute("output_mask").ok_or("misses attribute 'output_mask'")?);
    if mask.len() != all.len() {
        return Err(format!("'output_mask' has {} entries for {} gradients", mask.len(), all.len()));
    }
    let wanted = all.iter().zip(mask).filter(|(_, wanted)| *wanted);
    Ok(wanted.map(|(ty, _)| ty.clone().into()).collect())
}

/// The types of the input, and twice of what is normalized, of f32 where parameters are that beside half
/// precision.
pub fn native_layer_norm_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (grad, input) = (args.tensor(0)?, args.tensor(1)?);
    let normalized = args.sizes("normalized_shape")?;
    for (place, name) in [(4, "weight"), (5, "bias")] {
        if let Some(t) = args.optional_tensor(place)?
            && !may_equal_shapes(&t.shape, &normalized)
        {
            return Err(format!(
                "Expected {name} to be of same shape as normalized_shape, but got {name} of shape {} and normalized_shape = {}",
                Shape(&t.shape),
                Shape(&normalized)
            ));
        }
    }
    let lead = input.rank().checked_sub(normalized.len());
    if !lead.is_some_and(|lead| may_equal_shapes(&input.shape[lead..], &normalized)) || normalized.is_empty()
    {
        return Err(format!(
            "Given normalized_shape={}, expected input with shape [*, {}], but got input of size{}",
            Shape(&normalized),
            Shape(&normalized).to_string().trim_matches(['[', ']']),
            Shape(&input.shape)
        ));
    }
    let rows = &input.shape[..input.rank() - normalized.len()];
    for (place, name) in [(2, "mean"), (3, "rstd")] {
        let own = args.tensor(place)?;
        if !may_equal(own.shape.iter().product::<Size>(), rows.iter().product()) {
            return Err(format!(
                "expects one {name} for each row, got {name} of shape {}",
                Shape(&own.shape)
            ));
        }
    }
    if !input.dtype.is_float() {
        return Err(not_implemented("LayerNormBackwardKernelImpl", input.dtype));
    }
    if !may_equal_shapes(&grad.shape, &input.shape) || grad.dtype != input.dtype {
        return Err(format!(
            "expects a gradient of the input's type, got {} for {}",
            grad.to_type(args.context()),
            input.to_type(args.context())
        ));
    }
    let dtype =
        super::normalization::parameter_dtype(&input, &[args.optional_tensor(4)?, args.optional_tensor(5)?])?;
    let parameter = input.with_shape(&normalized).with_dtype(dtype);
    masked(args, &[input, parameter.clone(), parameter])
}

/// The types of input and weight, and a vector of channels.
pub fn convolution_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (grad, input, weight) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    for other in [&grad, &weight] {
        if other.dtype != input.dtype {
            return Err(format!(
                "expected scalar type {} but found {}",
                input.dtype.aten_name(),
                other.dtype.aten_name()
            ));
        }
    }
    let output = super::convolution::convolved(args, &input, &weight)?;
    if !may_equal_shapes(&grad.shape, &output) {
        return Err(format!(
            "Expected grad_output of the shape {} of the result, but got {}",
            Shape(&output),
            Shape(&grad.shape)
        ));
    }
    if !input.dtype.is_float() {
        return Err(not_implemented("slow_conv2d_cpu_grad_input", input.dtype));
    }
    let bias = input.with_shape(&output[1..2]);
    masked(args, &[input, weight, bias])
}

/// The number of samples, where there are several; a gradient has the weight of all.
fn classes(
    own: &TensorType,
    target: &TensorType,
    weight: Option<&TensorType>,
    total: Option<&TensorType>,
) -> Result<Option<Size>, String> {
    let forward = total.is_none();
    if own.rank() == 0 || own.rank() > 2 {
        return Err("input tensor should be 1D or 2D".into());
    }
    if target.rank() > 1 {
        return Err("0D or 1D target tensor expected, multi-target not supported".into());
    }
    let samples = (own.rank() == 2).then(|| own.shape[0]);
    if forward {
        target_dtype(target)?;
    }
    if own.rank() == 2 && target.rank() == 0 {
        return Err("Dimension specified as 0 but tensor has no dimensions".into());
    }
    if forward && own.rank() == 1 && target.rank() == 1 && !may_equal(target.shape[0], Size::ONE) {
        return Err(format!(
            "For 1D input, 1D target must have size 1, but got target size: {}",
            target.shape[0]
        ));
    }
    let counted = own.rank() == 2 || !forward && target.rank() == 1;
    if counted && !target.shape.first().is_some_and(|size| may_equal(*size, own.shape[0])) {
        return Err(format!(
            "size mismatch (got input: {}, target: {})",
            Shape(&own.shape),
            Shape(&target.shape)
        ));
    }
    if let Some(total) = total
        && let Some(count) = total.elements().filter(|count| count.assume_ne(1))
    {
        return Err(format!(
            "expected total_weight to be a  single element tensor, got: {} ({count} elements)",
            Shape(&total.shape)
        ));
    }
    let count = own.shape[own.rank() - 1];
    if let Some(weight) = weight
        && !forward
        && weight.elements().is_some_and(|elements| !may_equal(elements, count))
    {
        return Err("weight tensor should be defined either for all or no classes".into());
    }
    if let Some(weight) = weight
        && !(weight.rank() == 1 && may_equal(weight.shape[0], count))
    {
        return Err(format!(
            "weight tensor should be defined either for all {count} classes or no classes but got weight tensor of shape: {}",
            Shape(&weight.shape)
        ));
    }
    Ok(samples)
}

/// Places of classes.
fn target_dtype(target: &TensorType) -> Result<(), String> {
    if matches!(target.dtype, Dtype::I64 | Dtype::U8) {
        return Ok(());
    }
    Err(format!("expected target dtype to be Long or Byte, but got {}", target.dtype.aten_name()))
}

fn loss_dtypes(own: &TensorType, target: &TensorType, kernel: &str) -> Result<(), String> {
    target_dtype(target)?;
    if own.dtype.is_float() { Ok(()) } else { Err(not_implemented(kernel, own.dtype)) }
}

/// A loss per sample without a reduction, else one; and the weight of all samples.
pub fn nll_loss_forward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, target) = (args.tensor(0)?, args.tensor(1)?);
    let samples = classes(&own, &target, args.optional_tensor(2)?.as_ref(), None)?;
    loss_dtypes(&own, &target, "nll_loss_out_frame")?;
    let reduction = args.int_or("reduction", 1);
    let shape: Vec<Size> = samples.into_iter().filter(|_| reduction == 0).collect();
    let total = own.with_shape(&[]).into();
    Ok(vec![own.with_shape(&shape).into(), total])
}

/// The type of `self`.
pub fn nll_loss_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (grad, own, target) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    let samples = classes(&own, &target, args.optional_tensor(3)?.as_ref(), Some(&args.tensor(4)?))?;
    let reduction = args.int_or("reduction", 1);
    match samples.filter(|_| reduction == 0) {
        Some(count) if grad.rank() != 1 || !may_equal(grad.shape[0], count) => {
            return Err(format!(
                "Expected a tensor of dimension 1 and tensor.size[0] == {count} but got: dimension {} and tensor.size[0] = {}",
                grad.rank(),
                grad.shape.first().copied().unwrap_or(Size::ONE)
            ));
        }
        None if grad.rank() > 1 || grad.elements().is_some_and(|count| count.assume_ne(1)) => {
            return Err(format!(
                "Expected a single element grad_output tensor, but got: {}",
                Shape(&grad.shape)
            ));
        }
        _ => {}
    }
    if !own.dtype.is_float() {
        return Err(not_implemented("nll_loss_backward_out_frame", own.dtype));
    }
    if !matches!(target.dtype, Dtype::I64 | Dtype::U8) {
        return Err(format!("expected scalar type Long but found {}", target.dtype.aten_name()));
    }
    one(&own)
}

/// A row per weight.
pub fn embedding_dense_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (grad, indices) = (args.tensor(0)?, args.tensor(1)?);
    if !matches!(indices.dtype, Dtype::I64 | Dtype::I32) {
        return Err(format!(
            "Expected tensor for argument #2 'indices' to have one of the following scalar types: Long, Int; but got {} instead \
             (while checking arguments for embedding_backward)",
            indices.dtype.tensor_name()
        ));
    }
    let fits =
        grad.rank() == indices.rank() + 1 && may_equal_shapes(&grad.shape[..indices.rank()], &indices.shape);
    if !fits {
        return Err(format!(
            "expects a row for each of the indices {}, got {}",
            Shape(&indices.shape),
            grad.to_type(args.context())
        ));
    }
    let width = grad.shape[grad.rank() - 1];
    one(&grad.with_shape(&[args.int("num_weights")?.into(), width]))
}
