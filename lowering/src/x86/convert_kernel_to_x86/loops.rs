//! Which functions have loops of their own: those of a program that became no loop operations, which no pass
//! of ours has made vectors of. LLVM is asked to, by an attribute of the function; kernels need it not.

use melior::ir::{
    Attribute, OperationRef,
    attribute::{ArrayAttribute, StringAttribute},
};
use terrace_dialects::ir::{
    OperationLike, attributes, context,
    operations::{collect, collect_within, name_of},
    rewrite::set_attribute,
};

/// The attribute of an LLVM function whose loops LLVM optimizes.
const LOOPS: &str = "terrace-loops";

const NAMES: [&str; 5] = ["scf.for", "scf.while", "scf.parallel", "affine.for", "affine.parallel"];

/// Says so of a function.
pub(super) fn say(function: OperationRef) {
    let stores = |op: OperationRef| matches!(name_of(op), "memref.store" | "affine.store");
    let is_loop = |op: OperationRef| NAMES.contains(&name_of(op));
    let loops = collect_within(function, |op| !is_loop(op), is_loop);
    if !loops.iter().any(|op| !collect(*op, stores).is_empty()) {
        return;
    }
    let context = context::of(function.context());
    // A part of nothing else, which would have to be optimized with it.
    let said = function.attribute("passthrough").map(attributes::array).unwrap_or_default();
    let own: [Attribute; 2] = [LOOPS, "noinline"].map(|name| StringAttribute::new(context, name).into());
    let names = [&said[..], &own].concat();
    set_attribute(function, "passthrough", ArrayAttribute::new(context, &names).into());
}
