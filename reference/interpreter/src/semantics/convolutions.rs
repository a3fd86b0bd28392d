//! The spellings of convolution per number of dimensions: of one image, and with padding that keeps the
//! sizes.

use super::{
    convolution::{Convolution, convolution},
    error::Result,
    views::{narrow, squeeze, unsqueeze},
};
use terrace_tensor::Tensor;

/// A convolution of a batch of images or of one, which has a dimension less.
///
/// # Errors
/// As [`convolution`].
pub fn conv(input: &Tensor, weight: &Tensor, bias: Option<&Tensor>, how: Convolution) -> Result<Tensor> {
    if input.rank() == weight.rank() {
        return convolution(input, weight, bias, how);
    }
    squeeze(&convolution(&unsqueeze(input, 0)?, weight, bias, how)?, Some(&[0]))
}

/// [`conv`] of an input with zeros around it, so that sizes stay: the odd one of them at the end.
///
/// # Errors
/// As [`convolution`].
pub fn conv_same(input: &Tensor, weight: &Tensor, bias: Option<&Tensor>, how: Convolution) -> Result<Tensor> {
    let spatial = weight.rank() - 2;
    let lead = input.rank() - spatial;
    let mut sizes = input.sizes().to_vec();
    let mut before = vec![0; spatial];
    let mut padding = vec![0; spatial];
    let mut even = true;
    for d in 0..spatial {
        let total = how.dilation[d.min(how.dilation.len() - 1)] * (weight.sizes()[d + 2] - 1);
        before[d] = total / 2;
        padding[d] = total / 2;
        even &= total % 2 == 0;
        sizes[lead + d] += total;
    }
    if even {
        return conv(input, weight, bias, Convolution { padding: &padding, ..how });
    }
    let padded = match super::strides::channels_last_strides(&sizes)
        .filter(|_| super::strides::suggests_channels_last(input))
    {
        Some(strides) => Tensor::zeros_strided(input.dtype(), &sizes, &strides)?,
        None => Tensor::zeros(input.dtype(), &sizes)?,
    };
    let mut inside = padded.clone();
    for (dim, before) in (lead..).zip(before).take(spatial) {
        inside = narrow(&inside, dim as i64, before, input.sizes()[dim])?;
    }
    super::elements::copy(&inside, input);
    conv(&padded, weight, bias, how)
}
