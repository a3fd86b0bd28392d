//! Random programs: the interpreter against every level below, and compiled code.
//!
//! A seed makes a [`program::Program`] of the graph dialect with its inputs ([`generate`]): views and views
//! of views, in-place operators through them, inputs that share storages, results that alias inputs and each
//! other. The interpreter runs it by eager's semantics; then the program goes down level by level, is
//! interpreted again at each and compiled at the end ([`straight`]), or, with control flow, pass by pass
//! ([`chain`]). Results, aliasing and the contents of every storage must agree, floats within the bounds that
//! the interpreter carried along. One loop runs programs at all levels, makes those that do not agree smaller
//! ([`shrink`]) and keeps them ([`campaign`]).
//!
//! Calls that do not fit are another matter: [`hostile`]. So are files that are no good: [`damaged`], and
//! programs of other compilers, which upstream's passes run beside ours: [`foreign`].
//!
//! Whatever the seed makes, it makes again: nothing here depends on time, threads or addresses.

pub mod campaign;
pub mod chain;
pub mod check;
pub mod damaged;
mod decisions;
pub mod deferred;
pub mod dtypes;
pub mod elements;
pub mod fake;
mod flow;
pub mod foreign;
pub mod generate;
pub mod hostile;
mod operators;
pub mod program;
pub mod rich;
pub mod shrink;
pub mod specialize;
mod statistics;
pub mod straight;
pub mod typing;
mod watched;
mod workbench;
