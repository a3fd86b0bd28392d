//! Checks of the operations that ask how tensors lie.

use super::metadata::bytes;
use crate::{
    attributes as convert,
    ir::{BlockLike, OperationLike},
    operations::{argument, definition, home, name_of},
    ops::graph,
    types::{DYNAMIC, TensorType},
};
use melior::ir::{BlockRef, OperationRef, RegionLike, Value, ValueLike, r#type::FunctionType};

/// At least two tensors, in sets that are not empty, and a truth value for each of them.
pub fn graph_check_disjoint(op: OperationRef) -> Result<(), String> {
    let op = graph::CheckDisjointOp::try_from(op).map_err(|_| "is no check_disjoint")?;
    let count = op.tensors().len();
    if count < 2 {
        return Err(format!("compares two tensors or more, got {count}"));
    }
    if let Some(sets) = op.sets() {
        if let Some(size) = sets.iter().find(|size| **size < 1) {
            return Err(format!("'sets' has a set of {size} tensors"));
        }
        let sum = sets.iter().try_fold(0, |sum: i64, size| sum.checked_add(*size));
        if sum != Some(count as i64) {
            return Err(format!("'sets' is not about as many tensors as there are, {count}"));
        }
    }
    match op.written() {
        Some(written) if written.len() != count => {
            Err(format!("'written' has {} entries for {count} tensors", written.len()))
        }
        _ => Ok(()),
    }
}

/// Sizes of as many elements, where that is known; one of them may be -1.
pub fn graph_check_view(op: OperationRef) -> Result<(), String> {
    let check = graph::CheckViewOp::try_from(op).map_err(|_| "is no check_view")?;
    let size = check.size();
    if let Some(least) = size.iter().find(|size| **size < -1 && **size != DYNAMIC) {
        return Err(format!("'size' has a size of {least}"));
    }
    if size.iter().filter(|size| **size == -1).count() > 1 {
        return Err("only one dimension can be inferred".into());
    }
    let open = size.iter().filter(|size| **size == DYNAMIC).count();
    if check.dynamic_size().len() != open {
        return Err(format!(
            "'size' has {open} dynamic entries, got {} for them",
            check.dynamic_size().len()
        ));
    }
    if size.iter().any(|size| *size < 0) {
        return Ok(());
    }
    let ty = TensorType::<i64>::of(check.tensor().r#type()).ok_or("is of no tensor")?;
    let elements = |sizes: &[i64]| sizes.iter().try_fold(1i64, |n, size| n.checked_mul(*size));
    if ty.is_static() && elements(&ty.shape) != elements(&size) {
        return Err(format!("'size' is of other elements than {}", check.tensor().r#type()));
    }
    Ok(())
}

/// Any tensor.
pub fn graph_check_distinct(_: OperationRef) -> Result<(), String> {
    Ok(())
}

/// A number of bytes, not below 0.
pub fn graph_assert_storage(op: OperationRef) -> Result<(), String> {
    let assert = graph::AssertStorageOp::try_from(op).map_err(|_| "is no assert_storage")?;
    bytes(&assert.bytes(), assert.dynamic_bytes().len())
}

/// A number of bytes, not below 0.
pub fn graph_check_storage(op: OperationRef) -> Result<(), String> {
    let check = graph::CheckStorageOp::try_from(op).map_err(|_| "is no check_storage")?;
    bytes(&check.bytes(), check.dynamic_bytes().len())
}

/// A result, a tensor, of the function around it.
pub fn graph_tell_flags(op: OperationRef) -> Result<(), String> {
    let number = convert::i64(op.attribute("result").map_err(|e| e.to_string())?);
    let mut around = std::iter::successors(op.parent_operation(), |op| op.parent_operation());
    let Some(function) = around.find(|op| name_of(*op) == "func.func") else {
        return Err("stands in a function".into());
    };
    let ty = function.attribute("function_type").map(convert::ty).map_err(|e| e.to_string())?;
    let ty = FunctionType::try_from(ty).map_err(|e| e.to_string())?;
    let result = usize::try_from(number).ok().and_then(|number| ty.result(number).ok());
    match result.is_some_and(|ty| TensorType::<i64>::of(ty).is_some()) {
        true => Ok(()),
        false => Err(format!("names a result of the function that is a tensor, got {number}")),
    }
}

/// The result of a call, by its number.
pub fn graph_told_flags(op: OperationRef) -> Result<(), String> {
    let number = convert::i64(op.attribute("result").map_err(|e| e.to_string())?);
    let tensor = op.operand(0).map_err(|e| e.to_string())?;
    let call = definition(tensor).filter(|call| name_of(*call) == "func.call");
    let result = usize::try_from(number).ok().and_then(|number| call?.result_at(number).ok());
    match result.map(Value::from) == Some(tensor) {
        true => Ok(()),
        false => Err(format!("is about result {number} of a call, which its operand is")),
    }
}

/// The number of an argument.
pub fn graph_pass_flags(op: OperationRef) -> Result<(), String> {
    match convert::i64(op.attribute("argument").map_err(|e| e.to_string())?) {
        0.. => Ok(()),
        number => Err(format!("names an argument of the function that is called next, got {number}")),
    }
}

/// An argument of the function around it, by its number.
pub fn graph_passed_flags(op: OperationRef) -> Result<(), String> {
    let number = convert::i64(op.attribute("argument").map_err(|e| e.to_string())?);
    let tensor = op.operand(0).map_err(|e| e.to_string())?;
    let own = argument(tensor).filter(|own| i64::try_from(own.argument_number()) == Ok(number));
    let is_entry = |block: BlockRef| {
        let around = block.parent_operation().filter(|around| name_of(*around) == "func.func");
        around.and_then(|around| around.region(0).ok()?.first_block()) == Some(block)
    };
    match own.and(home(tensor)).is_some_and(is_entry) {
        true => Ok(()),
        false => Err(format!("is about argument {number} of the function around it, which its operand is")),
    }
}

/// Tensors that may be of one type.
pub fn graph_check_same(op: OperationRef) -> Result<(), String> {
    let ty = |place| op.operand(place).map(|value| value.r#type()).map_err(|e| e.to_string());
    let (a, b) = (ty(0)?, ty(1)?);
    match TensorType::<i64>::may_be_one(a, b) {
        true => Ok(()),
        false => Err(format!("compares tensors of one type, got {a} and {b}")),
    }
}

/// The result says no size that the operand does not.
pub fn graph_cast(op: OperationRef) -> Result<(), String> {
    let cast = graph::CastOp::try_from(op).map_err(|_| "is no cast")?;
    let (own, to) = (cast.self_().r#type(), op.result_at(0).map_err(|e| e.to_string())?.r#type());
    let sizes = |ty| TensorType::<i64>::of(ty).map(|ty| ty.shape).unwrap_or_default();
    let says_less = || sizes(own).iter().zip(&sizes(to)).all(|(own, to)| own == to || *to == DYNAMIC);
    match TensorType::<i64>::may_be_one(own, to) && says_less() {
        true => Ok(()),
        false => Err(format!("leaves sizes of {own} open and changes nothing else, got {to}")),
    }
}

/// Any two tensors.
pub fn graph_check_same_storage(_: OperationRef) -> Result<(), String> {
    Ok(())
}

/// A way that there is, and a number and a truth value for each operand.
pub fn graph_assert_writable(op: OperationRef) -> Result<(), String> {
    let op = graph::AssertWritableOp::try_from(op).map_err(|_| "is no assert_writable")?;
    let how = op.how();
    if !["each", "apart", "alone"].contains(&how.as_str()) {
        return Err(format!("'how' is 'each', 'apart' or 'alone', got '{how}'"));
    }
    let count = op.others().len();
    if (op.places().len(), op.compared().len()) != (count, count) {
        return Err(format!("'places' and 'compared' are not about as many operands as there are, {count}"));
    }
    Ok(())
}
