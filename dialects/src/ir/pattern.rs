//! Rewrite patterns with bodies in Rust.

use super::{diagnostics::emit_op, panics::guard, strings::string_ref};
use melior::ir::OperationRef;
use mlir_sys::*;
use std::ffi::c_void;

type PatternCall = unsafe extern "C" fn(MlirOperation, MlirRewriterBase, *const c_void) -> bool;

unsafe extern "C" {
    fn terrace_pattern_add(
        set: MlirRewritePatternSet,
        root: MlirStringRef,
        benefit: u32,
        context: MlirContext,
        call: PatternCall,
        data: *const c_void,
    );
}

/// A rewrite pattern's body: whether it changed the operation. Stateless, for it runs on several threads.
pub type PatternFn = fn(OperationRef, melior::RewriterBase) -> bool;

/// Adds a pattern on operations named `root` to a set.
///
/// # Safety
/// `set` must be a live pattern set of `context`.
pub unsafe fn add_pattern(set: MlirRewritePatternSet, context: MlirContext, root: &str, f: PatternFn) {
    unsafe extern "C" fn call(op: MlirOperation, rewriter: MlirRewriterBase, data: *const c_void) -> bool {
        // The pointer is the function itself, put there below.
        let f: PatternFn = unsafe { std::mem::transmute(data) };
        guard(|| {
            Ok(f(unsafe { OperationRef::from_raw(op) }, unsafe { melior::RewriterBase::from_raw(rewriter) }))
        })
        .unwrap_or_else(|m| {
            emit_op(op, &m);
            false
        })
    }
    unsafe { terrace_pattern_add(set, string_ref(root), 1, context, call, f as *const c_void) }
}
