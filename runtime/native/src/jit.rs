//! Links objects into the process, by LLVM's ORC.

use crate::Error;
use inkwell::memory_buffer::MemoryBuffer;
use llvm_sys::{
    error::{LLVMDisposeErrorMessage, LLVMErrorRef, LLVMGetErrorMessage},
    orc2::{lljit::*, *},
};
use std::{
    ffi::{CStr, CString, c_void},
    mem, ptr,
    sync::Mutex,
};

/// Objects in memory, their references resolved; lives as long as this does.
pub(crate) struct Jit {
    raw: LLVMOrcLLJITRef,
    /// What ORC reports beside its results; it has a stable address, for ORC keeps a pointer to it.
    reports: Box<Mutex<Vec<String>>>,
}

// SAFETY: ORC locks its session; after loading only addresses are asked for.
unsafe impl Send for Jit {}
// SAFETY: as above; `reports` is behind a lock.
unsafe impl Sync for Jit {}

impl Jit {
    /// Links `objects`. Their references are found among them and `symbols`, then in the process.
    pub fn load(
        objects: Vec<MemoryBuffer<'static>>,
        symbols: &[(&str, *const c_void)],
    ) -> Result<Jit, Error> {
        // SAFETY: plain construction; each call consumes or returns what the C interface says.
        unsafe {
            let mut raw = ptr::null_mut();
            check(LLVMOrcCreateLLJIT(&mut raw, ptr::null_mut()))?;
            let jit = Jit { raw, reports: Box::default() };
            let session = LLVMOrcLLJITGetExecutionSession(raw);
            let sink = (&raw const *jit.reports).cast_mut().cast();
            LLVMOrcExecutionSessionSetErrorReporter(session, report, sink);
            let library = LLVMOrcLLJITGetMainJITDylib(raw);
            let mut pairs: Vec<_> = symbols.iter().map(|&(name, address)| pair(raw, name, address)).collect();
            let unit = LLVMOrcAbsoluteSymbols(pairs.as_mut_ptr(), pairs.len());
            check(LLVMOrcJITDylibDefine(library, unit))?;
            let mut process = ptr::null_mut();
            let prefix = LLVMOrcLLJITGetGlobalPrefix(raw);
            check(LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
                &mut process,
                prefix,
                None,
                ptr::null_mut(),
            ))?;
            LLVMOrcJITDylibAddGenerator(library, process);
            for object in objects {
                // ORC owns the buffer from here on.
                check(LLVMOrcLLJITAddObjectFile(raw, library, mem::ManuallyDrop::new(object).as_mut_ptr()))?;
            }
            Ok(jit)
        }
    }

    /// The address of a symbol of the object; the first look-up links it.
    pub fn address(&self, name: &str) -> Result<usize, Error> {
        let name = c_string(name);
        let mut address = 0;
        // SAFETY: the session is live.
        let error = unsafe { LLVMOrcLLJITLookup(self.raw, &mut address, name.as_ptr()) };
        check(error).map(|()| address as usize).map_err(|error| {
            // The reports say which symbol is missing; the error only that something failed to materialize.
            let mut reports = self.reports.lock().unwrap_or_else(|e| e.into_inner());
            match mem::take(&mut *reports) {
                reports if reports.is_empty() => error,
                reports => Error::Link(reports.join("; ")),
            }
        })
    }
}

impl Drop for Jit {
    fn drop(&mut self) {
        // SAFETY: nothing uses the session any more. What it could still say is of no use to anyone.
        unsafe { drop(check(LLVMOrcDisposeLLJIT(self.raw))) }
    }
}

unsafe fn pair(jit: LLVMOrcLLJITRef, name: &str, address: *const c_void) -> LLVMOrcCSymbolMapPair {
    let name = c_string(name);
    let flags = llvm_sys::orc2::LLVMJITSymbolFlags {
        GenericFlags: llvm_sys::orc2::LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsExported as u8
            | llvm_sys::orc2::LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsCallable as u8,
        TargetFlags: 0,
    };
    LLVMOrcCSymbolMapPair {
        // SAFETY: the session is live; the entry's reference passes to the symbol map.
        Name: unsafe { LLVMOrcLLJITMangleAndIntern(jit, name.as_ptr()) },
        Sym: LLVMJITEvaluatedSymbol { Address: address as u64, Flags: flags },
    }
}

extern "C" fn report(sink: *mut c_void, error: LLVMErrorRef) {
    if let Err(error) = check(error) {
        // SAFETY: the sink lives as long as the session that reports to it.
        let sink = unsafe { &*sink.cast::<Mutex<Vec<String>>>() };
        let Error::Link(message) = error else { return };
        sink.lock().unwrap_or_else(|e| e.into_inner()).push(message);
    }
}

/// Consumes an LLVM error.
fn check(error: LLVMErrorRef) -> Result<(), Error> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: a live error, consumed once; its message is copied and then disposed of.
    unsafe {
        let raw = LLVMGetErrorMessage(error);
        let message = CStr::from_ptr(raw).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(raw);
        Err(Error::Link(message))
    }
}

/// Names of symbols come from MLIR, where they may hold any character; a zero byte ends them here.
fn c_string(name: &str) -> CString {
    let bytes: Vec<u8> = name.bytes().take_while(|&b| b != 0).collect();
    CString::new(bytes).unwrap_or_default()
}
