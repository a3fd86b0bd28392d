//! `functional-reinplace`: a value that nobody reads any more gives its memory to the next one.
//!
//! Contract: values stay. Functions are marked with facts ([`terrace_dialects::ir::annotations`]):
//! `functional.in_place` at operations, `functional.donated` at arguments of cores; a boundary that wrote
//! parts of an argument back writes the whole, which lies there already. Views that are read after a write,
//! of elements that it leaves alone, become views of the new value.
//!
//! [`donation`] goes through boundaries; [`memory`] says whose memory a value lies in and whether an
//! operation may take it, by the rules that the pass's description numbers. Functions of several blocks are
//! left as they are. Linear in operations and uses: of one memory at most [`memory::LOOKED_AT`] uses are
//! looked at per operation, and more count as a conflict.

mod donation;
mod memory;
mod regions;

use crate::{functional::convert_to_loop::is_pointwise, options};
use melior::ir::{OperationRef, RegionLike, Value, ValueLike};
use memory::{Access, Memory};
use terrace_dialects::ir::{
    BlockLike, OperationLike, annotations, context,
    operations::{collect, name_of},
    operator::Role,
    pass::Failure,
    registry,
    rewrite::{set_discardable, set_operand},
};

/// Runs the pass on a module.
pub fn run(module: OperationRef, _: &options::FunctionalReinplace) -> Result<(), Failure> {
    donation::donate(module)?;
    for function in collect(module, |op| name_of(op) == "func.func") {
        let Some(block) = function.region(0)?.first_block() else { continue };
        if block.next_in_region().is_none() {
            mark(function);
        }
    }
    Ok(())
}

/// Whether an operation writes a part of its first operand.
fn is_scatter(op: OperationRef) -> bool {
    registry::of(op).is_some_and(|class| class.dialect == "functional" && class.role == Role::Scatter)
}

/// Marks what may write in place, in the order of the program: what is marked later stands on what was marked
/// before.
fn mark<'c, 'a>(function: OperationRef<'c, 'a>) {
    let memory = Memory::of(function);
    for op in collect(function, |op| name_of(op).starts_with("functional.")) {
        if annotations::in_place(op).is_some() {
            continue;
        }
        let found = if is_scatter(op) {
            let region = regions::written(op);
            let own = op.operand(0).ok();
            own.and_then(|own| memory.take(own, op, &Access::Part(region))).map(|readers| (0, readers))
        } else if is_pointwise(op) {
            let Some(result) = op.results().next() else { continue };
            let fits = |value: &Value| value.r#type() == result.r#type();
            let operands: Vec<Value> = op.operands().collect();
            let mut all = operands.iter().enumerate().filter(|(_, value)| fits(value));
            all.find_map(|(number, value)| Some((number, memory.take(*value, op, &Access::EachElement)?)))
        } else {
            None
        };
        let Some((number, readers)) = found else { continue };
        set_in_place(op, number);
        for reader in readers {
            if let Ok(new) = op.result_at(0) {
                set_operand(reader, 0, new);
            }
        }
    }
}

fn set_in_place(op: OperationRef, number: usize) {
    let value = annotations::number(context::of(op.context()), number);
    set_discardable(op, annotations::IN_PLACE, value);
}
