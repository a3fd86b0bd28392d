//! Sizes, strides and offsets that may not be known yet.
//!
//! A [`Size`] is a number, unknown (`?` of a type), or an expression over symbols: it adds and multiplies
//! like a number, so that a rule is written once for all three. It has no `==` and no `<`: a rule says
//! whether it asks or assumes. [`Size::is_same`] and [`Size::is_at_most`] ask what is known.
//! [`Number::assume_eq`], [`Number::assume_le`] and their like always have an answer: where it holds for some
//! values of the symbols alone it is an assumption, which is noted as a guard ([`symbols`]). A rule thus runs
//! as it would with the actual numbers, wherever the guards hold for them.
//!
//! ```text
//! if n.assume_eq(1) { ... }    // n = s0: assumes that s0 is not 1, and notes the guard s0 != 1
//! if n.is_same(m) { ... }      // holds where n and m are one expression; notes nothing
//! ```
//!
//! Expressions are numbers of a table of the thread, as interned strings are: arithmetic finds it there.
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

pub use number::{Number, sort_where};
pub use size::{DYNAMIC, Size};
