//! Scatters: a copy of a tensor in which the elements of a view are replaced. The inverses of views, for
//! values.

use super::{
    copy::{clone, copy_, packed},
    elements,
    error::{Result, ensure},
    overlap::is_expanded,
    views,
};
use std::collections::HashMap;
use terrace_tensor::{Scalar, Tensor};

/// A copy of a tensor with all of its storage: the same sizes, strides and offset. Where elements share
/// memory, the copy is one of the elements alone.
///
/// # Errors
/// When the memory cannot be had.
pub fn whole(tensor: &Tensor) -> Result<Tensor> {
    if is_expanded(tensor) {
        return clone(tensor);
    }
    let count = (tensor.storage().len() / tensor.dtype().bytes()) as i64;
    let storage = tensor.view(vec![count], vec![1], 0)?;
    let copy = Tensor::zeros(tensor.dtype(), &[count])?;
    elements::copy(&copy, &storage);
    Ok(copy.view(tensor.sizes().to_vec(), tensor.strides().to_vec(), tensor.offset())?)
}

/// An operator of graph that replaces the elements of a view by `src`, converted: on a copy of the whole
/// storage.
///
/// # Errors
/// As the view, and when `src` has other sizes or the view repeats elements.
pub fn replaced(
    tensor: &Tensor,
    src: &Tensor,
    view: impl FnOnce(&Tensor) -> Result<Tensor>,
) -> Result<Tensor> {
    let copy = whole(tensor)?;
    let view = view(&copy)?;
    copy_(&view, src)?;
    Ok(copy)
}

/// `slice_scatter`: the slice replaced by `src`.
///
/// # Errors
/// As the view, and when `src` has other sizes.
pub fn slice_scatter(
    tensor: &Tensor,
    src: &Tensor,
    dim: i64,
    start: Option<i64>,
    end: Option<i64>,
    step: i64,
) -> Result<Tensor> {
    scatter(&clone(tensor)?, src, |copy| views::slice(copy, dim, start, end, step))
}

/// `select_scatter`: one index of a dimension replaced by `src`.
///
/// # Errors
/// As the view, and when `src` has other sizes.
pub fn select_scatter(tensor: &Tensor, src: &Tensor, dim: i64, index: i64) -> Result<Tensor> {
    scatter(&clone(tensor)?, src, |copy| views::select(copy, dim, index))
}

/// `diagonal_scatter`: a diagonal replaced by `src`.
///
/// # Errors
/// As the view, and when `src` has other sizes.
pub fn diagonal_scatter(tensor: &Tensor, src: &Tensor, offset: i64, dim1: i64, dim2: i64) -> Result<Tensor> {
    scatter(&clone(tensor)?, src, |copy| views::diagonal(copy, offset, dim1, dim2))
}

/// `as_strided_scatter`: a strided view of the elements in row-major order replaced by `src`.
///
/// # Errors
/// As the view, and when `src` has other sizes.
pub fn as_strided_scatter(
    tensor: &Tensor,
    src: &Tensor,
    sizes: &[i64],
    strides: &[i64],
    offset: Option<i64>,
) -> Result<Tensor> {
    let copy = Tensor::zeros(tensor.dtype(), tensor.sizes())?;
    copy_(&copy, tensor)?;
    scatter(&copy, src, |copy| views::as_strided(copy, sizes, strides, offset))
}

/// `as_strided` of a value: a strided view of its elements in row-major order.
///
/// # Errors
/// As [`views::as_strided`].
pub fn as_strided_value(
    tensor: &Tensor,
    sizes: &[i64],
    strides: &[i64],
    offset: Option<i64>,
) -> Result<Tensor> {
    views::as_strided(&packed(tensor)?, sizes, strides, Some(offset.unwrap_or_default()))
}

fn scatter(copy: &Tensor, src: &Tensor, view: impl FnOnce(&Tensor) -> Result<Tensor>) -> Result<Tensor> {
    let view = view(copy)?;
    write(&view, src)?;
    Ok(copy.clone())
}

/// Replaces the elements of a view by those of a value of its sizes. Elements of the view may share memory
/// where they get equal elements, as in a fill.
///
/// # Errors
/// When elements that share memory get different ones, so that the last one written would decide.
pub fn write(view: &Tensor, value: &Tensor) -> Result<()> {
    let mut written: HashMap<i64, Scalar> = HashMap::new();
    for (at, from) in view.offsets().zip(value.offsets()) {
        let element = value.read(from).cast(view.dtype());
        let earlier = written.insert(at, element);
        let is_nan = |scalar: Scalar| scalar.to_complex().0.is_nan() || scalar.to_complex().1.is_nan();
        ensure!(
            earlier.is_none_or(|earlier| earlier == element || (is_nan(earlier) && is_nan(element))),
            "result depends on the order of evaluation: elements that share memory get different values"
        );
    }
    elements::copy(view, value);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_tensor::Dtype;

    fn iota() -> Tensor {
        Tensor::from_elements(Dtype::I64, &[2, 3], &[0, 1, 2, 3, 4, 5]).unwrap()
    }

    fn ones(sizes: &[i64]) -> Tensor {
        super::super::creation::full(sizes, Scalar::Int(-1), Dtype::I64).unwrap()
    }

    #[track_caller]
    fn is(result: Result<Tensor>, elements: [i64; 6]) {
        assert_eq!(result.unwrap().to_vec(), elements.map(Scalar::Int));
    }

    #[test]
    fn the_rest_keeps_its_values() {
        is(slice_scatter(&iota(), &ones(&[2, 2]), 1, Some(0), None, 2), [-1, 1, -1, -1, 4, -1]);
        is(select_scatter(&iota(), &ones(&[3]), 0, -1), [0, 1, 2, -1, -1, -1]);
        is(diagonal_scatter(&iota(), &ones(&[2]), 1, 0, 1), [0, -1, 2, 3, 4, -1]);
        is(as_strided_scatter(&iota(), &ones(&[2]), &[2], &[2], Some(1)), [0, -1, 2, -1, 4, 5]);
        let transposed = views::t(&iota()).unwrap();
        is(as_strided_scatter(&transposed, &ones(&[2]), &[2], &[2], Some(1)), [0, -1, 1, -1, 2, 5]);
    }

    #[test]
    fn elements_that_share_memory_get_one_value() {
        let window = |src: &Tensor| as_strided_scatter(&iota(), src, &[2, 2], &[1, 1], Some(0));
        is(window(&ones(&[2, 2])), [-1, -1, -1, 3, 4, 5]);
        let different = Tensor::from_elements(Dtype::I64, &[2, 2], &[0, 1, 2, 3]).unwrap();
        assert_eq!(
            window(&different).unwrap_err().to_string(),
            "result depends on the order of evaluation: elements that share memory get different values"
        );
    }
}
