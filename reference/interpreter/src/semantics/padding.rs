//! Padded tensors: of each place of the result, which place of the operand it shows.

use super::{
    copy::{self, fill_},
    elements,
    error::{Result, ensure},
    reshaping::Format,
};
use terrace_tensor::{
    Scalar, Tensor,
    layout::{contiguous_strides, positions},
};

/// What lies beyond the borders.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Border {
    /// A number.
    Number(Scalar),
    /// What lies inside, mirrored at the outermost element.
    Reflect,
    /// The outermost element.
    Replicate,
    /// What lies at the other end.
    Circular,
}

/// The index of the operand that index `at` of a padded dimension shows; None beyond a border that is a
/// number.
fn source(at: i64, size: i64, [before, after]: [i64; 2], border: Border) -> Option<i64> {
    // The part of the operand that is there, where a negative pad cuts some of it.
    let (first, last) = ((-before).max(0), size - 1 - (-after).max(0));
    let own = at - before;
    match border {
        Border::Number(_) => (first..=last).contains(&own).then_some(own),
        Border::Replicate => Some(own.clamp(0, size - 1)),
        Border::Reflect if own < 0 => Some(-own),
        Border::Reflect if own >= size => Some(2 * (size - 1) - own),
        Border::Reflect => Some(own),
        Border::Circular => {
            let length = last - first + 1;
            // Of nothing there is nothing to show: eager leaves such elements undefined.
            (length > 0).then(|| (own - first).rem_euclid(length) + first)
        }
    }
}

/// Padded by `pads`: how much before and after each dimension, from the last one on.
///
/// # Errors
/// When a pad cuts more than there is.
pub fn pad(tensor: &Tensor, pads: &[i64], border: Border) -> Result<Tensor> {
    let mut by_dim = vec![[0, 0]; tensor.rank()];
    for (pad, pair) in by_dim.iter_mut().rev().zip(pads.chunks_exact(2)) {
        *pad = [pair[0], pair[1]];
    }
    let sizes: Vec<i64> =
        tensor.sizes().iter().zip(&by_dim).map(|(size, [before, after])| size + before + after).collect();
    ensure!(sizes.iter().all(|&size| size >= 0), "narrow(): length must be non-negative.");
    let strides = match border {
        Border::Number(_) if pads.iter().all(|&pad| pad <= 0) => {
            let mut cut = tensor.clone();
            for (dim, [before, _]) in by_dim.iter().enumerate() {
                let end = sizes[dim] - before;
                cut = super::views::slice(&cut, dim as i64, Some(-before), Some(end), 1)?;
            }
            return copy::clone(&cut);
        }
        Border::Circular => contiguous_strides(&sizes),
        _ => Format::suggested(tensor).strides(&sizes),
    };
    let out = Tensor::zeros_strided(tensor.dtype(), &sizes, &strides)?;
    if let Border::Number(number) = border {
        fill_(&out, number.into())?;
    }
    for (index, to) in positions(&sizes).zip(out.offsets()) {
        let dims = index.iter().zip(tensor.sizes()).zip(&by_dim);
        let from: Option<Vec<i64>> = dims.map(|((&at, &size), &pad)| source(at, size, pad, border)).collect();
        if let Some(from) = from {
            let at = tensor.offset_of(&from)?;
            elements::write(&out, to, tensor.read(at), tensor.bound(at), tensor.dtype());
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_tensor::Dtype;

    fn padded(pads: [i64; 2], border: Border) -> Vec<f64> {
        let line = Tensor::from_elements(Dtype::F32, &[4], &[0.0, 1.0, 2.0, 3.0]).unwrap();
        pad(&line, &pads, border).unwrap().to_vec().iter().map(|e| e.to_f64()).collect()
    }

    #[test]
    fn borders() {
        assert_eq!(padded([2, 1], Border::Number(Scalar::Int(9))), [9., 9., 0., 1., 2., 3., 9.]);
        assert_eq!(padded([-1, 1], Border::Number(Scalar::Int(9))), [1., 2., 3., 9.]);
        assert_eq!(padded([2, 1], Border::Reflect), [2., 1., 0., 1., 2., 3., 2.]);
        assert_eq!(padded([2, 1], Border::Replicate), [0., 0., 0., 1., 2., 3., 3.]);
        assert_eq!(padded([-1, 2], Border::Replicate), [1., 2., 3., 3., 3.]);
        assert_eq!(padded([2, 1], Border::Circular), [2., 3., 0., 1., 2., 3., 0.]);
    }
}
