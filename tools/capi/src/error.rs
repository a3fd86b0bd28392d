//! Errors as C sees them: a kind and words, behind a pointer that is null where nothing went wrong.

use mlir_sys::MlirStringRef;
use std::ffi::CString;
use terrace_dialects::ir::panics::guard;
use terrace_session::Error;
use terrace_tensor::TensorError;

/// `TerraceErrorKind`.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum Kind {
    /// What the caller brings does not fit.
    Argument,
    /// The program has what is not compiled.
    Refused,
    /// What it computes is an error.
    Runtime,
    /// Code or memory cannot be had.
    Resource,
    /// A mistake of ours.
    Internal,
}

/// What went wrong.
pub struct Failure {
    kind: Kind,
    message: CString,
}

impl Failure {
    /// An error of a kind.
    pub fn new(kind: Kind, message: impl Into<Vec<u8>>) -> Self {
        let message = message.into().into_iter().filter(|byte| *byte != 0).collect::<Vec<_>>();
        Failure { kind, message: CString::new(message).unwrap_or_default() }
    }

    /// Something of the caller's that does not fit.
    pub fn argument(message: impl Into<Vec<u8>>) -> Self {
        Failure::new(Kind::Argument, message)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let kind = match &error {
            Error::Entry(_) | Error::Argument { .. } => Kind::Argument,
            Error::Refused(_) | Error::Guard { .. } => Kind::Refused,
            Error::Runtime { .. } => Kind::Runtime,
            Error::Native(_) | Error::Device(_) => Kind::Resource,
            Error::Bug(_) => Kind::Internal,
        };
        Failure::new(kind, error.to_string())
    }
}

impl From<TensorError> for Failure {
    fn from(error: TensorError) -> Self {
        let kind = match error {
            TensorError::OutOfMemory { .. } => Kind::Resource,
            _ => Kind::Argument,
        };
        Failure::new(kind, error.to_string())
    }
}

/// `TerraceError`.
#[repr(C)]
pub struct TerraceError(*mut Failure);

/// Does something for C: what fails, and a panic, is an error.
pub fn answer(work: impl FnOnce() -> Result<(), Failure>) -> TerraceError {
    let failure = match guard(|| Ok(work())) {
        Ok(Ok(())) => return TerraceError(std::ptr::null_mut()),
        Ok(Err(failure)) => failure,
        Err(panic) => Failure::new(Kind::Internal, panic),
    };
    TerraceError(Box::into_raw(Box::new(failure)))
}

/// The kind of an error.
///
/// # Safety
/// The error is live and not null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceErrorGetKind(error: TerraceError) -> Kind {
    // SAFETY: as the caller promises.
    unsafe { (*error.0).kind }
}

/// Its words.
///
/// # Safety
/// The error is live and not null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceErrorGetMessage(error: TerraceError) -> MlirStringRef {
    // SAFETY: as the caller promises.
    let message = unsafe { &(*error.0).message };
    MlirStringRef { data: message.as_ptr(), length: message.as_bytes().len() }
}

/// Destroys an error.
///
/// # Safety
/// The error is live, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceErrorDestroy(error: TerraceError) {
    if !error.0.is_null() {
        // SAFETY: as the caller promises, and it was boxed in `answer`.
        drop(unsafe { Box::from_raw(error.0) });
    }
}
