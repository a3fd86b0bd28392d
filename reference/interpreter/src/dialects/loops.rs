//! loop: iteration domains with a scalar body.
//!
//! All points are computed before the first element is stored, so a body that loads from its destination sees
//! what was there before.

use super::{combine::combine, maps::Access, tensor::fresh};
use crate::{
    error::Fault,
    machine::{Action, Flow, Frame, Integers, Interpreter, Op, Region, Slot, Table},
    types::{Kind, Sort},
};
use std::collections::{BTreeMap, HashMap};
use terrace_dialects::{
    loops::scatters::Meeting,
    ops::loop_::{ReductionOp, ScanOp, ScatterOp},
};
use terrace_tensor::{Scalar, Tensor, Value, layout::positions};

pub(super) fn register(table: &mut Table) {
    table.add("loop.pointwise", pointwise);
    table.add("loop.reduction", reduction);
    table.add("loop.scan", scan);
    table.add("loop.scatter", scatter);
    table.add("loop.load", load);
    table.add("loop.yield", yield_);
}

/// What every nest has.
struct Nest {
    sizes: Integers,
    /// `None` for a member of a group, which is a value.
    destination: Option<Slot>,
    /// What is written, or what a member gives.
    kind: Kind,
    body: Region,
    /// `None` for a nest that writes a memref.
    result: Option<Slot>,
}

impl Nest {
    fn of(op: &mut Op) -> Result<Nest, String> {
        let sizes = op.dynamic_ints("sizes", 0)?;
        let destination = op.optional(1);
        let kind = match destination {
            Some(_) => op.operand_kind(op.operands().len() - 1)?,
            None => op.result_kind(0)?,
        };
        let body = op.region(0)?;
        let result = op.results().first().copied();
        Ok(Nest { sizes, destination, kind, body, result })
    }

    /// What the body yields at a point.
    fn point(&self, machine: &Interpreter, frame: &mut Frame, index: &[i64]) -> Result<Vec<Value>, Fault> {
        let index: Vec<Value> = index.iter().map(|&i| Scalar::Int(i).into()).collect();
        self.body.run(machine, frame, &index)
    }

    /// The element that the body yields at a point.
    fn element(&self, machine: &Interpreter, frame: &mut Frame, index: &[i64]) -> Result<Scalar, Fault> {
        number(&self.point(machine, frame, index)?[0])
    }

    /// Stores elements at their indices, in the memref, in a tensor that is a copy of the destination, or in
    /// a new one of these sizes; a number is a member's only element.
    fn finish(
        &self,
        frame: &mut Frame,
        sizes: &[i64],
        elements: Vec<(Vec<i64>, Scalar)>,
    ) -> Result<Flow, Fault> {
        if let (Some(result), Sort::Number) = (self.result, self.kind.sort) {
            frame.set(result, elements.first().ok_or("has no element")?.1);
            return Ok(Flow::Next);
        }
        let destination = match self.destination.map(|slot| frame.tensor(slot).clone()) {
            Some(old) if self.kind.sort == Sort::Value => fresh(&old)?,
            Some(buffer) => buffer,
            None => Tensor::zeros(self.kind.dtype, sizes)?,
        };
        for (index, element) in elements {
            destination.set(&index, element)?;
        }
        if let Some(result) = self.result {
            frame.set(result, destination);
        }
        Ok(Flow::Next)
    }

    /// Checks that the destination has the sizes of the domain, or of its outer part.
    fn check(&self, frame: &Frame, domain: &[i64]) -> Result<(), Fault> {
        let Some(destination) = self.destination else { return Ok(()) };
        let sizes = frame.tensor(destination).sizes();
        if sizes != domain {
            return Err(
                format!("has a domain of sizes {domain:?} but a destination of sizes {sizes:?}").into()
            );
        }
        Ok(())
    }
}

fn pointwise(op: &mut Op) -> Result<Action, String> {
    let nest = Nest::of(op)?;
    Ok(Box::new(move |machine, frame| {
        let domain = nest.sizes.get(frame);
        nest.check(frame, &domain)?;
        let mut elements = Vec::new();
        for index in positions(&domain) {
            let element = nest.element(machine, frame, &index)?;
            elements.push((index, element));
        }
        nest.finish(frame, &domain, elements)
    }))
}

fn reduction(op: &mut Op) -> Result<Action, String> {
    let view = ReductionOp::try_from(op.operation()).map_err(|_| "is no reduction")?;
    let combiner = view.combiner();
    let reduced = view.reduced() as usize;
    let nest = Nest::of(op)?;
    Ok(Box::new(move |machine, frame| {
        let domain = nest.sizes.get(frame);
        let (outer, inner) = domain.split_at(domain.len() - reduced);
        nest.check(frame, outer)?;
        let mut elements = Vec::new();
        for place in positions(outer) {
            let mut terms = Vec::new();
            for rest in positions(inner) {
                terms.push(nest.element(machine, frame, &[place.as_slice(), &rest].concat())?);
            }
            elements.push((place, combine(combiner, nest.kind.dtype, terms.into_iter())));
        }
        nest.finish(frame, outer, elements)
    }))
}

/// Each element from its terms anew: the plain definition.
fn scan(op: &mut Op) -> Result<Action, String> {
    let view = ScanOp::try_from(op.operation()).map_err(|_| "is no scan")?;
    let (combiner, dim) = (view.combiner(), view.dim() as usize);
    let (exclusive, reverse) = (view.exclusive().is_some(), view.reverse().is_some());
    let nest = Nest::of(op)?;
    Ok(Box::new(move |machine, frame| {
        let domain = nest.sizes.get(frame);
        nest.check(frame, &domain)?;
        let mut terms = HashMap::new();
        for index in positions(&domain) {
            terms.insert(index.to_vec(), nest.element(machine, frame, &index)?);
        }
        let mut elements = Vec::new();
        for place in positions(&domain) {
            let (own, all) = (place[dim], 0..domain[dim]);
            let counts = |at: &i64| if reverse { *at >= own } else { *at <= own };
            let counted = all.filter(|at| counts(at) && !(exclusive && *at == own)).map(|at| {
                let mut index = place.to_vec();
                index[dim] = at;
                terms[&index]
            });
            elements.push((place.to_vec(), combine(combiner, nest.kind.dtype, counted)));
        }
        nest.finish(frame, &domain, elements)
    }))
}

/// The elements that come to each place, in row-major order of the points.
fn scatter(op: &mut Op) -> Result<Action, String> {
    let meeting = Meeting::of(ScatterOp::try_from(op.operation()).map_err(|_| "is no scatter")?);
    let nest = Nest::of(op)?;
    Ok(Box::new(move |machine, frame| {
        let domain = nest.sizes.get(frame);
        let mut written: BTreeMap<Vec<i64>, Vec<Scalar>> = BTreeMap::new();
        for index in positions(&domain) {
            let yielded = nest.point(machine, frame, &index)?;
            let place = yielded[1..].iter().map(|value| Ok(number(value)?.to_i64()));
            let place = place.collect::<Result<Vec<i64>, Fault>>()?;
            written.entry(place).or_default().push(number(&yielded[0])?);
        }
        let mut elements = Vec::new();
        for (place, all) in written {
            let last = *all.last().ok_or("has no element")?;
            elements.push(match meeting {
                Meeting::Alike if all.iter().any(|element| *element != last) => {
                    return Err(format!("writes two values to the element at {place:?}").into());
                }
                Meeting::Alike | Meeting::Ordered => (place, last),
                Meeting::Combined(combiner) => {
                    let destination = nest.destination.ok_or("has no destination")?;
                    let old = frame.tensor(destination).get(&place)?;
                    let all = std::iter::once(old).chain(all);
                    let combined = combine(combiner, nest.kind.dtype, all);
                    (place, combined)
                }
            });
        }
        nest.finish(frame, &domain, elements)
    }))
}

fn load(op: &mut Op) -> Result<Action, String> {
    let (source, access) = (op.tensor(0), Access::of(op, "map", op.list(1))?);
    let masked = op.optional(2).zip(op.optional(3));
    let result = op.results()[0];
    Ok(Box::new(move |_, frame| {
        let value = match masked {
            Some((mask, other)) if !frame.scalar(mask).to_bool() => frame.scalar(other),
            _ => frame.tensor(source).get(&access.get(frame)?)?,
        };
        frame.set(result, value);
        Ok(Flow::Next)
    }))
}

/// The element, and for a scatter its indices after it.
fn yield_(op: &mut Op) -> Result<Action, String> {
    let value = op.tensor(0);
    let place = op.attribute("map").is_some().then(|| Access::of(op, "map", op.list(1))).transpose()?;
    Ok(Box::new(move |_, frame| {
        let mut values = vec![frame.get(value).clone()];
        if let Some(place) = &place {
            values.extend(place.get(frame)?.into_iter().map(|index| Value::from(Scalar::Int(index))));
        }
        Ok(Flow::Leave(values))
    }))
}

pub(super) fn number(value: &Value) -> Result<Scalar, Fault> {
    value.as_scalar().ok_or_else(|| "yields no number".into())
}

/// A tensor of the results of a function of each index.
pub(super) fn tabulate(
    kind: &Kind,
    mut element: impl FnMut(&[i64]) -> Result<Scalar, Fault>,
) -> Result<Tensor, Fault> {
    let out = Tensor::zeros(kind.dtype, &kind.sizes)?;
    for (index, at) in positions(&kind.sizes).zip(out.offsets()) {
        out.write(at, element(&index)?);
    }
    Ok(out)
}
