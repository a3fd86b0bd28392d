//! What the generated views of operations stand on: operands by their place in ODS, attributes by name.

use super::{
    OperationLike, attributes as convert,
    registry::{Arity, OpImpl},
};
use melior::ir::{Attribute, OperationRef, RegionRef, Value};
use mlir_sys::mlirOperationGetTypeID;
use std::{ops::Range, sync::atomic::Ordering};

/// The operands that operand `index` of ODS stands for, among `count` operands in all.
///
/// `sizes` are the operand segment sizes, where the operation has them. An error where they do not add up.
pub fn segment(
    op: &OpImpl,
    count: usize,
    sizes: Option<&[i32]>,
    index: usize,
) -> Result<Range<usize>, String> {
    if let Some(sizes) = sizes {
        if sizes.len() != op.operands.len() || sizes.iter().sum::<i32>() as usize != count {
            return Err("has operand segment sizes that do not add up to its operands".into());
        }
        let start: i32 = sizes[..index].iter().sum();
        return Ok(start as usize..(start + sizes[index]) as usize);
    }
    let single = op.operands.iter().filter(|a| **a == Arity::Single).count();
    // At most one operand is not single here; the rest goes to it.
    let rest =
        count.checked_sub(single).ok_or_else(|| format!("expects {single} operands or more, got {count}"))?;
    let size = |a: &Arity| if *a == Arity::Single { 1 } else { rest };
    let start: usize = op.operands[..index].iter().map(size).sum();
    Ok(start..start + size(&op.operands[index]))
}

fn range(op: OperationRef, op_impl: &OpImpl, index: usize) -> Range<usize> {
    let sizes =
        if op_impl.has_segments { attribute(op, "operandSegmentSizes").map(convert::i32s) } else { None };
    segment(op_impl, op.operand_count(), sizes.as_deref(), index).expect("the operation was verified")
}

/// The value of a single operand.
pub fn operand<'c, 'a>(op: OperationRef<'c, 'a>, op_impl: &OpImpl, index: usize) -> Value<'c, 'a> {
    op.operand(range(op, op_impl, index).start).expect("the operation was verified")
}

/// The value of an optional operand.
pub fn optional<'c, 'a>(op: OperationRef<'c, 'a>, op_impl: &OpImpl, index: usize) -> Option<Value<'c, 'a>> {
    let range = range(op, op_impl, index);
    if range.is_empty() { None } else { op.operand(range.start).ok() }
}

/// The values of a variadic operand.
pub fn variadic<'c, 'a>(op: OperationRef<'c, 'a>, op_impl: &OpImpl, index: usize) -> Vec<Value<'c, 'a>> {
    range(op, op_impl, index).filter_map(|i| op.operand(i).ok()).collect()
}

/// An attribute, if present.
pub fn attribute<'c>(op: OperationRef<'c, '_>, name: &str) -> Option<Attribute<'c>> {
    op.attribute(name).ok()
}

/// An attribute that ODS requires.
pub fn required<'c>(op: OperationRef<'c, '_>, name: &str) -> Attribute<'c> {
    op.attribute(name).expect("the operation was verified")
}

/// A region.
pub fn region<'c, 'a>(op: OperationRef<'c, 'a>, index: usize) -> RegionRef<'c, 'a> {
    op.region(index).expect("the operation was verified")
}

/// Whether an operation is of a class: by TypeID.
pub fn is(op: OperationRef, op_impl: &OpImpl) -> bool {
    let id = op_impl.id.load(Ordering::Relaxed);
    if id != 0 {
        // SAFETY: an `OperationRef` is of a live operation.
        return unsafe { mlirOperationGetTypeID(op.to_raw()) }.ptr as usize == id;
    }
    // No hook of this class has been called yet, so its id is not known: learn it by name, once.
    let name = op.name();
    let same = name.as_string_ref().as_str() == Ok(op_impl.name);
    if same {
        // SAFETY: an `OperationRef` is of a live operation.
        op_impl.id.store(unsafe { mlirOperationGetTypeID(op.to_raw()) }.ptr as usize, Ordering::Relaxed);
    }
    same
}
