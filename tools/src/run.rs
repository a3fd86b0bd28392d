//! Running a function: by the reference, or compiled for one call.

use melior::{Context, ir::Module};
use terrace_interpreter::Interpreter;
use terrace_session::{Error, Options, Session, entry::Entry};
use terrace_tensor::Value;

/// Interprets a function; tensors among the arguments are written in place.
///
/// # Errors
/// The program refused; the diagnostic has been emitted.
pub fn interpret(module: &Module, entry: Entry, args: &[Value]) -> Result<Vec<Value>, String> {
    Interpreter::new(module).call(&entry.name(), args.to_vec()).map_err(|_| String::new())
}

/// Compiles a function for a call, and makes it.
///
/// # Errors
/// What the session says.
pub fn compiled<'c>(
    context: &'c Context,
    module: Module<'c>,
    entry: &str,
    args: &[Value],
    options: Options,
) -> Result<Vec<Value>, Error> {
    Session::new(context, options).program(module).call(entry, args)
}

/// What a tool says of an error: diagnostics are printed as they are, and nothing is left to say.
pub fn message(error: Error) -> String {
    match error {
        Error::Refused(_) | Error::Argument { .. } => {
            eprintln!("{error}");
            String::new()
        }
        other => other.to_string(),
    }
}
