//! Images [C, H, W], or batches of them, of other sizes.

use super::{Size, TensorType, Types, not_implemented, one};
use crate::ir::{args::Args, dtype::Dtype, types::Shape};
use terrace_size::Number;

pub(super) fn upsampled<'c>(
    args: &Args,
    own: &TensorType<'c>,
    output: &[Size],
) -> Result<TensorType<'c>, String> {
    let name = args.operator().trim_end_matches(".vec").trim_end_matches("_backward");
    if output.len() != 2 {
        return Err(format!("It is expected output_size equals to 2, but got size {}", output.len()));
    }
    if own.rank() != 4 {
        return Err(format!("It is expected input_size equals to 4, but got size {}", own.rank()));
    }
    let (h, w) = (own.shape[2], own.shape[3]);
    if [h, w, output[0], output[1]].iter().any(|n| !n.is_unknown() && n.assume_le(0)) {
        return Err(format!(
            "Input and output sizes should be greater than 0, but got input (H: {h}, W: {w}) output (H: {}, W: {})",
            output[0], output[1]
        ));
    }
    if own.shape[1..].iter().any(|size| size.assume_eq(0)) {
        return Err(format!(
            "Non-empty 4D data tensor expected but got a tensor with sizes {}",
            Shape(&own.shape)
        ));
    }
    if !own.dtype.is_float() && own.dtype != Dtype::U8 {
        return Err(match name {
            "upsample_bicubic2d" => not_implemented("compute_indices_weights_cubic", own.dtype),
            name => not_implemented(&format!("{name}_channels_last"), own.dtype),
        });
    }
    Ok(own.with_shape(&[&own.shape[..2], output].concat()))
}

/// Images of another size.
pub fn upsample<'c>(args: &Args<'c, '_>) -> Types<'c> {
    one(&upsampled(args, &args.tensor(0)?, &args.dynamic_ints("output_size", 1)?)?)
}

/// [`upsample`] to a size or by factors.
pub fn upsample_vec<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    let factors = args.attribute("scale_factors").map(crate::ir::attributes::f64s);
    let given = args.attribute("output_size").map(|_| args.dynamic_ints("output_size", 1)).transpose()?;
    let output = upsampled_sizes(&own.shape, given, factors.as_deref())?;
    one(&upsampled(args, &own, &output)?)
}

/// The sizes that a list of them or of factors names.
pub fn upsampled_sizes<N: Number>(
    shape: &[N],
    output: Option<Vec<N>>,
    factors: Option<&[f64]>,
) -> Result<Vec<N>, String> {
    let spatial = shape.get(2..).unwrap_or_default();
    match (output, factors) {
        (Some(output), None) if output.len() == spatial.len() => Ok(output),
        (Some(_), None) => {
            Err("Expected static_cast<int64_t>(output_size->size()) == spatial_dimensions to be true, but got false.".into())
        }
        (None, Some(factors)) if factors.len() == spatial.len() => {
            Ok(spatial.iter().zip(factors).map(|(n, factor)| n.scaled(*factor)).collect())
        }
        (None, Some(_)) => {
            Err("Expected static_cast<int64_t>(scale_factors->size()) == spatial_dimensions to be true, but got false.".into())
        }
        _ => Err("Must specify exactly one of output_size and scale_factors".into()),
    }
}

fn shuffled(name: &str, what: &str, own: &TensorType, factor: i64) -> Result<(), String> {
    if own.rank() < 3 {
        return Err(format!(
            "{name} expects input to have at least 3 dimensions, but got input with {} dimension(s)",
            own.rank()
        ));
    }
    if factor <= 0 {
        return Err(format!("{name} expects a positive {what}, but got {factor}"));
    }
    Ok(())
}

/// [.., C r^2, H, W] to [.., C, H r, W r].
pub fn pixel_shuffle<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, factor) = (args.tensor(0)?, args.int("upscale_factor")?);
    shuffled("pixel_shuffle", "upscale_factor", &own, factor)?;
    let lead = own.rank() - 3;
    let [c, h, w] = [0, 1, 2].map(|d| own.shape[lead + d]);
    let square = factor.checked_mul(factor).ok_or("the upscale_factor is too large")?;
    if !c.is_unknown() && (c % square).assume_ne(0) {
        return Err(format!(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, but input.size(-3)={c} is not divisible by {square}"
        ));
    }
    let sizes = [c / square, h.saturating_mul(factor), w.saturating_mul(factor)];
    one(&own.with_shape(&[&own.shape[..lead], &sizes].concat()))
}

/// [.., C, H r, W r] to [.., C r^2, H, W].
pub fn pixel_unshuffle<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, factor) = (args.tensor(0)?, args.int("downscale_factor")?);
    shuffled("pixel_unshuffle", "downscale_factor", &own, factor)?;
    let lead = own.rank() - 3;
    let [c, h, w] = [0, 1, 2].map(|d| own.shape[lead + d]);
    for (what, size, dim) in [("height", h, -2), ("width", w, -1)] {
        if !size.is_unknown() && (size % factor).assume_ne(0) {
            return Err(format!(
                "pixel_unshuffle expects {what} to be divisible by downscale_factor, but input.size({dim})={size} is not divisible by {factor}"
            ));
        }
    }
    // Eager copies what has no elements.
    if own.is_empty() {
        return one(&own);
    }
    let square = factor.checked_mul(factor).ok_or("the downscale_factor is too large")?;
    let sizes = [c.saturating_mul(square), h / factor, w / factor];
    one(&own.with_shape(&[&own.shape[..lead], &sizes].concat()))
}
