//! Tile programs on vectors: the part of a target that is the same for all.
//!
//! The body of a kernel is written again, operation by operation, with vectors for tiles. On a processor a
//! tile is in the registers of one thread; on a GPU it is spread over the threads of a block, each of which
//! does the same with its share. The files: [`tile`] is how a tile lies in vectors, [`share`] how it lies in
//! threads, [`threads`] what these exchange, [`order`] what keeps them in step, [`body`] goes through the
//! operations, [`access`] has loads and stores, [`strided`] those of lanes a few elements apart,
//! [`transpose`] turns blocks in registers, [`gather`] gathers and scatters, [`buffer`] where elements are in
//! memory, [`lanes`] which lanes of a vector are there, [`combine`] reductions and products, [`pairs`] those
//! of words of two bf16, [`scan`] scans, [`scratch`] memory that a kernel has for itself.

mod access;
mod alignment;
pub(crate) mod body;
mod buffer;
mod combine;
mod combiner;
mod gather;
pub(crate) mod lanes;
mod later;
pub(crate) mod order;
mod pairs;
mod scan;
pub(crate) mod scratch;
mod share;
mod steps;
mod strided;
pub(crate) mod threads;
pub(crate) mod tile;
mod transpose;

use melior::ir::ValueLike;
use terrace_dialects::ir::{
    OperationLike, attributes,
    cursor::V,
    operations::{self, name_of},
};

/// The integer that a value is, where a constant makes it.
pub(crate) fn known(value: V) -> Option<i64> {
    use melior::ir::AttributeLike;
    // The conversion would print what it refuses, and that verifies what is half written.
    if value.is_block_argument() {
        return None;
    }
    let op = operations::definition(value)?;
    let value = op.attribute("value").ok().filter(|_| name_of(op) == "arith.constant")?;
    value.is_integer().then(|| attributes::i64(value))
}
