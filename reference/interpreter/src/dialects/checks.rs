//! How tensors lie: `graph.check_disjoint`, `graph.check_distinct`, `graph.check_same`,
//! `graph.check_same_storage`, `graph.check_storage`, `graph.assert_storage`, `graph.guard`.

use crate::{
    machine::{Action, Flow, Frame, Op, Slot, Table},
    semantics::{
        aliasing::{Member, are_disjoint, are_same, have_one_storage},
        overlap::check_distinct,
    },
};
use terrace_dialects::{definitions::verifiers::GUARD, ir::attributes};
use terrace_tensor::{Scalar, Tensor};

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
    table.graph("guard", |op| {
        let (condition, text) = (op.operand(0), op.attribute("text").map(attributes::string));
        let text = text.ok_or("has no 'text'")?;
        Ok(Box::new(move |_, frame| match frame.scalar(condition) {
            Scalar::Bool(true) => Ok(Flow::Next),
            _ => Err(format!("{GUARD}: {text}").into()),
        }))
    });
    table.graph("check_distinct", |op| {
        let (tensor, result) = (op.tensor(0), op.results()[0]);
        Ok(Box::new(move |_, frame| {
            frame.set(result, Scalar::Bool(check_distinct(frame.tensor(tensor)).is_ok()));
            Ok(Flow::Next)
        }))
    });
    table.graph("check_storage", |op| {
        let (tensor, bytes, result) = (op.tensor(0), op.dynamic_ints("bytes", 1)?, op.results()[0]);
        Ok(Box::new(move |_, frame| {
            let holds = bytes.one(frame)? <= bytes_of(frame.tensor(tensor));
            frame.set(result, Scalar::Bool(holds));
            Ok(Flow::Next)
        }))
    });
    table.graph("assert_storage", |op| {
        let (tensor, bytes) = (op.tensor(0), op.dynamic_ints("bytes", 1)?);
        Ok(Box::new(move |_, frame| {
            let (needed, there) = (bytes.one(frame)?, bytes_of(frame.tensor(tensor)));
            match needed <= there {
                true => Ok(Flow::Next),
                false => Err(format!(
                    "setStorage: as_strided requiring a storage size of {needed} is out of bounds for storage of size {there}"
                )
                .into()),
            }
        }))
    });
    table.graph("check_same", |op| compared(op, are_same));
    table.graph("check_same_storage", |op| compared(op, have_one_storage));
}

/// The size of a tensor's storage.
fn bytes_of(tensor: &Tensor) -> i64 {
    i64::try_from(tensor.storage().len()).unwrap_or(i64::MAX)
}

/// Compares two tensors.
fn compared(op: &mut Op, same: fn(&Tensor, &Tensor) -> bool) -> Result<Action, String> {
    let (a, b, result) = (op.tensor(0), op.tensor(1), op.results()[0]);
    Ok(Box::new(move |_, frame: &mut Frame| {
        frame.set(result, Scalar::Bool(same(frame.tensor(a), frame.tensor(b))));
        Ok(Flow::Next)
    }))
}
