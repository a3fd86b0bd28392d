//! Types and attributes: what their parameters may be.

use crate::{
    ir::{
        device,
        dtype::{Dtype, ElementType},
    },
    loops::layout::Layout,
};
use melior::ir::Type;
use terrace_size::DYNAMIC;

/// Sizes are not negative, elements are of a dtype, and a device is one.
pub fn graph_tensor_type(shape: &[i64], element: Type, device: Option<&str>) -> Result<(), String> {
    check_device(device)?;
    if let Some(size) = shape.iter().find(|s| **s < 0 && **s != DYNAMIC) {
        return Err(format!("sizes are not negative, got {size}"));
    }
    match Dtype::of(element) {
        Some(_) => Ok(()),
        None => Err(format!(
            "element type is one of f16, bf16, f32, f64, complex<f32>, complex<f64>, i64, i32, i16, i8, ui8 and i1, got '{element}'"
        )),
    }
}

/// A device has one name.
fn check_device(given: Option<&str>) -> Result<(), String> {
    let Some(text) = given else { return Ok(()) };
    match device::named(text)? {
        Some(name) if name == text => Ok(()),
        Some(name) => Err(format!("device '{text}' is called '{name}' in a type")),
        None => Err(format!("a tensor on the CPU has no device in its type, got '{text}'")),
    }
}

/// Powers of two, whole warps.
pub fn kernel_layout_attr(
    threads: &[i64],
    vector: &[i64],
    order: &[i64],
    without: &[i64],
) -> Result<(), String> {
    let [threads, vector, order, without] = [threads, vector, order, without].map(<[i64]>::to_vec);
    Layout { threads, vector, order, without }.check()
}
