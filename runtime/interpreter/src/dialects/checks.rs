//! How tensors lie: `graph.check_disjoint`, `graph.check_distinct`, `graph.check_same`, `graph.check_same_storage`, `graph.check_storage`,
//! `graph.assert_storage`, `graph.assert_writable`.

use terrace_dialects::attributes;
use terrace_overlap::view_strides;
use terrace_tensor::{Scalar, Tensor};

use crate::machine::{Action, Flow, Frame, Op, Slot, Table};
use crate::semantics::aliasing::{Member, are_disjoint, are_same, have_one_storage};
use crate::semantics::overlap::{Beside, How, check_distinct, check_write};

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
    table.graph("assert_writable", |op| {
        let (written, operands) = (op.tensor(0), op.list(1));
        let (compared, places) =
            (attributes::bools(op.attribute("compared").ok_or("has no 'compared'")?), op.ints("places")?);
        let how = match attributes::string(op.attribute("how").ok_or("has no 'how'")?).as_str() {
            "each" => How::Each,
            "apart" => How::Apart,
            _ => How::Alone,
        };
        let (looked_for, onto_itself) =
            (op.attribute("looked_for").is_some(), op.attribute("onto_itself").is_some());
        Ok(Box::new(move |_, frame| {
            let written = frame.tensor(written);
            let operands: Vec<Beside> = operands
                .iter()
                .zip(compared.iter().zip(&places))
                .map(|(slot, (compared, place))| Beside {
                    tensor: frame.tensor(*slot),
                    compared: *compared,
                    place: *place,
                })
                .collect();
            let itself = |operand: &Beside| are_same(operand.tensor, written);
            if !(onto_itself && operands.iter().all(itself)) {
                check_write(written, &operands, how, looked_for)?;
            }
            Ok(Flow::Next)
        }))
    });
    table.graph("check_view", |op| {
        let (tensor, size, result) = (op.tensor(0), op.dynamic_ints("size", 1)?, op.results()[0]);
        Ok(Box::new(move |_, frame| {
            let own = frame.tensor(tensor);
            let (asked, count) = (size.get(frame), own.len() as i64);
            let given: i64 = asked.iter().filter(|size| **size != -1).product();
            let size = |size: &i64| if *size == -1 { count.checked_div(given).unwrap_or(-1) } else { *size };
            let size: Vec<i64> = asked.iter().map(size).collect();
            if size.contains(&-1) || size.iter().product::<i64>() != count {
                return Err(format!("shape '{asked:?}' is invalid for input of size {}", own.len()).into());
            }
            let can = view_strides(own.sizes(), own.strides(), &size).is_some();
            frame.set(result, Scalar::Bool(can));
            Ok(Flow::Next)
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
