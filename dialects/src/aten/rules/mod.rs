//! Rules: from operands and attributes to result types, in eager's words where they refuse.
//!
//! An operator states its rule once; verification, type inference and fake tensors ask the same function. Rules are
//! found by the name that an operation's `rule` gives in ODS. The `functional` form of an operator is explicit: equal
//! dtypes and shapes, no promotion, no broadcasting.

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

use crate::ir::{args::Args, dtype::Dtype, registry::InferFn};
use terrace_size::{Number, Size};

pub use crate::ir::types::{Made, SizedType as TensorType};

/// What an operator's results are: what its rule says, on the device that its operands ask for; an error for complex numbers where
/// it has none.
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

/// What a rule gives.
type Types<'c> = Result<Vec<Made<'c>>, String>;

/// A dimension of a tensor of `rank`, counted from the end where negative. A 0-dim tensor takes 0 and -1.
fn wrap_dim(dim: i64, rank: usize) -> Result<usize, String> {
    let n = (rank as i64).max(1);
    if dim < -n || dim >= n {
        return Err(format!(
            "Dimension out of range (expected to be in range of [{}, {}], but got {dim})",
            -n,
            n - 1
        ));
    }
    Ok(if dim < 0 { dim + n } else { dim } as usize)
}

/// Dimensions, wrapped; each at most once.
fn wrap_dims(dims: &[i64], rank: usize) -> Result<Vec<usize>, String> {
    let mut out = vec![];
    for dim in dims {
        let d = wrap_dim(*dim, rank)?;
        if out.contains(&d) {
            return Err(format!("dim {d} appears multiple times in the list of dims"));
        }
        out.push(d);
    }
    Ok(out)
}

/// The shape of both, broadcast. An unknown size goes along with any; against a size above 1 it must be that size.
fn broadcast(a: &[Size], b: &[Size]) -> Result<Vec<Size>, String> {
    let rank = a.len().max(b.len());
    let at = |s: &[Size], i: usize| if i + s.len() < rank { Size::ONE } else { s[i + s.len() - rank] };
    // Of several dimensions that do not match, the last is named.
    let mut shape = (0..rank)
        .rev()
        .map(|i| {
            let (x, y) = (at(a, i), at(b, i));
            // Against a known 1 there is nothing to ask.
            if y.known() == Some(1) {
                Ok(x)
            } else if x.known() == Some(1) {
                Ok(y)
            } else if x == y || y == 1 || y.is_unknown() && x != 1 {
                Ok(x)
            } else if x == 1 || x.is_unknown() {
                Ok(y)
            } else {
                Err(format!(
                    "The size of tensor a ({x}) must match the size of tensor b ({y}) at non-singleton dimension {i}"
                ))
            }
        })
        .collect::<Result<Vec<_>, _>>()?;
    shape.reverse();
    Ok(shape)
}

/// A kernel that has no code for a dtype.
fn not_implemented(kernel: &str, dtype: Dtype) -> String {
    format!("\"{kernel}\" not implemented for '{}'", dtype.aten_name())
}

/// What is wrong with operands, but where a tensor has no elements, of which eager asks no more. Whether it has any is asked where
/// something is wrong alone: of sizes that are not known the answer is a guard.
fn unless_empty(tensor: &TensorType, checked: Result<(), String>) -> Result<(), String> {
    match checked {
        Err(_) if tensor.elements() == Some(Size::ZERO) => Ok(()),
        checked => checked,
    }
}

/// Whether two sizes that have to be equal may be.
fn may_equal<N: Number>(a: N, b: N) -> bool {
    a.has_to_be(b) || a.is_unknown() || b.is_unknown()
}

fn may_equal_shapes(a: &[Size], b: &[Size]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| may_equal(*a, *b))
}

/// One result that has the type of `tensor`.
fn one<'c>(tensor: &TensorType<'c>) -> Types<'c> {
    Ok(vec![tensor.clone().into()])
}
