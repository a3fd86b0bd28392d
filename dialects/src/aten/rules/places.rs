//! Elements put and taken at places among all of them, and where a mask holds.

use super::{TensorType, Types, broadcast, copies::expands_to, one, scatters::scatter};
use crate::ir::{args::Args, attributes as convert, dtype::Dtype};
use terrace_size::Number;

fn check_reduce(args: &Args) -> Result<(), String> {
    match args.attribute("reduce").map(convert::string).as_deref() {
        Some("add" | "multiply") => Ok(()),
        _ => Err("reduce argument must be either add or multiply.".into()),
    }
}

/// `scatter` that adds or multiplies.
pub fn scatter_by<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let types = scatter(args);
    // Of the mistakes that are left only a number's is found later.
    if types.as_ref().map_or_else(|e| e.starts_with("value cannot be converted"), |_| true) {
        check_reduce(args)?;
    }
    types
}

/// [`scatter_by`] into `self`.
pub fn scatter_by_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    scatter_by(args)
}

fn check_source(own: &TensorType, source: &TensorType) -> Result<(), String> {
    if own.dtype == source.dtype {
        return Ok(());
    }
    Err(format!(
        "masked_scatter: expected self and source to have same dtypes but got{} and {}",
        own.dtype.aten_name(),
        source.dtype.aten_name()
    ))
}

fn check_mask(mask: &TensorType) -> Result<(), String> {
    if mask.dtype == Dtype::Bool {
        return Ok(());
    }
    Err(format!(
        "masked_scatter_ only supports boolean masks, but got mask with dtype {}",
        mask.dtype.aten_name()
    ))
}

/// The dtype of `self` in the shape of it and the mask.
pub fn masked_scatter<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, mask, source) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    let shape = broadcast(&mask.shape, &own.shape)?;
    check_source(&own, &source)?;
    check_mask(&mask)?;
    one(&own.with_shape(&shape))
}

/// The type of `self`, to which the mask expands.
pub fn masked_scatter_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, mask, source) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    check_source(&own, &source)?;
    expands_to(&mask, &own.shape)?;
    check_mask(&mask)?;
    one(&own)
}

/// The type of `self`; an element of the source for each index.
pub fn put<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, index, source) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    if index.dtype != Dtype::I64 {
        return Err(format!("put_(): Expected a long tensor for index, but got {}", index.dtype.aten_name()));
    }
    if own.dtype != source.dtype {
        return Err(format!(
            "put_(): self and source expected to have the same dtype, but got self.dtype = {} and source.dtype = {}",
            own.dtype.aten_name(),
            source.dtype.aten_name()
        ));
    }
    if let (Some(elements), Some(count)) = (source.elements(), index.elements())
        && elements.assume_ne(count)
    {
        return Err(format!(
            "put_(): Expected source and index to have the same number of elements, but got source.numel() = {elements}, \
             index.numel() = {count}"
        ));
    }
    if own.is_empty() && source.elements().is_some_and(|n| n.assume_gt(0)) {
        return Err("put_(): Tried to put elements into an empty tensor".into());
    }
    one(&own)
}

/// [`put`] into `self`.
pub fn put_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    put(args)
}

/// The shape of the indices.
pub fn take<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, index) = (args.tensor(0)?, args.tensor(1)?);
    if index.dtype != Dtype::I64 {
        return Err(format!("take(): Expected a long tensor for index, but got {}", index.dtype.aten_name()));
    }
    if own.is_empty() && index.elements().is_some_and(|n| n.assume_gt(0)) {
        return Err("take(): tried to take from an empty tensor".into());
    }
    one(&own.with_shape(&index.shape))
}
