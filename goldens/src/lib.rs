//! Golden data: what eager PyTorch computes, and what graph makes of the same calls.
//!
//! `data/` has cases, one a line of JSON, that `./x goldens` draws from ATen's schemas and runs in PyTorch;
//! `generate/case.py` says what a line means. Here a [`case::Case`] becomes a function of the graph dialect,
//! by docs/operators.json and nothing else ([`program`]); the interpreter runs it, and results, strides,
//! aliasing, the contents of every storage and the words of every refusal are compared ([`check`]). Elements
//! are compared bit by bit but for the operators in [`bounds`]. What is known to differ stands in [`known`],
//! with its reason. [`bundles`] writes them for GPUs. [`fake`] holds fake tensors to the same cases,
//! [`devices`] to what PyTorch's are on devices. [`models`] are whole programs, imported.

pub mod bounds;
pub mod bundles;
pub mod case;
pub mod check;
pub mod devices;
pub mod fake;
pub mod known;
pub mod loops;
pub mod models;
pub mod operators;
pub mod program;
pub mod reference;
