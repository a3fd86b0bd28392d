//! The pass `reshape-destinations`: what is reshaped on its way into a buffer is computed into the buffer in
//! its own shape.
//!
//! Bufferization computes a value in the buffer that it is meant for, but not through a reshape in between:
//! that would end in a copy. Elements of a buffer without gaps lie in the order of its value's, whatever the
//! shape; so the buffer is reshaped in the place of the value. Sizes are numbers: a reshape of a memref to
//! several sizes of the run says less than one of a tensor.

use melior::ir::{OperationRef, ValueLike, r#type::MemRefType};
use terrace_dialects::ir::{
    OperationLike,
    cursor::{Cursor, V},
    operations::{collect, definition, name_of},
    pass::Failure,
    rewrite::set_operand,
    shaped::Shaped,
};
use terrace_size::DYNAMIC;

const MATERIALIZE: &str = "bufferization.materialize_in_destination";

/// Reshapes destinations below an operation.
pub fn run(op: OperationRef, _: &crate::options::ReshapeDestinations) -> Result<(), Failure> {
    for put in collect(op, |op| name_of(op) == MATERIALIZE && op.has_attribute("restrict")) {
        while let Some((value, buffer)) = before_the_reshape(put)? {
            set_operand(put, 0, value);
            set_operand(put, 1, buffer);
        }
    }
    Ok(())
}

/// The value in front of a reshape, and the buffer in its shape, where what is put into a buffer is a
/// reshaped value.
fn before_the_reshape<'c: 'a, 'a>(
    put: OperationRef<'c, 'a>,
) -> Result<Option<(V<'c, 'a>, V<'c, 'a>)>, Failure> {
    let (value, buffer): (V, V) = (put.operand(0)?, put.operand(1)?);
    let reshape = definition(value)
        .filter(|op| matches!(name_of(*op), "tensor.collapse_shape" | "tensor.expand_shape"));
    let Some(reshape) = reshape else { return Ok(None) };
    let source = reshape.operand(0)?;
    let own = Shaped::expect(source.r#type())?;
    let made = Shaped::expect(value.r#type())?;
    let whole = MemRefType::contiguous(made.element, &made.shape, None);
    let open = own.shape.contains(&DYNAMIC) || made.shape.contains(&DYNAMIC);
    if open || buffer.r#type() != whole.into() {
        return Ok(None);
    }
    let at = Cursor::before(put)?;
    let groups = at.named("reassociation", reshape.attribute("reassociation")?);
    let ty = MemRefType::contiguous(own.element, &own.shape, None).into();
    // The buffer goes the other way.
    Ok(Some((
        source,
        match name_of(reshape) {
            "tensor.collapse_shape" => {
                let sizes = at.named("static_output_shape", at.numbers(&own.shape));
                at.with("memref.expand_shape", &[buffer], ty, &[groups, sizes])?
            }
            _ => at.with("memref.collapse_shape", &[buffer], ty, &[groups])?,
        },
    )))
}
