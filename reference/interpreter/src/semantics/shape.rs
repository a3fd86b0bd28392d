//! Dimensions and sizes: counting from the end, lists of dimensions, broadcasting, the one size that may be
//! left out.

use terrace_tensor::Tensor;

use super::error::{Error, Result, ensure};

/// A dimension counted from either end; a tensor of rank 0 answers to 0 and -1.
pub fn wrap_dim(dim: i64, rank: usize) -> Result<usize> {
    let count = rank.max(1) as i64;
    if !(-count..count).contains(&dim) {
        return Err(Error::dimension(dim, rank));
    }
    Ok((if dim < 0 { dim + count } else { dim }) as usize)
}

/// Which of the dimensions of a tensor a list names; each at most once.
pub fn wrap_dims(dims: &[i64], rank: usize) -> Result<Vec<bool>> {
    let mut named = vec![false; rank.max(1)];
    for &dim in dims {
        let dim = wrap_dim(dim, rank)?;
        ensure!(!named[dim], "dim {dim} appears multiple times in the list of dims");
        named[dim] = true;
    }
    named.truncate(rank);
    Ok(named)
}

/// The sizes to which all of some sizes broadcast.
pub fn broadcast<'a>(shapes: impl IntoIterator<Item = &'a [i64]>) -> Result<Vec<i64>> {
    let mut result: Vec<i64> = Vec::new();
    for sizes in shapes {
        while result.len() < sizes.len() {
            result.insert(0, 1);
        }
        let leading = result.len() - sizes.len();
        // From the end, so that the last dimension that does not fit is the one that is named.
        for (dim, &size) in sizes.iter().enumerate().rev() {
            let dim = leading + dim;
            let known = result[dim];
            ensure!(
                known == size || known == 1 || size == 1,
                "The size of tensor a ({known}) must match the size of tensor b ({size}) at non-singleton dimension {dim}"
            );
            if known == 1 {
                result[dim] = size;
            }
        }
    }
    Ok(result)
}

/// A tensor seen with sizes to which its own broadcast: repeated elements have a stride of 0.
pub fn broadcast_view(tensor: &Tensor, sizes: &[i64]) -> Result<Tensor> {
    let leading = sizes.len() - tensor.rank();
    let mut strides = vec![0; sizes.len()];
    for (dim, (&size, &stride)) in tensor.sizes().iter().zip(tensor.strides()).enumerate() {
        strides[leading + dim] = if size == sizes[leading + dim] { stride } else { 0 };
    }
    Ok(tensor.view(sizes.to_vec(), strides, tensor.offset())?)
}

/// Sizes with a -1 replaced by what makes `count` elements.
pub fn infer_size(sizes: &[i64], count: i64) -> Vec<i64> {
    // More than a number has is as good as the most: there are not so many elements.
    let known =
        sizes.iter().filter(|&&size| size != -1).fold(1i64, |known, size| known.saturating_mul(*size));
    sizes.iter().map(|&size| if size == -1 { count.checked_div(known).unwrap_or(0) } else { size }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_count_from_either_end() {
        assert_eq!(wrap_dim(-1, 3), Ok(2));
        assert_eq!(wrap_dim(-1, 0), Ok(0));
        let message = wrap_dim(2, 2).unwrap_err().to_string();
        assert_eq!(message, "Dimension out of range (expected to be in range of [-2, 1], but got 2)");
        assert_eq!(wrap_dims(&[0, -1], 3), Ok(vec![true, false, true]));
        assert_eq!(wrap_dims(&[0], 0), Ok(vec![]));
        let message = wrap_dims(&[0, -2], 2).unwrap_err().to_string();
        assert_eq!(message, "dim 0 appears multiple times in the list of dims");
    }

    #[test]
    fn sizes_broadcast_from_the_end() {
        assert_eq!(broadcast([&[2, 1][..], &[5, 1, 3]]), Ok(vec![5, 2, 3]));
        assert_eq!(broadcast([&[1][..], &[0]]), Ok(vec![0]));
        assert_eq!(broadcast([]), Ok(vec![]));
        let message = broadcast([&[2, 3][..], &[4]]).unwrap_err().to_string();
        assert_eq!(
            message,
            "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1"
        );
    }

    #[test]
    fn one_size_is_inferred() {
        assert_eq!(infer_size(&[2, -1], 6), [2, 3]);
        assert_eq!(infer_size(&[-1, 3], 0), [0, 3]);
        assert_eq!(infer_size(&[0, 4], 0), [0, 4]);
    }
}
