//! What changes sizes, strides or storage of a tensor object, where no view has the same rule.

use super::{Size, TensorType, Types, reshaping::check_format, views::shaped};
use crate::ir::{args::Args, attributes as convert};
use terrace_size::Number;

/// Sizes are not negative, and their product is a number.
fn check_sizes(sizes: &[Size]) -> Result<(), String> {
    let known = || sizes.iter().filter(|size| !size.is_unknown());
    if let Some(size) = known().find(|size| size.assume_lt(0)) {
        return Err(format!("numel: integer multiplication overflow: {size} is no size"));
    }
    match known().try_fold(Size::ONE, |product, size| product.checked_mul(size.assume_max(1))) {
        Some(_) => Ok(()),
        None => Err("numel: integer multiplication overflow".into()),
    }
}

fn resized<'c>(args: &Args<'c, '_>, sizes: &[Size]) -> Types<'c> {
    check_sizes(sizes)?;
    check_format(args, sizes.len())?;
    shaped(args, sizes)
}

/// The sizes as given.
pub fn resize<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let sizes = args.dynamic_ints("size", 1)?;
    check_sizes(&sizes)?;
    if args.attribute("memory_format").map(convert::string).as_deref() == Some("preserve_format") {
        return Err("Unsupported memory formatPreserve".into());
    }
    resized(args, &sizes)
}

/// The sizes of another tensor.
pub fn resize_as<'c>(args: &Args<'c, '_>) -> Types<'c> {
    resized(args, &args.tensor(1)?.shape)
}

/// The sizes of the source, or those that are given, in the dtype of both; without a source no elements.
pub fn set<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    let (offset, sizes) = (
        args.attribute("storage_offset").map(convert::i64),
        args.attribute("size").map(|_| args.sizes("size")).transpose()?,
    );
    let Some(source) = args.optional_tensor(1)? else {
        return match (offset, sizes) {
            (None, None) => shaped(args, &[Size::ZERO]),
            _ => Err("has an offset or sizes but no source whose storage they are of".into()),
        };
    };
    if source.dtype != own.dtype {
        return Err(format!(
            "Could not set tensor of type {} to a tensor of type {}",
            source.dtype.c_name(),
            own.dtype.c_name()
        ));
    }
    match (offset, sizes) {
        (None, None) => shaped(args, &source.shape),
        (Some(offset), Some(sizes)) => part(args, &own, offset, &sizes),
        _ => Err("expects an offset with sizes, or neither".into()),
    }
}

fn part<'c>(args: &Args<'c, '_>, own: &TensorType<'c>, offset: i64, sizes: &[Size]) -> Types<'c> {
    let strides = args.optional_ints("stride").unwrap_or_default();
    if !strides.is_empty() && strides.len() != sizes.len() {
        return Err(format!("unequal size length ({}) and stride length ({})", sizes.len(), strides.len()));
    }
    check_sizes(sizes)?;
    if offset < 0 {
        return Err(format!("Tensor: invalid storage offset {offset}"));
    }
    if strides.iter().any(|stride| *stride < 0) {
        return Err(format!(
            "as_strided: Negative strides are not supported at the moment, got strides: {strides:?}"
        ));
    }
    Ok(vec![own.with_shape(sizes).into()])
}
