//! What is said of a program, at a location or at an operation: errors, warnings, remarks.

use super::{
    OperationLike,
    strings::{string_ref, text},
};
use melior::ir::Location;
use mlir_sys::*;
use std::ffi::CString;

unsafe extern "C" {
    fn terrace_emit_warning(location: MlirLocation, message: MlirStringRef);
    fn terrace_emit_remark(location: MlirLocation, message: MlirStringRef);
    fn terrace_remarks_are_wanted(context: MlirContext) -> bool;
    fn terrace_optimization_remark(
        location: MlirLocation,
        done: bool,
        name: MlirStringRef,
        category: MlirStringRef,
        message: MlirStringRef,
    );
}

/// Emits an error at a location.
pub fn emit(location: Location, message: &str) {
    emit_raw(location.to_raw(), message);
}

pub(crate) fn emit_raw(location: MlirLocation, message: &str) {
    if !location.ptr.is_null() {
        let message = CString::new(message.replace('\0', " ")).expect("no zeros are left");
        // SAFETY: the location is one of a live context, and the message ends in a zero and is read here.
        unsafe { mlirEmitError(location, message.as_ptr()) }
    }
}

pub(crate) fn emit_op(op: MlirOperation, message: &str) {
    // SAFETY: the operation is live: it is what C++ asks about, or what the caller borrows.
    unsafe {
        let name = text(mlirIdentifierStr(mlirOperationGetName(op)));
        emit_raw(mlirOperationGetLocation(op), &format!("'{name}' op {message}"));
    }
}

/// Emits `'NAME' op MESSAGE` at an operation.
pub fn emit_op_error<'c: 'a, 'a>(op: &impl OperationLike<'c, 'a>, message: &str) {
    emit_op(op.to_raw(), message);
}

/// Emits `'NAME' op MESSAGE` at an operation, as a warning: the program is right, but not all of it is done.
pub fn emit_op_warning<'c: 'a, 'a>(op: &impl OperationLike<'c, 'a>, message: &str) {
    // SAFETY: the caller borrows the operation; C++ copies the message.
    unsafe {
        let name = text(mlirIdentifierStr(mlirOperationGetName(op.to_raw())));
        let message = format!("'{name}' op {message}");
        terrace_emit_warning(mlirOperationGetLocation(op.to_raw()), string_ref(&message));
    }
}

/// Emits `'NAME' op MESSAGE` at an operation, as a remark: what a pass found out.
pub fn emit_op_remark<'c: 'a, 'a>(op: &impl OperationLike<'c, 'a>, message: &str) {
    // SAFETY: the caller borrows the operation; C++ copies the message.
    unsafe {
        let name = text(mlirIdentifierStr(mlirOperationGetName(op.to_raw())));
        let message = format!("'{name}' op {message}");
        terrace_emit_remark(mlirOperationGetLocation(op.to_raw()), string_ref(&message));
    }
}

/// Reports a decision as an optimization remark of a category, of what was done or of what was not and why:
/// upstream's `--remarks-filter` shows it. Its text is made only where somebody listens.
pub fn optimization_remark<'c: 'a, 'a>(
    op: &impl OperationLike<'c, 'a>,
    category: &str,
    name: &str,
    done: bool,
    message: impl FnOnce() -> String,
) {
    // SAFETY: the caller borrows the operation; C++ copies the strings.
    unsafe {
        if terrace_remarks_are_wanted(mlirOperationGetContext(op.to_raw())) {
            let location = mlirOperationGetLocation(op.to_raw());
            let message = message();
            terrace_optimization_remark(
                location,
                done,
                string_ref(name),
                string_ref(category),
                string_ref(&message),
            );
        }
    }
}
