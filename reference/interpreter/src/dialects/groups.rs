//! loop.group: points that see the destinations as they were, and insert into them.
//!
//! All points run before the first element is stored. Where two inserts that do not combine give an element
//! different values, the result would depend on the order of points: that is refused.

use super::{combine::combine, maps::Access, tensor::fresh};
use crate::{
    error::Fault,
    machine::{Action, Flow, Op, Slot, Table},
    types::Sort,
};
use melior::ir::RegionLike;
use std::collections::BTreeMap;
use terrace_dialects::{
    ir::{BlockLike, OperationLike},
    loops::groups::{Insert, end},
    ops::{Combiner, loop_},
};
use terrace_tensor::{Scalar, Value, layout::positions};

pub(super) fn register(table: &mut Table) {
    table.add("loop.group", group);
    table.add("loop.in_parallel", in_parallel);
    table.add("loop.insert", |_| Err("stands in no 'loop.in_parallel'".to_owned()));
}

/// What the inserts of all points give one destination, by place: in order, for an element.
type Written = BTreeMap<Vec<i64>, Vec<Scalar>>;

/// Where an insert goes, of a destination whose other dimensions are written as a whole.
struct Target {
    destination: usize,
    combiner: Option<Combiner>,
    whole: Vec<bool>,
}

fn group(op: &mut Op) -> Result<Action, String> {
    let view = loop_::GroupOp::try_from(op.operation()).map_err(|_| "is no group")?;
    let targets: Vec<Target> = Insert::all(view)
        .into_iter()
        .map(|i| Target {
            destination: i.destination,
            combiner: i.combiner,
            whole: i.place.iter().map(Option::is_none).collect(),
        })
        .collect();
    let (sizes, destinations) = (op.dynamic_ints("sizes", 0)?, op.list(1));
    let first = op.operands().len() - destinations.len();
    let kinds =
        (first..op.operands().len()).map(|i| op.operand_kind(i)).collect::<Result<Vec<_>, String>>()?;
    let body = op.region(0)?;
    let results = op.results();
    Ok(Box::new(move |machine, frame| {
        let mut written: Vec<Written> = destinations.iter().map(|_| Written::new()).collect();
        for point in positions(&sizes.get(frame)) {
            let mut arguments: Vec<Value> = point.iter().map(|&i| Scalar::Int(i).into()).collect();
            arguments.extend(frame.get_all(&destinations));
            let mut inserted = body.run(machine, frame, &arguments)?.into_iter();
            for target in &targets {
                let written = &mut written[target.destination];
                target
                    .write(written, &mut inserted)
                    .map_err(|m| Fault::from(format!("at {point:?}: {m}")))?;
            }
        }
        let mut buffers = Vec::new();
        for (i, written) in written.into_iter().enumerate() {
            let old = frame.tensor(destinations[i]).clone();
            let new = if kinds[i].sort == Sort::Value { fresh(&old)? } else { old };
            let combiner = targets.iter().find(|t| t.destination == i).and_then(|t| t.combiner);
            for (place, mut elements) in written {
                let element = match combiner {
                    None => elements[0],
                    Some(combiner) => {
                        elements.insert(0, new.get(&place)?);
                        combine(combiner, kinds[i].dtype, elements.into_iter())
                    }
                };
                new.set(&place, element)?;
            }
            buffers.push(Value::from(new));
        }
        frame.set_all(&results, &buffers[..results.len()]);
        Ok(Flow::Next)
    }))
}

impl Target {
    /// Takes a value and its indices, and notes its elements.
    fn write(&self, written: &mut Written, inserted: &mut impl Iterator<Item = Value>) -> Result<(), String> {
        let value = inserted.next().ok_or("inserts too little")?;
        let fixed = self.whole.iter().filter(|whole| !**whole).count();
        let fixed: Vec<i64> = inserted.take(fixed).filter_map(|v| Some(v.as_scalar()?.to_i64())).collect();
        let place = |element: &[i64]| -> Vec<i64> {
            let (mut fixed, mut element) = (fixed.iter(), element.iter());
            let next = |whole: &bool| if *whole { element.next() } else { fixed.next() };
            self.whole.iter().map(next).map(|i| i.copied().unwrap_or_default()).collect()
        };
        let mut note = |place: Vec<i64>, element: Scalar| {
            let elements = written.entry(place.clone()).or_default();
            match elements.first() {
                Some(earlier) if self.combiner.is_none() => match same(*earlier, element) {
                    true => Ok(()),
                    false => Err(format!("inserts another value than before at {place:?}")),
                },
                _ => {
                    elements.push(element);
                    Ok(())
                }
            }
        };
        match value {
            Value::Scalar(number) => note(place(&[]), number),
            Value::Tensor(tensor) => {
                let sizes = tensor.sizes().to_vec();
                positions(&sizes).zip(tensor.to_vec()).try_for_each(|(i, element)| note(place(&i), element))
            }
        }
    }
}

/// Whether an element does not depend on which of two numbers it got.
fn same(a: Scalar, b: Scalar) -> bool {
    a == b || (a.to_f64().is_nan() && b.to_f64().is_nan())
}

/// Leaves the point with each insert's value, and its indices after it.
fn in_parallel(op: &mut Op) -> Result<Action, String> {
    let group = op.operation().parent_operation().and_then(|g| loop_::GroupOp::try_from(g).ok());
    let group = group.ok_or("ends no group")?;
    let mut inserts: Vec<(Slot, Vec<Slot>, loop_::InsertOp)> = Vec::new();
    let mut next = end(group).and_then(|end| end.body().first_block()?.first_operation());
    while let Some(inside) = next {
        next = inside.next_in_block();
        let insert = loop_::InsertOp::try_from(inside).map_err(|_| "has no inserts alone")?;
        let indices = insert.indices().into_iter().map(|v| op.slot(v)).collect();
        inserts.push((op.slot(insert.value()), indices, insert));
    }
    let places = inserts
        .into_iter()
        .map(|(value, indices, insert)| Ok((value, Access::of_map(insert.map(), indices)?)))
        .collect::<Result<Vec<_>, String>>()?;
    Ok(Box::new(move |_, frame| {
        let mut values = Vec::new();
        for (value, place) in &places {
            values.push(frame.get(*value).clone());
            values.extend(place.get(frame)?.into_iter().map(|index| Value::from(Scalar::Int(index))));
        }
        Ok(Flow::Leave(values))
    }))
}
