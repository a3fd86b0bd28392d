//! Rules: from operands and attributes to result types, in eager's words where they refuse.
//!
//! An operator states its rule once; verification, type inference and fake tensors ask the same function.
//! Rules are found by the name that an operation's `rule` gives in ODS. The `functional` form of an operator
//! is explicit: equal dtypes and shapes, no promotion, no broadcasting.

mod adaptive;
mod arranging;
mod attention;
mod backward;
mod bags;
mod boundary;
mod channel_norms;
mod clamping;
mod complex;
mod contractions;
mod convolution;
mod copies;
mod creation;
pub(crate) mod devices;
mod einsum;
mod elementary;
mod foreach;
mod fourier;
mod grouped;
mod image_gradients;
mod indexing;
mod losses;
mod metadata;
mod new_tensors;
mod norm_gradients;
mod normalization;
mod numbers;
mod ordering;
mod padding;
mod parameters;
mod pieces;
mod places;
mod pointwise;
mod pooling;
mod prims;
mod products;
mod random;
mod recurrent;
mod reductions;
mod regions;
mod reshaping;
mod resizing;
mod sampling;
mod scatters;
mod shapes;
mod tiles;
mod views;
mod volumes;

pub use adaptive::*;
pub use arranging::*;
pub use attention::*;
pub use backward::*;
pub use bags::*;
pub use boundary::*;
pub use channel_norms::*;
pub use clamping::*;
pub use complex::*;
pub use contractions::*;
pub use convolution::*;
pub use copies::*;
pub use creation::*;
pub use einsum::*;
pub use elementary::*;
pub use foreach::*;
pub use fourier::*;
pub use grouped::*;
pub use image_gradients::*;
pub use indexing::*;
pub use losses::*;
pub use metadata::*;
pub use new_tensors::*;
pub use norm_gradients::*;
pub use normalization::*;
pub use numbers::*;
pub use ordering::*;
pub use padding::*;
pub use parameters::*;
pub use pieces::*;
pub use places::*;
pub use pointwise::*;
pub use pooling::*;
pub use prims::*;
pub use products::*;
pub use random::*;
pub use recurrent::*;
pub use reductions::*;
pub use regions::*;
pub use reshaping::*;
pub use resizing::*;
pub use sampling::*;
pub use scatters::*;
pub use tiles::*;
pub use views::*;
pub use volumes::*;

use crate::ir::{args::Args, registry::InferFn};
use terrace_size::Size;

pub use crate::ir::types::{Inferred, SizedType as TensorType};
use shapes::*;

/// What an operator's results are: what its rule says, on the device that its operands ask for; an error for
/// complex numbers where it has none.
pub(crate) fn results<'c>(rule: InferFn, args: &Args<'c, '_>) -> Types<'c> {
    let device = devices::of_results(args)?;
    complex::looks_for_complex(args)?;
    let mut results = rule(args)?;
    complex::takes_complex(args)?;
    if !crate::aten::foreach::is_foreach(args.class()) {
        devices::put(&mut results, device);
    }
    Ok(results)
}
