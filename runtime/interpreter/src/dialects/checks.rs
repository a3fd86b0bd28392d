//! How tensors lie: `graph.check_disjoint`, `graph.check_same`, `graph.check_same_storage`.

use terrace_dialects::attributes;
use terrace_tensor::{Scalar, Tensor};

use crate::machine::{Action, Flow, Frame, Op, Slot, Table};
use crate::semantics::aliasing::{Member, are_disjoint, are_same, have_one_storage};

pub(super) fn register(table: &mut Table) {
    table.graph("check_disjoint", |op| {
        let (tensors, result) = (op.list(0), op.results()[0]);
        let sets: Vec<usize> = match op.optional_ints("sets") {
            Some(sizes) => {
                sizes.into_iter().enumerate().flat_map(|(set, size)| vec![set; size as usize]).collect()
            }
            None => (0..tensors.len()).collect(),
        };
        let written = op.attribute("written").map_or_else(|| vec![true; tensors.len()], attributes::bools);
        let storages = op.attribute("storages").is_some();
        Ok(Box::new(move |_, frame| {
            let member = |(place, slot): (usize, &Slot)| Member {
                tensor: frame.tensor(*slot),
                set: sets[place],
                written: written[place],
            };
            let members: Vec<Member> = tensors.iter().enumerate().map(member).collect();
            let disjoint = are_disjoint(&members, storages);
            frame.set(result, Scalar::Bool(disjoint));
            Ok(Flow::Next)
        }))
    });
    table.graph("check_same", |op| compared(op, are_same));
    table.graph("check_same_storage", |op| compared(op, have_one_storage));
}

/// Compares two tensors.
fn compared(op: &mut Op, same: fn(&Tensor, &Tensor) -> bool) -> Result<Action, String> {
    let (a, b, result) = (op.tensor(0), op.tensor(1), op.results()[0]);
    Ok(Box::new(move |_, frame: &mut Frame| {
        frame.set(result, Scalar::Bool(same(frame.tensor(a), frame.tensor(b))));
        Ok(Flow::Next)
    }))
}
