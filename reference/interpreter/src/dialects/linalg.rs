//! linalg: structured operations, each by its maps and the region that it has, also where that is never
//! printed.
//!
//! The points of the domain are taken in row-major order. An output is a new tensor, or the memref itself.

use super::{loops::number, maps::Map, tensor::fresh};
use crate::{
    error::Fault,
    machine::{Action, Flow, Op, Table},
    semantics::copy,
    types::{Kind, Sort},
};
use melior::ir::Attribute;
use mlir_sys::mlirLinalgGetIndexingMapsAttribute;
use terrace_dialects::ir::{attributes, operations};
use terrace_tensor::{Scalar, Tensor, Value, layout::positions};

pub(super) fn register(table: &mut Table) {
    table.add("linalg.yield", |op| Ok(op.leave()));
    table.add("linalg.index", |op| {
        let (dim, result) = (op.int("dim")? as usize, op.results()[0]);
        let place = op
            .counters()
            .get(dim)
            .copied()
            .ok_or("stands in no structured operation of so many dimensions")?;
        Ok(Box::new(move |_, frame| {
            let value = frame.scalar(place);
            frame.set(result, value);
            Ok(Flow::Next)
        }))
    });
    table.add("linalg.softmax", softmax);
    table.add("linalg.pack", pack);
    table.add("linalg.unpack", unpack);
    table.add_others("linalg", structured);
}

/// How many of the operands are outputs, which come last.
fn outputs(op: &Op) -> Result<usize, String> {
    if op.attribute("operandSegmentSizes").is_some() {
        return Ok(op.segments()?.get(1).map_or(0, Vec::len));
    }
    let operands = op.operands().len();
    Ok(if operations::name_of(op.operation()) == "linalg.reduce" { operands / 2 } else { 1 })
}

/// The maps of all operands.
fn maps(op: &Op) -> Result<Vec<Map>, String> {
    // SAFETY: the operation is live; one that is not structured has no maps.
    let attribute = unsafe {
        let raw = mlirLinalgGetIndexingMapsAttribute(op.operation().to_raw());
        Attribute::from_option_raw(raw).ok_or("is not known to the interpreter")?
    };
    attributes::array(attribute).into_iter().map(Map::of).collect()
}

fn structured(op: &mut Op) -> Result<Action, String> {
    let (maps, operands, outputs) = (maps(op)?, op.operands(), outputs(op)?);
    let kinds = (0..operands.len()).map(|i| op.operand_kind(i)).collect::<Result<Vec<Kind>, _>>()?;
    // Each dimension of the domain has the size of an operand's dimension that it alone is.
    let mut sources: Vec<Option<(usize, usize)>> = vec![];
    for (operand, map) in maps.iter().enumerate() {
        for (dim, result) in map.plain() {
            sources.resize(sources.len().max(dim + 1), None);
            sources[dim].get_or_insert((operand, result));
        }
    }
    let sources =
        sources.into_iter().collect::<Option<Vec<_>>>().ok_or("has a dimension that no operand has")?;
    let (body, counters) = op.region_over(0, sources.len())?;
    let results = op.results();
    let first = operands.len() - outputs;
    Ok(Box::new(move |machine, frame| {
        let mut values = frame.get_all(&operands);
        for (value, kind) in values[first..].iter_mut().zip(&kinds[first..]) {
            if let (Value::Tensor(tensor), Sort::Value) = (&*value, kind.sort) {
                *value = fresh(tensor)?.into();
            }
        }
        let size =
            |&(operand, dim): &(usize, usize)| values[operand].as_tensor().map_or(1, |t| t.sizes()[dim]);
        let domain: Vec<i64> = sources.iter().map(size).collect();
        for point in positions(&domain) {
            for (&slot, &counter) in counters.iter().zip(&point) {
                frame.set(slot, Scalar::Int(counter));
            }
            let places = maps.iter().map(|map| map.at(&point)).collect::<Result<Vec<_>, _>>()?;
            let element = |(value, place): (&Value, &Vec<i64>)| match value {
                Value::Tensor(tensor) => Ok(Value::from(tensor.get(place)?)),
                Value::Scalar(scalar) => Ok(Value::from(*scalar)),
            };
            let elements = values.iter().zip(&places).map(element).collect::<Result<Vec<_>, Fault>>()?;
            let yielded = body.run(machine, frame, &elements)?;
            for ((value, place), new) in values[first..].iter().zip(&places[first..]).zip(&yielded) {
                value.as_tensor().ok_or("has an output that is a number")?.set(place, number(new)?)?;
            }
        }
        frame.set_all(&results, &values[first..first + results.len()]);
        Ok(Flow::Next)
    }))
}

/// exp(x - max) over its sum, along a dimension.
fn softmax(op: &mut Op) -> Result<Action, String> {
    let (x, out, dim) = (op.operand(0), op.operand(1), op.int("dimension")? as usize);
    let (kind, results) = (op.operand_kind(1)?, op.results());
    Ok(Box::new(move |_, frame| {
        let (x, old) = (fresh(frame.tensor(x))?, frame.tensor(out).clone());
        let out = if kind.sort == Sort::Value { Tensor::zeros(kind.dtype, x.sizes())? } else { old };
        let mut outer = x.sizes().to_vec();
        let length = std::mem::replace(&mut outer[dim], 1);
        let computed = Tensor::zeros(kind.dtype, x.sizes())?;
        for place in positions(&outer) {
            let at = |i: i64| {
                let mut place = place.clone();
                place[dim] = i;
                place
            };
            let row =
                (0..length).map(|i| Ok(x.get(&at(i))?.to_f64())).collect::<Result<Vec<f64>, Fault>>()?;
            let largest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = row.iter().map(|value| libm::exp(value - largest)).sum();
            for (i, value) in (0..length).zip(row) {
                computed.set(&at(i), Scalar::Float(libm::exp(value - largest) / sum).cast(kind.dtype))?;
            }
        }
        copy::copy_(&out, &computed)?;
        frame.set_all(&results, &vec![Value::from(out); results.len()]);
        Ok(Flow::Next)
    }))
}

/// From an index of a packed tensor to that of the element in the plain one.
struct Packing {
    inner: Vec<i64>,
    /// The dimension of the plain tensor that each outer one of the packed tensor counts tiles of.
    outer: Vec<usize>,
}

impl Packing {
    fn of(op: &Op, rank: usize) -> Result<Packing, String> {
        let permutation = op.optional_ints("outer_dims_perm").filter(|dims| !dims.is_empty());
        let outer = permutation
            .map_or_else(|| (0..rank).collect(), |dims| dims.iter().map(|&d| d as usize).collect());
        Ok(Packing { inner: op.ints("inner_dims_pos")?, outer })
    }

    fn plain(&self, index: &[i64], packed: &[i64]) -> Vec<i64> {
        let (tiles, within) = index.split_at(self.outer.len());
        let mut plain = vec![0; tiles.len()];
        for (&dim, &tile) in self.outer.iter().zip(tiles) {
            plain[dim] = tile;
        }
        for ((&dim, &at), &size) in self.inner.iter().zip(within).zip(&packed[self.outer.len()..]) {
            plain[dim as usize] = plain[dim as usize] * size + at;
        }
        plain
    }
}

/// Whether an index is one of an element.
fn is_within(index: &[i64], tensor: &Tensor) -> bool {
    index.iter().zip(tensor.sizes()).all(|(&i, &size)| i < size)
}

fn pack(op: &mut Op) -> Result<Action, String> {
    let segments = op.segments()?;
    let (source, out, padding) = (segments[0][0], segments[1][0], segments[2].first().copied());
    let packing = Packing::of(op, op.operand_kind(0)?.sizes.len())?;
    op.value(move |f| {
        let (source, out) = (f.tensor(source), fresh(f.tensor(out))?);
        for (index, at) in positions(out.sizes()).zip(out.offsets()) {
            let plain = packing.plain(&index, out.sizes());
            match (is_within(&plain, source), padding) {
                (true, _) => out.write(at, source.get(&plain)?),
                (false, Some(padding)) => out.write(at, f.scalar(padding)),
                (false, None) => {}
            }
        }
        Ok(out)
    })
}

fn unpack(op: &mut Op) -> Result<Action, String> {
    let (source, out) = (op.operand(0), op.operand(1));
    let packing = Packing::of(op, op.operand_kind(1)?.sizes.len())?;
    op.value(move |f| {
        let (source, out) = (f.tensor(source), fresh(f.tensor(out))?);
        for (index, at) in positions(source.sizes()).zip(source.offsets()) {
            let plain = packing.plain(&index, source.sizes());
            if is_within(&plain, &out) {
                out.set(&plain, source.read(at))?;
            }
        }
        Ok(out)
    })
}
