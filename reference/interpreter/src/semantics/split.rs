//! Views that cut a tensor along a dimension.

use super::{
    error::Result,
    shape::wrap_dim,
    views::{select, slice},
};
use terrace_tensor::Tensor;

/// `split`: parts of `size` indices of a dimension, the last one shorter where it does not divide.
///
/// # Errors
/// When the memory cannot be had.
pub fn split(tensor: &Tensor, size: i64, dim: i64) -> Result<Vec<Tensor>> {
    let whole = tensor.sizes()[wrap_dim(dim, tensor.rank())?];
    let size = size.max(1);
    // An empty dimension still has one, empty, part.
    let starts = (0..whole.max(1)).step_by(size as usize);
    starts.map(|start| slice(tensor, dim, Some(start), Some(start.saturating_add(size)), 1)).collect()
}

/// `split_with_sizes`: parts of the given sizes, which add up to that of the dimension.
///
/// # Errors
/// When the memory cannot be had.
pub fn split_with_sizes(tensor: &Tensor, sizes: &[i64], dim: i64) -> Result<Vec<Tensor>> {
    let mut start = 0;
    let part = |&size: &i64| {
        start += size;
        slice(tensor, dim, Some(start - size), Some(start), 1)
    };
    sizes.iter().map(part).collect()
}

/// `chunk`: at most `chunks` parts of equal size, the last one shorter where it does not divide.
///
/// # Errors
/// When the memory cannot be had.
pub fn chunk(tensor: &Tensor, chunks: i64, dim: i64) -> Result<Vec<Tensor>> {
    let whole = tensor.sizes()[wrap_dim(dim, tensor.rank())?];
    if whole == 0 {
        return split_with_sizes(tensor, &vec![0; chunks as usize], dim);
    }
    split(tensor, whole.unsigned_abs().div_ceil(chunks.unsigned_abs()) as i64, dim)
}

/// `tensor_split` into so many parts, the first ones an index longer where the number does not divide.
///
/// # Errors
/// When the memory cannot be had.
pub fn sections(tensor: &Tensor, count: i64, dim: i64) -> Result<Vec<Tensor>> {
    let whole = tensor.sizes()[wrap_dim(dim, tensor.rank())?];
    let start = |part: i64| part * (whole / count) + part.min(whole % count);
    (0..count).map(|part| slice(tensor, dim, Some(start(part)), Some(start(part + 1)), 1)).collect()
}

/// `tensor_split` between indices, which may count from the end and need not be in order.
///
/// # Errors
/// When the memory cannot be had.
pub fn between(tensor: &Tensor, indices: &[i64], dim: i64) -> Result<Vec<Tensor>> {
    let starts = std::iter::once(0).chain(indices.iter().copied());
    let ends = indices.iter().copied().map(Some).chain([None]);
    starts.zip(ends).map(|(start, end)| slice(tensor, dim, Some(start), end, 1)).collect()
}

/// `unbind`: one part per index of a dimension, which goes.
///
/// # Errors
/// When the memory cannot be had.
pub fn unbind(tensor: &Tensor, dim: i64) -> Result<Vec<Tensor>> {
    let wrapped = wrap_dim(dim, tensor.rank())?;
    (0..tensor.sizes()[wrapped]).map(|index| select(tensor, dim, index)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_tensor::Dtype;

    fn lengths(parts: Result<Vec<Tensor>>) -> Vec<(i64, i64)> {
        parts.unwrap().iter().map(|part| (part.offset(), part.sizes()[0])).collect()
    }

    #[test]
    fn parts() {
        let seven = Tensor::zeros(Dtype::F32, &[7]).unwrap();
        assert_eq!(lengths(split(&seven, 3, 0)), [(0, 3), (3, 3), (6, 1)]);
        assert_eq!(lengths(chunk(&seven, 4, 0)), [(0, 2), (2, 2), (4, 2), (6, 1)]);
        assert_eq!(lengths(split_with_sizes(&seven, &[2, 0, 5], -1)), [(0, 2), (2, 0), (2, 5)]);
        assert_eq!(unbind(&seven, 0).unwrap().len(), 7);
        let empty = Tensor::zeros(Dtype::F32, &[0]).unwrap();
        assert_eq!(lengths(split(&empty, 0, 0)), [(0, 0)]);
        assert_eq!(lengths(chunk(&empty, 2, 0)), [(0, 0), (0, 0)]);
    }
}
