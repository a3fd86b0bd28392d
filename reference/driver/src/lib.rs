//! `libterrace_fake_cuda.so`: a stand-in for NVIDIA's driver, where there is no GPU.
//!
//! It has the functions of the CUDA Driver API that `runtime/call` asks for. A module is the shared library
//! that `terrace-compile --emit=bundle --emulate` makes of kernels, in the place of a cubin; its threads run
//! as fibers of this process ([`terrace_threads`]). It counts what it is asked for
//! ([`terrace_fake_cuda_counts`]), and makes a fault where `TERRACE_FAKE_CUDA_FAULT` says so ([`fault`]):
//! whoever checks results is to find it. All calls come from one thread.
//!
//! Source of names, numbers and types: `cuda.h` of the CUDA Toolkit.

#![allow(non_snake_case, reason = "the functions are those of cuda.h")]

mod fault;
mod image;

use crate::{fault::Fault, image::Image};
use std::{
    cell::RefCell,
    ffi::{CStr, CString, c_char, c_int, c_uint, c_void},
    ptr, slice,
    time::Instant,
};
use terrace_call::DeviceError;
use terrace_threads::{Machine, Order};

type Handle = *mut c_void;

const INVALID_VALUE: c_int = 1;
const INVALID_IMAGE: c_int = 200;
const NOT_FOUND: c_int = 500;
const LAUNCH_FAILED: c_int = 719;

/// What was asked for since the process began.
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Counts {
    launches: u64,
    /// Copies to the device and from there, and how many bytes.
    copies_in: u64,
    copies_out: u64,
    bytes_in: u64,
    bytes_out: u64,
    synchronizations: u64,
}

/// All there is of a driver.
struct Driver {
    machine: Machine,
    counts: Counts,
    fault: Option<Fault>,
    /// What went wrong last.
    error: CString,
}

/// A kernel, by its name in a module.
struct Function {
    module: *const Image,
    name: String,
}

thread_local! {
    static DRIVER: RefCell<Driver> = RefCell::new(Driver {
        machine: Machine::new(Order::Forward),
        counts: Counts::default(),
        fault: Fault::of_environment(),
        error: CString::default(),
    });
}

/// Does something with the driver; what is wrong is its last error.
fn ask(status: c_int, work: impl FnOnce(&mut Driver) -> Result<(), DeviceError>) -> c_int {
    DRIVER.with_borrow_mut(|driver| match work(driver) {
        Ok(()) => 0,
        Err(DeviceError(why)) => {
            driver.error = CString::new(why.replace('\0', " ")).unwrap_or_default();
            status
        }
    })
}

/// How often the driver was asked for what, in the order of [`Counts`]: launches, copies in and out, bytes in
/// and out, synchronizations.
#[unsafe(no_mangle)]
unsafe extern "C" fn terrace_fake_cuda_counts(counts: *mut [u64; 6]) {
    let Counts { launches, copies_in, copies_out, bytes_in, bytes_out, synchronizations } =
        DRIVER.with_borrow(|driver| driver.counts);
    // SAFETY: the caller's.
    unsafe { *counts = [launches, copies_in, copies_out, bytes_in, bytes_out, synchronizations] };
}

#[unsafe(no_mangle)]
extern "C" fn cuInit(_: c_uint) -> c_int {
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuGetErrorString(_: c_int, text: *mut *const c_char) -> c_int {
    // SAFETY: the caller's; the text stays until the next error.
    DRIVER.with_borrow(|driver| unsafe { *text = driver.error.as_ptr() });
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuDeviceGet(device: *mut c_int, number: c_int) -> c_int {
    // SAFETY: the caller's.
    unsafe { *device = number };
    ask(INVALID_VALUE, |_| match number {
        0 => Ok(()),
        _ => Err(DeviceError("there is one device".into())),
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuDeviceGetName(name: *mut c_char, size: c_int, _: c_int) -> c_int {
    let text = c"stand-in for a GPU".to_bytes_with_nul();
    let count = text.len().min(usize::try_from(size).unwrap_or(0));
    // SAFETY: the caller's: there is room for so many bytes.
    unsafe { ptr::copy_nonoverlapping(text.as_ptr().cast(), name, count) };
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuDeviceGetAttribute(value: *mut c_int, attribute: c_int, _: c_int) -> c_int {
    let known = match attribute {
        // Multiprocessors, the second-level cache in bytes, the compute capability.
        16 => 1,
        38 => 1 << 16,
        75 => 9,
        _ => 0,
    };
    // SAFETY: the caller's.
    unsafe { *value = known };
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuDeviceGetDefaultMemPool(pool: *mut Handle, _: c_int) -> c_int {
    // SAFETY: the caller's.
    unsafe { *pool = ptr::null_mut() };
    0
}

#[unsafe(no_mangle)]
extern "C" fn cuMemPoolSetAttribute(_: Handle, _: c_int, _: *mut c_void) -> c_int {
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuDevicePrimaryCtxRetain(context: *mut Handle, _: c_int) -> c_int {
    // SAFETY: the caller's.
    unsafe { *context = ptr::null_mut() };
    0
}

#[unsafe(no_mangle)]
extern "C" fn cuDevicePrimaryCtxRelease_v2(_: c_int) -> c_int {
    0
}

#[unsafe(no_mangle)]
extern "C" fn cuCtxSetCurrent(_: Handle) -> c_int {
    0
}

#[unsafe(no_mangle)]
extern "C" fn cuCtxSynchronize() -> c_int {
    ask(0, |driver| {
        driver.counts.synchronizations += 1;
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuModuleLoadDataEx(
    module: *mut Handle,
    image: *const c_void,
    _: c_uint,
    _: *mut c_int,
    _: *mut *mut c_void,
) -> c_int {
    ask(INVALID_IMAGE, |_| {
        // SAFETY: the caller's: an image, or a text that ends in a zero byte.
        let image = unsafe { Image::load(image.cast())? };
        // SAFETY: the caller's.
        unsafe { *module = Box::into_raw(Box::new(image)).cast() };
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuModuleUnload(module: Handle) -> c_int {
    // SAFETY: the caller's: it was loaded, and is unloaded once.
    drop(unsafe { Box::from_raw(module.cast::<Image>()) });
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuModuleGetFunction(
    function: *mut Handle,
    module: Handle,
    name: *const c_char,
) -> c_int {
    ask(NOT_FOUND, |_| {
        // SAFETY: the caller's: a module that is loaded, a text.
        let (own, name) = unsafe { (&*module.cast::<Image>(), CStr::from_ptr(name).to_string_lossy()) };
        if !own.has(&name) {
            return Err(DeviceError(format!("there is no kernel {name}")));
        }
        // As with a real driver a handle is valid as long as its module; nobody gives it back.
        let made = Function { module: module.cast(), name: name.into_owned() };
        // SAFETY: the caller's.
        unsafe { *function = Box::into_raw(Box::new(made)).cast() };
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuLaunchKernel(
    function: Handle,
    blocks: c_uint,
    _: c_uint,
    _: c_uint,
    threads: c_uint,
    _: c_uint,
    _: c_uint,
    _: c_uint,
    _: Handle,
    arguments: *mut *mut c_void,
    _: *mut *mut c_void,
) -> c_int {
    ask(LAUNCH_FAILED, |driver| {
        driver.counts.launches += 1;
        let (number, machine) = (driver.counts.launches, &driver.machine);
        // SAFETY: the caller's: a function of a module that is loaded, and its arguments.
        let run = || unsafe {
            let Function { module, name } = &*function.cast::<Function>();
            machine.launch(&**module, name, blocks.into(), threads as usize, arguments.cast_const().cast())
        };
        match &driver.fault {
            Some(fault) if fault.launch == number => fault.make(machine.memory(), run),
            _ => run(),
        }
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuMemAllocAsync(address: *mut u64, bytes: usize, _: Handle) -> c_int {
    // SAFETY: the caller's.
    ask(0, |driver| unsafe {
        *address = driver.machine.memory().allocate(bytes);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuMemFreeAsync(address: u64, _: Handle) -> c_int {
    ask(INVALID_VALUE, |driver| driver.machine.memory().free(address))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuMemcpyHtoD_v2(to: u64, from: *const c_void, bytes: usize) -> c_int {
    ask(INVALID_VALUE, |driver| {
        driver.counts.copies_in += 1;
        driver.counts.bytes_in += bytes as u64;
        // SAFETY: the caller's.
        let from = unsafe { slice::from_raw_parts(from.cast(), bytes) };
        driver.machine.memory().with(to, bytes, |there| there.copy_from_slice(from))
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuMemcpyDtoH_v2(to: *mut c_void, from: u64, bytes: usize) -> c_int {
    ask(INVALID_VALUE, |driver| {
        driver.counts.copies_out += 1;
        driver.counts.bytes_out += bytes as u64;
        // SAFETY: the caller's.
        let to = unsafe { slice::from_raw_parts_mut(to.cast(), bytes) };
        driver.machine.memory().with(from, bytes, |there| to.copy_from_slice(there))
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuMemcpyDtoDAsync_v2(to: u64, from: u64, bytes: usize, _: Handle) -> c_int {
    ask(INVALID_VALUE, |driver| {
        let memory = driver.machine.memory();
        let copied = memory.with(from, bytes, |there| there.to_vec())?;
        memory.with(to, bytes, |there| there.copy_from_slice(&copied))
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuMemsetD8Async(to: u64, value: u8, bytes: usize, _: Handle) -> c_int {
    ask(INVALID_VALUE, |driver| driver.machine.memory().with(to, bytes, |there| there.fill(value)))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuEventCreate(event: *mut Handle, _: c_uint) -> c_int {
    // SAFETY: the caller's.
    unsafe { *event = Box::into_raw(Box::new(Instant::now())).cast() };
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuEventRecord(event: Handle, _: Handle) -> c_int {
    // SAFETY: the caller's: an event.
    unsafe { *event.cast::<Instant>() = Instant::now() };
    0
}

#[unsafe(no_mangle)]
extern "C" fn cuEventSynchronize(_: Handle) -> c_int {
    cuCtxSynchronize()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuEventElapsedTime(milliseconds: *mut f32, start: Handle, end: Handle) -> c_int {
    // SAFETY: the caller's: events.
    unsafe {
        let (start, end) = (*start.cast::<Instant>(), *end.cast::<Instant>());
        *milliseconds = end.duration_since(start).as_secs_f32() * 1e3;
    }
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuEventDestroy_v2(event: Handle) -> c_int {
    // SAFETY: the caller's: an event, destroyed once.
    drop(unsafe { Box::from_raw(event.cast::<Instant>()) });
    0
}
