//! Operations that a program may go on with.
//!
//! Each function proposes one with operands from the pool, or new arguments where the pool has none that
//! would fit. Proposals need not be legal: the workbench tries them.

mod creation;
mod described;
mod indexing;
pub mod mutations;
mod parameters;
mod pointwise;
mod products;
pub mod random;
mod reductions;
pub mod rich;
pub mod views;

use crate::{
    elements::{elements, extent},
    workbench::{Candidate, Workbench},
};
use creation::{arange, factory, like};
use indexing::{cat, embedding, index};
use parameters::{activation, masked_fill, of_three};
use pointwise::{binary, comparison, conversion, copy_in_place, fill_in_place, unary, where_, with_number};
use products::{batch_product, convolution, linear, matrix_product};
use reductions::{cumulative, normalization, reduction};
use terrace_tensor::{Dtype, Scalar, Tensor};
use views::{alias, as_strided, clone, diagonal, expand, part, pieces, reorder, reshape, squeeze, unfold};

/// Proposes an operation; `None` where the pool has nothing for it.
pub type Propose = fn(&mut Workbench) -> Option<Candidate>;

/// What there is, and how often it is tried.
pub const OPERATIONS: &[(Propose, i64)] = &[
    (unary, 8),
    (binary, 12),
    (with_number, 8),
    (comparison, 5),
    (where_, 3),
    (conversion, 4),
    (copy_in_place, 8),
    (fill_in_place, 5),
    (reorder, 8),
    (part, 14),
    (pieces, 5),
    (reshape, 6),
    (expand, 4),
    (diagonal, 4),
    (unfold, 3),
    (as_strided, 4),
    (squeeze, 4),
    (alias, 1),
    (clone, 1),
    (factory, 3),
    (arange, 1),
    (like, 2),
    (matrix_product, 3),
    (batch_product, 2),
    (linear, 3),
    (convolution, 3),
    (cat, 3),
    (embedding, 2),
    (index, 3),
    (reduction, 6),
    (cumulative, 3),
    (normalization, 4),
    (activation, 4),
    (of_three, 4),
    (masked_fill, 3),
];

const END: i64 = i64::MAX;

fn op(text: String, operands: &[usize]) -> Option<Candidate> {
    Some(Candidate { text, operands: operands.to_vec(), ..Candidate::default() })
}

/// A tensor of the pool; later ones are likelier, so that chains grow.
fn pick(bench: &mut Workbench, wanted: impl Fn(&Tensor) -> bool) -> Option<usize> {
    let fitting: Vec<usize> = (0..bench.pool.len()).filter(|&n| wanted(&bench.pool[n].tensor)).collect();
    let last = fitting.len().checked_sub(1)? as i64;
    let (a, b) = (bench.random.between(0, last), bench.random.between(0, last));
    Some(fitting[a.max(b) as usize])
}

fn any(bench: &mut Workbench) -> Option<usize> {
    pick(bench, |_| true)
}

fn float(bench: &mut Workbench) -> Option<usize> {
    pick(bench, |tensor| tensor.dtype().is_float())
}

/// A tensor of some dtype and sizes: one that is there, or a new argument.
fn need(bench: &mut Workbench, dtype: Dtype, sizes: &[i64]) -> usize {
    let there = pick(bench, |tensor| tensor.dtype() == dtype && tensor.sizes() == sizes);
    match there.filter(|_| bench.random.percent(60)) {
        Some(number) => number,
        None => {
            let count = sizes.iter().product();
            let elements = elements(&mut bench.random, dtype, count);
            bench.fresh(dtype, sizes, elements)
        }
    }
}

fn name(bench: &Workbench, number: usize) -> String {
    bench.pool[number].name.clone()
}

fn ty(bench: &Workbench, number: usize) -> String {
    bench.pool[number].ty()
}

fn sizes(bench: &Workbench, number: usize) -> Vec<i64> {
    bench.pool[number].tensor.sizes().to_vec()
}

fn dtype(bench: &Workbench, number: usize) -> Dtype {
    bench.pool[number].tensor.dtype()
}

/// A dimension of a tensor, counted from either end.
fn dim(bench: &mut Workbench, number: usize) -> i64 {
    let rank = bench.pool[number].tensor.rank().max(1) as i64;
    bench.random.between(-rank, rank - 1)
}

/// The size of a dimension.
fn size(bench: &Workbench, number: usize, dim: i64) -> i64 {
    let sizes = bench.pool[number].tensor.sizes();
    let wrapped = if dim < 0 { dim + sizes.len() as i64 } else { dim };
    sizes.get(wrapped as usize).copied().unwrap_or(1)
}

/// `array<i64: 1, 2>`.
fn array(values: &[i64]) -> String {
    let values: Vec<_> = values.iter().map(i64::to_string).collect();
    if values.is_empty() { "array<i64>".to_owned() } else { format!("array<i64: {}>", values.join(", ")) }
}

/// A number as a constant: its name, type and line.
fn number(bench: &mut Workbench, floats: bool) -> (String, &'static str, String) {
    let name = bench.constant_name();
    if floats {
        let value = bench.random.choose(&[0.5, -0.5, 2.0, -1.0, 1.5, 0.0, 3.0, 0.1, -0.7]);
        let line = format!("{name} = arith.constant {value:?} : f64");
        (name, "f64", line)
    } else {
        let line = format!("{name} = arith.constant {} : i64", bench.random.between(-2, 4));
        (name, "i64", line)
    }
}

/// A trailing underscore, for the form in place, in one case of three.
fn form(bench: &mut Workbench) -> &'static str {
    if bench.random.percent(35) { "_" } else { "" }
}
