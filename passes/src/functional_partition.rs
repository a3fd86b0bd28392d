//! `functional-partition`: a joint forward and backward graph becomes the two, with few bytes saved between.
//!
//! Contract: a function of one block, on builtin tensors of static sizes and numbers, whose arguments are marked
//! `functional.tangent` and results `functional.gradient` ([`terrace_dialects::facts`]). It becomes `@f.forward`, `@f.backward`, and
//! a function of its name that calls both: the same values. What changes memory or has other effects runs once, where it ran.
//!
//! [`joint`] says which operations depend on tangents and what may be computed again; [`cut`] chooses what is saved: a minimum cut
//! ([`flow`]), and less where a budget asks for it; [`outline`] writes the functions. Facts about memory in
//! bodies are not kept: another value may be alive now (run functional-reinplace afterwards).

mod cut;
mod flow;
mod joint;
mod outline;

use crate::functions::Names;
use crate::options;
use joint::Joint;
use melior::ir::{BlockLike, OperationRef, RegionLike, operation::OperationLike};
use terrace_dialects::{
    bridge::{emit_op_error, emit_op_remark},
    facts::{self, Place},
    operations::{collect, name_of},
    pass::Failure,
};

/// Runs the pass on a module.
pub fn run(module: OperationRef, options: &options::FunctionalPartition) -> Result<(), Failure> {
    if !(0.0..=1.0).contains(&options.memory_budget) {
        return Err(format!("memory-budget is between 0 and 1, got {}", options.memory_budget).into());
    }
    let (mut failed, mut names) = (false, Names::default());
    for function in collect(module, |op| name_of(op) == "func.func" && is_joint(op)) {
        match partition(function, options, &mut names) {
            Ok(()) => {}
            Err(Failure::Reported) => failed = true,
            Err(Failure::Message(message)) => {
                emit_op_error(&function, &message);
                failed = true;
            }
        }
    }
    if failed { Err(Failure::Reported) } else { Ok(()) }
}

/// Whether a function with a body has tangents or gradients.
fn is_joint(function: OperationRef) -> bool {
    let Some(block) = function.region(0).ok().and_then(|r| r.first_block()) else { return false };
    let results = block.terminator().map_or(0, |end| end.operand_count());
    let tangent = |i| facts::of(function, Place::Argument(i), facts::TANGENT).is_some();
    let gradient = |i| facts::of(function, Place::Result(i), facts::GRADIENT).is_some();
    (0..block.argument_count()).any(tangent) || (0..results).any(gradient)
}

fn partition(
    function: OperationRef,
    options: &options::FunctionalPartition,
    names: &mut Names,
) -> Result<(), Failure> {
    let joint = Joint::of(function)?;
    let saved = cut::choose(&joint, options)?;
    let bytes: u64 = saved.iter().filter_map(|value| joint.values[*value].bytes).sum();
    outline::write(&joint, &saved, names)?;
    emit_op_remark(
        &function,
        &format!("saves {bytes} bytes in {} values for its backward part", saved.len()),
    );
    Ok(())
}
