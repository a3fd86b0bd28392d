//! affine: loops and branches whose bounds, conditions and places are affine expressions of loop counters and
//! of sizes.

use super::{
    combine::combine,
    loops::number,
    maps::{self, Access, Constraints},
    parallel::points,
};
use crate::{
    error::Fault,
    machine::{Action, Flow, Frame, Op, Slot, Table},
};
use terrace_dialects::{ir::attributes, ops::Combiner};
use terrace_tensor::Scalar;

/// One of the results of a map.
type Choose = fn(Vec<i64>) -> Option<i64>;

pub(super) fn register(table: &mut Table) {
    table.add("affine.yield", |op| Ok(op.leave()));
    table.add("affine.for", for_);
    table.add("affine.parallel", parallel);
    table.add("affine.if", if_);
    table.add("affine.load", |op| {
        let (memref, place, result) = (op.operand(0), place(op, 1)?, op.results()[0]);
        Ok(Box::new(move |_, frame| {
            let element = frame.tensor(memref).get(&place.get(frame)?)?;
            frame.set(result, element);
            Ok(Flow::Next)
        }))
    });
    table.add("affine.store", |op| {
        let (value, memref, place) = (op.operand(0), op.operand(1), place(op, 2)?);
        Ok(Box::new(move |_, frame| {
            frame.tensor(memref).set(&place.get(frame)?, frame.scalar(value))?;
            Ok(Flow::Next)
        }))
    });
    let choices: [(&str, Choose); 3] = [
        ("affine.apply", |values| values.first().copied()),
        ("affine.min", |values| values.into_iter().min()),
        ("affine.max", |values| values.into_iter().max()),
    ];
    for (name, choose) in choices {
        table.add(name, move |op| {
            let (values, result) = (place(op, 0)?, op.results()[0]);
            Ok(Box::new(move |_, frame| {
                frame
                    .set(result, Scalar::Int(choose(values.get(frame)?).ok_or("has a map without results")?));
                Ok(Flow::Next)
            }))
        });
    }
}

/// The map of an operation on its operands from a number on.
fn place(op: &Op, from: usize) -> Result<Access, String> {
    Access::of(op, "map", op.operands()[from..].to_vec())
}

/// The largest of lower bounds, or the smallest of upper ones.
fn bound(access: &Access, frame: &Frame, lower: bool) -> Result<i64, Fault> {
    let values = access.get(frame)?.into_iter();
    let chosen = if lower { values.max() } else { values.min() };
    chosen.ok_or_else(|| "has a bound without a value".into())
}

fn for_(op: &mut Op) -> Result<Action, String> {
    let [lower, upper, initial]: [Vec<Slot>; 3] =
        op.segments()?.try_into().map_err(|_| "has another number of operand segments than three")?;
    let (lower, upper) = (Access::of(op, "lowerBoundMap", lower)?, Access::of(op, "upperBoundMap", upper)?);
    let (step, body, results) = (op.int("step")?, op.region(0)?, op.results());
    Ok(Box::new(move |machine, frame| {
        let (mut at, end) = (bound(&lower, frame, true)?, bound(&upper, frame, false)?);
        let mut carried = frame.get_all(&initial);
        while at < end {
            carried.insert(0, Scalar::Int(at).into());
            carried = body.run(machine, frame, &carried)?;
            at = at.saturating_add(step);
        }
        frame.set_all(&results, &carried);
        Ok(Flow::Next)
    }))
}

fn if_(op: &mut Op) -> Result<Action, String> {
    let (condition, on_true) = (Constraints::of(op, "condition", op.operands())?, op.region(0)?);
    let on_false = if op.has_block(1) { Some(op.region(1)?) } else { None };
    let results = op.results();
    Ok(Box::new(move |machine, frame| {
        let taken = if condition.hold(frame)? { Some(&on_true) } else { on_false.as_ref() };
        if let Some(region) = taken {
            let values = region.run(machine, frame, &[])?;
            frame.set_all(&results, &values);
        }
        Ok(Flow::Next)
    }))
}

/// A loop over all points between the bounds, in row-major order. Each result is the values that the points
/// yield for it, combined.
fn parallel(op: &mut Op) -> Result<Action, String> {
    let integers =
        |name: &str| Ok::<_, String>(attributes::array(op.required(name)?).into_iter().map(attributes::i64));
    let steps: Vec<i64> = integers("steps")?.collect();
    let groups = |name: &str| op.required(name).map(attributes::dense_i32s);
    let (lower_groups, upper_groups) = (groups("lowerBoundsGroups")?, groups("upperBoundsGroups")?);
    let operands = op.operands();
    let map_inputs = |name: &str| op.required(name).and_then(maps::inputs);
    let (low, high) = operands.split_at(map_inputs("lowerBoundsMap")?);
    let lower = Access::of(op, "lowerBoundsMap", low.to_vec())?;
    let upper = Access::of(op, "upperBoundsMap", high.to_vec())?;
    let combiners = integers("reductions")?.map(combiner).collect::<Result<Vec<_>, _>>()?;
    let kinds = op.result_kinds()?;
    let (body, results) = (op.region(0)?, op.results());
    Ok(Box::new(move |machine, frame| {
        let bounds = |values: Vec<i64>, groups: &[i32], lower: bool| {
            let mut values = values.into_iter();
            let each = groups.iter().map(|&size| {
                let own = values.by_ref().take(size as usize);
                if lower { own.max() } else { own.min() }.unwrap_or(0)
            });
            each.collect::<Vec<i64>>()
        };
        let starts = bounds(lower.get(frame)?, &lower_groups, true);
        let ends = bounds(upper.get(frame)?, &upper_groups, false);
        let mut terms: Vec<Vec<Scalar>> = vec![vec![]; combiners.len()];
        for counters in points(&starts, &ends, &steps)? {
            for (all, value) in terms.iter_mut().zip(body.run(machine, frame, &counters)?) {
                all.push(number(&value)?);
            }
        }
        for (((&slot, terms), &combiner), kind) in results.iter().zip(terms).zip(&combiners).zip(&kinds) {
            frame.set(slot, combine(combiner, kind.dtype, terms.into_iter()));
        }
        Ok(Flow::Next)
    }))
}

/// The combiner that arith's kind of a reduction stands for.
fn combiner(kind: i64) -> Result<Combiner, String> {
    Ok(match kind {
        0 | 1 => Combiner::Add,
        2 => Combiner::And,
        4 | 6 => Combiner::Max,
        8 | 10 => Combiner::Min,
        12 | 13 => Combiner::Mul,
        14 => Combiner::Or,
        _ => return Err("has a reduction of a kind that the interpreter does not know".into()),
    })
}
