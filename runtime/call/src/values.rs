//! Calls with tensors.
//!
//! A tensor is passed as its storage's address and its own offset, so that arguments that share a storage
//! share a buffer. With [`Offset::Rebased`] a tensor of such offset as the code was made for, 0, stands for
//! one of any: its buffer begins where its elements do. A result that lies in an argument's buffer becomes a
//! view of that argument's storage; results in one fresh buffer become views of one new storage. Where
//! storages lie for the code is a [`Memory`]'s to say.

use crate::{Arg, Entries, Error, MemRef, MemRefOutput, Output, Owner};
use std::{
    cell::RefCell,
    ffi::c_void,
    ptr::{self, NonNull},
};
use terrace_rt::{context::Context, storage::terrace_rt_context_set_storages};
use terrace_tensor::{Kept, Storage, Tensor, Value};

/// The memory in which code finds what it is given.
pub(crate) trait Memory {
    /// Where a storage of an argument lies for the code.
    fn address(&self, storage: &Storage) -> Result<*mut u8, Error>;

    /// What a result owns as a storage of so many bytes.
    ///
    /// # Safety
    /// There are so many.
    unsafe fn storage(&self, own: &MemRefOutput, bytes: usize) -> Result<Storage, Error>;
}

/// The memory of this process.
struct Here;

impl Memory for Here {
    fn address(&self, storage: &Storage) -> Result<*mut u8, Error> {
        match storage.address_elsewhere() {
            Some(_) => Err(Error::Shape("a tensor on a device is for kernels that run there".into())),
            None => Ok(storage.as_ptr()),
        }
    }

    unsafe fn storage(&self, own: &MemRefOutput, bytes: usize) -> Result<Storage, Error> {
        // SAFETY: the caller's; the buffer goes with its owner, and constants of the code are copied.
        unsafe {
            match (&own.owner, NonNull::new(own.aligned)) {
                (Owner::Result(buffer), Some(data)) => Ok(Storage::lent(data, bytes, buffer.clone())),
                _ => copied(own.aligned, bytes),
            }
        }
    }
}

impl Entries {
    /// Calls an entry point with tensors and numbers; see [`Entries::call`].
    ///
    /// Elements are passed as they lie in memory: whether they are to be conjugated or negated the code has
    /// to know. Storages of arguments that the code makes another size are another size then.
    ///
    /// # Errors
    /// As there; a tensor has no elements.
    pub fn run(
        &self,
        context: &Context,
        name: &str,
        arguments: &[Value],
        offsets: &[Offset],
    ) -> Result<Vec<Value>, Error> {
        run((self, context), &Here, name, arguments, offsets)
    }
}

/// How the offset of an argument that is a tensor reaches the code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Offset {
    /// As it is.
    #[default]
    Passed,
    /// Its buffer begins at its elements, at offset 0.
    Rebased,
}

/// Makes a call that may ask for the sizes of the storages of tensors, and change them.
///
/// # Errors
/// Those of the call, and when the memory cannot be had.
pub fn resizing<T>(
    context: &Context,
    values: &[Value],
    call: impl FnOnce() -> Result<T, Error>,
) -> Result<T, Error> {
    let is_here = |storage: &&Storage| !storage.is_fake() && storage.address_elsewhere().is_none();
    let real = |value: &Value| value.as_tensor().map(Tensor::storage).filter(is_here).cloned();
    let storages = values.iter().filter_map(real).map(|s| (s.as_ptr().cast(), s)).collect();
    let own = Sizes { storages, later: RefCell::default(), kept: RefCell::default() };
    let caller = ptr::from_ref(&own).cast_mut().cast();
    terrace_rt_context_set_storages(context, Some(Sizes::bytes), Some(Sizes::resize), caller);
    let result = call();
    terrace_rt_context_set_storages(context, None, None, ptr::null_mut());
    for (storage, bytes) in own.later.into_inner() {
        storage.resize(bytes).map_err(|e| Error::Shape(e.to_string()))?;
    }
    result
}

/// The storages of arguments, of which a call may ask the size, and make it another one.
struct Sizes {
    /// Where they lay before the call.
    storages: Vec<(*mut c_void, Storage)>,
    /// Those that are smaller when it has come back.
    later: RefCell<Vec<(Storage, usize)>>,
    /// Memory that they had.
    kept: RefCell<Vec<Kept>>,
}

impl Sizes {
    extern "C" fn bytes(caller: *mut c_void, storage: *mut c_void) -> i64 {
        // SAFETY: `resizing` lives as long as the call.
        let own = unsafe { &*caller.cast::<Sizes>() };
        let Some((_, storage)) = own.storages.iter().find(|(base, _)| *base == storage) else { return -1 };
        let later = own.later.borrow();
        let made = later.iter().find(|(other, _)| other.is_same(storage)).map(|(_, bytes)| *bytes);
        made.unwrap_or(storage.len()) as i64
    }

    extern "C" fn resize(
        caller: *mut c_void,
        storage: *mut c_void,
        bytes: i64,
        at_least: bool,
    ) -> *mut c_void {
        // SAFETY: `resizing` lives as long as the call.
        let own = unsafe { &*caller.cast::<Sizes>() };
        let known = own.storages.iter().find(|(base, _)| *base == storage);
        let Some(((_, storage), bytes)) = known.zip(usize::try_from(bytes).ok()) else {
            return ptr::null_mut();
        };
        let mut later = own.later.borrow_mut();
        // What it was made before is its size here.
        let made = later.iter().position(|(other, _)| other.is_same(storage)).map(|at| later.remove(at).1);
        let had = made.unwrap_or(storage.len());
        let bytes = if at_least { bytes.max(had) } else { bytes };
        if bytes > storage.len() {
            match storage.resize_and_keep(bytes) {
                Ok(kept) => own.kept.borrow_mut().push(kept),
                Err(_) => return ptr::null_mut(),
            }
        }
        if bytes > had {
            storage.write_bytes(had, &vec![0; bytes - had]);
        }
        if bytes < storage.len() {
            later.push((storage.clone(), bytes));
        }
        storage.as_ptr().cast()
    }
}

/// Values as code takes them that finds them in a memory.
pub(crate) fn arguments<'a>(
    memory: &dyn Memory,
    name: &str,
    arguments: &'a [Value],
    offsets: &[Offset],
) -> Result<Vec<Arg<'a>>, Error> {
    let refuse = |why| Error::Argument { entry: name.into(), why };
    let args = arguments.iter().enumerate().map(|(i, value)| {
        let tensor = match value {
            Value::Scalar(scalar) => return Ok(Arg::Scalar(*scalar)),
            Value::Tensor(tensor) => tensor,
        };
        if tensor.storage().is_fake() {
            return Err(refuse(format!("argument {i}: is a fake tensor, which has no elements")));
        }
        if Storage::any_missing() {
            let same = tensor.view(tensor.sizes().to_vec(), tensor.strides().to_vec(), tensor.offset());
            same.map_err(|lost| refuse(format!("argument {i}: {lost}")))?;
        }
        let base = memory.address(tensor.storage()).map_err(|error| match error {
            Error::Shape(why) => refuse(format!("argument {i}: {why}")),
            other => other,
        })?;
        // SAFETY: a tensor's elements lie in its storage, which `arguments` keeps.
        let memref = unsafe {
            MemRef::from_raw(tensor.dtype(), base, tensor.offset(), tensor.sizes(), tensor.strides())
        };
        let offset = offsets.get(i).copied().unwrap_or_default();
        Ok(Arg::MemRef(if offset == Offset::Rebased { memref.rebased() } else { memref }))
    });
    args.collect()
}

/// Calls an entry point whose code finds tensors in a memory.
pub(crate) fn run(
    (entries, context): (&Entries, &Context),
    memory: &dyn Memory,
    name: &str,
    values: &[Value],
    offsets: &[Offset],
) -> Result<Vec<Value>, Error> {
    let outputs = entries.call(context, name, &arguments(memory, name, values, offsets)?)?;
    let fresh = storages(memory, &outputs)?;
    let value = |output: Output| match output {
        Output::Scalar(scalar) => Ok(Value::Scalar(scalar)),
        Output::MemRef(memref) => tensor(memory, memref, values, &fresh).map(Value::Tensor),
    };
    let values = outputs.into_iter().map(value).collect::<Result<_, _>>();
    values.map_err(|e: Error| Error::Shape(format!("result of @{name}: {e}")))
}

/// A storage for each buffer that results own.
fn storages<'a>(memory: &dyn Memory, outputs: &'a [Output]) -> Result<Vec<(*mut u8, Storage)>, Error> {
    let mut found: Vec<(*mut u8, Storage)> = Vec::new();
    let owned = |output: &'a Output| output.memref().filter(|own| !matches!(own.owner, Owner::Argument(_)));
    for (i, own) in outputs.iter().enumerate().filter_map(|(i, output)| Some((i, owned(output)?))) {
        if found.iter().any(|(base, _)| *base == own.aligned) {
            continue;
        }
        let same = outputs[i..].iter().filter_map(owned).filter(|other| other.aligned == own.aligned);
        let bytes = same.map(MemRefOutput::reach).max().unwrap_or(0);
        // SAFETY: the results describe the buffer as at least this long.
        found.push((own.aligned, unsafe { memory.storage(own, bytes)? }));
    }
    Ok(found)
}

/// A copy of memory of this process as a storage.
///
/// # Safety
/// There are so many bytes.
unsafe fn copied(from: *mut u8, bytes: usize) -> Result<Storage, Error> {
    let storage = Storage::zeroed(bytes).map_err(|e| Error::Shape(e.to_string()))?;
    // SAFETY: the caller's; the storage is new.
    unsafe { ptr::copy_nonoverlapping(from, storage.as_ptr(), bytes) };
    Ok(storage)
}

fn tensor(
    memory: &dyn Memory,
    memref: MemRefOutput,
    arguments: &[Value],
    fresh: &[(*mut u8, Storage)],
) -> Result<Tensor, Error> {
    let (storage, begin) = match memref.owner {
        Owner::Argument(i) => {
            let storage = arguments[i].as_tensor().map(Tensor::storage);
            let storage = storage.expect("an argument that owns a buffer is a tensor");
            // It may have been given from its elements on.
            let bytes = memref.aligned as i64 - memory.address(storage)? as i64;
            (storage, bytes / memref.dtype.bytes() as i64)
        }
        _ => {
            let found = fresh.iter().find(|(base, _)| *base == memref.aligned);
            (found.map(|(_, storage)| storage).expect("what a result owns has a storage"), 0)
        }
    };
    Tensor::new(storage.clone(), memref.dtype, memref.sizes, memref.strides, begin + memref.offset)
        .map_err(|e| Error::Shape(e.to_string()))
}
