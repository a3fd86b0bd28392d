//! Programs as they are written, called with tensors: each call runs code that was compiled for what it
//! brings.
//!
//! ```
//! use melior::ir::Module;
//! use terrace_session::{Options, Session, context};
//! use terrace_tensor::{Dtype, Tensor, Value};
//!
//! let context = context();
//! let module = Module::parse(
//!     &context,
//!     "func.func @double(%x: !graph.tensor<?xf32>) -> !graph.tensor<?xf32> {
//!        %0 = graph.add %x, %x : !graph.tensor<?xf32>, !graph.tensor<?xf32>
//!        return %0 : !graph.tensor<?xf32>
//!      }",
//! )
//! .expect("the text is a module");
//! let session = Session::new(&context, Options::default());
//! let program = session.program(module);
//! let x = Tensor::from_elements(Dtype::F32, &[3], &[1.0, 2.0, 3.0])?;
//! let results = program.call("double", &[Value::from(x)])?;
//! let elements = results[0].as_tensor().expect("a tensor").to_vec();
//! assert_eq!(elements.iter().map(|x| x.to_f64()).collect::<Vec<_>>(), [2.0, 4.0, 6.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Memory of the caller's own is a tensor's by [`terrace_tensor::Storage::lent`]. Results that nobody had
//! before lie in memory that the code has allocated, without a copy; results that are views of arguments
//! share their storages.
//!
//! * a [`Session`] has the options; a [`Program`] is a module as it was written, and the variants that were
//!   compiled of it;
//! * [`signature`] is what a call says of its arguments: sizes, strides, which of them share a storage;
//! * [`specialize`] writes a signature into the function that is called: it goes down like any other then,
//!   and nothing of how its arguments lie is left open;
//! * [`lower`] takes it down the levels, and a [`Variant`] is the code, loaded;
//! * where a pass refuses the function the reference runs the call, with one warning that says why; with
//!   [`Fallback::Never`] that is the call's error.

mod diagnostics;
pub mod entry;
mod error;
pub mod lower;
mod options;
mod own_thread;
mod session;
pub mod signature;
pub mod specialize;
mod variant;

pub use diagnostics::{Diagnostic, listening, report, words};
pub use error::Error;
pub use lower::GpuCompiled;
pub use options::{Explain, Fallback, Gpu, Load, Look, LookAtCode, OpenSizes, Options};
pub use session::{Program, Session};
pub use terrace_dialects::ir::refusal::Reason;
pub use terrace_lowering::pipeline::Level;
pub use variant::{ReturnedMetadata, Same, Variant};

use melior::{Context, dialect::DialectRegistry};

/// A context with upstream's dialects and passes and ours.
pub fn context() -> Context {
    terrace_lowering::pipeline::register();
    let registry = DialectRegistry::new();
    terrace_dialects::register_upstream(&registry);
    terrace_dialects::register_dialects(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context
}
