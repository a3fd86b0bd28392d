//! Gradients of norms over channels, and weights as directions and lengths.

use super::{
    Size, TensorType, Types, backward::masked, may_equal, may_equal_shapes, normalization::parameter_dtype,
    not_implemented,
};
use crate::ir::{args::Args, types::Shape};

/// A gradient of the type of the input, which is of floats.
fn gradient<'c>(args: &Args<'c, '_>, kernel: &str) -> Result<TensorType<'c>, String> {
    let (grad, input) = (args.tensor(0)?, args.tensor(1)?);
    if !input.dtype.is_float() {
        return Err(not_implemented(kernel, input.dtype));
    }
    if !may_equal_shapes(&grad.shape, &input.shape) || grad.dtype != input.dtype {
        return Err(format!(
            "expects a gradient of the input's type, got {} for {}",
            grad.to_type(args.context()),
            input.to_type(args.context())
        ));
    }
    Ok(input)
}

fn vector(
    t: Option<TensorType>,
    count: Size,
    dtype: crate::ir::dtype::Dtype,
    name: &str,
) -> Result<(), String> {
    match t {
        Some(t) if t.rank() != 1 || !may_equal(t.shape[0], count) || t.dtype != dtype => Err(format!(
            "expects a {name} of {count} elements of dtype {}, got {}",
            dtype.aten_name(),
            Shape(&t.shape)
        )),
        _ => Ok(()),
    }
}

/// The input's type, and twice a vector of channels, of f32 where parameters are that beside half precision.
pub fn native_group_norm_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let input = gradient(args, "GroupNormBackwardKernelImpl")?;
    let [images, channels, inner, groups] =
        [args.int("N")?, args.int("C")?, args.int("HxW")?, args.int("group")?];
    let product = images.checked_mul(channels).and_then(|n| n.checked_mul(inner));
    if input.elements().is_some_and(|n| product.is_none_or(|product| !may_equal(n, product.into())))
        || images < 0
        || channels <= 0
        || inner <= 0
    {
        return Err(format!(
            "Expect input to have {} elements, got {}",
            product.unwrap_or_default(),
            Shape(&input.shape)
        ));
    }
    if groups <= 0 || channels % groups != 0 {
        return Err(format!("Expect channels {channels} to be evenly divisible by groups {groups}"));
    }
    let (moments, weight) = ([args.tensor(2)?, args.tensor(3)?], args.optional_tensor(4)?);
    let all = [weight.clone(), Some(moments[0].clone()), Some(moments[1].clone())];
    let dtype = parameter_dtype(&input, &all)?;
    for (t, name) in moments.iter().zip(["mean", "rstd"]) {
        if !may_equal_shapes(&t.shape, &[images.into(), groups.into()]) || t.dtype != dtype {
            return Err(format!(
                "expects a {name} of shape [{images}, {groups}] of dtype {}, got {}",
                dtype.aten_name(),
                t.to_type(args.context())
            ));
        }
    }
    vector(weight, channels.into(), dtype, "weight")?;
    let parameter = input.with_shape(&[channels.into()]).with_dtype(dtype);
    masked(args, &[input, parameter.clone(), parameter])
}

/// The input's type, and twice a vector of channels, of f32 where parameters are that beside half precision.
pub fn native_batch_norm_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let input = gradient(args, "batch_norm_backward_cpu")?;
    if input.rank() < 2 {
        return Err(format!("expects an input of 2 dimensions or more, got {}", Shape(&input.shape)));
    }
    let channels = input.shape[1];
    let names = ["weight", "running_mean", "running_var", "save_mean", "save_invstd"];
    let vectors = (2..7).map(|place| args.optional_tensor(place)).collect::<Result<Vec<_>, _>>()?;
    let dtype = parameter_dtype(&input, &vectors)?;
    for (place, (t, name)) in vectors.into_iter().zip(names).enumerate() {
        let needed = if args.flag("train") { place >= 3 } else { place == 1 || place == 2 };
        if needed && t.is_none() {
            return Err(format!("expects {name}, which its statistics come from"));
        }
        if needed || place == 0 {
            vector(t, channels, dtype, name)?;
        }
    }
    let parameter = input.with_shape(&[channels]).with_dtype(dtype);
    masked(args, &[input, parameter.clone(), parameter])
}

/// The sizes of the norms of all but one dimension; of all, where it is -1.
fn norms(own: &TensorType, dim: i64) -> Result<Vec<Size>, String> {
    if dim == -1 {
        return Ok(vec![]);
    }
    let last = own.rank() as i64 - 1;
    if own.rank() == 0 {
        return Err("Dimension specified as 0 but tensor has no dimensions".into());
    }
    if dim != 0 && dim != last && !(0..=last).contains(&dim) {
        return Err(format!(
            "Dimension out of range (expected to be in range of [{}, {last}], but got {dim})",
            -last - 1
        ));
    }
    Ok((0..own.rank()).map(|d| if d as i64 == dim { own.shape[d] } else { Size::ONE }).collect())
}

/// The type of `v`; and of its norms.
pub fn weight_norm<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (v, g, dim) = (args.tensor(0)?, args.tensor(1)?, args.int_or("dim", 0));
    let interface = args.operator() == "_weight_norm_interface";
    if !v.dtype.is_float() {
        return Err(match interface {
            true => not_implemented("weight_norm_kernel", v.dtype),
            false => format!(
                "norm(): input dtype should be either floating point or complex. Got {} instead.",
                v.dtype.aten_name()
            ),
        });
    }
    let shape = norms(&v, dim)?;
    if g.dtype != v.dtype {
        return Err(format!(
            "expected scalar type {} but found {}",
            v.dtype.aten_name(),
            g.dtype.aten_name()
        ));
    }
    if !may_equal_shapes(&g.shape, &shape) {
        return Err(format!("expects lengths of shape {}, got {}", Shape(&shape), Shape(&g.shape)));
    }
    if interface {
        if dim != 0 && dim != v.rank() as i64 - 1 {
            return Err("fused kernels can only be applied for first or last dim".into());
        }
        let norms = v.with_shape(&shape).with_dtype(v.dtype.opmath());
        return Ok(vec![v.into(), norms.into()]);
    }
    Ok(vec![v.into()])
}

/// The types of `v` and `g`.
pub fn weight_norm_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let [grad, v, g, norm] = [args.tensor(0)?, args.tensor(1)?, args.tensor(2)?, args.tensor(3)?];
    let dim = args.int("dim")?;
    let shape = norms(&v, dim)?;
    if dim != 0 && dim != v.rank() as i64 - 1 {
        return Err("Expected last_dim to be the last dimension".into());
    }
    let same = may_equal_shapes(&grad.shape, &v.shape)
        && may_equal_shapes(&g.shape, &shape)
        && may_equal_shapes(&norm.shape, &shape);
    if v.dtype.is_float() && norm.dtype != v.dtype.opmath() {
        return Err(format!(
            "expected scalar type {} but found {}",
            v.dtype.opmath().aten_name(),
            norm.dtype.aten_name()
        ));
    }
    if !same || grad.dtype != v.dtype || g.dtype != v.dtype || !v.dtype.is_float() {
        return Err(format!(
            "expects a gradient of the type {}, and lengths and norms of the shape {}",
            v.to_type(args.context()),
            Shape(&shape)
        ));
    }
    Ok(vec![v.into(), g.into()])
}
