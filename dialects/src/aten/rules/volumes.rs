//! Windows over volumes [C, D, H, W], or batches of them.

use super::{
    TensorType, Types, not_implemented, one,
    pooling::{Window, given, gradient_dtype, gradient_of_places, pooled, pooled_shape},
};
use crate::ir::{args::Args, dtype::Dtype, types::Shape};
use terrace_size::Number;

/// Volumes of channels, or batches of them.
fn volumes(own: &TensorType) -> Result<(), String> {
    if (4..=5).contains(&own.rank()) {
        return Ok(());
    }
    Err("non-empty 4D or 5D (batch mode) tensor expected for input".into())
}

/// Something in each, but for their number.
fn filled(own: &TensorType, name: &str) -> Result<(), String> {
    match (own.rank() - 4..own.rank()).find(|d| own.shape[*d].assume_eq(0)) {
        Some(d) => Err(format!(
            "{name}(): Expected input to have non-zero size for non-batch dimensions, but input has sizes {} with dimension {d} being empty",
            Shape(&own.shape)
        )),
        None => Ok(()),
    }
}

fn largest<'c>(
    args: &Args<'c, '_>,
    own: &TensorType<'c>,
    windows: [Window; 3],
) -> Result<TensorType<'c>, String> {
    let filled = |own: &TensorType| filled(own, "max_pool3d_with_indices_out_cpu_template");
    let shape = pooled(own, windows, args.flag("ceil_mode"), filled)?;
    Ok(own.with_shape(&shape))
}

/// The largest elements, and with indices their places in their volumes.
pub fn max_pool3d<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    let windows = given(args, "max_pool3d")?;
    volumes(&own)?;
    let made = largest(args, &own, windows)?;
    if own.dtype == Dtype::Bool || own.dtype.is_complex() {
        return Err(not_implemented("max_pool3d", own.dtype));
    }
    let places = made.with_dtype(Dtype::I64);
    Ok(match args.operator() {
        "max_pool3d" => vec![made.into()],
        _ => vec![made.into(), places.into()],
    })
}

/// The type of `self`; gradients and places have the shape of what the windows give.
pub fn max_pool3d_with_indices_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (gradient, own, indices) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    gradient_dtype(&gradient, &own)?;
    let windows = given(args, "max_pool3d")?;
    volumes(&own)?;
    let made = largest(args, &own, windows)?;
    for given in [&gradient, &indices] {
        pooled_shape(given, &made.shape, 3)?;
    }
    gradient_of_places(&own, &indices, "max_pool3d_backward")?;
    one(&own)
}

/// Windows that are no larger than the volume.
fn averaged<'c>(args: &Args<'c, '_>, own: &TensorType<'c>) -> Result<TensorType<'c>, String> {
    let windows = given::<3>(args, "avg_pool3d")?;
    volumes(own)?;
    if args.attribute("divisor_override").is_some_and(|a| crate::ir::attributes::i64(a) == 0) {
        return Err("divisor must be not zero".into());
    }
    let asks = |own: &TensorType| {
        filled(own, "avg_pool3d")?;
        let sizes = &own.shape[own.rank() - 3..];
        if sizes.iter().zip(&windows).all(|(size, window)| size.is_unknown() || size.assume_ge(window.kernel))
        {
            return Ok(());
        }
        let [t, h, w] = windows.map(|window| window.kernel);
        Err(format!(
            "input image (T: {} H: {} W: {}) smaller than kernel size (kT: {t} kH: {h} kW: {w})",
            sizes[0], sizes[1], sizes[2]
        ))
    };
    let shape = pooled(own, windows, args.flag("ceil_mode"), asks)?;
    Ok(own.with_shape(&shape))
}

fn has_means(own: &TensorType, kernel: &str) -> Result<(), String> {
    if matches!(own.dtype, Dtype::F32 | Dtype::F64 | Dtype::I64) {
        return Ok(());
    }
    Err(not_implemented(kernel, own.dtype))
}

/// The means, of f32, f64 and i64.
pub fn avg_pool3d<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    let made = averaged(args, &own)?;
    has_means(&own, "avg_pool3d_out_frame")?;
    one(&made)
}

/// The type of `self`; the gradient has the type of what the windows give.
pub fn avg_pool3d_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (gradient, own) = (args.tensor(0)?, args.tensor(1)?);
    pooled_shape(&gradient, &averaged(args, &own)?.shape, 3)?;
    has_means(&own, "avg_pool3d_backward_out_frame")?;
    if gradient.dtype != own.dtype {
        return Err(format!(
            "expected scalar type {} but found {}",
            own.dtype.aten_name(),
            gradient.dtype.aten_name()
        ));
    }
    one(&own)
}
