//! A compiled program as a folder that runs where there is neither MLIR nor LLVM: a [`Bundle`].
//!
//! It has the code of the kernels for some architectures, the host's side as a shared library, what the
//! program is called with ([`Generated`]: numbers that both sides make from a hash) and what comes of it
//! ([`Expected`]). `terrace-compile --emit=bundle` writes it, `terrace-gpu-run` checks and times it:
//! [`check`] with poisoned memory and guard zones ([`Guarded`]), [`time`] on buffers that rotate beyond the
//! cache, beside what the card can do ([`Limits`]).

mod bundle;
mod error;
mod expected;
mod generated;
mod guarded;
mod json;
mod limits;
mod run;

pub use bundle::{Bundle, CodeFor, EMULATED, Work};
pub use error::BundleError;
pub use expected::{Expected, Place};
pub use generated::{Generated, STEP, generate, hash};
pub use guarded::{Guarded, Guards};
pub use limits::Limits;
pub use run::{Timing, bytes, check, counts, open, time};
