//! Compiled code in this process.

use crate::{
    Arg, Code, Error, Output, Signature,
    call::{self, Packed},
    entry::PACKED,
    jit::Jit,
    memref::Free,
};
use std::{
    ffi::{CStr, c_void},
    mem,
};
use terrace_rt::{
    memory::terrace_rt_free,
    status::{is_refused, terrace_rt_take_error},
};

/// Compiled code, loaded, with its entry points.
pub struct Loaded {
    entries: Vec<(Signature, Packed)>,
    /// What frees the buffers that results own.
    free: Free,
    _jit: Jit,
}

impl Loaded {
    /// Generates machine code and links it into the process. References are found in the runtime archive, then in the
    /// process: libm and libc above all.
    pub fn load(code: &Code) -> Result<Loaded, Error> {
        Loaded::link(code, &terrace_rt::symbols(), terrace_rt_free)
    }

    /// The same with these symbols in place of the runtime's.
    pub(crate) fn link(code: &Code, symbols: &[(&str, *const c_void)], free: Free) -> Result<Loaded, Error> {
        code.cpu.runs_here()?;
        let jit = Jit::load(code.objects()?, symbols)?;
        let entry = |signature: &Signature| {
            let address = jit.address(&format!("{PACKED}{}", signature.name))?;
            // SAFETY: `entry::prepare` gave the packed form this type.
            Ok((signature.clone(), unsafe { mem::transmute::<usize, Packed>(address) }))
        };
        let entries = code.signatures.iter().map(entry).collect::<Result<_, Error>>()?;
        Ok(Loaded { entries, free, _jit: jit })
    }

    /// The entry points.
    pub fn signatures(&self) -> impl Iterator<Item = &Signature> {
        self.entries.iter().map(|(signature, _)| signature)
    }

    /// Calls an entry point.
    ///
    /// Arguments are checked against its signature: number, kind, element type, and every size, stride and offset
    /// that the type fixes. An error of the code itself comes back as [`Error::Runtime`]. The number of threads is
    /// the runtime's.
    pub fn call(&self, name: &str, arguments: &[Arg]) -> Result<Vec<Output>, Error> {
        let Some((signature, packed)) = self.entries.iter().find(|(signature, _)| signature.name == name)
        else {
            let names: Vec<_> = self.signatures().map(|s| format!("@{}", s.name)).collect();
            let known = if names.is_empty() {
                "there are none".into()
            } else {
                format!("there is {}", names.join(", "))
            };
            return Err(Error::NoEntry { name: name.into(), known });
        };
        // What an earlier call left behind is not this one's.
        terrace_rt_take_error();
        // SAFETY: the packed form of this signature; `_jit` keeps the code.
        let outputs = unsafe { call::call(*packed, signature, arguments, self.free, is_refused)? };
        let refused = is_refused();
        let error = terrace_rt_take_error();
        if !error.is_null() {
            // SAFETY: compiled code set a message of its own, which lives as long as the session.
            let message = unsafe { CStr::from_ptr(error) }.to_string_lossy().into_owned();
            let entry = name.into();
            return Err(if refused {
                Error::Guard { entry, message }
            } else {
                Error::Runtime { entry, message }
            });
        }
        Ok(outputs)
    }
}
