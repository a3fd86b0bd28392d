//! How a product is computed, where nobody has said it: the rows and columns of the sum that are held in
//! registers, and which factors are packed.

use super::words::Words;
use crate::kernel::tile_programs::{
    matmul::Matmul,
    nest::{Nest, usual},
    schedule::{ceil_div, power_of_two},
};
use melior::ir::{TypeLike, ValueLike};
use terrace_dialects::{
    ir::{pass::Failure, shaped::Shaped},
    ops::loop_,
};
use terrace_size::DYNAMIC;

/// How many times as much memory a packed factor may take as what it is computed from.
const MORE: i64 = 4;

/// Checks the options that say what a register tile has at most.
pub(crate) fn most(rows: i64, columns: i64) -> Result<(i64, i64), Failure> {
    let counts = [("dot-m", rows), ("dot-n", columns)];
    match counts.iter().find(|(_, value)| *value < 1) {
        Some((name, value)) => Err(format!("expects a {name} of 1 or more, got {value}").into()),
        None => Ok((rows, columns)),
    }
}

/// Rows and columns of a register tile: at most so many, of columns of 32 bits.
pub(crate) fn tile(product: &Matmul, most: (i64, i64)) -> [i64; 2] {
    let words = if product.element.is_f64() { 2 } else { 1 };
    let columns = (most.1 / words).max(1).min(power_of_two(usual(product.sizes[product.n()])));
    [rows(product.sizes[product.m()], most.0), columns]
}

/// The rows of a register tile: at most `most`, such that tiles come out even, if that does not make them too
/// small.
fn rows(size: i64, most: i64) -> i64 {
    if size == DYNAMIC {
        return most;
    }
    if size <= most {
        return size.max(1);
    }
    let least = ceil_div(most * 4, 7);
    let even = (least..=most).rev().find(|rows| size % rows == 0);
    even.unwrap_or_else(|| ceil_div(size, ceil_div(size, most)))
}

/// Whether a computed factor is packed. Where much fewer elements are read than there are in it (an outer
/// product, the windows of a convolution) it would only take up memory.
fn is_worth_packing(nest: &Nest, own: [usize; 2]) -> bool {
    let used = (0..nest.sizes.len()).filter(|d| own.contains(d) || nest.uses(*d));
    let packed = used.fold(1i64, |n, d| n.saturating_mul(usual(nest.sizes[d])));
    let loads = nest.body.iter().filter_map(|op| loop_::LoadOp::try_from(*op).ok());
    let mut sources = loads.filter_map(|load| Shaped::of(load.source().r#type()));
    sources.any(|source| source.elements().is_none_or(|n| packed / MORE <= n))
}

/// Where factors that would both be packed can be words of two bf16 along the inner dimension: whether the
/// left one is packed, which may be words as it lies.
pub(crate) fn pairs(product: &Matmul) -> Option<bool> {
    let inner = product.sizes[product.k()];
    let can = inner != DYNAMIC
        && inner % 2 == 0
        && [&product.lhs, &product.rhs].into_iter().all(Nest::is_widened)
        && packs_left(product)
        && packs_right(product);
    let along = [product.lhs.indices[product.m()], product.lhs.indices[product.k()]];
    can.then(|| Words::of(&product.lhs).is_none_or(|words| words.collides(along)))
}

/// Whether the left factor is packed; if its rows collide, where there are enough columns to pay for it.
pub(crate) fn packs_left(product: &Matmul) -> bool {
    let size = |d: usize| usual(product.sizes[d]);
    product.left().map_or(is_worth_packing(&product.lhs, [product.m(), product.k()]), |a| {
        !a.in_order() || a.collides() && size(product.k()) > 64 && size(product.n()) >= 128
    })
}

/// Whether the right factor is packed; if its rows collide, where a panel would not stay in the cache from
/// one tile of rows to the next.
pub(crate) fn packs_right(product: &Matmul) -> bool {
    let size = |d: usize| usual(product.sizes[d]);
    product.right().map_or(is_worth_packing(&product.rhs, [product.k(), product.n()]), |b| {
        let as_it_lies = b.in_order() && b.has_contiguous_rows();
        !as_it_lies || b.collides() && size(product.k()) > 256 && size(product.m()) >= 64
    })
}
