//! Gradients of means over windows and of images of other sizes.

use super::{
    TensorType, Types, may_equal, may_equal_shapes, not_implemented, one, pooling::averaged, pooling::given,
    resizing::upsampled,
};
use crate::ir::{args::Args, types::Shape};
use terrace_size::Number;

/// The type of `self`; the gradient has the shape of what the windows give.
pub fn avg_pool2d_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (grad, own) = (args.tensor(0)?, args.tensor(1)?);
    if args.attribute("divisor_override").is_some_and(|a| crate::ir::attributes::i64(a) == 0) {
        return Err("divisor must be not zero".into());
    }
    let windows = given::<2>(args, "avg_pool2d")?;
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
    one(&own)
}

/// Images of `input_size`; the gradient is of images of `output_size`.
pub fn upsample_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let grad = args.tensor(0)?;
    let (output, input) = (args.dynamic_ints("output_size", 1)?, args.dynamic_ints("input_size", 2)?);
    if output.len() != 2 {
        return Err(format!("It is expected output_size equals to 2, but got size {}", output.len()));
    }
    if input.len() != 4 {
        return Err(format!("It is expected input_size equals to 4, but got size {}", input.len()));
    }
    if input.iter().any(|n| !n.is_unknown() && n.assume_lt(0)) {
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
    one(&own)
}
