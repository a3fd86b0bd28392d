//! Shared libraries whose functions compiled code calls: the bodies of custom operators.

use crate::Error;
use std::{
    ffi::{CStr, CString},
    os::unix::ffi::OsStrExt,
    path::Path,
};

/// Loads a shared library into the process, where [`crate::Loaded::load`] finds its functions; it stays.
///
/// # Errors
/// In the words of the system's loader.
pub fn load_library(path: &Path) -> Result<(), Error> {
    let name = CString::new(path.as_os_str().as_bytes()).map_err(|e| Error::Link(e.to_string()))?;
    // SAFETY: a text that ends in a zero byte; what the library does when it is loaded is its own affair.
    unsafe {
        if !libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL).is_null() {
            return Ok(());
        }
        let why = libc::dlerror();
        let why =
            if why.is_null() { "no reason given".into() } else { CStr::from_ptr(why).to_string_lossy() };
        Err(Error::Link(why.into_owned()))
    }
}
