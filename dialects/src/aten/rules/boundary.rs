//! The boundary between storages and values: the same shape and dtype on both sides.

use super::{TensorType, Types};
use crate::ir::args::Args;

/// `graph.value`: a view's elements as a builtin tensor.
pub fn graph_value<'c>(args: &Args<'c, '_>) -> Types<'c> {
    super::one(&args.tensor(0)?.builtin())
}

/// `graph.fresh`: a builtin tensor in a new storage.
pub fn graph_fresh<'c>(args: &Args<'c, '_>) -> Types<'c> {
    super::one(&TensorType { graph: true, ..args.tensor(0)? })
}
