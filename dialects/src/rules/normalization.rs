//! Softmax and layer norm.

use super::{Types, may_equal_shapes, one, wrap_dim};
use crate::{
    args::Args,
    dtype::Dtype,
    types::{Shape, TensorType},
};

/// Floats; a dtype, where given, is cast to first.
pub fn softmax<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    wrap_dim(args.int("dim")?, own.rank())?;
    if args.flag("half_to_float") && own.dtype != Dtype::F16 {
        return Err("conversion is supported for Half type only".into());
    }
    let dtype =
        if args.flag("half_to_float") { Dtype::F32 } else { args.dtype("dtype")?.unwrap_or(own.dtype) };
    if !dtype.is_float() {
        return Err(format!("\"softmax_lastdim_kernel_impl\" not implemented for '{}'", dtype.aten_name()));
    }
    one(args.context(), &own.with_dtype(dtype))
}

/// The operand and the number of leading dimensions that are not normalized.
fn normalized<'c>(args: &Args<'c, '_>) -> Result<(TensorType<'c>, usize), String> {
    let own = args.tensor(0)?;
    let shape = args.ints("normalized_shape")?;
    if shape.is_empty() {
        return Err("Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got normalized_shape = []".into());
    }
    for (place, name) in [(1, "weight"), (2, "bias")] {
        if let Some(t) = args.optional_tensor(place)? {
            if !may_equal_shapes(&t.shape, &shape) {
                return Err(format!(
                    "Expected {name} to be of same shape as normalized_shape, but got {name} of shape {} and normalized_shape = {}",
                    Shape(&t.shape),
                    Shape(&shape)
                ));
            }
            if t.dtype != own.dtype {
                return Err(format!(
                    "expected scalar type {} but found {}",
                    own.dtype.aten_name(),
                    t.dtype.aten_name()
                ));
            }
        }
    }
    let lead = own.rank().checked_sub(shape.len());
    match lead {
        Some(lead) if may_equal_shapes(&own.shape[lead..], &shape) => {}
        _ => {
            return Err(format!(
                "Given normalized_shape={}, expected input with the shape to end with it, but got input of size{}",
                Shape(&shape),
                Shape(&own.shape)
            ));
        }
    }
    if !own.dtype.is_float() {
        return Err(format!("\"LayerNormKernelImpl\" not implemented for '{}'", own.dtype.aten_name()));
    }
    Ok((own, lead.unwrap_or(0)))
}

/// The type of the operand.
pub fn layer_norm<'c>(args: &Args<'c, '_>) -> Types<'c> {
    one(args.context(), &normalized(args)?.0)
}

/// The operand's type, and twice its leading dimensions with the normalized ones of size 1.
pub fn native_layer_norm<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, lead) = normalized(args)?;
    let mut shape = own.shape[..lead].to_vec();
    shape.resize(own.rank(), 1);
    let statistics = own.with_shape(&shape).to_type(args.context());
    Ok(vec![own.to_type(args.context()), statistics, statistics])
}
