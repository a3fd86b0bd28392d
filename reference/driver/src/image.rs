//! Kernels as a shared library of this machine, in the place of a cubin.

use std::{
    ffi::{CStr, CString, c_void},
    fs::File,
    io::Write,
    os::fd::{AsRawFd, FromRawFd},
    slice,
};
use terrace_call::DeviceError;
use terrace_threads::{CALL, Code, link};

/// A library that is loaded.
pub struct Image(*mut c_void);

// SAFETY: `terrace_emulator::library` defines the functions so; the library stays until this is dropped.
unsafe impl Code for Image {
    fn address(&self, function: &str) -> Option<usize> {
        let name = CString::new(function).ok()?;
        // SAFETY: the library is open.
        let address = unsafe { libc::dlsym(self.0, name.as_ptr()) };
        (!address.is_null()).then_some(address as usize)
    }
}

/// How long an ELF file is that ends with its table of sections, as linkers write it.
///
/// # Safety
/// An ELF file of 64 bits starts there.
unsafe fn length(image: *const u8) -> usize {
    // SAFETY: the header has 64 bytes; where fields are is said by the System V ABI.
    unsafe {
        let word = |at: usize| image.add(at).cast::<u64>().read_unaligned() as usize;
        let half = |at: usize| usize::from(image.add(at).cast::<u16>().read_unaligned());
        word(40) + half(58) * half(60)
    }
}

impl Image {
    /// Loads an image.
    ///
    /// # Safety
    /// An ELF file starts there, or a text.
    pub unsafe fn load(image: *const u8) -> Result<Self, DeviceError> {
        let wrong = |why: &str| DeviceError(why.to_owned());
        // SAFETY: the caller's; either has a first byte, and reading stops at the first that differs.
        let is_elf = unsafe { b"\x7fELF".iter().enumerate().all(|(i, byte)| *image.add(i) == *byte) };
        if !is_elf {
            return Err(wrong("the stand-in driver runs kernels of bundles that were made with --emulate"));
        }
        // SAFETY: the caller's.
        let bytes = unsafe { slice::from_raw_parts(image, length(image)) };
        // SAFETY: a name; the file is this process's alone.
        let mut file = unsafe {
            let number = libc::memfd_create(c"kernels".as_ptr(), libc::MFD_CLOEXEC);
            if number < 0 {
                return Err(wrong("no file in memory"));
            }
            File::from_raw_fd(number)
        };
        file.write_all(bytes).map_err(|e| DeviceError(e.to_string()))?;
        let path = CString::new(format!("/proc/self/fd/{}", file.as_raw_fd())).unwrap_or_default();
        // SAFETY: a library that the emulator made: it runs nothing when it is loaded.
        let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        if library.is_null() {
            // SAFETY: there is an error.
            let why = unsafe { CStr::from_ptr(libc::dlerror()) };
            return Err(DeviceError(why.to_string_lossy().into_owned()));
        }
        let own = Self(library);
        link(&own)?;
        Ok(own)
    }

    /// Whether there is such a kernel.
    pub fn has(&self, kernel: &str) -> bool {
        self.address(&format!("{CALL}{kernel}")).is_some()
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        // SAFETY: opened once.
        unsafe { libc::dlclose(self.0) };
    }
}
