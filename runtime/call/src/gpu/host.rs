//! What the host's code asks for while a program runs: `convert-gpu-launch-to-runtime` writes the calls.
//!
//! What the device says is wrong is kept, and the call fails. Whose call it is says the context.

use super::{Device, DeviceError, Kernel, memory::Block};
use crate::{Error, MemRefOutput, values::Memory};
use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap, HashSet},
    ffi::c_void,
    ptr::NonNull,
    rc::Rc,
    slice,
};
use terrace_rt::context::{Context, fail};
use terrace_tensor::{Elsewhere, Storage};

/// A call that runs.
pub(super) struct Call<'a> {
    pub device: &'a Rc<dyn Device>,
    /// The kernels, by their numbers.
    pub kernels: &'a [Kernel],
    /// Where constants are on the device, by their addresses here.
    pub constants: &'a RefCell<HashMap<u64, u64>>,
    /// Whether results stay on the device.
    pub stay: bool,
    /// Storages of this process, by the addresses of their copies on the device.
    pub copies: RefCell<BTreeMap<u64, Copied>>,
    /// What the code has allocated and not freed.
    pub allocated: RefCell<HashSet<u64>>,
    pub error: RefCell<Option<DeviceError>>,
}

/// A storage of this process, copied to the device for a call.
pub(super) struct Copied {
    storage: Storage,
    block: Block,
    /// Whether the copy may differ.
    written: bool,
}

impl Call<'_> {
    /// The code of a context asks this call, until it is taken back.
    pub fn lend(&self, context: &mut Context) {
        context.device = Some(NonNull::from(self).cast());
    }

    /// What is at this address may be written.
    fn note_write(&self, address: u64) {
        if let Some((from, copied)) = self.copies.borrow_mut().range_mut(..=address).next_back() {
            copied.written |= address - from < copied.storage.len().max(1) as u64;
        }
    }

    /// Copies back what may have been written of the copies.
    pub fn fetch(&self) -> Result<(), Error> {
        for copied in self.copies.borrow().values().filter(|copied| copied.written) {
            let mut bytes = vec![0; copied.storage.len()];
            copied.block.read(&mut bytes)?;
            copied.storage.write_bytes(0, &bytes);
        }
        Ok(())
    }
}

impl Memory for Call<'_> {
    fn address(&self, storage: &Storage) -> Result<*mut u8, Error> {
        if let Some(address) = storage.address_elsewhere() {
            return Ok(address as *mut u8);
        }
        let known = |(_, copied): &(&u64, &Copied)| copied.storage.is_same(storage);
        if let Some((address, _)) = self.copies.borrow().iter().find(known) {
            return Ok(*address as *mut u8);
        }
        let block = Block::of(self.device, storage)?;
        let address = block.address();
        let copied = Copied { storage: storage.clone(), block, written: false };
        self.copies.borrow_mut().insert(address, copied);
        Ok(address as *mut u8)
    }

    unsafe fn storage(&self, own: &MemRefOutput, bytes: usize) -> Result<Storage, Error> {
        let address = own.aligned as u64;
        if self.stay && self.allocated.borrow_mut().remove(&address) {
            return Ok(Storage::elsewhere(Rc::new(Block::new(self.device, address)), bytes));
        }
        let mut all = vec![0; bytes];
        self.device.read(address, &mut all)?;
        let here = Storage::from_bytes(&all)?;
        // A constant of the code is the program's.
        let there = || Ok::<_, Error>(Storage::elsewhere(Rc::new(Block::of(self.device, &here)?), bytes));
        if self.stay { there() } else { Ok(here) }
    }
}

/// Asks the call of a context; nobody else has this code. What is wrong is its error.
fn ask<R: Default>(context: Option<&Context>, work: impl FnOnce(&Call) -> Result<R, DeviceError>) -> R {
    // SAFETY: the code has the context from `program`, whose call outlives it.
    let call = unsafe { context.and_then(|context| context.device).map(|call| call.cast::<Call>().as_ref()) };
    let Some(call) = call else {
        fail(context, "the call has no device".into());
        return R::default();
    };
    work(call).unwrap_or_else(|error| {
        fail(context, error.to_string());
        call.error.borrow_mut().get_or_insert(error);
        R::default()
    })
}

extern "C" fn launch(
    context: Option<&Context>,
    kernel: i64,
    blocks: i64,
    threads: i64,
    arguments: *const u64,
    count: i64,
) {
    ask(context, |call| {
        if blocks < 1 {
            return Ok(());
        }
        let kernel = usize::try_from(kernel).ok().and_then(|number| call.kernels.get(number));
        let kernel = kernel.ok_or_else(|| DeviceError("there is no kernel of this number".into()))?;
        // SAFETY: the code has written so many words there, the arguments of this kernel.
        unsafe {
            let arguments = slice::from_raw_parts(arguments, count as usize);
            call.device.launch(&kernel.name, blocks as u64, threads as u64, arguments)?;
            let written = arguments.iter().zip(&kernel.writes).filter(|(_, writes)| **writes);
            written.for_each(|(address, _)| call.note_write(*address));
        }
        Ok(())
    });
}

extern "C" fn read(context: Option<&Context>, address: u64, bytes: i64) -> u64 {
    ask(context, |call| {
        let mut word = [0; 8];
        call.device.read(address, &mut word[..bytes as usize])?;
        Ok(u64::from_le_bytes(word))
    })
}

extern "C" fn fetch(context: Option<&Context>, address: u64, bytes: i64, here: *mut u8) {
    ask(context, |call| {
        // SAFETY: the code has so many bytes there, and nobody else has them meanwhile.
        let here = unsafe { slice::from_raw_parts_mut(here, bytes as usize) };
        call.device.read(address, here)
    });
}

extern "C" fn write(context: Option<&Context>, address: u64, bytes: i64, word: u64) {
    ask(context, |call| {
        call.note_write(address);
        call.device.write(address, &word.to_le_bytes()[..bytes as usize])
    });
}

extern "C" fn constant(context: Option<&Context>, address: u64, bytes: i64) -> u64 {
    ask(context, |call| {
        if let Some(known) = call.constants.borrow().get(&address) {
            return Ok(*known);
        }
        let there = call.device.allocate((bytes as usize).max(1))?;
        // SAFETY: a constant of the code has so many bytes.
        let bytes = unsafe { slice::from_raw_parts(address as *const u8, bytes as usize) };
        call.device.write(there, bytes)?;
        call.constants.borrow_mut().insert(address, there);
        Ok(there)
    })
}

extern "C" fn allocate(context: Option<&Context>, bytes: u64, _: u64) -> u64 {
    ask(context, |call| {
        let address = call.device.allocate((bytes as usize).max(1))?;
        call.allocated.borrow_mut().insert(address);
        Ok(address)
    })
}

extern "C" fn free(context: Option<&Context>, address: u64) {
    ask(context, |call| {
        let own = call.allocated.borrow_mut().remove(&address);
        if own { call.device.free(address) } else { Ok(()) }
    });
}

/// Frees nothing: memory that a result owns on a device is the call's, and goes with it.
///
/// # Safety
/// None is needed.
pub unsafe extern "C" fn free_with_call(_: *mut u8) {}

/// Every symbol that the code of a program with a device may ask for, with its address: those of the runtime,
/// but for memory.
pub fn symbols() -> Vec<(&'static str, *const c_void)> {
    let own = [
        ("terrace_gpu_launch", launch as *const c_void),
        ("terrace_gpu_read", read as *const c_void),
        ("terrace_gpu_fetch", fetch as *const c_void),
        ("terrace_gpu_write", write as *const c_void),
        ("terrace_gpu_constant", constant as *const c_void),
        ("terrace_rt_alloc", allocate as *const c_void),
        ("terrace_rt_free", free as *const c_void),
    ];
    let others = terrace_rt::symbols().into_iter().filter(|(name, _)| !own.iter().any(|(o, _)| o == name));
    own.into_iter().chain(others).collect()
}
