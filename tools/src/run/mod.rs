//! Running an entry point: interpreted, or compiled and called.

mod compiled;
mod gpu;
mod lower;
mod recompile;

pub use compiled::{Compiled, ResultFacts, Same};
pub use gpu::compile_for;
pub(crate) use lower::or_eager;
pub use lower::{Lowered, compile, compile_at_random, target, to_llvm};

use crate::entry::Entry;
use melior::ir::Module;
use terrace_interpreter::Interpreter;
use terrace_tensor::Value;

/// Interprets an entry point; tensors among the arguments are written in place.
///
/// # Errors
/// The program refused; the diagnostic has been emitted.
pub fn interpret(module: &Module, entry: Entry, args: &[Value]) -> Result<Vec<Value>, String> {
    Interpreter::new(module).call(&entry.name(), args.to_vec()).map_err(|_| String::new())
}
