//! Storages: the memory that tensors view.
//!
//! A storage is a number of bytes, at a 64-byte boundary where they are its own, shared by every tensor that
//! views it. It belongs to one thread (it is an `Rc`); compiled code, on as many threads as it likes, gets
//! its address for the length of a call. The address stays valid and unchanged while any handle lives, unless
//! the storage grows.
//!
//! A float in a storage may carry an *error bound*: how far the stored value may lie from the one exact
//! arithmetic would have given. The interpreter writes bounds beside the values; a value nobody gave a bound
//! has the bound 0. Writes through the raw address know nothing of bounds.
//!
//! A *fake* storage has a size and no memory: tensors view it as any other. The memory of a storage may be
//! [`Elsewhere`], a GPU's: it has to be copied here to be looked at. A storage may shrink below what tensors
//! view. Who reads or writes an element that is not there panics with [`NoElements`]; whether any may be
//! missing says [`Storage::any_missing`].

use crate::{error::TensorError, scalar::Scalar};
use std::{
    alloc::{Layout, alloc, alloc_zeroed, dealloc},
    any::Any,
    cell::{Cell, RefCell},
    fmt,
    ptr::NonNull,
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};
use terrace_layout::dtype::Dtype;
use terrace_rt::memory::{HUGE_FROM, HUGE_PAGE, ask_for_huge_pages};

/// The alignment of a storage's first byte, in bytes: a cache line, and the widest vector.
pub const ALIGNMENT: usize = 64;

/// The smallest float, in bytes: bounds are kept one per so many bytes.
const BOUND_SLOT: usize = 2;

/// What a panic carries when an element is asked for that is not there.
#[derive(Debug, Clone, Copy)]
pub enum NoElements {
    /// The storage is fake.
    Fake,
    /// The storage is too small.
    Beyond,
    /// They are [`Elsewhere`].
    Elsewhere,
}

/// Memory that is not of this process, whose last handle frees it.
pub trait Elsewhere {
    /// Where it begins, as who has it counts.
    fn address(&self) -> u64;

    /// Copies bytes from its beginning on to here.
    ///
    /// # Errors
    /// What the device says.
    fn read(&self, bytes: &mut [u8]) -> Result<(), TensorError>;
}

/// A shared handle of a piece of memory; clones are the same storage.
#[derive(Clone)]
pub struct Storage(Rc<Memory>);

struct Memory {
    id: u64,
    bytes: Cell<Bytes>,
    /// Empty until the first bound that is not 0.
    bounds: RefCell<Vec<f64>>,
    /// Who frees the memory, where that is somebody else's.
    _owner: Option<Arc<dyn Any>>,
    elsewhere: Option<Rc<dyn Elsewhere>>,
}

/// The bytes of a storage, as many as were asked for.
#[derive(Clone, Copy)]
struct Bytes {
    /// None of a fake storage.
    data: Option<NonNull<u8>>,
    len: usize,
    /// Whether they are somebody else's, who frees them.
    lent: bool,
}

impl Bytes {
    /// New ones, all 0.
    fn zeroed(len: usize) -> Result<Bytes, TensorError> {
        let layout = layout(len).ok_or(TensorError::OutOfMemory { bytes: len })?;
        // SAFETY: the layout's size is not 0, see `layout`.
        let data = if len < HUGE_FROM { unsafe { alloc_zeroed(layout) } } else { unsafe { alloc(layout) } };
        let data = NonNull::new(data).ok_or(TensorError::OutOfMemory { bytes: len })?;
        if len >= HUGE_FROM {
            // Before they are touched.
            ask_for_huge_pages(data.as_ptr(), len);
            // SAFETY: so many bytes were allocated.
            unsafe { data.write_bytes(0, len) };
        }
        Ok(Bytes { data: Some(data), len, lent: false })
    }

    fn address(self) -> *mut u8 {
        match self.data {
            Some(data) => data.as_ptr(),
            None => std::panic::panic_any(NoElements::Fake),
        }
    }

    /// So many, by their number alone.
    fn nowhere(len: usize) -> Bytes {
        MISSING.set(true);
        Bytes { data: None, len, lent: false }
    }

    fn free(self) {
        let Some(data) = self.data.filter(|_| !self.lent) else { return };
        let layout = layout(self.len).expect("the layout was valid when the memory was had");
        // SAFETY: `data` was allocated with this layout.
        unsafe { dealloc(data.as_ptr(), layout) }
    }
}

/// Memory that was a storage's.
pub struct Kept(Bytes);

impl Drop for Kept {
    fn drop(&mut self) {
        self.0.free();
    }
}

impl Storage {
    /// A new storage of `len` bytes, all 0.
    ///
    /// # Errors
    /// When the memory cannot be had.
    pub fn zeroed(len: usize) -> Result<Storage, TensorError> {
        Ok(Storage::over(Bytes::zeroed(len)?, None, None))
    }

    /// A new storage that has `len` bytes by its size alone, and no memory.
    pub fn fake(len: usize) -> Storage {
        Storage::over(Bytes::nowhere(len), None, None)
    }

    /// Memory that is elsewhere, `len` bytes from its beginning on.
    pub fn elsewhere(memory: Rc<dyn Elsewhere>, len: usize) -> Storage {
        Storage::over(Bytes::nowhere(len), None, Some(memory))
    }

    /// The storage itself; where its memory is elsewhere a new one with a copy of that.
    ///
    /// # Errors
    /// When memory cannot be had here, and what the device says.
    pub fn here(&self) -> Result<Storage, TensorError> {
        let Some(memory) = &self.0.elsewhere else { return Ok(self.clone()) };
        let mut bytes = vec![0; self.len()];
        memory.read(&mut bytes)?;
        Storage::from_bytes(&bytes)
    }

    /// Where its memory begins, if that is elsewhere.
    pub fn address_elsewhere(&self) -> Option<u64> {
        self.0.elsewhere.as_ref().map(|memory| memory.address())
    }

    /// Memory of somebody else, `len` bytes from `data` on, which `owner` keeps: it is dropped with the last
    /// handle.
    ///
    /// # Safety
    /// The bytes can be read and written as long as the owner lives, and nobody else does so while the
    /// storage is read or written.
    pub unsafe fn lent(data: NonNull<u8>, len: usize, owner: Arc<dyn Any>) -> Storage {
        Storage::over(Bytes { data: Some(data), len, lent: true }, Some(owner), None)
    }

    fn over(bytes: Bytes, owner: Option<Arc<dyn Any>>, elsewhere: Option<Rc<dyn Elsewhere>>) -> Storage {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        let (bytes, bounds) = (Cell::new(bytes), RefCell::default());
        Storage(Rc::new(Memory { id, bytes, bounds, _owner: owner, elsewhere }))
    }

    /// Whether it has no memory.
    pub fn is_fake(&self) -> bool {
        self.0.bytes.get().data.is_none() && self.0.elsewhere.is_none()
    }

    /// Whether this thread has ever made a storage without memory here, or one smaller.
    pub fn any_missing() -> bool {
        MISSING.get()
    }

    /// A new storage that holds a copy of `bytes`.
    ///
    /// # Errors
    /// When the memory cannot be had.
    pub fn from_bytes(bytes: &[u8]) -> Result<Storage, TensorError> {
        let storage = Storage::zeroed(bytes.len())?;
        storage.write_bytes(0, bytes);
        Ok(storage)
    }

    /// A number no other storage of this process has; later storages have larger ones.
    pub fn id(&self) -> u64 {
        self.0.id
    }

    /// Whether both handles are of one storage.
    pub fn is_same(&self, other: &Storage) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// Size in bytes.
    pub fn len(&self) -> usize {
        self.0.bytes.get().len
    }

    /// Whether there are no bytes at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Makes it at least `len` bytes, for all handles; further bytes are 0. It may lie elsewhere then, so
    /// nobody may hold its address.
    ///
    /// # Errors
    /// When the memory cannot be had.
    pub fn grow(&self, len: usize) -> Result<(), TensorError> {
        if len <= self.len() { Ok(()) } else { self.resize(len) }
    }

    /// Makes it `len` bytes, for all handles; what it loses is lost, and further bytes are 0. It lies
    /// in another place then.
    ///
    /// # Errors
    /// When the memory cannot be had, or is [`Elsewhere`].
    pub fn resize(&self, len: usize) -> Result<(), TensorError> {
        self.resize_and_keep(len).map(drop)
    }

    /// The same; the memory that it had before stays where it is as long as what this gives does.
    ///
    /// # Errors
    /// As there.
    pub fn resize_and_keep(&self, len: usize) -> Result<Kept, TensorError> {
        if self.0.elsewhere.is_some() {
            return Err(TensorError::Elsewhere("storages on a device have fixed sizes".into()));
        }
        let old = self.0.bytes.get();
        if len < old.len {
            MISSING.set(true);
        }
        if self.is_fake() {
            self.0.bytes.set(Bytes { len, ..old });
            return Ok(Kept(Bytes { data: None, len: 0, lent: false }));
        }
        let new = Bytes::zeroed(len)?;
        // SAFETY: both have so many bytes, and the new ones are nobody's yet.
        unsafe { new.address().copy_from_nonoverlapping(old.address(), old.len.min(len)) };
        self.0.bytes.set(new);
        let mut bounds = self.0.bounds.borrow_mut();
        if !bounds.is_empty() {
            bounds.resize(len.div_ceil(BOUND_SLOT), 0.0);
        }
        Ok(Kept(old))
    }

    /// The address of the first byte, a multiple of [`ALIGNMENT`] even for an empty storage, where the memory
    /// is its own.
    ///
    /// Reading and writing through it is the caller's responsibility: within `len` bytes, while a handle
    /// lives, and not while another thread does.
    ///
    /// # Panics
    /// With [`NoElements`] when it is fake, or elsewhere.
    pub fn as_ptr(&self) -> *mut u8 {
        if self.0.elsewhere.is_some() {
            std::panic::panic_any(NoElements::Elsewhere);
        }
        self.0.bytes.get().address()
    }

    /// Copies out the bytes that start at `at`.
    ///
    /// # Panics
    /// With [`NoElements`] when they reach beyond the storage.
    pub fn read_bytes(&self, at: usize, bytes: &mut [u8]) {
        self.check(at, bytes.len());
        // SAFETY: in bounds; `bytes` is exclusive, and this memory is only lent out as a raw pointer.
        unsafe { bytes.as_mut_ptr().copy_from_nonoverlapping(self.as_ptr().add(at), bytes.len()) }
    }

    /// Replaces the bytes that start at `at`.
    ///
    /// # Panics
    /// With [`NoElements`] when they reach beyond the storage.
    pub fn write_bytes(&self, at: usize, bytes: &[u8]) {
        self.check(at, bytes.len());
        // SAFETY: as for `read_bytes`.
        unsafe { self.as_ptr().add(at).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) }
        let mut bounds = self.0.bounds.borrow_mut();
        if !bounds.is_empty() && !bytes.is_empty() {
            bounds[at / BOUND_SLOT..(at + bytes.len()).div_ceil(BOUND_SLOT)].fill(0.0);
        }
    }

    /// All bytes, copied.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.len()];
        self.read_bytes(0, &mut bytes);
        bytes
    }

    /// The element of `dtype` whose first byte is at `at`.
    ///
    /// # Panics
    /// When it reaches beyond the storage.
    pub fn read(&self, dtype: Dtype, at: usize) -> Scalar {
        let mut bytes = [0; 16];
        self.read_bytes(at, &mut bytes[..dtype.bytes()]);
        Scalar::from_bytes(dtype, &bytes[..dtype.bytes()])
    }

    /// Converts `value` to `dtype` and stores it with its first byte at `at`; its error bound becomes 0.
    ///
    /// # Panics
    /// When it reaches beyond the storage.
    pub fn write(&self, dtype: Dtype, at: usize, value: Scalar) {
        let (bytes, size) = value.to_bytes(dtype);
        self.write_bytes(at, &bytes[..size]);
    }

    /// The error bound of the float whose first byte is at `at`.
    pub fn bound(&self, at: usize) -> f64 {
        self.0.bounds.borrow().get(at / BOUND_SLOT).copied().unwrap_or(0.0)
    }

    /// Gives the float whose first byte is at `at` an error bound. A later write to the float drops it.
    ///
    /// # Panics
    /// When `at` lies beyond the storage.
    pub fn set_bound(&self, at: usize, bound: f64) {
        self.check(at, 1);
        let mut bounds = self.0.bounds.borrow_mut();
        if bounds.is_empty() {
            if bound == 0.0 {
                return;
            }
            *bounds = vec![0.0; self.len().div_ceil(BOUND_SLOT)];
        }
        bounds[at / BOUND_SLOT] = bound;
    }

    fn check(&self, at: usize, len: usize) {
        if at.checked_add(len).is_none_or(|end| end > self.len()) {
            std::panic::panic_any(NoElements::Beyond);
        }
    }
}

thread_local! {
    static MISSING: Cell<bool> = const { Cell::new(false) };
}

/// Never of size 0, so that every storage has an address of its own. Large ones begin where a huge page can.
fn layout(len: usize) -> Option<Layout> {
    let align = if len < HUGE_FROM { ALIGNMENT } else { HUGE_PAGE };
    Layout::from_size_align(len.max(1), align).ok()
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.bytes.get().free();
    }
}

impl fmt::Debug for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "storage {} of {} bytes", self.id(), self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_shared_aligned_and_zeroed() {
        let storage = Storage::zeroed(10).unwrap();
        let other = storage.clone();
        assert_eq!(storage.as_ptr() as usize % ALIGNMENT, 0);
        assert_eq!(storage.to_bytes(), [0; 10]);
        other.write(Dtype::F32, 4, Scalar::Float(1.5));
        assert_eq!(storage.read(Dtype::F32, 4), Scalar::Float(1.5));
        assert!(storage.is_same(&other));
        assert_ne!(storage.id(), Storage::zeroed(0).unwrap().id());
    }

    #[test]
    fn a_write_drops_the_bounds_it_covers() {
        let storage = Storage::zeroed(16).unwrap();
        for at in [0, 4, 8] {
            storage.write(Dtype::F32, at, Scalar::Float(1.0));
            storage.set_bound(at, 0.5);
        }
        storage.write(Dtype::U8, 5, Scalar::Int(7));
        assert_eq!([0, 4, 8, 12].map(|at| storage.bound(at)), [0.5, 0.0, 0.5, 0.0]);
    }

    #[test]
    fn a_fake_storage_has_a_size_and_no_elements() {
        let storage = Storage::fake(1 << 60);
        storage.grow(1 << 61).unwrap();
        assert!(storage.is_fake() && storage.len() == 1 << 61);
        let read = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| storage.read(Dtype::F32, 0)));
        assert!(read.unwrap_err().is::<NoElements>());
    }

    #[test]
    fn memory_elsewhere_is_copied_to_be_looked_at() {
        struct Seven;
        impl Elsewhere for Seven {
            fn address(&self) -> u64 {
                700
            }
            fn read(&self, bytes: &mut [u8]) -> Result<(), TensorError> {
                bytes.fill(7);
                Ok(())
            }
        }
        let storage = Storage::elsewhere(Rc::new(Seven), 3);
        assert!(!storage.is_fake() && storage.address_elsewhere() == Some(700));
        assert_eq!(storage.here().unwrap().to_bytes(), [7; 3]);
        assert!(storage.resize(4).is_err());
        let read = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| storage.to_bytes()));
        assert!(read.unwrap_err().is::<NoElements>());
    }

    #[test]
    fn absurd_sizes_are_an_error() {
        assert_eq!(Storage::zeroed(usize::MAX).unwrap_err(), TensorError::OutOfMemory { bytes: usize::MAX });
    }
}
