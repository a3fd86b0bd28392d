//! The pass `reshape-destinations`: what is reshaped on its way into a buffer is computed into the buffer in
//! its own shape.
//!
//! Bufferization computes a value in the buffer that it is meant for, but not through a reshape in between:
//! that would end in a copy. Elements of a buffer without gaps lie in the order of its value's, whatever the
//! shape; so the buffer is reshaped in the place of the value. Sizes are numbers: a reshape of a memref to
//! several sizes of the run says less than one of a tensor.
//!
//! Where a cast says more of sizes than was known when a value was computed, an assertion behind that may say
//! that they are other ones. Computed in a buffer of the size that is asserted, the value would be written
//! beyond its end, and the size that is tested would be that of the buffer. So the value is computed apart:
//! the cast becomes a slice, which bufferization does not look through.

use melior::ir::{OperationRef, ValueLike, attribute::DenseI32ArrayAttribute, r#type::MemRefType};
use terrace_dialects::ir::{
    OperationLike,
    cursor::{Cursor, V},
    operations::{collect, definition, name_of},
    pass::Failure,
    rewrite::{replace, set_operand},
    shaped::Shaped,
};
use terrace_size::DYNAMIC;

const MATERIALIZE: &str = "bufferization.materialize_in_destination";

/// Reshapes destinations below an operation.
pub fn run(op: OperationRef, _: &crate::options::ReshapeDestinations) -> Result<(), Failure> {
    for cast in collect(op, |op| name_of(op) == "tensor.cast") {
        slice_instead(cast)?;
    }
    for put in collect(op, |op| name_of(op) == MATERIALIZE && op.has_attribute("restrict")) {
        while let Some((value, buffer)) = before_the_reshape(put)? {
            set_operand(put, 0, value);
            set_operand(put, 1, buffer);
        }
    }
    Ok(())
}

/// Makes a slice of a cast that says more of sizes than was known when its operand was computed.
fn slice_instead(cast: OperationRef) -> Result<(), Failure> {
    let source: V = cast.operand(0)?;
    let result: V = cast.result_at(0)?.into();
    let (Some(own), Some(made)) = (Shaped::of(source.r#type()), Shaped::of(result.r#type())) else {
        return Ok(());
    };
    let says_more = own.shape.iter().zip(&made.shape).any(|(own, made)| *own == DYNAMIC && *made != DYNAMIC);
    // Of what has no elements nothing is written, and a slice of it would begin beyond its end.
    let is_empty = made.shape.contains(&0);
    let is_computed = definition(source).is_some_and(|op| name_of(op).starts_with("loop."));
    if !says_more || is_empty || !is_computed {
        return Ok(());
    }
    let at = Cursor::before(cast)?;
    let open = (0..made.shape.len()).filter(|dim| made.shape[*dim] == DYNAMIC);
    let sizes = open.map(|dim| at.op("tensor.dim", &[source, at.index(dim as i64)?], at.index_type()));
    let sizes = sizes.collect::<Result<Vec<V>, Failure>>()?;
    let segments = DenseI32ArrayAttribute::new(at.context, &[1, 0, sizes.len() as i32, 0]);
    let (zeros, ones) = (vec![0; made.shape.len()], vec![1; made.shape.len()]);
    let attributes = [
        at.named("static_offsets", at.numbers(&zeros)),
        at.named("static_sizes", at.numbers(&made.shape)),
        at.named("static_strides", at.numbers(&ones)),
        at.named("operandSegmentSizes", segments),
    ];
    let slice =
        at.with("tensor.extract_slice", &[&[source], &sizes[..]].concat(), result.r#type(), &attributes)?;
    replace(cast, &[slice]);
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
