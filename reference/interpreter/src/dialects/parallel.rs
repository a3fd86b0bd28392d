//! scf.parallel and scf.forall: iterations that may run at once, here one after the other in row-major order.

use super::tensor::{Window, fresh};
use crate::{
    error::Fault,
    machine::{Action, Flow, Frame, Integers, Op, Table},
    semantics::{copy, views},
    types::Sort,
};
use terrace_tensor::{Scalar, Value, layout::positions};

pub(super) fn register(table: &mut Table) {
    table.add("scf.parallel", parallel);
    for name in ["scf.reduce", "scf.reduce.return"] {
        table.add(name, |op| Ok(op.leave()));
    }
    table.add("scf.forall", forall);
    table.add("scf.forall.in_parallel", |op| {
        let body = op.region(0)?;
        Ok(Box::new(move |machine, frame| {
            body.run(machine, frame, &[])?;
            Ok(Flow::Leave(vec![]))
        }))
    });
    table.add("tensor.parallel_insert_slice", |op| {
        let (source, window) = (op.operand(0), Window::of(op, 1)?);
        Ok(Box::new(move |_, frame| {
            let part = window.view(frame, frame.tensor(window.source))?;
            copy::copy_(&part, &views::view(&copy::packed(frame.tensor(source))?, part.sizes())?)?;
            Ok(Flow::Next)
        }))
    });
}

/// From lower to upper bounds by steps: the counters of each point.
pub(super) fn points(
    lower: &[i64],
    upper: &[i64],
    steps: &[i64],
) -> Result<impl Iterator<Item = Vec<Value>> + use<>, Fault> {
    if let Some(step) = steps.iter().find(|step| **step <= 0) {
        return Err(format!("has a step of {step}, which must be positive").into());
    }
    let count = |d: usize| ((upper[d] - lower[d]).max(0) as u64).div_ceil(steps[d] as u64) as i64;
    let counts: Vec<i64> = (0..steps.len()).map(count).collect();
    let (lower, steps) = (lower.to_vec(), steps.to_vec());
    Ok(positions(&counts).map(move |point| {
        let counter = |(d, i): (usize, i64)| Scalar::Int(lower[d] + i * steps[d]).into();
        point.into_iter().enumerate().map(counter).collect()
    }))
}

fn parallel(op: &mut Op) -> Result<Action, String> {
    let segments = op.segments()?;
    let body = op.region(0)?;
    let combiners = op.regions_of_terminator(0)?;
    let results = op.results();
    Ok(Box::new(move |machine, frame| {
        let numbers = |frame: &Frame, i: usize| {
            segments[i].iter().map(|&slot| frame.scalar(slot).to_i64()).collect::<Vec<_>>()
        };
        let mut all = frame.get_all(&segments[3]);
        for point in points(&numbers(frame, 0), &numbers(frame, 1), &numbers(frame, 2))? {
            let terms = body.run(machine, frame, &point)?;
            for ((all, term), combiner) in all.iter_mut().zip(terms).zip(&combiners) {
                let combined = combiner.run(machine, frame, &[all.clone(), term])?;
                *all = combined.into_iter().next().ok_or_else(|| Fault::from("combines to nothing"))?;
            }
        }
        frame.set_all(&results, &all);
        Ok(Flow::Next)
    }))
}

/// The outputs are tensors that all iterations write into.
fn forall(op: &mut Op) -> Result<Action, String> {
    let segments = op.segments()?;
    let list = |name: &str, segment: usize| Integers::new(&op.ints(name)?, &segments[segment]);
    let (lower, upper, steps) =
        (list("staticLowerBound", 0)?, list("staticUpperBound", 1)?, list("staticStep", 2)?);
    let kinds = op.result_kinds()?;
    let (body, results) = (op.region(0)?, op.results());
    Ok(Box::new(move |machine, frame| {
        let mut outputs = frame.get_all(&segments[3]);
        for (output, kind) in outputs.iter_mut().zip(&kinds) {
            if let (Value::Tensor(tensor), Sort::Value) = (&*output, kind.sort) {
                *output = fresh(tensor)?.into();
            }
        }
        for mut point in points(&lower.get(frame), &upper.get(frame), &steps.get(frame))? {
            point.extend(outputs.iter().cloned());
            body.run(machine, frame, &point)?;
        }
        frame.set_all(&results, &outputs);
        Ok(Flow::Next)
    }))
}
