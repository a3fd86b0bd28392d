//! The pass `loop-reorder`: writes down in which order loop operations run through their domains.
//!
//! An operation on tensors says what each element is, so any order is right. On memrefs an order is refused
//! where a point reads what another one writes. A scan combines along its dimension in whatever order the
//! others run.

use crate::{
    loops::operation::{
        read::Loop,
        targets::{depends_on_order, targets},
    },
    options::LoopReorder as Options,
};
use melior::ir::{Attribute, OperationRef, attribute::DenseI64ArrayAttribute};
use terrace_dialects::ir::{
    OperationLike, context, operations::refuse, pass::Failure, rewrite::set_attribute, stress::Stress,
};

/// Runs the pass below an operation.
pub fn run(op: OperationRef, options: &Options) -> Result<(), Failure> {
    let mut stress = Stress::new(options.stress_seed);
    for op in targets(op, &options.function, options.number, |op| Loop::of(op).is_some())? {
        let Some(nest) = Loop::of(op) else { continue };
        let order = match &mut stress {
            Some(_) if nest.sizes.len() < 2 || depends_on_order(&nest).is_some() => continue,
            Some(stress) => stress.permutation(nest.sizes.len()),
            None => options.order.clone(),
        };
        let mut sorted = order.clone();
        sorted.sort_unstable();
        if !sorted.into_iter().eq(0..nest.sizes.len() as i64) {
            let why = format!(
                "can't run in the order {order:?}: expects each of its {} dimensions once, from 0",
                nest.sizes.len()
            );
            return Err(refuse(op, &why));
        }
        if let Some(load) = depends_on_order(&nest) {
            let why = "reads at another point what its operation writes, so the order of its points matters: expects \
                       it to read its own element, or a copy";
            return Err(refuse(load.operation(), why));
        }
        set(op, "order", &order);
    }
    Ok(())
}

/// Gives an operation a list of numbers.
pub(crate) fn set(op: OperationRef, name: &str, numbers: &[i64]) {
    let context = context::of(op.context());
    let list: Attribute = DenseI64ArrayAttribute::new(context, numbers).into();
    // SAFETY: nobody else looks at the operation's attributes.
    set_attribute(op, name, list);
}
