//! Softmax, and norms over the last dimensions.

use super::{
    Inferred, Size, TensorType, Types, devices::on_cuda, may_equal_shapes, not_implemented, one, wrap_dim,
};
use crate::ir::{args::Args, dtype::Dtype, types::Shape};

/// Floats; a dtype, where given, is cast to first.
pub fn softmax<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    let dim = wrap_dim(args.int("dim")?, own.rank())?;
    if args.flag("half_to_float") {
        return match own.dtype {
            Dtype::F16 if on_cuda(args) => one(&own.with_dtype(Dtype::F32)),
            _ if on_cuda(args) => Err("conversion is supported for Half type only".into()),
            _ => Err("softmax with half to float conversion is not supported on CPU".into()),
        };
    }
    let dtype = args.dtype("dtype")?.unwrap_or(own.dtype);
    if !dtype.is_float() {
        let name = args.operator().trim_start_matches('_');
        let last = dim + 1 >= own.rank();
        return Err(not_implemented(
            &format!("{name}{}_kernel_impl", if last { "_lastdim" } else { "" }),
            dtype,
        ));
    }
    one(&own.with_dtype(dtype))
}

/// The dtype of parameters, and then of statistics: the operand's, or f32 beside half precision.
pub(super) fn parameter_dtype(own: &TensorType, parameters: &[Option<TensorType>]) -> Result<Dtype, String> {
    let mut dtypes = parameters.iter().flatten().map(|t| t.dtype);
    if dtypes.clone().next().is_none_or(|first| first == own.dtype) {
        return Ok(own.dtype);
    }
    if !dtypes.all(|dtype| dtype == Dtype::F32) {
        return Err("mixed dtype (CPU): expect parameter to have scalar type of Float".into());
    }
    if own.dtype.opmath() == own.dtype {
        return Err("mixed dtype (CPU): all inputs must share same datatype.".into());
    }
    Ok(Dtype::F32)
}

/// The operand and the number of leading dimensions that are not normalized.
fn normalized<'c>(args: &Args<'c, '_>) -> Result<(TensorType<'c>, usize), String> {
    let own = args.tensor(0)?;
    let shape = args.sizes("normalized_shape")?;
    let parameters = [args.optional_tensor(1)?, args.optional_tensor(2)?];
    // The kernel for CUDA takes one dtype alone.
    let dtype = if on_cuda(args) { own.dtype } else { parameter_dtype(&own, &parameters)? };
    if shape.is_empty() {
        return Err("Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got normalized_shape = []".into());
    }
    for (parameter, name) in parameters.iter().zip(["weight", "bias"]) {
        if let Some(t) = parameter {
            if !may_equal_shapes(&t.shape, &shape) {
                return Err(format!(
                    "Expected {name} to be of same shape as normalized_shape, but got {name} of shape {} and normalized_shape = {}",
                    Shape(&t.shape),
                    Shape(&shape)
                ));
            }
            if t.dtype != dtype && own.dtype.is_float() {
                return Err(format!(
                    "expected scalar type {} but found {}",
                    dtype.aten_name(),
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
                "Given normalized_shape={}, expected input with shape [*, {}], but got input of size{}",
                Shape(&shape),
                Shape(&shape).to_string().trim_matches(['[', ']']),
                Shape(&own.shape)
            ));
        }
    }
    if !own.dtype.is_float() {
        return Err(not_implemented("LayerNormKernelImpl", own.dtype));
    }
    Ok((own, lead.unwrap_or_default()))
}

/// The type of the operand.
pub fn layer_norm<'c>(args: &Args<'c, '_>) -> Types<'c> {
    one(&normalized(args)?.0)
}

/// The operand's type, and twice its leading dimensions with the normalized ones of size 1.
pub fn native_layer_norm<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, lead) = normalized(args)?;
    let mut shape = own.shape[..lead].to_vec();
    shape.resize(own.rank(), Size::ONE);
    // That for CUDA keeps statistics in the precision in which it computes.
    let dtype = match on_cuda(args) {
        true => own.dtype.opmath(),
        false => parameter_dtype(&own, &[args.optional_tensor(1)?, args.optional_tensor(2)?])?,
    };
    let statistics = Inferred::from(own.with_shape(&shape).with_dtype(dtype));
    Ok(vec![own.into(), statistics.clone(), statistics])
}

/// The operand's type.
pub fn rms_norm<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, weight) = (args.tensor(0)?, args.optional_tensor(1)?);
    let shape = args.sizes("normalized_shape")?;
    if shape.is_empty() {
        return Err("Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got normalized_shape = []".into());
    }
    if let Some(t) = weight.filter(|t| !may_equal_shapes(&t.shape, &shape)) {
        return Err(format!(
            "Expected weight to be of same shape as normalized_shape, but got weight of shape {} and normalized_shape = {}",
            Shape(&t.shape),
            Shape(&shape)
        ));
    }
    let Some(lead) = own.rank().checked_sub(shape.len()) else {
        return Err(format!(
            "Input tensor must have at least {} dimensions, but got {}",
            shape.len(),
            own.rank()
        ));
    };
    if !may_equal_shapes(&own.shape[lead..], &shape) {
        let inner: Vec<String> = shape.iter().map(Size::to_string).collect();
        return Err(format!(
            "Given normalized_shape={}, expected input with shape [*{}], but got input of size{}",
            Shape(&shape),
            inner.join(", "),
            Shape(&own.shape)
        ));
    }
    if !own.dtype.is_inexact() {
        return Err(not_implemented("rms_norm", own.dtype));
    }
    one(&own)
}
