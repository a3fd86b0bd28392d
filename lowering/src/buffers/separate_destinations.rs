//! The pass `separate-destinations`: few operations share an empty tensor.
//!
//! `cse` makes one `tensor.empty` of all of a type. `one-shot-bufferize` compares each two operations that
//! write into one tensor: with a thousand its time grows with their square. What is in an empty tensor
//! nobody reads, so that others may have another one. [`SHARED`] neighbours keep theirs, for one may then
//! write where the value of another was. Linear in the uses.

use melior::ir::OperationRef;
use terrace_dialects::ir::{
    BlockLike, OperationLike,
    cursor::V,
    operations::{collect, name_of, uses},
    pass::Failure,
    rewrite::{copy, set_operand},
};

/// How many uses of one empty tensor stay.
const SHARED: usize = 16;

/// Copies the empty tensors below an operation.
pub fn run(op: OperationRef, _: &crate::options::SeparateDestinations) -> Result<(), Failure> {
    for empty in collect(op, |op| name_of(op) == "tensor.empty") {
        let tensor: V = empty.result_at(0)?.into();
        let Some(block) = empty.block() else { continue };
        for users in uses(tensor).collect::<Vec<_>>().chunks(SHARED).skip(1) {
            let own: V = block.insert_operation_after(empty, copy(empty)).result_at(0)?.into();
            users.iter().for_each(|(user, operand)| set_operand(*user, *operand, own));
        }
    }
    Ok(())
}
