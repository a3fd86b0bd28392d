//! Sizes, strides and offsets that may not be known yet.
//!
//! A [`Size`] is a number, unknown (`?` of a type), or an expression over symbols: it adds, multiplies and
//! compares like a number, so that a rule is written once for all three. What a comparison of expressions
//! finds may hold for some values of the symbols alone; then it is taken for granted and noted as a guard
//! ([`symbols`]). A rule thus runs as it would with the actual numbers, wherever the guards hold for them.
//!
//! Unknown sizes equal themselves and nothing else, and rules ask for them by name: they come of types, and a
//! rule that meets one says `?` for what depends on it.
//!
//! Source: the symbolic integers of PyTorch's `torch.fx.experimental.symbolic_shapes`.

pub mod answers;
pub mod arithmetic;
mod division;
mod expression;
mod guard;
mod number;
mod proof;
mod questions;
mod same;
mod size;
pub mod symbols;
#[cfg(test)]
mod tests;
mod text;
pub mod trials;

pub use number::Number;
pub use size::{DYNAMIC, Size};
