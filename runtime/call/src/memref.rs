//! Buffers that go into and come out of compiled code.

use crate::{Arg, Error, MemRefType, Output};
use std::{borrow::Cow, marker::PhantomData, mem::ManuallyDrop, ptr::NonNull, sync::Arc};
use terrace_tensor::{Dtype, layout};

/// A Rust type with the same bytes as a dtype.
///
/// # Safety
/// Size, alignment and every valid bit pattern of the dtype are the type's own.
pub unsafe trait Element: Copy {
    /// The dtype.
    const DTYPE: Dtype;
}

macro_rules! elements {
    ($($ty:ty => $dtype:ident),*) => {
        // SAFETY: these are the types that the dtypes are named after.
        $(unsafe impl Element for $ty { const DTYPE: Dtype = Dtype::$dtype; })*
    };
}
elements!(bool => Bool, u8 => U8, i8 => I8, i16 => I16, i32 => I32, i64 => I64, f32 => F32, f64 => F64);

/// A strided buffer, lent to compiled code for a call. Offset and strides are in elements.
#[derive(Debug, Clone)]
pub struct MemRef<'a> {
    pub(crate) dtype: Dtype,
    /// The allocation, by which compiled code and callers tell buffers apart.
    pub(crate) allocated: *mut u8,
    /// Where the element at offset 0 lies.
    pub(crate) aligned: *mut u8,
    pub(crate) offset: i64,
    pub(crate) sizes: Cow<'a, [i64]>,
    pub(crate) strides: Cow<'a, [i64]>,
    lent: PhantomData<&'a mut u8>,
}

impl<'a> MemRef<'a> {
    /// The whole of `data`, contiguous, with the last dimension innermost.
    pub fn from_slice<T: Element>(data: &'a mut [T], sizes: &[i64]) -> Result<MemRef<'a>, Error> {
        let count = sizes.iter().try_fold(1i64, |n, &s| n.checked_mul(s).filter(|_| s >= 0));
        if count != Some(data.len() as i64) {
            return Err(Error::Shape(format!("{} elements do not fill sizes {sizes:?}", data.len())));
        }
        let base = data.as_mut_ptr().cast();
        // SAFETY: the slice is borrowed for as long as the result lives and holds every element of these
        // sizes.
        Ok(unsafe { MemRef::from_raw(T::DTYPE, base, 0, sizes.to_vec(), layout::contiguous_strides(sizes)) })
    }

    /// A buffer at `base`.
    ///
    /// # Safety
    /// Every element of the strided view is valid to read, and to write where the code writes, for as long as
    /// the result lives; the base has the alignment of an element.
    pub unsafe fn from_raw(
        dtype: Dtype,
        base: *mut u8,
        offset: i64,
        sizes: impl Into<Cow<'a, [i64]>>,
        strides: impl Into<Cow<'a, [i64]>>,
    ) -> MemRef<'a> {
        let (sizes, strides) = (sizes.into(), strides.into());
        MemRef { dtype, allocated: base, aligned: base, offset, sizes, strides, lent: PhantomData }
    }

    /// The same elements of a buffer that begins where they do: at offset 0.
    #[must_use]
    pub fn rebased(self) -> MemRef<'a> {
        let bytes = self.offset as isize * self.dtype.bytes() as isize;
        MemRef { aligned: self.aligned.wrapping_offset(bytes), offset: 0, ..self }
    }

    /// Why this buffer cannot be passed as a `ty`; `None` if it can.
    pub(crate) fn mismatch(&self, ty: &MemRefType) -> Option<String> {
        // MLIR's 8-bit integers have no sign, and a bool is a byte in memory.
        let same =
            self.dtype == ty.dtype || ty.dtype == Dtype::I8 && matches!(self.dtype, Dtype::U8 | Dtype::Bool);
        let agree = |declared: &Option<i64>, given: &i64| declared.is_none_or(|d| d == *given);
        let all = |declared: &[Option<i64>], given: &[i64]| {
            declared.len() == given.len() && declared.iter().zip(given).all(|(d, g)| agree(d, g))
        };
        // The stride of a dimension of size 0 or 1 is never used.
        let strides =
            || (0..self.sizes.len()).all(|i| self.sizes[i] <= 1 || agree(&ty.strides[i], &self.strides[i]));
        if !same {
            Some(format!("expected {ty}, got elements of type {}", self.dtype))
        } else if !all(&ty.sizes, &self.sizes) {
            Some(format!("expected {ty}, got sizes {:?}", self.sizes))
        } else if !strides() {
            Some(format!("expected {ty}, got sizes {:?} with strides {:?}", self.sizes, self.strides))
        } else if !agree(&ty.offset, &self.offset) {
            Some(format!("expected {ty}, got offset {}", self.offset))
        } else {
            None
        }
    }

    /// MLIR's descriptor: allocated and aligned pointer, offset, sizes, strides. Declared strides stand for
    /// those that are never used, since compiled code was generated with them.
    pub(crate) fn descriptor(&self, ty: &MemRefType, words: &mut Vec<u64>) {
        let strides =
            self.strides.iter().zip(&ty.strides).map(|(&given, declared)| declared.unwrap_or(given));
        words.extend([self.allocated as u64, self.aligned as u64, self.offset as u64]);
        words.extend(self.sizes.iter().map(|&s| s as u64).chain(strides.map(|s| s as u64)));
    }
}

/// What frees an allocation.
pub type Free = unsafe extern "C" fn(*mut u8);

/// An allocation of compiled code; freed with the last of its owners.
#[derive(Debug)]
pub struct Buffer(NonNull<u8>, Free);

// SAFETY: plain memory; the allocator takes frees from any thread.
unsafe impl Send for Buffer {}
// SAFETY: no method writes through a shared reference; see above.
unsafe impl Sync for Buffer {}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: the pointer came from the allocator that this belongs to, and is freed once.
        unsafe { (self.1)(self.0.as_ptr()) }
    }
}

/// Whose memory a returned buffer is.
#[derive(Debug, Clone)]
pub enum Owner {
    /// The argument at this position: the result is a view of it.
    Argument(usize),
    /// The caller's now. Results that share an allocation share the buffer.
    Result(Arc<Buffer>),
    /// A constant of the compiled code: valid as long as the session.
    Code,
}

/// A buffer that a call returned. Offset and strides are in elements.
#[derive(Debug, Clone)]
pub struct MemRefOutput {
    /// The type of its elements.
    pub dtype: Dtype,
    /// Where the element at offset 0 lies.
    pub aligned: *mut u8,
    /// Where the first element lies.
    pub offset: i64,
    /// One size a dimension.
    pub sizes: Vec<i64>,
    /// One stride a dimension.
    pub strides: Vec<i64>,
    /// Whose memory it is.
    pub owner: Owner,
}

/// What MLIR's lowering stores as the allocation of a constant.
const CONSTANT: u64 = 0xdead_beef;

impl MemRefOutput {
    /// Reads a descriptor that compiled code wrote. `arguments` are those of the call, `outputs` the results
    /// so far, `free` frees what they own.
    ///
    /// # Safety
    /// The descriptor is of rank `sizes.len()` of `ty`, and the allocations in it that are no argument's came
    /// from the allocator that `free` belongs to and are owned by nobody else.
    pub(crate) unsafe fn read(
        ty: &MemRefType,
        words: &[u64],
        arguments: &[Arg],
        (outputs, free): (&[Output], Free),
    ) -> MemRefOutput {
        let rank = ty.sizes.len();
        let list = |from: usize| -> Vec<i64> { words[from..from + rank].iter().map(|&w| w as i64).collect() };
        let allocated = words[0] as *mut u8;
        let owner = match NonNull::new(allocated) {
            _ if words[0] == CONSTANT => Owner::Code,
            None => Owner::Code,
            Some(pointer) => match arguments.iter().position(|own| own.is_at(allocated)) {
                Some(position) => Owner::Argument(position),
                None => {
                    let buffer = |output: &Output| match &output.memref()?.owner {
                        Owner::Result(buffer) if buffer.0 == pointer => Some(buffer.clone()),
                        _ => None,
                    };
                    let known = outputs.iter().find_map(buffer);
                    Owner::Result(known.unwrap_or_else(|| Arc::new(Buffer(pointer, free))))
                }
            },
        };
        let (sizes, mut strides): (Vec<i64>, Vec<i64>) = (list(3), list(3 + rank));
        // To eager an empty dimension counts as one of size 1; a type that says all sizes has strides that
        // count so.
        if sizes.contains(&0) && ty.sizes.contains(&None) && ty.plain {
            strides = layout::contiguous_strides(&sizes);
        }
        MemRefOutput {
            dtype: ty.dtype,
            aligned: words[1] as *mut u8,
            offset: words[2] as i64,
            sizes,
            strides,
            owner,
        }
    }

    /// Bytes from where the element at offset 0 lies to the end of the last element.
    pub fn reach(&self) -> usize {
        let last = layout::extent(&self.sizes, &self.strides).map(|(_, high)| high + i128::from(self.offset));
        last.map_or(0, |last| (last + 1).max(0) as usize * self.dtype.bytes())
    }

    /// The allocation that it owns, perhaps with others.
    pub fn allocation(&self) -> Option<*mut u8> {
        match &self.owner {
            Owner::Result(buffer) => Some(buffer.0.as_ptr()),
            Owner::Argument(_) | Owner::Code => None,
        }
    }

    /// Hands the allocation to who asks, to free it by what the session frees with; `None` where it is an
    /// argument's or a constant, or others own it still.
    pub fn into_allocation(self) -> Option<*mut u8> {
        let Owner::Result(buffer) = self.owner else { return None };
        Some(ManuallyDrop::new(Arc::into_inner(buffer)?).0.as_ptr())
    }

    /// The elements in row-major order; `None` if they are of another type.
    pub fn to_vec<T: Element>(&self) -> Option<Vec<T>> {
        if T::DTYPE != self.dtype {
            return None;
        }
        let count: i64 = self.sizes.iter().product();
        let mut elements = Vec::with_capacity(count.max(0) as usize);
        let mut index = vec![0; self.sizes.len()];
        for _ in 0..count {
            let at: i64 = index.iter().zip(&self.strides).map(|(i, s)| i * s).sum();
            // SAFETY: compiled code described the buffer; its owner keeps it.
            elements.push(unsafe { self.aligned.cast::<T>().offset((self.offset + at) as isize).read() });
            for (i, &size) in index.iter_mut().zip(&self.sizes).rev() {
                *i += 1;
                if *i < size {
                    break;
                }
                *i = 0;
            }
        }
        Some(elements)
    }
}
