//! What changes the sizes, strides or storage of a tensor object; a storage that is too small grows.

use super::{
    copy::alias,
    error::{Result, ensure},
    reshaping::Format,
};
use terrace_tensor::{
    Tensor,
    layout::{contiguous_strides, extent},
};

/// `resize_`: row-major, or in a memory format, from the tensor's own offset on. Equal sizes keep their
/// strides, unless a format is given.
///
/// # Errors
/// When the memory cannot be had.
pub fn resize_(tensor: &Tensor, sizes: &[i64], format: Option<Format>) -> Result<Tensor> {
    let strides = match format {
        Some(format) => format.strides(sizes),
        None if tensor.sizes() == sizes => return alias(tensor),
        None => contiguous_strides(sizes),
    };
    over(tensor, sizes, &strides, tensor.offset())
}

/// What of a storage `set_` takes: an offset, sizes, and strides, which may be left out.
pub type Part<'a> = (i64, &'a [i64], &'a [i64]);

/// `set_`: a view of the source's storage, with its own flags: all of it, or a part. Sizes and strides that
/// stay what they are let no storage grow.
///
/// # Errors
/// When a part is asked for of a source that is not contiguous, or one that is not there and does not grow.
pub fn set_(own: &Tensor, source: &Tensor, part: Option<Part>) -> Result<Tensor> {
    let Some((offset, sizes, strides)) = part else { return Ok(alias(source)?.with_flags(own.flags())) };
    ensure!(source.is_contiguous(), "passed in tensor to be used as storage must be contiguous");
    let offset = source.offset().saturating_add(offset);
    if own.sizes() == sizes && (strides.is_empty() || own.strides() == strides) {
        let view = source.view(sizes.to_vec(), own.strides().to_vec(), offset)?;
        return Ok(view.with_flags(own.flags()));
    }
    let packed = contiguous_strides(sizes);
    let view = over(source, sizes, if strides.is_empty() { &packed } else { strides }, offset)?;
    Ok(view.with_flags(own.flags()))
}

/// `set_` without a source: no elements, in a storage of its own.
///
/// # Errors
/// When the memory cannot be had.
pub fn emptied(own: &Tensor) -> Result<Tensor> {
    let strides = if own.sizes() == [0] { own.strides().to_vec() } else { vec![1] };
    Ok(Tensor::zeros_strided(own.dtype(), &[0], &strides)?.with_flags(own.flags()))
}

/// A view of a tensor's storage, which grows where it has too few bytes.
fn over(tensor: &Tensor, sizes: &[i64], strides: &[i64], offset: i64) -> Result<Tensor> {
    if let Some((_, last)) = extent(sizes, strides) {
        let bytes = (i128::from(offset) + last + 1).saturating_mul(tensor.dtype().bytes() as i128);
        tensor.storage().grow(usize::try_from(bytes).unwrap_or(usize::MAX))?;
    }
    Ok(tensor.view(sizes.to_vec(), strides.to_vec(), offset)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_tensor::{Dtype, Flags, Scalar};

    #[test]
    fn a_storage_grows_for_all_its_views() {
        let x = Tensor::from_elements(Dtype::I64, &[2], &[1i64, 2]).unwrap();
        let y = resize_(&x, &[2, 2], None).unwrap();
        y.write(0, Scalar::Int(7));
        assert_eq!(x.to_vec(), [Scalar::Int(7), Scalar::Int(2)]);
        assert_eq!((y.strides(), y.storage().len()), (&[2, 1][..], 32));
        assert_eq!(resize_(&y, &[1], None).unwrap().storage().len(), 32);
    }

    #[test]
    fn another_storage_is_read_as_the_old_one_was() {
        let zeros = |sizes: &[i64]| Tensor::zeros(Dtype::F32, sizes).unwrap();
        let neg = Flags { neg: true, ..Flags::default() };
        let (x, source) = (zeros(&[2]).with_flags(neg), zeros(&[3]));
        for part in [None, Some((0, &[2][..], &[][..])), Some((1, &[1][..], &[][..]))] {
            assert_eq!(set_(&x, &source, part).unwrap().flags(), neg);
            assert_eq!(set_(&source, &x, part).unwrap().flags(), Flags::default());
        }
        assert_eq!(emptied(&x).unwrap().flags(), neg);
    }

    #[test]
    fn equal_sizes_keep_their_strides() {
        let x = Tensor::zeros(Dtype::F32, &[2, 3]).unwrap().view(vec![3, 2], vec![1, 3], 0).unwrap();
        assert_eq!(resize_(&x, &[3, 2], None).unwrap().strides(), [1, 3]);
        assert_eq!(resize_(&x, &[3, 2], Some(Format::Contiguous)).unwrap().strides(), [2, 1]);
    }
}
