//! Lists of integers of which some entries are operands: `size [%n, 4]`.

use super::{OperationLike, attributes as convert, operations::constant, registry::OpImpl, view};
use melior::ir::{
    OperationRef, Value, ValueLike,
    attribute::{DenseI32ArrayAttribute, DenseI64ArrayAttribute},
    operation::{OperationMutLike, OperationRefMut},
};
use mlir_sys::mlirOperationSetOperands;
use terrace_size::DYNAMIC;

/// Makes operands that are constants entries of their lists; whether there were any. The types of results
/// stay what they are.
pub fn fold(op: OperationRef, class: &OpImpl) -> bool {
    let (mut operands, mut sizes, mut found): (Vec<Value>, Vec<i32>, _) = (vec![], vec![], false);
    let context = crate::ir::context::of(op.context());
    for place in 0..class.operands.len() {
        let values = view::variadic(op, class, place);
        let list = class.lists.iter().find(|(own, _)| *own == place);
        let list = list.and_then(|(_, name)| Some((*name, convert::i64s(view::attribute(op, name)?))));
        let Some((name, mut entries)) = list else {
            sizes.push(values.len() as i32);
            operands.extend(values);
            continue;
        };
        let before = operands.len();
        for (entry, value) in entries.iter_mut().filter(|entry| **entry == DYNAMIC).zip(values) {
            match constant(value) {
                Some(number) => (*entry, found) = (convert::i64(number), true),
                None => operands.push(value),
            }
        }
        sizes.push((operands.len() - before) as i32);
        // SAFETY: nobody holds on to the attribute that is replaced.
        let mut mutable = unsafe { OperationRefMut::from_raw(op.to_raw()) };
        mutable.set_attribute(name, DenseI64ArrayAttribute::new(context, &entries).into());
    }
    if found {
        let raw: Vec<_> = operands.iter().map(|operand| operand.to_raw()).collect();
        // SAFETY: the operation keeps its place and its results; the operands are values in front of it.
        unsafe { mlirOperationSetOperands(op.to_raw(), raw.len() as isize, raw.as_ptr()) };
        if class.has_segments {
            // SAFETY: as above.
            let mut mutable = unsafe { OperationRefMut::from_raw(op.to_raw()) };
            mutable.set_attribute("operandSegmentSizes", DenseI32ArrayAttribute::new(context, &sizes).into());
        }
    }
    found
}
