//! Control flow: func, scf, cf.

use crate::{
    error::Fault,
    machine::{Action, Flow, Op, Table},
};
use terrace_dialects::ir::attributes;
use terrace_tensor::{Dtype, Scalar, Value};

pub(super) fn register(table: &mut Table) {
    for name in ["func.return", "scf.yield", "scf.condition", "tensor.yield"] {
        table.add(name, |op| Ok(op.leave()));
    }
    table.add("func.call", call);
    table.add("scf.if", if_);
    table.add("scf.for", for_);
    table.add("scf.while", while_);
    table.add("scf.index_switch", index_switch);
    table.add("scf.execute_region", execute_region);
    table.add("cf.br", branch);
    table.add("cf.cond_br", conditional_branch);
    table.add("cf.assert", assertion);
}

fn call(op: &mut Op) -> Result<Action, String> {
    let name = attributes::symbol(op.required("callee")?);
    let number = op.function(&name).ok_or_else(|| format!("calls @{name}, which is no function"))?;
    let (operands, results) = (op.operands(), op.results());
    Ok(Box::new(move |machine, frame| {
        let values = machine.invoke(number, &frame.get_all(&operands), frame.depth)?;
        frame.set_all(&results, &values);
        Ok(Flow::Next)
    }))
}

fn if_(op: &mut Op) -> Result<Action, String> {
    let (condition, on_true) = (op.operand(0), op.region(0)?);
    // The second region may be without a block.
    let on_false = if op.has_block(1) { Some(op.region(1)?) } else { None };
    let results = op.results();
    Ok(Box::new(move |machine, frame| {
        let taken = if frame.scalar(condition).to_bool() { Some(&on_true) } else { on_false.as_ref() };
        if let Some(region) = taken {
            let values = region.run(machine, frame, &[])?;
            frame.set_all(&results, &values);
        }
        Ok(Flow::Next)
    }))
}

fn for_(op: &mut Op) -> Result<Action, String> {
    let operands = op.operands();
    let (bounds, initial) = operands.split_at(3);
    let (bounds, initial) = (bounds.to_vec(), initial.to_vec());
    let unsigned = op.attribute("unsignedCmp").is_some();
    let (body, results) = (op.region(0)?, op.results());
    Ok(Box::new(move |machine, frame| {
        let [start, end, step] = [0, 1, 2].map(|i| frame.scalar(bounds[i]).to_i64());
        if step <= 0 {
            return Err(format!("has a step of {step}, which must be positive").into());
        }
        let before = |a: i64, b: i64| if unsigned { (a as u64) < b as u64 } else { a < b };
        let (mut at, mut carried) = (start, frame.get_all(&initial));
        while before(at, end) {
            carried.insert(0, Scalar::Int(at).into());
            carried = body.run(machine, frame, &carried)?;
            match at.checked_add(step) {
                Some(next) => at = next,
                None => break,
            }
        }
        frame.set_all(&results, &carried);
        Ok(Flow::Next)
    }))
}

fn while_(op: &mut Op) -> Result<Action, String> {
    let (initial, before, after) = (op.operands(), op.region(0)?, op.region(1)?);
    let results = op.results();
    Ok(Box::new(move |machine, frame| {
        let mut carried = frame.get_all(&initial);
        loop {
            let mut passed = before.run(machine, frame, &carried)?;
            let condition = passed.remove(0);
            if !is_true(&condition) {
                frame.set_all(&results, &passed);
                return Ok(Flow::Next);
            }
            carried = after.run(machine, frame, &passed)?;
        }
    }))
}

fn index_switch(op: &mut Op) -> Result<Action, String> {
    let (argument, cases) = (op.operand(0), op.ints("cases")?);
    // The first region is the default.
    let regions = (0..=cases.len()).map(|index| op.region(index)).collect::<Result<Vec<_>, _>>()?;
    let results = op.results();
    Ok(Box::new(move |machine, frame| {
        let value = frame.scalar(argument).to_i64();
        let taken = cases.iter().position(|&case| case == value).map_or(0, |position| position + 1);
        let values = regions[taken].run(machine, frame, &[])?;
        frame.set_all(&results, &values);
        Ok(Flow::Next)
    }))
}

fn execute_region(op: &mut Op) -> Result<Action, String> {
    let (body, results) = (op.region(0)?, op.results());
    Ok(Box::new(move |machine, frame| {
        let values = body.run(machine, frame, &[])?;
        frame.set_all(&results, &values);
        Ok(Flow::Next)
    }))
}

fn branch(op: &mut Op) -> Result<Action, String> {
    let (target, operands) = (op.successor(0)?, op.operands());
    Ok(Box::new(move |_, frame| Ok(Flow::Jump(target, frame.get_all(&operands)))))
}

fn conditional_branch(op: &mut Op) -> Result<Action, String> {
    let mut segments = op.segments()?;
    let (on_false, on_true, condition) = (segments.remove(2), segments.remove(1), segments[0][0]);
    let targets = [op.successor(0)?, op.successor(1)?];
    Ok(Box::new(move |_, frame| {
        Ok(if frame.scalar(condition).to_bool() {
            Flow::Jump(targets[0], frame.get_all(&on_true))
        } else {
            Flow::Jump(targets[1], frame.get_all(&on_false))
        })
    }))
}

fn assertion(op: &mut Op) -> Result<Action, String> {
    let (condition, message) = (op.operand(0), attributes::string(op.required("msg")?));
    Ok(Box::new(move |_, frame| match frame.scalar(condition).to_bool() {
        true => Ok(Flow::Next),
        false => Err(Fault::Refused(message.clone())),
    }))
}

fn is_true(value: &Value) -> bool {
    value.as_scalar().is_some_and(|scalar| scalar.cast(Dtype::Bool).to_bool())
}
