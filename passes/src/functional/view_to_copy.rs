//! `functional-view-to-copy`: every view becomes its copy, so that all tensors are dense and contiguous.
//!
//! Contract: a view is an operation of the functional dialect that has a copy, an operation of the same
//! operands, attributes and value ([`terrace_dialects::ir::registry::OpImpl::copy`]); it becomes that one, in
//! its place, in bodies too. An argument that declares other strides is copied at entry. No value changes.
//! Linear in the operations.

use crate::options;
use melior::ir::{
    OperationRef, RegionLike, Value, ValueLike, operation::OperationBuilder, r#type::IntegerType,
};
use terrace_dialects::{
    internal,
    ir::{
        BlockLike, OperationLike,
        annotations::{self, Place},
        attributes as convert,
        cursor::Cursor,
        operations::{collect, name_of, users},
        pass::Failure,
        registry::{self, OpImpl},
        rewrite::{erase, replace_uses, set_operand},
        types::TensorType,
    },
    ops::functional,
};
use terrace_layout::row_major;
use terrace_size::DYNAMIC;

/// Runs the pass on a module.
pub fn run(module: OperationRef, _: &options::FunctionalViewToCopy) -> Result<(), Failure> {
    for op in collect(module, |op| copy_of(op).is_some()) {
        let copy = copy_of(op).ok_or(internal!("has no copy"))?;
        let cursor = Cursor::before(op)?;
        let operands: Vec<Value> = op.operands().collect();
        let attributes: Vec<_> = op.attributes().collect();
        let new = OperationBuilder::new(copy.name, op.location())
            .add_operands(&operands)
            .add_attributes(&attributes)
            .add_results(&[op.result_at(0)?.r#type()])
            .build()?;
        replace(op.result_at(0)?.into(), cursor.insert(new).result_at(0)?.into());
        erase(op);
    }
    for function in collect(module, |op| name_of(op) == "func.func") {
        copy_arguments(function)?;
    }
    Ok(())
}

/// The copy of a view of the functional dialect.
pub fn copy_of(op: OperationRef) -> Option<&'static OpImpl> {
    registry::of(op).filter(|class| class.dialect == "functional")?.copy
}

/// Whether the tensor that an argument or a result of a function is has the strides of its sizes; it may
/// begin anywhere.
pub fn is_contiguous(function: OperationRef, place: Place, sizes: &[i64]) -> bool {
    let Some(layout) = annotations::of(function, place, annotations::LAYOUT) else { return true };
    let (strides, _) = convert::strided(layout);
    // A stride over one index, or over none, is never used.
    let fits = |((size, own), expected): ((&i64, &i64), &i64)| own == expected || *size == 1;
    let all = sizes.contains(&0) || sizes.iter().zip(&strides).zip(&row_major(sizes)).all(fits);
    // Strides follow from all sizes but the first.
    all && !sizes.iter().skip(1).any(|size| *size == DYNAMIC)
}

/// Whether an operation asks for no more of its operand than its elements, which it puts into memory of their
/// own, or a size.
pub fn asks_no_strides(op: OperationRef) -> bool {
    functional::ViewCopyOp::try_from(op).is_ok() || name_of(op) == "tensor.dim"
}

/// Copies arguments that are not contiguous in front of all that uses them.
fn copy_arguments(function: OperationRef) -> Result<(), Failure> {
    let Some(block) = function.region(0)?.first_block() else { return Ok(()) };
    for number in 0..block.argument_count() {
        let argument: Value = block.argument(number)?.into();
        let Some(tensor) = TensorType::of(argument.r#type()).filter(|tensor| !tensor.graph) else { continue };
        let place = Place::Argument(number);
        if is_contiguous(function, place, &tensor.shape) || users(argument).all(asks_no_strides) {
            continue;
        }
        let cursor = Cursor::start(block, argument.location());
        // What asks the argument goes on asking it.
        let (mut asks, mut sizes) = (vec![], vec![]);
        for dim in (0..tensor.rank()).filter(|dim| tensor.shape[*dim] == DYNAMIC) {
            let at = cursor.integer(cursor.index_type(), dim as i64)?;
            let size = cursor.build("tensor.dim", &[argument, at], &[cursor.index_type()], &[], vec![])?;
            let word = IntegerType::new(cursor.context, 64).into();
            sizes.push(cursor.op("arith.index_cast", &[size.result_at(0)?.into()], word)?);
            asks.push(size);
        }
        let copy = functional::view_copy(argument.location(), argument, &sizes, &tensor.shape)?;
        asks.push(cursor.insert(copy));
        let Some(copy) = asks.last() else { continue };
        replace(argument, copy.result_at(0)?.into());
        for op in asks {
            set_operand(op, 0, argument);
        }
    }
    Ok(())
}

fn replace(old: Value, new: Value) {
    replace_uses(old, new)
}
