//! The pass `add-call-context`: functions of the LLVM dialect get the context of the call, and leave at its
//! first error.
//!
//! Contract: a module in the LLVM dialect whose functions call the runtime (`runtime/rt`) without a context.
//! Services of the runtime take the context first; [`services`] lists them. With `entries` every function
//! that comes to need it takes it, handed down from the C interface of its entry points ([`functions`],
//! [`arguments`], [`calls`]), and behind a call that can fail stands a test of its first word, the error: a
//! function leaves then ([`exits`]), with poison as its results, and what it has allocated is in the
//! context's list. Without it services get null: their errors end the process, so that there is nothing to
//! test.
//!
//! Both are linear in the module: what needs a context and what can fail is handed up the calls once, and
//! blocks are cut from their ends.

mod arguments;
mod calls;
mod exits;
mod functions;
mod services;

use crate::llvm::C_INTERFACE;
use arguments::add_argument;
use calls::Writer;
use functions::{Call, Callee, Function, Functions};
use melior::ir::{OperationRef, RegionLike};
use services::Kind;
use terrace_dialects::ir::{BlockLike, OperationLike, cursor::Cursor, pass::Failure};

/// Adds contexts to the functions of a module.
pub fn run(module: OperationRef, options: &crate::options::AddCallContext) -> Result<(), Failure> {
    let functions = Functions::of(module)?;
    // A body that threads run takes a context in any case, as the runtime calls it.
    let bodies = functions.bodies.iter().copied();
    let takes = if options.entries {
        let asks = |function: &Function| {
            let is_service = |call: &Call| matches!(call.to, Callee::Service(..));
            function.name.starts_with(C_INTERFACE) || function.calls.iter().any(is_service)
        };
        functions.and_callers(functions.having(asks).chain(bodies))
    } else {
        let mut takes = vec![false; functions.all.len()];
        bodies.for_each(|body| takes[body] = true);
        takes
    };
    let fails = {
        let can = |call: &Call| match call.to {
            Callee::Service(_, Kind::Runs, None) => true,
            Callee::Service(_, kind, _) => matches!(kind, Kind::Fails | Kind::Reports),
            Callee::Own(_) => false,
        };
        functions.and_callers(functions.having(|function| function.calls.iter().any(can)))
    };
    let Some(first) = module.region(0)?.first_block().and_then(|block| block.first_operation()) else {
        return Ok(());
    };
    let mut writer = Writer::new(Cursor::before(first)?);
    for (number, function) in functions.all.iter().enumerate() {
        let context = if takes[number] { Some(add_argument(function)?) } else { None };
        // Whether each can fail, by its number.
        let mut calls = vec![];
        for call in &function.calls {
            let (op, can) = match call.to {
                Callee::Own(own) if takes[own] => (writer.call(call.op, None, context)?, fails[own]),
                Callee::Own(own) => (call.op, fails[own]),
                Callee::Service(name, kind, body) => {
                    let can = match kind {
                        Kind::Sure => false,
                        Kind::Fails | Kind::Reports => true,
                        Kind::Runs => body.is_none_or(|body| fails[body]),
                    };
                    (writer.call(call.op, Some((name, kind)), context)?, can)
                }
            };
            if can {
                calls.push((op, call.to));
            }
        }
        if let (true, Some(context)) = (options.entries, context) {
            writer.leave(function, context, &calls)?;
        }
    }
    writer.declare(module)
}
