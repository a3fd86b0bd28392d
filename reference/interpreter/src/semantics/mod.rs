//! What each operator means in eager PyTorch, on strided storages.
//!
//! Plain functions over tensors, numbers and lists of integers; no IR, and nothing shared with the compiler,
//! for which this is the oracle. Clear before fast. Named after ATen's operators; a trailing underscore
//! writes its first operand.
//!
//! # Operands
//!
//! Sizes, dtypes and numbers are such that the operator's shape rule (`dialects/src/aten/rules`) takes them:
//! the rule states what is refused, before a program runs and, of what is known only then, when it runs. What
//! is left to refuse here are the elements of a tensor (an index out of range), strides, and memory that
//! cannot be had.
//!
//! # Numbers
//!
//! Integers wrap. A float operator computes in f64 and rounds its result once to the dtype of the result
//! (half precisions by way of f32), a complex one that of each part, transcendental functions, sums and
//! products included: results are at least as close to the exact ones as those of any implementation that
//! works in the dtype itself. Beside each float stands a bound on how far a reasonable implementation may be
//! from it, see [`real`].
//!
//! # Layout
//!
//! A result has the strides that eager gives it, see [`strides`].

pub mod aliasing;
pub mod arranging;
pub mod attention;
pub mod attention_backward;
pub mod backward;
pub mod bags;
pub mod channel_norms;
pub mod clamping;
pub mod combine;
pub mod complex;
pub mod contractions;
pub mod convolution;
pub mod convolutions;
pub mod copy;
pub mod creation;
pub mod einsum;
pub mod elementary;
pub(crate) mod elements;
mod error;
pub mod flat;
pub mod fourier;
pub mod grouped;
pub mod image_gradients;
pub mod indexing;
pub mod losses;
pub mod matmul;
pub mod metadata;
pub mod norm_gradients;
pub mod normalization;
pub mod ordering;
pub mod overlap;
pub mod padding;
pub mod parts;
pub mod places;
pub mod pointwise;
pub mod pooling;
pub mod prims;
mod promotion;
pub mod random;
pub mod real;
pub mod recurrent;
pub mod reduction;
pub mod reshaping;
pub mod sampling;
pub mod scalar_table;
pub mod scatter;
mod shape;
pub mod split;
pub mod statistics;
pub mod strides;
mod term;
pub mod views;
pub mod windows;

pub use error::{Error, Result};
pub use promotion::{Operand, can_cast, promote, result_dtype};
