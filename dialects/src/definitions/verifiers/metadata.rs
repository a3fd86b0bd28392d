//! A tensor object whose sizes, strides or storage changed is its new view: the old one is used no longer.

use crate::{
    aten::placement::changes_object,
    ir::{
        BlockLike, OperationLike,
        diagnostics::emit_op_error,
        operations::{definition, name_of, users},
        registry::{self, OpImpl},
    },
};
use melior::ir::{OperationRef, Value};
use terrace_size::DYNAMIC;

/// The tensor that an in-place operation writes, or that a cast gives another type, where a value is its
/// result: the same one.
fn written<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    let gives_own =
        |class: &OpImpl| class.is_in_place() && !changes_object(class) || class.name == "graph.cast";
    let class = registry::of(op).filter(|class| class.dialect == "graph" && gives_own(class));
    class.and_then(|_| op.operand(0).ok())
}

/// Whether `user`, or what it is in, comes after an operation of the same block.
pub fn follows(user: OperationRef, op: OperationRef) -> bool {
    let Some(block) = op.block() else { return false };
    let mut at = Some(user);
    while let Some(user) = at {
        if user.block() == Some(block) {
            return op.is_before_in_block(user);
        }
        at = user.block().and_then(|block| block.parent_operation());
    }
    false
}

/// The end of what is said of the use of a tensor that was changed.
pub const CHANGED: &str = "has changed: use its result";

/// What is said of the use of a tensor that an operation of a name has changed.
pub fn changed(name: &str) -> String {
    format!("uses a tensor whose sizes, strides or storage '{name}' {CHANGED}")
}

/// The value that a tensor is first, before operations in place give it as their result.
pub fn first<'c: 'a, 'a>(mut value: Value<'c, 'a>) -> Value<'c, 'a> {
    while let Some(before) = definition(value).and_then(written) {
        value = before;
    }
    value
}

/// Uses of a tensor behind a place, each by which of the values that are this tensor.
pub fn later_uses<'c: 'a, 'a>(
    value: Value<'c, 'a>,
    behind: impl Fn(OperationRef<'c, 'a>) -> bool,
) -> Vec<(OperationRef<'c, 'a>, Value<'c, 'a>)> {
    let (mut same, mut found) = (vec![first(value)], vec![]);
    while let Some(value) = same.pop() {
        for user in users(value) {
            if behind(user) {
                // A user of two operands comes twice.
                if found.last() != Some(&(user, value)) {
                    found.push((user, value));
                }
            } else if written(user) == Some(value) {
                same.extend(user.results().next().map(Value::from));
            }
        }
    }
    found
}

/// The operand, and the values that are the same tensor, have no later use.
fn consumes(op: OperationRef) -> Result<(), String> {
    let own = op.operand(0).map_err(|e| e.to_string())?;
    let Some((user, _)) = later_uses(own, |user| follows(user, op)).into_iter().next() else { return Ok(()) };
    emit_op_error(&user, &changed(name_of(op)));
    Err(String::new())
}

macro_rules! consuming {
    ($($name:ident)*) => {
        $(
            /// The tensor is used no longer.
            pub fn $name(op: OperationRef) -> Result<(), String> {
                consumes(op)
            }
        )*
    };
}
consuming! {
    graph_as_strided_ graph_detach_ graph_resize_ graph_resize_as_ graph_set_ graph_squeeze_ graph_swapaxes_ graph_t_
    graph_transpose_ graph_unsqueeze_
}

/// A storage has no number of bytes below 0.
pub fn graph_resize_storage(op: OperationRef) -> Result<(), String> {
    let resize = crate::ops::graph::ResizeStorageOp::try_from(op).map_err(|_| "is no resize_storage")?;
    bytes(&resize.bytes(), resize.dynamic_bytes().len())
}

/// One number of bytes, which is not below 0, or an operand for it.
pub(super) fn bytes(bytes: &[i64], given: usize) -> Result<(), String> {
    match *bytes {
        [DYNAMIC] if given == 1 => Ok(()),
        [bytes] if bytes >= 0 && given == 0 => Ok(()),
        [bytes] if bytes != DYNAMIC && given == 0 => {
            Err(format!("asks for a storage of {bytes} bytes: 0 is the least"))
        }
        _ => Err(format!("'bytes' is one number, got {} and {given} operands for them", bytes.len())),
    }
}
