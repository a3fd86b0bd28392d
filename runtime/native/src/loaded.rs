//! Compiled code in this process.

use crate::{
    Arg, Code, Error, Output, Signature,
    call::{self, Packed},
    entry::PACKED,
    jit::Jit,
    memref::Free,
};
use std::{ffi::c_void, mem};
use terrace_rt::{context::Context, memory::terrace_rt_free};

unsafe extern "C" fn free(buffer: *mut u8) {
    // SAFETY: a buffer that a result owned.
    unsafe { terrace_rt_free(None, buffer) }
}

/// Compiled code, loaded, with its entry points.
pub struct Loaded {
    entries: Vec<(Signature, Packed)>,
    /// What frees the buffers that results own.
    free: Free,
    bytes: usize,
    _jit: Jit,
}

impl Loaded {
    /// Generates machine code and links it into the process. References are found in the runtime archive, then in the
    /// process: libm and libc above all.
    pub fn load(code: &Code) -> Result<Loaded, Error> {
        Loaded::link(code, &terrace_rt::symbols(), free)
    }

    /// The same with these symbols in place of the runtime's.
    pub(crate) fn link(code: &Code, symbols: &[(&str, *const c_void)], free: Free) -> Result<Loaded, Error> {
        code.cpu.runs_here()?;
        let objects = code.objects()?;
        let bytes = objects.iter().map(|object| object.get_size()).sum();
        let jit = Jit::load(objects, symbols)?;
        let entry = |signature: &Signature| {
            let address = jit.address(&format!("{PACKED}{}", signature.name))?;
            // SAFETY: `entry::prepare` gave the packed form this type.
            Ok((signature.clone(), unsafe { mem::transmute::<usize, Packed>(address) }))
        };
        let entries = code.signatures.iter().map(entry).collect::<Result<_, Error>>()?;
        Ok(Loaded { entries, free, bytes, _jit: jit })
    }

    /// The entry points.
    pub fn signatures(&self) -> impl Iterator<Item = &Signature> {
        self.entries.iter().map(|(signature, _)| signature)
    }

    /// How many bytes the objects have that it was linked of.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The packed form of an entry point: who calls it writes descriptors himself.
    pub fn packed(&self, name: &str) -> Option<Packed> {
        self.entries.iter().find(|(signature, _)| signature.name == name).map(|(_, packed)| *packed)
    }

    /// Calls an entry point.
    ///
    /// Arguments are checked against its signature: number, kind, element type, and every size, stride and offset
    /// that the type fixes. An error of the code itself comes back as [`Error::Runtime`]. The context is this
    /// call's alone until it comes back; many threads may call at once, each with its own.
    pub fn call(&self, context: &Context, name: &str, arguments: &[Arg]) -> Result<Vec<Output>, Error> {
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
        // SAFETY: the packed form of this signature; `_jit` keeps the code.
        unsafe { call::call(*packed, signature, context, arguments, self.free) }
    }
}
