//! Means and largest elements of windows as even as they come, one for each element of the result, and their
//! gradients.

use super::{
    Size, TensorType, Types, may_equal_shapes, not_implemented, one,
    pooling::{gradient_of_places, row_images},
};
use crate::ir::{args::Args, dtype::Dtype, types::Shape};
use terrace_size::Number;

const ADAPTIVE: &str = "adaptive_avg_pool2d";

fn adapted<'c>(own: &TensorType<'c>, output: &[Size]) -> Result<TensorType<'c>, String> {
    if output.len() != 2 {
        return Err(format!("{ADAPTIVE}: output_size must be 2"));
    }
    if !(3..=4).contains(&own.rank()) {
        return Err(format!("{ADAPTIVE}(): Expected 3D or 4D tensor, but got {}", Shape(&own.shape)));
    }
    let lead = own.rank() - 2;
    if let Some(d) = (lead..own.rank()).find(|d| own.shape[*d].assume_eq(0)) {
        return Err(format!(
            "{ADAPTIVE}(): Expected input to have non-zero size for non-batch dimensions, but input has sizes {} with dimension {d} being empty",
            Shape(&own.shape)
        ));
    }
    if output.iter().any(|n| n.assume_lt(0)) {
        return Err("numel: integer multiplication overflow".into());
    }
    let made = own.with_shape(&[&own.shape[..lead], output].concat());
    // Eager looks for no kernel where there is nothing to compute.
    if !own.dtype.is_float() && !made.shape.iter().any(|size| size.assume_eq(0)) {
        return Err(not_implemented(ADAPTIVE, own.dtype));
    }
    Ok(made)
}

fn not_negative(output: &[Size]) -> Result<(), String> {
    if output.len() == 2 && output.iter().any(|n| n.assume_lt(0)) {
        return Err(format!(
            "{ADAPTIVE}: elements of output_size must be greater than or equal to 0 but received {{{}, {}}}",
            output[0], output[1]
        ));
    }
    Ok(())
}

/// Means of as many windows as the output has elements. One of them is a mean of all, of which eager asks
/// less.
pub fn adaptive_avg_pool2d<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, output) = (args.tensor(0)?, args.sizes("output_size")?);
    if args.operator() == "_adaptive_avg_pool2d" {
        return one(&adapted(&own, &output)?);
    }
    if output.len() != 2 {
        return Err(format!("{ADAPTIVE}: output_size must be 2"));
    }
    not_negative(&output)?;
    if Size::assume_same(&output, &[Size::ONE; 2]) && own.rank() >= 2 {
        if !own.dtype.is_inexact() {
            return Err(format!(
                "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: {}",
                own.dtype.aten_name()
            ));
        }
        return one(&own.with_shape(&[&own.shape[..own.rank() - 2], &[Size::ONE; 2]].concat()));
    }
    one(&adapted(&own, &output)?)
}

/// [`adaptive_avg_pool2d`] of images of one row.
pub fn adaptive_avg_pool1d<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = row_images(args, "adaptive_avg_pool1d")?;
    let output = args.sizes("output_size")?;
    let [length] = output.as_slice() else {
        return Err(format!(
            "adaptive_avg_pool1d() argument 'output_size' should contain one int (got {})",
            output.len()
        ));
    };
    not_negative(&[Size::ONE, *length])?;
    let mut shape = own.shape.clone();
    let rank = shape.len();
    if length.assume_eq(1) && own.dtype.is_inexact() {
        shape[rank - 1] = Size::ONE;
    } else if length.assume_eq(1) {
        return Err(format!(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: {}",
            own.dtype.aten_name()
        ));
    } else {
        shape = adapted(&own, &[Size::ONE, *length])?.shape;
    }
    shape.remove(rank - 2);
    one(&own.with_shape(&shape))
}

const ADAPTIVE_3D: &str = "adaptive_avg_pool3d";

/// Means of as many windows as the output has elements, over volumes. One of them is a mean of all, of which
/// eager asks less.
pub fn adaptive_avg_pool3d<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, output) = (args.tensor(0)?, args.sizes("output_size")?);
    if output.len() != 3 {
        return Err(format!("{ADAPTIVE_3D}: output_size must be 3"));
    }
    if output.iter().any(|n| n.assume_lt(0)) {
        return Err(format!(
            "{ADAPTIVE_3D}: elements of output_size must be greater than or equal to 0 but received {{{}, {}, {}}}",
            output[0], output[1], output[2]
        ));
    }
    if args.operator() == ADAPTIVE_3D && Size::assume_same(&output, &[Size::ONE; 3]) && own.rank() >= 3 {
        if !own.dtype.is_inexact() {
            return Err(format!(
                "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: {}",
                own.dtype.aten_name()
            ));
        }
        return one(&own.with_shape(&[&own.shape[..own.rank() - 3], &[Size::ONE; 3]].concat()));
    }
    if let Some(d) = (1..own.rank()).find(|d| own.shape[*d].assume_eq(0)) {
        return Err(format!(
            "{ADAPTIVE_3D}(): Expected input to have non-zero size for non-batch dimensions, but input has sizes {} with dimension {d} being empty",
            Shape(&own.shape)
        ));
    }
    if !(4..=5).contains(&own.rank()) {
        return Err(format!("{ADAPTIVE_3D}(): Expected 4D or 5D tensor, but got {}", Shape(&own.shape)));
    }
    let made = own.with_shape(&[&own.shape[..own.rank() - 3], &output].concat());
    if !own.dtype.is_float() {
        return Err(not_implemented("adaptive_avg_pool3d_cpu", own.dtype));
    }
    one(&made)
}

/// The type of `self`; the gradient is of other images of as many channels.
pub fn adaptive_avg_pool2d_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (grad, own) = (args.tensor(0)?, args.tensor(1)?);
    let name = "adaptive_avg_pool2d_backward";
    if !(3..=4).contains(&own.rank()) || grad.rank() != own.rank() {
        return Err(format!("{name}(): Expected 3D or 4D tensor, but got {}", Shape(&own.shape)));
    }
    let lead = own.rank() - 2;
    if let Some(d) = (1..grad.rank()).find(|d| grad.shape[*d].assume_eq(0)) {
        return Err(format!(
            "{name}(): Expected grad_output to have non-zero size for non-batch dimensions, but grad_output has sizes {} with dimension {d} being empty",
            Shape(&grad.shape)
        ));
    }
    if own.dtype != grad.dtype {
        return Err(format!(
            "{name}_out_cpu_template: Expected dtype {} for `grad_output` but got dtype {}",
            own.dtype.c_name(),
            grad.dtype.c_name()
        ));
    }
    if !may_equal_shapes(&grad.shape[..lead], &own.shape[..lead]) {
        return Err(format!("expects a gradient for each image, got {}", Shape(&grad.shape)));
    }
    if !own.dtype.is_float() {
        return Err(not_implemented(name, own.dtype));
    }
    one(&own)
}

/// Images or volumes, by their number of dimensions in words of eager.
fn ranks(dims: usize) -> String {
    format!("{}D or {}D", dims + 1, dims + 2)
}

/// No dimension of a tensor but the first is empty.
fn not_empty(name: &str, what: &str, of: &TensorType) -> Result<(), String> {
    match (1..of.rank()).find(|d| of.shape[*d].assume_eq(0)) {
        Some(d) => Err(format!(
            "{name}(): Expected {what} to have non-zero size for non-batch dimensions, but {what} has sizes {} with dimension {d} being empty",
            Shape(&of.shape)
        )),
        None => Ok(()),
    }
}

/// The largest elements over the last `dims` dimensions of a tensor, and their places in their images.
fn largest<'c>(own: &TensorType<'c>, output: &[Size], dims: usize) -> Result<[TensorType<'c>; 2], String> {
    let name = format!("adaptive_max_pool{dims}d");
    if own.rank() != dims + 1 && own.rank() != dims + 2 {
        return Err(format!("{name}(): Expected {} tensor, but got: {}", ranks(dims), Shape(&own.shape)));
    }
    not_empty(&name, "input", own)?;
    if output.len() != dims {
        return Err(format!("{name}(): internal error: output_size.size() must be {dims}"));
    }
    let made = own.with_shape(&[&own.shape[..own.rank() - dims], output].concat());
    if let Some(size) = output.iter().find(|size| size.assume_lt(0)) {
        return Err(format!(
            "Trying to create tensor with negative dimension {size}: {}",
            Shape(&made.shape)
        ));
    }
    if !own.dtype.is_float() {
        return Err(not_implemented(&format!("{name}{}", if dims == 3 { "_cpu" } else { "" }), own.dtype));
    }
    let places = made.with_dtype(Dtype::I64);
    Ok([made, places])
}

/// The largest elements of as many windows as the output has elements, and their places in their images.
pub fn adaptive_max_pool2d<'c>(args: &Args<'c, '_>) -> Types<'c> {
    Ok(largest(&args.tensor(0)?, &args.sizes("output_size")?, 2)?.map(Into::into).into())
}

/// [`adaptive_max_pool2d`] of volumes.
pub fn adaptive_max_pool3d<'c>(args: &Args<'c, '_>) -> Types<'c> {
    Ok(largest(&args.tensor(0)?, &args.sizes("output_size")?, 3)?.map(Into::into).into())
}

/// [`adaptive_max_pool2d`] of images of one row.
pub fn adaptive_max_pool1d<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (name, own, output) = ("adaptive_max_pool1d", args.tensor(0)?, args.sizes("output_size")?);
    if !(2..=3).contains(&own.rank()) {
        return Err(format!(
            "Expected 2 to 3 dimensions, but got {}-dimensional tensor for argument #1 'self' (while checking arguments for {name})",
            own.rank()
        ));
    }
    not_empty(name, "input", &own)?;
    let [length] = output.as_slice() else {
        return Err(format!("{name}() argument 'output_size' should contain one int (got {})", output.len()));
    };
    let lead = own.rank() - 1;
    let image = own.with_shape(&[&own.shape[..lead], &[Size::ONE], &own.shape[lead..]].concat());
    let made = largest(&image, &[Size::ONE, *length], 2)?;
    Ok(made.map(|made| made.with_shape(&[&own.shape[..lead], &[*length]].concat()).into()).into())
}

/// The type of `self`; gradients and places have the shape of what the windows give.
pub fn adaptive_max_pool2d_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    gradient_of_largest(args, 2)
}

/// [`adaptive_max_pool2d_backward`] of volumes.
pub fn adaptive_max_pool3d_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    gradient_of_largest(args, 3)
}

fn gradient_of_largest<'c>(args: &Args<'c, '_>, dims: usize) -> Types<'c> {
    let (grad, own, indices) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    let name = format!("adaptive_max_pool{dims}d_backward");
    let gradient = if dims == 2 { "grad_output" } else { "gradOutput" };
    if grad.rank() != dims + 1 && grad.rank() != dims + 2 {
        return Err(format!(
            "{name}(): Expected {} {gradient}, but got: {}",
            ranks(dims),
            Shape(&grad.shape)
        ));
    }
    not_empty(&name, "grad_output", &grad)?;
    if indices.rank() != own.rank() {
        return Err(format!(
            "expected dimensions {} for `indices` but got dimensions {}",
            own.rank(),
            indices.rank()
        ));
    }
    if !may_equal_shapes(&grad.shape, &indices.shape) {
        return Err(format!(
            "expected sizes {} for `{gradient}` but got sizes {}",
            Shape(&indices.shape),
            Shape(&grad.shape)
        ));
    }
    if grad.dtype != own.dtype {
        return Err(format!(
            "expected dtype {} for `{gradient}` but got dtype {}",
            own.dtype.c_name(),
            grad.dtype.c_name()
        ));
    }
    let lead = own.rank() - dims;
    if !may_equal_shapes(&grad.shape[..lead], &own.shape[..lead]) {
        return Err(format!("expects a gradient for each image, got {}", Shape(&grad.shape)));
    }
    gradient_of_places(&own, &indices, &name)?;
    one(&own)
}
