//! What the host's code asks for while a program runs: `convert-gpu-launch-to-runtime` writes the calls.
//!
//! The code has no way to fail: the first error is kept, what is asked for after it is not done, and the call ends with
//! it. Whose call it is, is known by the thread, which does not change.

use super::{Device, DeviceError};
use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    ffi::c_void,
    ptr, slice,
};

/// A call that runs.
pub(super) struct Call<'a> {
    pub device: &'a dyn Device,
    /// The kernels, by their numbers.
    pub kernels: &'a [String],
    /// Where constants are on the device, by their addresses here.
    pub constants: &'a RefCell<HashMap<u64, u64>>,
    /// What the code has allocated and not freed.
    pub allocated: RefCell<Vec<u64>>,
    pub error: RefCell<Option<DeviceError>>,
}

thread_local! {
    static RUNNING: Cell<*const c_void> = const { Cell::new(ptr::null()) };
}

impl Call<'_> {
    /// Does something during which the code of this thread asks this call.
    pub fn during<R>(&self, work: impl FnOnce() -> R) -> R {
        /// Puts back who was asked before, whatever happens.
        struct Before(*const c_void);
        impl Drop for Before {
            fn drop(&mut self) {
                RUNNING.set(self.0);
            }
        }
        let _before = Before(RUNNING.replace(ptr::from_ref(self).cast()));
        work()
    }

    fn attempt<R: Default>(&self, work: impl FnOnce() -> Result<R, DeviceError>) -> R {
        if self.error.borrow().is_some() {
            return R::default();
        }
        work().unwrap_or_else(|error| {
            *self.error.borrow_mut() = Some(error);
            R::default()
        })
    }
}

/// Asks the call that runs; nobody else has this code.
fn ask<R: Default>(work: impl FnOnce(&Call) -> Result<R, DeviceError>) -> R {
    let running = RUNNING.get().cast::<Call>();
    // SAFETY: `during` has set it, and borrows the call for as long as it is set.
    match unsafe { running.as_ref() } {
        Some(call) => call.attempt(|| work(call)),
        None => R::default(),
    }
}

extern "C" fn launch(kernel: i64, blocks: i64, threads: i64, arguments: *const u64, count: i64) {
    ask(|call| {
        if blocks < 1 {
            return Ok(());
        }
        let name = call.kernels.get(kernel as usize);
        let name = name.ok_or_else(|| DeviceError(format!("there is no kernel number {kernel}")))?;
        // SAFETY: the code has written so many words there, the arguments of this kernel.
        unsafe {
            let arguments = slice::from_raw_parts(arguments, count as usize);
            call.device.launch(name, blocks as u64, threads as u64, arguments)
        }
    });
}

extern "C" fn read(address: u64, bytes: i64) -> u64 {
    ask(|call| {
        let mut word = [0; 8];
        call.device.read(address, &mut word[..bytes as usize])?;
        Ok(u64::from_le_bytes(word))
    })
}

extern "C" fn write(address: u64, bytes: i64, word: u64) {
    ask(|call| call.device.write(address, &word.to_le_bytes()[..bytes as usize]));
}

extern "C" fn constant(address: u64, bytes: i64) -> u64 {
    ask(|call| {
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

extern "C" fn allocate(bytes: u64) -> u64 {
    ask(|call| {
        let address = call.device.allocate((bytes as usize).max(1))?;
        call.allocated.borrow_mut().push(address);
        Ok(address)
    })
}

extern "C" fn allocate_aligned(_: u64, bytes: u64) -> u64 {
    allocate(bytes)
}

extern "C" fn free(address: u64) {
    ask(|call| {
        let mut allocated = call.allocated.borrow_mut();
        match allocated.iter().position(|known| *known == address) {
            Some(i) => {
                allocated.swap_remove(i);
                call.device.free(address)
            }
            None => Ok(()),
        }
    });
}

/// What becomes of memory that a result owns: it is the call's, and goes with it.
pub(super) unsafe extern "C" fn keep(_: *mut u8) {}

/// Every symbol that the code may ask for, with its address: those of the runtime, but for memory.
pub(super) fn symbols() -> Vec<(&'static str, *const c_void)> {
    let own = [
        ("terrace_gpu_launch", launch as *const c_void),
        ("terrace_gpu_read", read as *const c_void),
        ("terrace_gpu_write", write as *const c_void),
        ("terrace_gpu_constant", constant as *const c_void),
        ("_mlir_memref_to_llvm_alloc", allocate as *const c_void),
        ("_mlir_memref_to_llvm_aligned_alloc", allocate_aligned as *const c_void),
        ("_mlir_memref_to_llvm_free", free as *const c_void),
    ];
    let others = terrace_rt::symbols().into_iter().filter(|(name, _)| !own.iter().any(|(o, _)| o == name));
    own.into_iter().chain(others).collect()
}
