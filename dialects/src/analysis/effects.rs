//! The memory effects of any operation, as its definition says them.

use crate::ir::strings::text;
use melior::ir::OperationRef;
use mlir_sys::{MlirOperation, MlirStringRef};
use std::ffi::{c_int, c_void};

unsafe extern "C" {
    fn terrace_op_effects(
        op: MlirOperation,
        effect: unsafe extern "C" fn(c_int, isize, MlirStringRef, *mut c_void),
        out: *mut c_void,
    ) -> bool;
}

/// What a memory effect does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectKind {
    /// It reads.
    Read,
    /// It writes.
    Write,
    /// It allocates.
    Allocate,
    /// It frees.
    Other,
}

/// What a memory effect is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// What this operand names.
    Operand(usize),
    /// What this result names.
    Result(usize),
    /// The generator of random numbers.
    Generator,
    /// Something that the operation does not name.
    Anything,
}

/// The memory effects of an operation itself, in order; None where it does not say them.
pub fn of(op: OperationRef) -> Option<Vec<(EffectKind, On)>> {
    unsafe extern "C" fn add(kind: c_int, place: isize, resource: MlirStringRef, out: *mut c_void) {
        // SAFETY: `out` is the list below, and names of resources are never freed.
        let (out, resource) = unsafe { (&mut *out.cast::<Vec<(EffectKind, On)>>(), text(resource)) };
        let effect = match kind {
            0 => EffectKind::Read,
            1 => EffectKind::Write,
            2 => EffectKind::Allocate,
            _ => EffectKind::Other,
        };
        out.push((
            effect,
            match place {
                0.. => On::Operand(place as usize),
                -1 if resource == "Generator" => On::Generator,
                -1 => On::Anything,
                _ => On::Result((-2 - place) as usize),
            },
        ));
    }
    let mut out: Vec<(EffectKind, On)> = vec![];
    // SAFETY: the operation is live, and `add` gets the list for as long as the call.
    let says = unsafe { terrace_op_effects(op.to_raw(), add, (&raw mut out).cast()) };
    says.then_some(out)
}
