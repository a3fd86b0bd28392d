//! Gradients of means over windows and of images of other sizes; means over volumes.

use super::{
    Types, may_equal, may_equal_shapes, not_implemented, one, pooling::averaged, pooling::given,
    resizing::upsampled,
};
use crate::{
    args::Args,
    types::{Shape, TensorType},
};

/// The type of `self`; the gradient has the shape of what the windows give.
pub fn avg_pool2d_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (grad, own) = (args.tensor(0)?, args.tensor(1)?);
    if args.attribute("divisor_override").is_some_and(|a| crate::attributes::i64(a) == 0) {
        return Err("divisor must be not zero".into());
    }
    let windows = given(args, "avg_pool2d")?;
    let made = averaged(args, &own, windows)?;
    if !may_equal_shapes(&grad.shape, &made.shape) || grad.dtype != own.dtype {
        return Err(format!(
            "expects a gradient of the result's type {}, got {}",
            made.to_type(args.context()),
            grad.to_type(args.context())
        ));
    }
    if !own.dtype.is_float() {
        return Err(not_implemented("avg_pool2d_backward", own.dtype));
    }
    one(args.context(), &own)
}

/// The type of `self`; the gradient is of other images of as many channels.
pub fn adaptive_avg_pool2d_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (grad, own) = (args.tensor(0)?, args.tensor(1)?);
    let name = "adaptive_avg_pool2d_backward";
    if !(3..=4).contains(&own.rank()) || grad.rank() != own.rank() {
        return Err(format!("{name}(): Expected 3D or 4D tensor, but got {}", Shape(&own.shape)));
    }
    let lead = own.rank() - 2;
    if let Some(d) = (1..grad.rank()).find(|d| grad.shape[*d] == 0) {
        return Err(format!(
            "{name}(): Expected grad_output to have non-zero size for non-batch dimensions, but grad_output has sizes {} with dimension {d} being empty",
            Shape(&grad.shape)
        ));
    }
    if own.dtype != grad.dtype {
        return Err(format!(
            "{name}_out_cpu_template: Expected dtype {} for `grad_output` but got dtype {}",
            own.dtype.c_name(),
            grad.dtype.c_name()
        ));
    }
    if !may_equal_shapes(&grad.shape[..lead], &own.shape[..lead]) {
        return Err(format!("expects a gradient for each image, got {}", Shape(&grad.shape)));
    }
    if !own.dtype.is_float() {
        return Err(not_implemented(name, own.dtype));
    }
    one(args.context(), &own)
}

const ADAPTIVE: &str = "adaptive_avg_pool3d";

/// Means of as many windows as the output has elements, over volumes. One of them is a mean of all, of which eager asks less.
pub fn adaptive_avg_pool3d<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, output) = (args.tensor(0)?, args.ints("output_size")?);
    if output.len() != 3 {
        return Err(format!("{ADAPTIVE}: output_size must be 3"));
    }
    if output.iter().any(|n| *n < 0) {
        return Err(format!(
            "{ADAPTIVE}: elements of output_size must be greater than or equal to 0 but received {{{}, {}, {}}}",
            output[0], output[1], output[2]
        ));
    }
    if args.operator() == ADAPTIVE && output == [1, 1, 1] && own.rank() >= 3 {
        if !own.dtype.is_inexact() {
            return Err(format!(
                "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: {}",
                own.dtype.aten_name()
            ));
        }
        return one(args.context(), &own.with_shape(&[&own.shape[..own.rank() - 3], &[1, 1, 1]].concat()));
    }
    if let Some(d) = (1..own.rank()).find(|d| own.shape[*d] == 0) {
        return Err(format!(
            "{ADAPTIVE}(): Expected input to have non-zero size for non-batch dimensions, but input has sizes {} with dimension {d} being empty",
            Shape(&own.shape)
        ));
    }
    if !(4..=5).contains(&own.rank()) {
        return Err(format!("{ADAPTIVE}(): Expected 4D or 5D tensor, but got {}", Shape(&own.shape)));
    }
    let made = own.with_shape(&[&own.shape[..own.rank() - 3], &output].concat());
    if !own.dtype.is_float() {
        return Err(not_implemented("adaptive_avg_pool3d_cpu", own.dtype));
    }
    one(args.context(), &made)
}

/// Images of `input_size`; the gradient is of images of `output_size`.
pub fn upsample_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let grad = args.tensor(0)?;
    let (output, input) = (args.ints("output_size")?, args.ints("input_size")?);
    if output.len() != 2 {
        return Err(format!("It is expected output_size equals to 2, but got size {}", output.len()));
    }
    if input.len() != 4 {
        return Err(format!("It is expected input_size equals to 4, but got size {}", input.len()));
    }
    if input.iter().any(|n| *n < 0) {
        return Err(format!("expects sizes that are not negative, got {}", Shape(&input)));
    }
    let own: TensorType = grad.with_shape(&input);
    let made = upsampled(args, &own, &output)?;
    if grad.rank() != 4 {
        return Err(format!(
            "Expected grad_output to be a tensor of dimension 4 but got: dimension {}",
            grad.rank()
        ));
    }
    if let Some(d) = (0..4).find(|d| !may_equal(grad.shape[*d], made.shape[*d])) {
        return Err(format!(
            "Expected grad_output to have the same shape as output; output.size({d}) = {} but got grad_output.size({d}) = {}",
            made.shape[d], grad.shape[d]
        ));
    }
    if !grad.dtype.is_float() {
        return Err(not_implemented(args.operator(), grad.dtype));
    }
    one(args.context(), &own)
}
