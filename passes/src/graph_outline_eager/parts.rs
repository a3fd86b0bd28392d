//! The parts of complex numbers, where strides are not known: every other number of what is stored.

use super::flags::Flagged;
use melior::ir::{OperationRef, ValueLike};
use mlir_sys::mlirValueReplaceAllUsesOfWith;
use terrace_dialects::{
    cursor::Cursor, ir::OperationLike, operations::name_of, ops::graph, pass::Failure, types::TensorType,
};

/// What is a part of complex numbers, and which.
const PARTS: [(&str, i64); 2] = [("graph.real", 0), ("graph.imag", 1)];

/// Writes the view that an operation is in front of it, where it is one of these: of a conjugate the imaginary part is a negative.
pub(super) fn part(op: OperationRef, flags: &[Flagged]) -> Result<bool, Failure> {
    let Some((_, which)) = PARTS.iter().find(|(name, _)| *name == name_of(op)) else { return Ok(false) };
    let (at, own, result) = (Cursor::before(op)?, op.operand(0)?, op.result_at(0)?);
    let is_complex = TensorType::<i64>::of(own.r#type()).is_some_and(|own| own.dtype.is_complex());
    let view = if is_complex {
        let flags = flags.first().copied().unwrap_or_default();
        let stored = flags.seen(&at, own)?;
        let pairs = at.insert(graph::view_as_real(at.location, stored)?).result_at(0)?.into();
        let part =
            at.insert(graph::select(at.location, pairs, Some(-1), &[], &[*which])?).result_at(0)?.into();
        flags.of_part(*which).seen(&at, part)?
    } else {
        own
    };
    if view.r#type() != result.r#type() {
        return Ok(false);
    }
    // SAFETY: both are of one type.
    unsafe { mlirValueReplaceAllUsesOfWith(result.to_raw(), view.to_raw()) };
    Ok(true)
}
