//! What an operator that writes its first operand may read.
//!
//! Eager refuses a write through repeated elements, and operands that overlap the written tensor without
//! being the same view of it; but it looks at dense tensors only. What it lets pass may depend on the order
//! of evaluation, so here that is refused too: an operand shares no memory with the written tensor, or has
//! the same elements at the same indices.

use super::{
    error::{Result, ensure},
    promotion::Operand,
    shape::broadcast_view,
};
use std::collections::HashSet;
use terrace_layout::overlap::{BESIDE, ITSELF, PARTLY, REPEATED, by_operand};
use terrace_tensor::{Tensor, layout::extent};

/// Checks a pointwise write of `written` from `operands`; the written tensor may be among them.
///
/// # Errors
/// In eager's words for what eager refuses, else naming the operand that overlaps.
pub fn check_memory(written: &Tensor, operands: &[Operand]) -> Result<()> {
    check_repeated(written)?;
    for operand in operands.iter().filter_map(|operand| operand.tensor()) {
        check_partly(written, operand)?;
    }
    Ok(())
}

/// Checks that an operand is not a part of the written tensor, nor another view of it.
///
/// # Errors
/// In eager's words.
pub fn check_partly(written: &Tensor, operand: &Tensor) -> Result<()> {
    ensure!(!overlaps_partly(written, operand), "{PARTLY}");
    Ok(())
}

/// Checks what eager leaves to chance, once `operands` are known to broadcast to `written`.
///
/// # Errors
/// When elements of the written tensor overlap, or naming the operand that does.
pub fn check_order(written: &Tensor, operands: &[Operand]) -> Result<()> {
    ensure!(!repeats(written), "{ITSELF}");
    for (number, operand) in operands.iter().enumerate() {
        let Some(tensor) = operand.tensor() else { continue };
        ensure!(!is_read_elsewhere(written, tensor)?, "{}", by_operand(number));
    }
    Ok(())
}

/// Whether an operand, broadcast, has elements of the written tensor that are not at the same indices.
fn is_read_elsewhere(written: &Tensor, operand: &Tensor) -> Result<bool> {
    if !ranges_meet(written, operand) {
        return Ok(false);
    }
    let operand = broadcast_view(operand, written.sizes())?;
    Ok(!same_view(written, &operand) && shares_memory(written, &operand))
}

/// Checks that a tensor that is written beside others shares no memory with one of them.
///
/// # Errors
/// When it does, or with itself.
pub fn check_beside(written: &Tensor, other: &Tensor) -> Result<()> {
    ensure!(!repeats(written), "{ITSELF}");
    ensure!(!shares_memory(written, other), "{BESIDE}");
    Ok(())
}

/// Checks a write at places that are known late: no operand may share memory with the written tensor, nor be
/// it. `looked_for` says whether eager looks for elements of the tensor that share memory.
///
/// # Errors
/// In eager's words for what eager refuses, else naming the operand that overlaps.
pub fn check_disjoint(written: &Tensor, operands: &[&Tensor], looked_for: bool) -> Result<()> {
    if looked_for {
        check_repeated(written)?;
    }
    for operand in operands {
        let meets = written.is_same(operand)
            || (written.is_dense() && operand.is_dense() && ranges_meet(written, operand));
        ensure!(!meets, "{PARTLY}");
    }
    ensure!(!repeats(written), "{ITSELF}");
    for (number, operand) in operands.iter().enumerate() {
        ensure!(!shares_memory(written, operand), "{}", by_operand(number + 1));
    }
    Ok(())
}

/// How operands may lie to a tensor that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Each element is read where it is written, or elsewhere.
    Each,
    /// They share no element with it, nor are they the same: eager looks.
    Disjoint,
    /// They share no element with it: eager does not look.
    Alone,
}

/// An operand beside a tensor that is written.
pub struct Beside<'t> {
    /// The operand.
    pub tensor: &'t Tensor,
    /// Whether eager compares it.
    pub compared: bool,
    /// Its number.
    pub place: i64,
}

/// The checks of an operation of any kind, as `graph.assert_writable` has them.
///
/// # Errors
/// In eager's words for what eager refuses, else naming the operand that overlaps.
pub fn check_write(written: &Tensor, operands: &[Beside], how: How, looked_for: bool) -> Result<()> {
    if looked_for {
        check_repeated(written)?;
    }
    for Beside { tensor, compared, .. } in operands {
        let meets = || written.is_dense() && tensor.is_dense() && ranges_meet(written, tensor);
        let refused = match how {
            How::Each => *compared && overlaps_partly(written, tensor),
            // Without elements it overlaps itself alone.
            How::Disjoint => {
                written.is_same(tensor)
                    || is_same_view(written, tensor) && !written.sizes().contains(&0)
                    || meets()
            }
            How::Alone => false,
        };
        ensure!(!refused, "{PARTLY}");
    }
    ensure!(!repeats(written), "{ITSELF}");
    for Beside { tensor, place, .. } in operands {
        match how {
            How::Each => ensure!(!is_read_elsewhere(written, tensor)?, "{}", by_operand(place)),
            How::Disjoint => ensure!(!shares_memory(written, tensor), "{}", by_operand(place)),
            How::Alone => ensure!(!shares_memory(written, tensor), "{BESIDE}"),
        }
    }
    Ok(())
}

/// Checks that no two elements of a tensor share memory: that of a tensor of any layout, of which some view
/// is written.
///
/// # Errors
/// In eager's words where a stride is 0.
pub fn check_distinct(tensor: &Tensor) -> Result<()> {
    check_repeated(tensor)?;
    ensure!(!repeats(tensor), "{ITSELF}");
    Ok(())
}

/// Whether eager sees that elements share memory: where a stride is 0.
pub fn is_expanded(tensor: &Tensor) -> bool {
    let mut dims = tensor.sizes().iter().zip(tensor.strides());
    !tensor.is_dense() && dims.any(|(&size, &stride)| size > 1 && stride == 0)
}

fn check_repeated(written: &Tensor) -> Result<()> {
    ensure!(!is_expanded(written), "{REPEATED}");
    Ok(())
}

/// Eager's own test, which two dense tensors alone can fail.
fn overlaps_partly(a: &Tensor, b: &Tensor) -> bool {
    if a.is_same(b) || !a.is_dense() || !b.is_dense() || !ranges_meet(a, b) {
        return false;
    }
    byte_range(a) != byte_range(b) || a.strides() != b.strides()
}

/// First byte, and the byte after the last.
fn byte_range(tensor: &Tensor) -> Option<(i128, i128)> {
    let (low, high) = extent(tensor.sizes(), tensor.strides())?;
    let (offset, size) = (i128::from(tensor.offset()), tensor.dtype().bytes() as i128);
    Some(((offset + low) * size, (offset + high + 1) * size))
}

fn ranges_meet(a: &Tensor, b: &Tensor) -> bool {
    let meet = |(a, b): ((i128, i128), (i128, i128))| a.0 < b.1 && b.0 < a.1;
    a.storage().is_same(b.storage()) && byte_range(a).zip(byte_range(b)).is_some_and(meet)
}

/// Whether two tensors are one view of one storage, strides of single elements included.
pub fn is_same_view(a: &Tensor, b: &Tensor) -> bool {
    same_view(a, b) && a.strides() == b.strides() && a.flags() == b.flags()
}

fn same_view(a: &Tensor, b: &Tensor) -> bool {
    let strides_match = || {
        let mut dims = a.sizes().iter().zip(a.strides().iter().zip(b.strides()));
        dims.all(|(&size, (a, b))| size == 1 || a == b)
    };
    a.storage().is_same(b.storage())
        && a.dtype() == b.dtype()
        && a.offset() == b.offset()
        && a.sizes() == b.sizes()
        && strides_match()
}

/// Whether two elements share memory.
fn repeats(tensor: &Tensor) -> bool {
    // When each stride steps over all that smaller strides reach, no two indices meet.
    let mut dims: Vec<(i64, i64)> =
        tensor.strides().iter().copied().zip(tensor.sizes().iter().copied()).collect();
    dims.retain(|&(_, size)| size > 1);
    dims.sort_unstable_by_key(|&(stride, _)| stride.saturating_abs());
    let mut reach = 0i64;
    let nested = dims.into_iter().all(|(stride, size)| {
        let steps_over = stride.saturating_abs() > reach;
        reach = reach.saturating_add(stride.saturating_abs().saturating_mul(size - 1));
        steps_over
    });
    if nested || tensor.is_empty() {
        return false;
    }
    let mut seen = HashSet::new();
    !tensor.offsets().all(|offset| seen.insert(offset))
}

/// Whether a byte belongs to both.
fn shares_memory(a: &Tensor, b: &Tensor) -> bool {
    if !ranges_meet(a, b) {
        return false;
    }
    let bytes = |tensor: &Tensor, offset: i64| {
        let size = tensor.dtype().bytes() as i64;
        offset * size..(offset + 1) * size
    };
    let of_a: HashSet<i64> = a.offsets().flat_map(|offset| bytes(a, offset)).collect();
    b.offsets().flat_map(|offset| bytes(b, offset)).any(|byte| of_a.contains(&byte))
}
