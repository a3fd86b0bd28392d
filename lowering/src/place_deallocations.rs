//! The pass `place-deallocations`: a buffer is freed after its last use.
//!
//! For each `memref.alloc` the aliases are followed through operations whose results view an operand. If none of them leaves
//! its block, `memref.dealloc` goes behind the last operation of the block that uses one. Linear in the uses.
//!
//! Upstream's ownership-based deallocation decides at run time who owns a buffer; here no buffer changes hands inside a
//! function, so the place is known.

use melior::ir::{
    BlockLike, OperationRef, TypeLike, Value, ValueLike,
    operation::{OperationBuilder, OperationLike},
};
use mlir_sys::*;
use terrace_dialects::{
    operations::{collect, name_of, users},
    pass::Failure,
};

/// Operations whose memref results alias their memref operands.
const VIEWS: &[&str] = &[
    "memref.cast",
    "memref.collapse_shape",
    "memref.expand_shape",
    "memref.memory_space_cast",
    "memref.reinterpret_cast",
    "memref.reshape",
    "memref.subview",
    "memref.transpose",
    "memref.view",
];

/// Places a deallocation for every allocation below an operation that does not leave its block.
pub fn run(op: OperationRef, _: &crate::options::PlaceDeallocations) -> Result<(), Failure> {
    collect(op, |op| name_of(op) == "memref.alloc").into_iter().try_for_each(place)
}

fn place(allocation: OperationRef) -> Result<(), Failure> {
    let block = allocation.block().ok_or("an allocation outside of a block")?;
    let mut last = allocation;
    let mut aliases: Vec<Value> = vec![allocation.result(0)?.into()];
    while let Some(alias) = aliases.pop() {
        for user in users(alias) {
            let name = name_of(user);
            if name == "memref.dealloc" {
                return Ok(());
            }
            if VIEWS.contains(&name) {
                aliases.extend(user.results().map(Value::from));
            } else if user.results().any(|r| unsafe { mlirTypeIsAMemRef(r.r#type().to_raw()) }) {
                // A call or a region may return what it was given.
                return Ok(());
            }
            // The operation of the allocation's own block that holds the user.
            let mut at = user;
            while at.block().map(|b| b.to_raw().ptr) != Some(block.to_raw().ptr) {
                at = at.parent_operation().ok_or("a use outside of the allocation's block")?;
            }
            if at.next_in_block().is_none() {
                return Ok(());
            }
            if last.is_before_in_block(at) {
                last = at;
            }
        }
    }
    let free = OperationBuilder::new("memref.dealloc", allocation.location())
        .add_operands(&[allocation.result(0)?.into()])
        .build()?;
    block.insert_operation_after(last, free);
    Ok(())
}
