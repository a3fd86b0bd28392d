//! `functional-partition`: a joint forward and backward graph becomes the two, with few bytes saved between.
//!
//! Contract: a function of one block, on builtin tensors of static sizes and numbers, whose arguments are
//! marked `functional.tangent` and results `functional.gradient`, or those of its boundary ([`marks`]). It
//! becomes `@f.forward`, `@f.backward`, and a function of its name that calls both: the same values. What
//! changes memory or has other effects runs once, where it ran.
//!
//! [`joint`] says which operations depend on tangents and what may be computed again; [`cut`] chooses what is
//! saved: a minimum cut ([`flow`]), and less where a budget asks for it; [`outline`] writes the functions.
//! Facts about memory in bodies are not kept: another value may be alive now (run functional-reinplace
//! afterwards).

mod cut;
mod flow;
mod joint;
mod marks;
mod outline;

use crate::{functions::Names, options};
use joint::Joint;
use marks::Marks;
use melior::ir::OperationRef;
use terrace_dialects::ir::{
    diagnostics::{emit_op_error, emit_op_remark},
    pass::Failure,
};

/// Runs the pass on a module.
pub fn run(module: OperationRef, options: &options::FunctionalPartition) -> Result<(), Failure> {
    if !(0.0..=1.0).contains(&options.memory_budget) {
        return Err(format!("memory-budget is between 0 and 1, got {}", options.memory_budget).into());
    }
    let (mut failed, mut names) = (false, Names::default());
    for (function, marks) in marks::all(module) {
        match marks.and_then(|marks| partition(function, &marks, options, &mut names)) {
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

fn partition(
    function: OperationRef,
    marks: &Marks,
    options: &options::FunctionalPartition,
    names: &mut Names,
) -> Result<(), Failure> {
    let joint = Joint::of(function, marks)?;
    let saved = cut::choose(&joint, options)?;
    let bytes = |values: &[usize]| values.iter().filter_map(|value| joint.values[*value].bytes).sum::<u64>();
    let needed = joint.needed();
    let (own, all) = (bytes(&saved), bytes(&needed));
    outline::write(&joint, &saved, names)?;
    emit_op_remark(
        &function,
        &format!(
            "saves {own} bytes in {} values for its backward part, which reads {all} bytes in {}",
            saved.len(),
            needed.len()
        ),
    );
    Ok(())
}
