//! Storages and tensors as C sees them: a handle is a boxed clone, which shares the memory.

use crate::error::{Failure, TerraceError, answer};
use std::{ffi::c_void, ptr::NonNull, sync::Arc};
use terrace_tensor::{Dtype, Storage, Tensor, layout};

/// `TerraceStorage`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TerraceStorage(*mut Storage);

/// `TerraceTensor`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TerraceTensor(*mut Tensor);

impl TerraceTensor {
    /// No tensor.
    pub const NULL: TerraceTensor = TerraceTensor(std::ptr::null_mut());

    /// A handle of a tensor.
    pub fn new(tensor: Tensor) -> Self {
        TerraceTensor(Box::into_raw(Box::new(tensor)))
    }

    /// The tensor.
    ///
    /// # Safety
    /// The handle is live, or null.
    ///
    /// # Errors
    /// It is null.
    pub unsafe fn get<'a>(self) -> Result<&'a Tensor, Failure> {
        // SAFETY: as the caller promises.
        unsafe { self.0.as_ref() }.ok_or_else(|| Failure::argument("a tensor is null"))
    }
}

/// Who lends memory, and is told when nobody needs it any longer.
struct Lender(Option<unsafe extern "C" fn(*mut c_void)>, *mut c_void);

impl Drop for Lender {
    fn drop(&mut self) {
        if let Some(release) = self.0 {
            // SAFETY: who lent the memory said so.
            unsafe { release(self.1) }
        }
    }
}

impl TerraceStorage {
    fn new(storage: Storage) -> Self {
        TerraceStorage(Box::into_raw(Box::new(storage)))
    }
}

/// New memory.
///
/// # Safety
/// The output can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceStorageCreate(bytes: usize, storage: *mut TerraceStorage) -> TerraceError {
    answer(|| {
        // SAFETY: as the caller promises.
        unsafe { storage.write(TerraceStorage::new(Storage::zeroed(bytes)?)) };
        Ok(())
    })
}

/// Memory of the caller's.
///
/// # Safety
/// The bytes are there until `release` is called, and nobody else writes them while a program runs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceStorageLend(
    data: *mut c_void,
    bytes: usize,
    release: Option<unsafe extern "C" fn(*mut c_void)>,
    user: *mut c_void,
) -> TerraceStorage {
    #[allow(clippy::arc_with_non_send_sync)] // a storage is one thread's
    let lender = Arc::new(Lender(release, user));
    let data = NonNull::new(data.cast()).unwrap_or(NonNull::<u64>::dangling().cast());
    // SAFETY: as the caller promises.
    TerraceStorage::new(unsafe { Storage::lent(data, bytes, lender) })
}

/// The address of the first byte.
///
/// # Safety
/// The handle is live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceStorageGetData(storage: TerraceStorage) -> *mut c_void {
    // SAFETY: as the caller promises.
    unsafe { (*storage.0).as_ptr().cast() }
}

/// The size in bytes.
///
/// # Safety
/// The handle is live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceStorageGetBytes(storage: TerraceStorage) -> usize {
    // SAFETY: as the caller promises.
    unsafe { (*storage.0).len() }
}

/// Whether two are the same memory.
///
/// # Safety
/// The handles are live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceStorageEqual(a: TerraceStorage, b: TerraceStorage) -> bool {
    // SAFETY: as the caller promises.
    unsafe { (*a.0).is_same(&*b.0) }
}

/// Destroys a handle.
///
/// # Safety
/// The handle is live, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceStorageDestroy(storage: TerraceStorage) {
    if !storage.0.is_null() {
        // SAFETY: as the caller promises, and it was boxed in `new`.
        drop(unsafe { Box::from_raw(storage.0) });
    }
}

/// A list of C's; none where it has no address and no length.
///
/// # Safety
/// There are so many values at the address.
///
/// # Errors
/// The length is negative, or there is no address.
pub unsafe fn list<'a, T>(data: *const T, length: isize, what: &str) -> Result<&'a [T], Failure> {
    match usize::try_from(length) {
        Ok(0) => Ok(&[]),
        Ok(_) if data.is_null() => Err(Failure::argument(format!("{length} {what}, and no address of them"))),
        // SAFETY: as the caller promises.
        Ok(length) => Ok(unsafe { std::slice::from_raw_parts(data, length) }),
        Err(_) => Err(Failure::argument(format!("{length} {what}: less than none"))),
    }
}

/// A tensor on a storage.
///
/// # Safety
/// The handle is live, the lists are as long as the rank, the output can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceTensorCreate(
    storage: TerraceStorage,
    dtype: u32,
    rank: isize,
    sizes: *const i64,
    strides: *const i64,
    offset: i64,
    tensor: *mut TerraceTensor,
) -> TerraceError {
    answer(|| {
        let dtype = Dtype::ALL.get(dtype as usize).copied();
        let dtype = dtype.ok_or_else(|| Failure::argument("a dtype is none of TerraceDtype"))?;
        // SAFETY: as the caller promises.
        unsafe {
            let storage = storage.0.as_ref().ok_or_else(|| Failure::argument("a storage is null"))?;
            let sizes = list(sizes, rank, "sizes")?;
            let strides = match strides.is_null() {
                true => layout::contiguous_strides(sizes),
                false => list(strides, rank, "strides")?.to_vec(),
            };
            let made = Tensor::new(storage.clone(), dtype, sizes.to_vec(), strides, offset)?;
            tensor.write(TerraceTensor::new(made));
        }
        Ok(())
    })
}

/// The dtype.
///
/// # Safety
/// The handle is live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceTensorGetDtype(tensor: TerraceTensor) -> u32 {
    // SAFETY: as the caller promises.
    let dtype = unsafe { (*tensor.0).dtype() };
    Dtype::ALL.iter().position(|own| *own == dtype).expect("all dtypes are in the list") as u32
}

/// How many dimensions it has.
///
/// # Safety
/// The handle is live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceTensorGetRank(tensor: TerraceTensor) -> isize {
    // SAFETY: as the caller promises.
    unsafe { (*tensor.0).rank() as isize }
}

/// Its sizes.
///
/// # Safety
/// The handle is live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceTensorGetSizes(tensor: TerraceTensor) -> *const i64 {
    // SAFETY: as the caller promises.
    unsafe { (*tensor.0).sizes().as_ptr() }
}

/// Its strides, in elements.
///
/// # Safety
/// The handle is live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceTensorGetStrides(tensor: TerraceTensor) -> *const i64 {
    // SAFETY: as the caller promises.
    unsafe { (*tensor.0).strides().as_ptr() }
}

/// Where its first element is in its storage, in elements.
///
/// # Safety
/// The handle is live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceTensorGetOffset(tensor: TerraceTensor) -> i64 {
    // SAFETY: as the caller promises.
    unsafe { (*tensor.0).offset() }
}

/// Its storage.
///
/// # Safety
/// The handle is live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceTensorGetStorage(tensor: TerraceTensor) -> TerraceStorage {
    // SAFETY: as the caller promises.
    TerraceStorage::new(unsafe { (*tensor.0).storage().clone() })
}

/// The address of its first element.
///
/// # Safety
/// The handle is live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceTensorGetData(tensor: TerraceTensor) -> *mut c_void {
    // SAFETY: as the caller promises.
    unsafe { (*tensor.0).as_ptr().cast() }
}

/// Destroys a handle.
///
/// # Safety
/// The handle is live, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceTensorDestroy(tensor: TerraceTensor) {
    if !tensor.0.is_null() {
        // SAFETY: as the caller promises, and it was boxed in `new`.
        drop(unsafe { Box::from_raw(tensor.0) });
    }
}
