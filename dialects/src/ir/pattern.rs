//! Rewrite patterns with bodies in Rust.

use super::{diagnostics::emit_op, panics::guard, strings::string_ref};
use melior::{
    RewriterBase,
    ir::{Operation, OperationRef},
};
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
pub type PatternFn = fn(OperationRef, RewriterBase) -> bool;

/// Puts a new operation in the place of one.
pub fn replace(rewriter: RewriterBase, op: OperationRef, new: Operation) {
    // SAFETY: the rewriter, whose lifetime for the context is its own, is of the operation's context.
    let new = rewriter.insert(unsafe { Operation::from_raw(new.into_raw()) });
    rewriter.replace_op_with_operation(op, new);
}

/// Adds a pattern on operations named `root` to a set.
///
/// # Safety
/// `set` must be a live pattern set of `context`.
pub unsafe fn add_pattern(set: MlirRewritePatternSet, context: MlirContext, root: &str, f: PatternFn) {
    unsafe extern "C" fn call(op: MlirOperation, rewriter: MlirRewriterBase, data: *const c_void) -> bool {
        // SAFETY: the pointer is `f` of `add_pattern`, which C++ hands back as it was.
        let f: PatternFn = unsafe { std::mem::transmute(data) };
        guard(|| {
            // SAFETY: operation and rewriter are those that MLIR matches with, live during the call.
            Ok(f(unsafe { OperationRef::from_raw(op) }, unsafe { RewriterBase::from_raw(rewriter) }))
        })
        .unwrap_or_else(|m| {
            emit_op(op, &m);
            false
        })
    }
    // SAFETY: the caller promises set and context; C++ copies the name, and hands `f` to `call` alone.
    unsafe { terrace_pattern_add(set, string_ref(root), 1, context, call, f as *const c_void) }
}
