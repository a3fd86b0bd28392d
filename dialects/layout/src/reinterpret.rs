//! Views of elements as ones of another dtype: strides and offset count in elements, so they change with the
//! size.

use super::Layout;
use crate::dtype::Dtype;
use terrace_size::Number;

impl<N: Number> Layout<N> {
    /// The parts of complex numbers as a last dimension of size 2.
    pub fn view_as_real(&self) -> Self {
        let two = N::from(2);
        let twice = |stride: &N| stride.saturating_mul(two);
        Self {
            sizes: self.sizes.iter().copied().chain([two]).collect(),
            strides: self.strides.iter().map(twice).chain([N::ONE]).collect(),
            offset: self.offset.saturating_mul(two),
        }
    }

    /// The last dimension, of size 2, as the parts of complex numbers.
    ///
    /// # Errors
    /// In eager's words where these do not lie side by side, each pair at a multiple of its size.
    pub fn view_as_complex(&self) -> Result<Self, String> {
        let last = self.rank().checked_sub(1).ok_or("Input tensor must have one or more dimensions")?;
        let two = N::from(2);
        if self.strides[last].assume_ne(1) {
            return Err("Tensor must have a last dimension with stride 1".into());
        }
        if (self.offset % two).assume_ne(0) {
            return Err("Tensor must have a storage_offset divisible by 2".into());
        }
        let mut outer = self.strides[..last].iter().zip(&self.sizes);
        if outer.any(|(stride, size)| (*stride % two).assume_ne(0) && size.assume_ne(1)) {
            return Err("Tensor must have a stride divisible by 2 for all but last dimension".into());
        }
        Ok(Self {
            sizes: self.sizes[..last].to_vec(),
            strides: self.strides[..last].iter().map(|stride| *stride / two).collect(),
            offset: self.offset / two,
        })
    }

    /// The same bytes as elements of another dtype, of which the last dimension has more or fewer.
    ///
    /// # Errors
    /// In eager's words where sizes of elements differ and strides, size or offset do not divide.
    pub fn view_dtype(&self, old: Dtype, new: Dtype) -> Result<Self, String> {
        let (from, to) = (old.bytes() as i64, new.bytes() as i64);
        if from == to {
            return Ok(self.clone());
        }
        let said = |what: &str, got: N| {
            let names = format!("{} as {}", old.aten_name(), new.aten_name());
            Err::<(), _>(format!("self.{what} to view {names} (different element sizes), but got {got}"))
        };
        let last = self.rank().checked_sub(1).ok_or("expects a tensor with dimensions")?;
        let packed = if self.strides[last].assume_eq(1) {
            Ok(())
        } else {
            said("stride(-1) must be 1", self.strides[last])
        };
        let mut out = self.clone();
        if from > to {
            packed?;
            let times = N::from(from / to);
            out.strides[..last].iter_mut().for_each(|stride| *stride = stride.saturating_mul(times));
            out.sizes[last] = out.sizes[last] * times;
            out.offset = out.offset.saturating_mul(times);
            return Ok(out);
        }
        let times = N::from(to / from);
        if (out.sizes[last] % times).assume_ne(0) {
            said(&format!("size(-1) must be divisible by {times}"), out.sizes[last])?;
        }
        if (out.offset % times).assume_ne(0) {
            said(&format!("storage_offset() must be divisible by {times}"), out.offset)?;
        }
        packed?;
        for (dim, stride) in out.strides[..last].iter_mut().enumerate() {
            if (*stride % times).assume_ne(0) {
                said(&format!("stride({dim}) must be divisible by {times}"), *stride)?;
            }
            *stride = *stride / times;
        }
        out.sizes[last] = out.sizes[last] / times;
        out.offset = out.offset / times;
        Ok(out)
    }
}
