//! Numbers out of tensors: `item`, sizes and strides.

use super::{Types, wrap_dim};
use crate::ir::{
    args::Args,
    dtype::{Dtype, ElementType},
};
use terrace_size::Number;

/// The only element, or the first one, in the widest type of its category.
pub fn item<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    match own.elements() {
        Some(elements) if args.operator() == "item" && !super::may_equal(elements, 1.into()) => {
            return Err(format!("a Tensor with {elements} elements cannot be converted to Scalar"));
        }
        Some(elements) if elements.assume_eq(0) => {
            return Err("_local_scalar_dense: Empty tensor not supported".into());
        }
        _ => {}
    }
    Ok(vec![own.dtype.widest().to_type(args.context()).into()])
}

fn i64<'c>(args: &Args<'c, '_>) -> Types<'c> {
    Ok(vec![Dtype::I64.to_type(args.context()).into()])
}

/// Of a dimension; a 0-dim tensor has none.
pub fn sym_size<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (rank, dim) = (args.tensor(0)?.rank(), args.int("dim")?);
    if rank == 0 {
        return Err(format!("Dimension specified as {dim} but tensor has no dimensions"));
    }
    wrap_dim(dim, rank)?;
    i64(args)
}

/// Of a whole tensor.
pub fn sym_number<'c>(args: &Args<'c, '_>) -> Types<'c> {
    args.tensor(0)?;
    i64(args)
}
