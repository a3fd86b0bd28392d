//! Tensors: strided views of storages.
//!
//! A tensor is a handle: cloning it names the same tensor object again, which [`Tensor::is_same`] can tell; a
//! view is a new object over the same storage. Every element of a tensor lies within its storage:
//! constructors check it, so that element access cannot fail.

use crate::{
    error::TensorError,
    layout::{self, Offsets},
    scalar::Scalar,
    storage::Storage,
};
use std::sync::atomic::{AtomicU64, Ordering};
use terrace_layout::dtype::Dtype;

/// How elements are to be read, beyond their layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Flags {
    /// Elements are the complex conjugates of what is stored.
    pub conj: bool,
    /// Elements are the negatives of what is stored.
    pub neg: bool,
}

/// A view of a storage: dtype, sizes, strides and offset, the last two in elements of the dtype.
#[derive(Debug, Clone)]
pub struct Tensor {
    id: u64,
    storage: Storage,
    dtype: Dtype,
    sizes: Vec<i64>,
    strides: Vec<i64>,
    offset: i64,
    flags: Flags,
}

impl Tensor {
    /// A tensor over a storage.
    ///
    /// # Errors
    /// When sizes and strides differ in number, a size is negative, or an element would lie outside the
    /// storage.
    pub fn new(
        storage: Storage,
        dtype: Dtype,
        sizes: Vec<i64>,
        strides: Vec<i64>,
        offset: i64,
    ) -> Result<Tensor, TensorError> {
        if sizes.len() != strides.len() {
            return Err(TensorError::RankMismatch { sizes, strides });
        }
        check_sizes(dtype, &sizes)?;
        let itemsize = dtype.bytes();
        let offset_wide = i128::from(offset);
        let (low, end) = match layout::extent(&sizes, &strides) {
            Some((low, high)) => (offset_wide + low, offset_wide + high + 1),
            None => (offset_wide, 0),
        };
        let required = end.saturating_mul(itemsize as i128);
        if low < 0 {
            return Err(TensorError::BeforeStorage { sizes, strides, offset });
        }
        if required > storage.len() as i128 {
            let available = storage.len();
            return Err(TensorError::OutOfBounds { sizes, strides, offset, itemsize, required, available });
        }
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        Ok(Tensor { id, storage, dtype, sizes, strides, offset, flags: Flags::default() })
    }

    /// A new contiguous tensor of zeros on a storage of its own.
    ///
    /// # Errors
    /// When a size is negative or the memory cannot be had.
    pub fn zeros(dtype: Dtype, sizes: &[i64]) -> Result<Tensor, TensorError> {
        Tensor::zeros_strided(dtype, sizes, &layout::contiguous_strides(sizes))
    }

    /// A new tensor of zeros with the given strides, on a storage of its own that ends with the last element.
    ///
    /// # Errors
    /// When a size is negative, an element would lie before the first, or the memory cannot be had.
    pub fn zeros_strided(dtype: Dtype, sizes: &[i64], strides: &[i64]) -> Result<Tensor, TensorError> {
        let bytes = bytes_of(dtype, sizes, strides)?;
        Tensor::new(Storage::zeroed(bytes)?, dtype, sizes.to_vec(), strides.to_vec(), 0)
    }

    /// A new contiguous tensor without memory, on a fake storage of its own.
    ///
    /// # Errors
    /// When a size is negative, or so many bytes have no number.
    pub fn fake(dtype: Dtype, sizes: &[i64]) -> Result<Tensor, TensorError> {
        let strides = layout::contiguous_strides(sizes);
        let storage = Storage::fake(bytes_of(dtype, sizes, &strides)?);
        Tensor::new(storage, dtype, sizes.to_vec(), strides, 0)
    }

    /// A new contiguous tensor of the given elements in row-major order, converted to `dtype`.
    ///
    /// # Errors
    /// As [`Tensor::zeros`].
    ///
    /// # Panics
    /// When the number of elements is not what `sizes` says.
    pub fn from_elements<T: Into<Scalar> + Copy>(
        dtype: Dtype,
        sizes: &[i64],
        elements: &[T],
    ) -> Result<Tensor, TensorError> {
        let tensor = Tensor::zeros(dtype, sizes)?;
        assert_eq!(tensor.len(), elements.len(), "sizes {sizes:?} do not match the number of elements");
        for (offset, &element) in tensor.offsets().zip(elements) {
            tensor.write(offset, element.into());
        }
        Ok(tensor)
    }

    /// A new tensor object of the same dtype and flags over the same storage.
    ///
    /// # Errors
    /// As [`Tensor::new`].
    pub fn view(&self, sizes: Vec<i64>, strides: Vec<i64>, offset: i64) -> Result<Tensor, TensorError> {
        let view = Tensor::new(self.storage.clone(), self.dtype, sizes, strides, offset)?;
        Ok(view.with_flags(self.flags))
    }

    /// That all elements lie within the storage, which may have been made smaller.
    ///
    /// # Errors
    /// As [`Tensor::new`].
    pub fn within(&self) -> Result<(), TensorError> {
        self.view(self.sizes.clone(), self.strides.clone(), self.offset).map(drop)
    }

    /// The same layout, with other flags.
    pub fn with_flags(self, flags: Flags) -> Tensor {
        Tensor { flags, ..self }
    }

    /// A number that no other tensor object of this process has.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The storage that is viewed.
    pub fn storage(&self) -> &Storage {
        &self.storage
    }

    /// The element type.
    pub fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// Elements per dimension.
    pub fn sizes(&self) -> &[i64] {
        &self.sizes
    }

    /// Elements of memory between neighbours, per dimension.
    pub fn strides(&self) -> &[i64] {
        &self.strides
    }

    /// Elements of memory before the first element.
    pub fn offset(&self) -> i64 {
        self.offset
    }

    /// How elements are read.
    pub fn flags(&self) -> Flags {
        self.flags
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.sizes.len()
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        layout::element_count(&self.sizes).expect("sizes were checked") as usize
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.sizes.contains(&0)
    }

    /// Whether both handles name one tensor object.
    pub fn is_same(&self, other: &Tensor) -> bool {
        self.id == other.id
    }

    /// Whether row-major order is memory order without gaps.
    pub fn is_contiguous(&self) -> bool {
        layout::is_contiguous(&self.sizes, &self.strides)
    }

    /// Whether the elements fill a range of memory, each place once.
    pub fn is_dense(&self) -> bool {
        layout::is_dense(&self.sizes, &self.strides)
    }

    /// The address of the first element.
    pub fn as_ptr(&self) -> *mut u8 {
        let bytes = if self.is_empty() { 0 } else { self.byte_at(self.offset) };
        self.storage.as_ptr().wrapping_add(bytes)
    }

    /// The offsets of all elements, in elements from the start of the storage, in row-major order.
    pub fn offsets(&self) -> Offsets<'_> {
        Offsets::new(&self.sizes, &self.strides, self.offset)
    }

    /// The element at an offset that [`Tensor::offsets`] gave.
    pub fn read(&self, offset: i64) -> Scalar {
        let mut value = self.storage.read(self.dtype, self.byte_at(offset));
        if self.flags.conj {
            value = value.conjugated();
        }
        // Of a byte that is one too.
        if self.flags.neg {
            value = value.negated().cast(self.dtype);
        }
        value
    }

    /// Replaces the element at an offset that [`Tensor::offsets`] gave; the value is converted to the dtype.
    pub fn write(&self, offset: i64, value: Scalar) {
        // Converted first: the negative of an integer 0 is none of a float's.
        let mut value = if self.flags == Flags::default() { value } else { value.cast(self.dtype) };
        if self.flags.neg {
            value = value.negated();
        }
        if self.flags.conj {
            value = value.conjugated();
        }
        self.storage.write(self.dtype, self.byte_at(offset), value);
    }

    /// The error bound of the element at an offset that [`Tensor::offsets`] gave.
    pub fn bound(&self, offset: i64) -> f64 {
        let at = self.byte_at(offset);
        let first = self.storage.bound(at);
        // Each part of a complex number has one.
        if self.dtype.is_complex() {
            first.max(self.storage.bound(at + self.dtype.part().bytes()))
        } else {
            first
        }
    }

    /// Gives the element at an offset that [`Tensor::offsets`] gave an error bound.
    pub fn set_bound(&self, offset: i64, bound: f64) {
        let at = self.byte_at(offset);
        self.storage.set_bound(at, bound);
        if self.dtype.is_complex() {
            self.storage.set_bound(at + self.dtype.part().bytes(), bound);
        }
    }

    /// The element at an index, one number per dimension.
    ///
    /// # Errors
    /// When no element has that index.
    pub fn get(&self, index: &[i64]) -> Result<Scalar, TensorError> {
        Ok(self.read(self.offset_of(index)?))
    }

    /// Replaces the element at an index, one number per dimension.
    ///
    /// # Errors
    /// When no element has that index.
    pub fn set(&self, index: &[i64], value: Scalar) -> Result<(), TensorError> {
        self.write(self.offset_of(index)?, value);
        Ok(())
    }

    /// All elements in row-major order.
    pub fn to_vec(&self) -> Vec<Scalar> {
        self.offsets().map(|offset| self.read(offset)).collect()
    }

    /// Takes the elements of a tensor of the same dtype and sizes, which may share its storage.
    ///
    /// # Panics
    /// They have others.
    pub fn put(&self, from: &Tensor) {
        assert_eq!(
            (self.dtype, &self.sizes),
            (from.dtype, &from.sizes),
            "elements go into as many of their dtype"
        );
        let plain = |tensor: &Tensor| tensor.is_contiguous() && tensor.flags == Flags::default();
        if plain(self) && plain(from) {
            // SAFETY: both reach so many bytes, which may overlap.
            unsafe { std::ptr::copy(from.as_ptr(), self.as_ptr(), self.len() * self.dtype.bytes()) };
            return;
        }
        for (offset, value) in self.offsets().zip(from.to_vec()) {
            self.write(offset, value);
        }
    }

    /// The offset of the element at an index, in elements from the start of the storage.
    ///
    /// # Errors
    /// When no element has that index.
    pub fn offset_of(&self, index: &[i64]) -> Result<i64, TensorError> {
        let inside =
            index.len() == self.rank() && index.iter().zip(&self.sizes).all(|(i, s)| (0..*s).contains(i));
        if !inside {
            return Err(TensorError::IndexOutOfRange { index: index.to_vec(), sizes: self.sizes.clone() });
        }
        Ok(self.offset + index.iter().zip(&self.strides).map(|(i, s)| i * s).sum::<i64>())
    }

    fn byte_at(&self, offset: i64) -> usize {
        offset as usize * self.dtype.bytes()
    }
}

/// The bytes from the first element, at offset 0, to the last.
fn bytes_of(dtype: Dtype, sizes: &[i64], strides: &[i64]) -> Result<usize, TensorError> {
    check_sizes(dtype, sizes)?;
    let elements = layout::extent(sizes, strides).map_or(0, |(_, high)| high + 1);
    let bytes = usize::try_from(elements.saturating_mul(dtype.bytes() as i128));
    bytes.map_err(|_| TensorError::TooLarge { dtype, sizes: sizes.to_vec() })
}

fn check_sizes(dtype: Dtype, sizes: &[i64]) -> Result<(), TensorError> {
    if let Some(&size) = sizes.iter().find(|&&size| size < 0) {
        return Err(TensorError::NegativeSize { size, sizes: sizes.to_vec() });
    }
    // The product without zeros: strides of an empty tensor must be countable too.
    let nonempty: Vec<i64> = sizes.iter().map(|&size| size.max(1)).collect();
    let bytes = layout::element_count(&nonempty).and_then(|count| count.checked_mul(dtype.bytes() as i64));
    bytes.map(drop).ok_or_else(|| TensorError::TooLarge { dtype, sizes: sizes.to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iota() -> Tensor {
        Tensor::from_elements(Dtype::F32, &[2, 3], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]).unwrap()
    }

    #[test]
    fn a_view_shares_the_storage_but_is_another_tensor() {
        let base = iota();
        let transposed = base.view(vec![3, 2], vec![1, 3], 0).unwrap();
        transposed.set(&[2, 0], Scalar::Float(-1.0)).unwrap();
        assert_eq!(base.get(&[0, 2]).unwrap(), Scalar::Float(-1.0));
        assert!(base.storage().is_same(transposed.storage()));
        assert!(base.is_same(&base.clone()));
        assert!(!base.is_same(&transposed));
        assert!(transposed.is_dense() && !transposed.is_contiguous());
    }

    #[test]
    fn out_of_bounds_has_eagers_wording() {
        let storage = Storage::zeroed(16).unwrap();
        let error = Tensor::new(storage, Dtype::F32, vec![4], vec![2], 0).unwrap_err();
        assert_eq!(
            error.to_string(),
            "setStorage: sizes [4], strides [2], storage offset 0, and itemsize 4 requiring a storage size of 28 are out of bounds for storage of size 16"
        );
    }

    #[test]
    fn what_cannot_be_is_an_error() {
        let storage = || Storage::zeroed(16).unwrap();
        let new = |sizes: &[i64], strides: &[i64], offset| {
            Tensor::new(storage(), Dtype::F32, sizes.to_vec(), strides.to_vec(), offset).map(|t| t.len())
        };
        assert!(matches!(new(&[1], &[], 0), Err(TensorError::RankMismatch { .. })));
        assert!(matches!(new(&[-1], &[1], 0), Err(TensorError::NegativeSize { size: -1, .. })));
        assert!(matches!(new(&[2], &[-1], 0), Err(TensorError::BeforeStorage { .. })));
        assert!(matches!(new(&[1], &[1], -1), Err(TensorError::BeforeStorage { .. })));
        assert!(matches!(new(&[1 << 40, 1 << 40], &[0, 0], 0), Err(TensorError::TooLarge { .. })));
        assert!(matches!(new(&[2], &[i64::MAX], 0), Err(TensorError::OutOfBounds { .. })));
        assert_eq!(new(&[2], &[-1], 1), Ok(2));
        assert_eq!(new(&[0, 9], &[9, 1], 0), Ok(0));
        let huge = Tensor::zeros(Dtype::F64, &[1 << 59]);
        assert!(matches!(huge, Err(TensorError::OutOfMemory { .. })));
    }

    #[test]
    fn another_dtype_over_the_same_bytes() {
        let base = Tensor::from_elements(Dtype::F32, &[2], &[1.0, 2.0]).unwrap();
        let bits = Tensor::new(base.storage().clone(), Dtype::I32, vec![2], vec![1], 0).unwrap();
        assert_eq!(bits.to_vec(), [Scalar::Int(0x3f80_0000), Scalar::Int(0x4000_0000)]);
    }

    #[test]
    fn flags_apply_on_the_way_in_and_out() {
        let base = Tensor::zeros(Dtype::C64, &[1]).unwrap();
        base.set(&[0], Scalar::Complex(1.0, 2.0)).unwrap();
        let flagged = base.clone().with_flags(Flags { conj: true, neg: true });
        assert_eq!(flagged.to_vec(), [Scalar::Complex(-1.0, 2.0)]);
        flagged.set(&[0], Scalar::Complex(3.0, 4.0)).unwrap();
        assert_eq!(base.to_vec(), [Scalar::Complex(-3.0, 4.0)]);
    }

    #[test]
    fn the_negative_of_a_byte_is_a_byte() {
        let base = Tensor::from_elements(Dtype::U8, &[2], &[5i64, 0]).unwrap();
        let flagged = base.with_flags(Flags { conj: false, neg: true });
        assert_eq!(flagged.to_vec(), [Scalar::Int(251), Scalar::Int(0)]);
    }
}
