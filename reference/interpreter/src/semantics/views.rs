//! Views: other sizes, strides and offsets over the same storage.

use super::{
    error::{Error, Result, ensure},
    shape::{infer_size, wrap_dim, wrap_dims},
};
use terrace_overlap::view_strides;
use terrace_tensor::{Dtype, Tensor};

/// `as_strided`: any sizes, strides and offset over the storage; the offset is the tensor's own by default.
///
/// # Errors
/// When an element would lie outside the storage, or a stride is negative.
pub fn as_strided(tensor: &Tensor, sizes: &[i64], strides: &[i64], offset: Option<i64>) -> Result<Tensor> {
    let offset = offset.unwrap_or(tensor.offset());
    Ok(tensor.view(sizes.to_vec(), strides.to_vec(), offset)?)
}

/// `diagonal`: the elements whose index in `dim2` is that in `dim1` plus `offset`, as a new last dimension.
///
/// # Errors
/// When the memory cannot be had.
pub fn diagonal(tensor: &Tensor, offset: i64, dim1: i64, dim2: i64) -> Result<Tensor> {
    let (first, second) = (wrap_dim(dim1, tensor.rank())?, wrap_dim(dim2, tensor.rank())?);
    let (mut sizes, mut strides) = (tensor.sizes().to_vec(), tensor.strides().to_vec());
    let (down, right) = (offset.saturating_neg().max(0), offset.max(0));
    let length = sizes[first].saturating_sub(down).min(sizes[second].saturating_sub(right)).max(0);
    // An empty diagonal stays where the tensor is.
    let skipped = if length == 0 { 0 } else { down * strides[first] + right * strides[second] };
    let step = strides[first].saturating_add(strides[second]);
    for dim in [first.max(second), first.min(second)] {
        sizes.remove(dim);
        strides.remove(dim);
    }
    sizes.push(length);
    strides.push(step);
    Ok(tensor.view(sizes, strides, tensor.offset() + skipped)?)
}

/// `expand`: repeats dimensions of size 1, and the whole in new leading ones; -1 keeps a size.
///
/// # Errors
/// When the memory cannot be had.
pub fn expand(tensor: &Tensor, sizes: &[i64]) -> Result<Tensor> {
    let own = tensor.sizes();
    let leading = sizes.len() - own.len();
    let (mut expanded, mut strides) = (sizes.to_vec(), vec![0; sizes.len()]);
    for dim in (0..sizes.len()).rev() {
        let size = sizes[dim];
        if dim < leading {
            // A new dimension of one element steps over what is inside; over nothing in a tensor without
            // dimensions.
            let inside = expanded.get(dim + 1).zip(strides.get(dim + 1));
            let step = inside.map(|(size, stride)| size * stride).unwrap_or_default();
            strides[dim] = if size == 1 && !own.is_empty() { step } else { 0 };
            continue;
        }
        let old = own[dim - leading];
        if size == -1 || size == old {
            expanded[dim] = old;
            strides[dim] = tensor.strides()[dim - leading];
        }
    }
    Ok(tensor.view(expanded, strides, tensor.offset())?)
}

/// `narrow`: `length` indices of a dimension from `start` on.
///
/// # Errors
/// When the memory cannot be had.
pub fn narrow(tensor: &Tensor, dim: i64, start: i64, length: i64) -> Result<Tensor> {
    let size = tensor.sizes()[wrap_dim(dim, tensor.rank())?];
    let start = if start < 0 { start + size } else { start };
    slice(tensor, dim, Some(start), Some(start + length), 1)
}

/// `permute`: dimension `i` of the result is dimension `dims[i]`.
///
/// # Errors
/// When the memory cannot be had.
pub fn permute(tensor: &Tensor, dims: &[i64]) -> Result<Tensor> {
    let order = dims.iter().map(|&dim| wrap_dim(dim, tensor.rank())).collect::<Result<Vec<_>>>()?;
    reorder(tensor, &order)
}

/// `select`: one index of a dimension, which goes.
///
/// # Errors
/// When there is no such index.
pub fn select(tensor: &Tensor, dim: i64, index: i64) -> Result<Tensor> {
    let dim = wrap_dim(dim, tensor.rank())?;
    let size = tensor.sizes()[dim];
    ensure!(
        (-size..size).contains(&index),
        "select(): index {index} out of range for tensor of size {:?} at dimension {dim}",
        tensor.sizes()
    );
    let index = if index < 0 { index + size } else { index };
    let (mut sizes, mut strides) = (tensor.sizes().to_vec(), tensor.strides().to_vec());
    sizes.remove(dim);
    let stride = strides.remove(dim);
    Ok(tensor.view(sizes, strides, tensor.offset() + index * stride)?)
}

/// `slice`: every `step`th index of a dimension from `start` up to but without `end`; both count from the end
/// where they are negative and are clamped, and are 0 and the size by default.
///
/// # Errors
/// When the memory cannot be had.
pub fn slice(tensor: &Tensor, dim: i64, start: Option<i64>, end: Option<i64>, step: i64) -> Result<Tensor> {
    let dim = wrap_dim(dim, tensor.rank())?;
    let size = tensor.sizes()[dim];
    let clamp = |index: i64| (if index < 0 { index.saturating_add(size) } else { index }).clamp(0, size);
    let start = clamp(start.unwrap_or(0));
    let end = clamp(end.unwrap_or(size)).max(start);
    let (mut sizes, mut strides) = (tensor.sizes().to_vec(), tensor.strides().to_vec());
    let skipped = start * strides[dim];
    sizes[dim] = (end - start).unsigned_abs().div_ceil(step.unsigned_abs()) as i64;
    // Where the step is larger than any stride can say there is at most one index.
    strides[dim] = strides[dim].saturating_mul(step);
    Ok(tensor.view(sizes, strides, tensor.offset() + skipped)?)
}

/// `squeeze`: without the dimensions of size 1, or those among `dims`.
///
/// # Errors
/// When the memory cannot be had.
pub fn squeeze(tensor: &Tensor, dims: Option<&[i64]>) -> Result<Tensor> {
    let named = match dims {
        Some(dims) => wrap_dims(dims, tensor.rank())?,
        None => vec![true; tensor.rank()],
    };
    let kept = (0..tensor.rank()).filter(|&dim| !named[dim] || tensor.sizes()[dim] != 1);
    let (sizes, strides) = kept.map(|dim| (tensor.sizes()[dim], tensor.strides()[dim])).unzip();
    Ok(tensor.view(sizes, strides, tensor.offset())?)
}

/// `unsqueeze`: with a new dimension of size 1 before `dim`.
///
/// # Errors
/// When the memory cannot be had.
pub fn unsqueeze(tensor: &Tensor, dim: i64) -> Result<Tensor> {
    let dim = wrap_dim(dim, tensor.rank() + 1)?;
    let (mut sizes, mut strides) = (tensor.sizes().to_vec(), tensor.strides().to_vec());
    let stride = if dim == tensor.rank() { 1 } else { sizes[dim].saturating_mul(strides[dim]) };
    sizes.insert(dim, 1);
    strides.insert(dim, stride);
    Ok(tensor.view(sizes, strides, tensor.offset())?)
}

/// `t`: the transpose of a matrix; a vector or a tensor without dimensions is its own.
///
/// # Errors
/// When the memory cannot be had.
pub fn t(tensor: &Tensor) -> Result<Tensor> {
    transpose(tensor, 0, if tensor.rank() == 2 { 1 } else { 0 })
}

/// `transpose`, `swapaxes`: two dimensions exchanged.
///
/// # Errors
/// When the memory cannot be had.
pub fn transpose(tensor: &Tensor, dim0: i64, dim1: i64) -> Result<Tensor> {
    let (first, second) = (wrap_dim(dim0, tensor.rank())?, wrap_dim(dim1, tensor.rank())?);
    let mut order: Vec<usize> = (0..tensor.rank()).collect();
    if tensor.rank() > 0 {
        order.swap(first, second);
    }
    reorder(tensor, &order)
}

/// `movedim`: the dimensions of `source` go to the places of `destination`, the others keep their order.
///
/// # Errors
/// When the memory cannot be had.
pub fn movedim(tensor: &Tensor, source: &[i64], destination: &[i64]) -> Result<Tensor> {
    let wrap = |dims: &[i64]| -> Result<Vec<usize>> {
        dims.iter().map(|&dim| wrap_dim(dim, tensor.rank())).collect()
    };
    let (source, destination) = (wrap(source)?, wrap(destination)?);
    if tensor.rank() == 0 {
        return reorder(tensor, &[]);
    }
    let mut order = vec![None; tensor.rank()];
    for (&from, &to) in source.iter().zip(&destination) {
        order[to] = Some(from);
    }
    let mut others = (0..tensor.rank()).filter(|dim| !source.contains(dim));
    let order: Vec<_> =
        order.into_iter().map(|dim| dim.or_else(|| others.next()).expect("a permutation")).collect();
    reorder(tensor, &order)
}

/// `mT`: the last two dimensions exchanged.
///
/// # Errors
/// When the memory cannot be had.
pub fn mt(tensor: &Tensor) -> Result<Tensor> {
    if tensor.rank() == 0 {
        return reorder(tensor, &[]);
    }
    transpose(tensor, -2, -1)
}

/// `unfold`: windows of `size` indices of a dimension, `step` apart; the indices within them are a new last
/// dimension.
///
/// # Errors
/// When the memory cannot be had.
pub fn unfold(tensor: &Tensor, dim: i64, size: i64, step: i64) -> Result<Tensor> {
    let dim = wrap_dim(dim, tensor.rank())?;
    let (mut sizes, mut strides) = (tensor.sizes().to_vec(), tensor.strides().to_vec());
    let whole = sizes.get(dim).copied().unwrap_or(1);
    sizes.push(size);
    strides.push(strides.get(dim).copied().unwrap_or(1));
    if dim < tensor.rank() {
        sizes[dim] = (whole - size) / step + 1;
        strides[dim] = strides[dim].saturating_mul(step);
    }
    Ok(tensor.view(sizes, strides, tensor.offset())?)
}

/// `unflatten`: a dimension cut into several; one size may be -1.
///
/// # Errors
/// When the memory cannot be had.
pub fn unflatten(tensor: &Tensor, dim: i64, sizes: &[i64]) -> Result<Tensor> {
    let dim = wrap_dim(dim, tensor.rank())?;
    let whole = tensor.sizes()[dim];
    let parts = infer_size(sizes, whole);
    let mut new_sizes = tensor.sizes().to_vec();
    new_sizes.splice(dim..=dim, parts);
    view(tensor, &new_sizes)
}

/// `view`: other sizes of the same number of elements in the same order; one of them may be -1.
///
/// # Errors
/// When the number differs, or no strides give that order.
pub fn view(tensor: &Tensor, sizes: &[i64]) -> Result<Tensor> {
    let sizes = infer_size(sizes, tensor.len() as i64);
    let strides = view_strides(tensor.sizes(), tensor.strides(), &sizes).ok_or_else(|| {
        Error::new(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.",
        )
    })?;
    Ok(tensor.view(sizes, strides, tensor.offset())?)
}

/// `view.dtype`: the same bytes as elements of another dtype; the last dimension shrinks or grows with their
/// size.
///
/// # Errors
/// When sizes, strides or offset do not divide, or the tensor is one of conjugates or negatives.
pub fn view_dtype(tensor: &Tensor, dtype: Dtype) -> Result<Tensor> {
    let what = "when converting to a different dtype.";
    ensure!(!tensor.flags().conj, "torch.Tensor.view is not supported for conjugate view tensors {what}");
    ensure!(
        !tensor.flags().neg,
        "torch.Tensor.view is not supported for tensors with negative bit set {what}"
    );
    let (old, new) = (tensor.dtype().bytes() as i64, dtype.bytes() as i64);
    let names = format!("{} as {} (different element sizes)", tensor.dtype().aten_name(), dtype.aten_name());
    let (mut sizes, mut strides) = (tensor.sizes().to_vec(), tensor.strides().to_vec());
    let mut offset = tensor.offset();
    if old != new {
        ensure!(tensor.rank() > 0, "self.dim() cannot be 0 to view {names}");
        let last = tensor.rank() - 1;
        let packed = || {
            let stride = tensor.strides()[last];
            ensure!(stride == 1, "self.stride(-1) must be 1 to view {names}, but got {stride}");
            Ok(())
        };
        if old < new {
            let ratio = new / old;
            ensure!(
                sizes[last] % ratio == 0,
                "self.size(-1) must be divisible by {ratio} to view {names}, but got {}",
                sizes[last]
            );
            ensure!(
                offset % ratio == 0,
                "self.storage_offset() must be divisible by {ratio} to view {names}, but got {offset}"
            );
            packed()?;
            for (dim, stride) in strides[..last].iter_mut().enumerate() {
                ensure!(
                    *stride % ratio == 0,
                    "self.stride({dim}) must be divisible by {ratio} to view {names}, but got {stride}"
                );
                *stride /= ratio;
            }
            sizes[last] /= ratio;
            offset /= ratio;
        } else {
            packed()?;
            let ratio = old / new;
            strides[..last].iter_mut().for_each(|stride| *stride *= ratio);
            sizes[last] *= ratio;
            offset *= ratio;
        }
    }
    Ok(Tensor::new(tensor.storage().clone(), dtype, sizes, strides, offset)?)
}

fn reorder(tensor: &Tensor, order: &[usize]) -> Result<Tensor> {
    let (sizes, strides) = order.iter().map(|&dim| (tensor.sizes()[dim], tensor.strides()[dim])).unzip();
    Ok(tensor.view(sizes, strides, tensor.offset())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_tensor::Scalar;

    /// 0 to 5 in two rows.
    fn iota() -> Tensor {
        Tensor::from_elements(Dtype::F32, &[2, 3], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]).unwrap()
    }

    fn triple(view: Result<Tensor>) -> (Vec<i64>, Vec<i64>, i64) {
        let view = view.unwrap();
        (view.sizes().to_vec(), view.strides().to_vec(), view.offset())
    }

    #[track_caller]
    fn is(view: Result<Tensor>, sizes: &[i64], strides: &[i64], offset: i64) {
        assert_eq!(triple(view), (sizes.to_vec(), strides.to_vec(), offset));
    }

    #[track_caller]
    fn refuses(view: Result<Tensor>, message: &str) {
        assert_eq!(view.unwrap_err().to_string(), message);
    }

    /// Expected triples are eager's.
    #[test]
    fn triples() {
        let x = iota();
        is(diagonal(&x, 0, 0, 1), &[2], &[4], 0);
        is(diagonal(&x, -1, 0, 1), &[1], &[4], 3);
        is(diagonal(&x, 1, 0, 1), &[2], &[4], 1);
        is(diagonal(&x, 5, 0, 1), &[0], &[4], 0);
        is(expand(&x, &[5, -1, 3]), &[5, 2, 3], &[0, 3, 1], 0);
        is(expand(&x, &[1, 2, 3]), &[1, 2, 3], &[6, 3, 1], 0);
        is(narrow(&x, 0, -1, 1), &[1, 3], &[3, 1], 3);
        is(slice(&x, 1, Some(-9), Some(-1), 2), &[2, 1], &[3, 2], 0);
        is(slice(&x, 1, Some(2), Some(1), 1), &[2, 0], &[3, 1], 2);
        is(slice(&x, -1, Some(1), Some(i64::MAX), 1), &[2, 2], &[3, 1], 1);
        is(select(&x, 1, -1), &[2], &[3], 2);
        is(unsqueeze(&t(&x).unwrap(), 1), &[3, 1, 2], &[1, 6, 3], 0);
        is(unsqueeze(&x, -1), &[2, 3, 1], &[3, 1, 1], 0);
        is(unfold(&x, 1, 2, 1), &[2, 2, 2], &[3, 1, 1], 0);
        is(unfold(&x, 1, 0, 1), &[2, 4, 0], &[3, 1, 1], 0);
        is(unflatten(&t(&x).unwrap(), 0, &[-1, 1]), &[3, 1, 2], &[1, 6, 3], 0);
        is(movedim(&x, &[0], &[-1]), &[3, 2], &[1, 3], 0);
        is(view(&x, &[3, -1]), &[3, 2], &[2, 1], 0);
        is(view_dtype(&x, Dtype::I16), &[2, 6], &[6, 1], 0);
        is(squeeze(&unsqueeze(&x, 0).unwrap(), Some(&[0, 1])), &[2, 3], &[3, 1], 0);
        let scalar = select(&select(&x, 0, 1).unwrap(), 0, 1).unwrap();
        is(transpose(&scalar, 0, -1), &[], &[], 4);
        is(expand(&scalar, &[1]), &[1], &[0], 4);
        is(unfold(&scalar, 0, 1, 1), &[1], &[1], 4);
        is(as_strided(&select(&x, 0, 1).unwrap(), &[2], &[1], Some(0)), &[2], &[1], 0);
    }

    #[test]
    fn a_write_through_a_chain_reaches_the_storage() {
        let x = iota();
        let chain = select(&t(&slice(&x, 0, Some(1), None, 1).unwrap()).unwrap(), 0, 2).unwrap();
        chain.set(&[0], Scalar::Float(-1.0)).unwrap();
        assert_eq!(x.get(&[1, 2]).unwrap(), Scalar::Float(-1.0));
    }

    #[test]
    fn what_depends_on_strides_is_refused() {
        let x = iota();
        refuses(
            view(&t(&x).unwrap(), &[6]),
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.",
        );
        refuses(
            view_dtype(&x, Dtype::F64),
            "self.size(-1) must be divisible by 2 to view Float as Double (different element sizes), but got 3",
        );
        refuses(
            as_strided(&x, &[4], &[2], Some(1)),
            "setStorage: sizes [4], strides [2], storage offset 1, and itemsize 4 requiring a storage size of 32 are out of bounds for storage of size 24",
        );
    }
}
