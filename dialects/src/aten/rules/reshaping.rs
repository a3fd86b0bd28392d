//! What is a view or a copy, as strides decide: the type is the same either way.

use super::{
    Inferred, Size, TensorType, Types,
    views::{infer_size, shaped},
    wrap_dim,
};
use crate::ir::{args::Args, attributes as convert, types::Shape};

/// The same elements in another shape; one size may be -1.
pub fn reshape<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let shape = args.dynamic_ints("shape", 1)?;
    shaped(args, &infer_size(&shape, args.tensor(0)?.elements())?)
}

/// The product of sizes, where all are known.
fn product(sizes: &[Size]) -> Size {
    if sizes.iter().any(|size| size.is_unknown()) { Size::UNKNOWN } else { sizes.iter().product() }
}

/// The dimensions from `start_dim` to `end_dim` become one; a tensor without dimensions gets one.
pub fn flatten<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let mut shape = args.tensor(0)?.shape;
    let rank = shape.len();
    let (start, end) =
        (wrap_dim(args.int_or("start_dim", 0), rank)?, wrap_dim(args.int_or("end_dim", -1), rank)?);
    if start > end {
        return Err("flatten() has invalid args: start_dim cannot come after end_dim".into());
    }
    if rank == 0 {
        return shaped(args, &[Size::ONE]);
    }
    let joined = product(&shape[start..=end]);
    shape.splice(start..=end, [joined]);
    shaped(args, &shape)
}

/// One dimension.
pub fn ravel<'c>(args: &Args<'c, '_>) -> Types<'c> {
    shaped(args, &[product(&args.tensor(0)?.shape)])
}

/// The memory format must be one that tensors of this rank have.
pub(super) fn check_format(args: &Args, rank: usize) -> Result<(), String> {
    let Some(format) = args.attribute("memory_format").map(convert::string) else { return Ok(()) };
    let wanted = match format.as_str() {
        "contiguous_format" | "preserve_format" => return Ok(()),
        "channels_last" => 4,
        "channels_last_3d" => 5,
        _ => {
            return Err(format!(
                "memory_format is contiguous_format, preserve_format, channels_last or channels_last_3d, got {format}"
            ));
        }
    };
    if rank == wanted { Ok(()) } else { Err(format!("required rank {wanted} tensor to use {format} format")) }
}

/// The type of the operand, in a memory format.
pub fn contiguous<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    check_format(args, own.rank())?;
    super::one(&own)
}

/// [`contiguous`].
pub fn clone<'c>(args: &Args<'c, '_>) -> Types<'c> {
    contiguous(args)
}

/// In another dtype or on another device, where they are given.
pub fn to<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    check_format(args, own.rank())?;
    let dtype = args.dtype("dtype")?.unwrap_or(own.dtype);
    super::one(&own.with_dtype(dtype))
}

/// In the dtype and on the device of another tensor.
pub fn to_other<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, other) = (args.tensor(0)?, args.tensor(1)?);
    check_format(args, own.rank())?;
    Ok(vec![TensorType { dtype: other.dtype, ..own }.into()])
}

/// Each tensor along its own dimension of a grid.
pub fn meshgrid<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let tensors = args.tensors(0)?;
    let first = tensors.first().ok_or("meshgrid expects a non-empty TensorList")?;
    if let Some(wrong) = tensors.iter().find(|t| t.rank() > 1) {
        return Err(format!(
            "torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {}",
            Shape(&wrong.shape)
        ));
    }
    if tensors.iter().any(|t| t.dtype != first.dtype) {
        return Err("meshgrid expects all tensors to have the same dtype".into());
    }
    let mut shape: Vec<Size> =
        tensors.iter().map(|t| t.shape.first().copied().unwrap_or(Size::ONE)).collect();
    match args.attribute("indexing").map(convert::string).as_deref() {
        None | Some("ij") => {}
        Some("xy") if shape.len() > 1 => shape.swap(0, 1),
        Some("xy") => {}
        Some(other) => {
            return Err(format!(
                "torch.meshgrid: indexing must be one of \"xy\" or \"ij\", but received: {other}"
            ));
        }
    }
    Ok(vec![Inferred::from(first.with_shape(&shape)); tensors.len()])
}
