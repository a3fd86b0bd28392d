//! Operators on each tensor of a list, by the operators on one tensor.

use melior::ir::operation::{OperationLike, OperationRef};
use terrace_dialects::builder::Builder;
use terrace_dialects::{foreach, table};

use crate::machine::{Action, Flow, Op, Table};

pub(super) fn register(table: &mut Table) {
    for class in table::ALL.iter().filter(|class| foreach::is_foreach(class)) {
        table.add(class.name, decode);
    }
}

/// The actions of the single operations, one after another; their results are the results.
fn decode(op: &mut Op) -> Result<Action, String> {
    let operation = op.operation();
    let class = terrace_dialects::registry::of(operation).ok_or("is not known")?;
    let results = op.results();
    let (mut actions, mut made) = (vec![], vec![]);
    for single in foreach::singles(operation, class)? {
        let mut builder = Builder::new(single.class, operation.location());
        for values in &single.operands {
            builder.operands(values);
        }
        for (name, value) in foreach::attributes(operation) {
            builder.any(&name, value);
        }
        // It lives as long as it takes to decode it.
        let built = builder.infer().map_err(|error| error.to_string())?;
        let (action, slots) = op.other(unsafe { OperationRef::from_raw(built.to_raw()) })?;
        actions.push(action);
        made.extend(slots);
    }
    Ok(Box::new(move |machine, frame| {
        for action in &actions {
            action(machine, frame)?;
        }
        for (&result, &slot) in results.iter().zip(&made) {
            let value = frame.get(slot).clone();
            frame.set(result, value);
        }
        Ok(Flow::Next)
    }))
}
