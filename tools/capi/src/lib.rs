//! The C interface, for compilers that have Terrace as a stage and for programs that call what it compiles.
//!
//! Headers in `include/terrace-c`: `Register.h` ([`register`]), `Passes.h` (a function for each pass,
//! generated from the .td files), and `Session.h` ([`error`], [`tensor`], [`session`]). No panic leaves the
//! library: it is an error of the call.
//!
//! The library links libMLIR.so as its user does, so that both speak of the same contexts, types and passes.

#![allow(non_snake_case)] // as names in MLIR's C interface are

pub mod error;
pub mod register;
pub mod session;
pub mod tensor;

terrace_passes::export_passes!();
terrace_lowering::export_passes!();
