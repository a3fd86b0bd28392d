//! Compiled code in this process.

use crate::{
    Code, Device, Entries, Error, GpuProgram, Kernel, PACKED, Packed, Signature, free_with_call, jit::Jit,
};
use std::{ffi::c_void, mem, ops::Deref, rc::Rc};
use terrace_call::Free;
use terrace_rt::memory::terrace_rt_free;

unsafe extern "C" fn free(buffer: *mut u8) {
    // SAFETY: a buffer that a result owned.
    unsafe { terrace_rt_free(None, buffer) }
}

/// Compiled code, loaded, with its [`Entries`].
pub struct Loaded {
    entries: Entries,
    bytes: usize,
    jit: Jit,
}

impl Deref for Loaded {
    type Target = Entries;

    fn deref(&self) -> &Entries {
        &self.entries
    }
}

impl Loaded {
    /// Generates machine code and links it into the process. References are found in the runtime archive,
    /// then in the process: libm and libc above all.
    pub fn load(code: &Code) -> Result<Loaded, Error> {
        Loaded::link(code, &terrace_rt::symbols(), free)
    }

    /// The same with these symbols in place of the runtime's.
    fn link(code: &Code, symbols: &[(&str, *const c_void)], free: Free) -> Result<Loaded, Error> {
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
        // SAFETY: packed forms, which `jit` keeps the code of; `symbols` allocate what `free` frees.
        Ok(Loaded { entries: unsafe { Entries::new(entries, free) }, bytes, jit })
    }

    /// How many bytes the objects have that it was linked of.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

/// Loads the host's code of a program into the process; `device` has its kernels, `kernels` lists them by
/// their numbers.
///
/// # Errors
/// What the linker says.
pub fn gpu_program(code: &Code, kernels: Vec<Kernel>, device: Rc<dyn Device>) -> Result<GpuProgram, Error> {
    let Loaded { entries, jit, .. } = Loaded::link(code, &terrace_call::symbols(), free_with_call)?;
    Ok(GpuProgram::new(entries, Box::new(jit), kernels, device))
}
