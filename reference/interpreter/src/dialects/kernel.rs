//! kernel: tile programs, once per point of a grid.
//!
//! Points run in order. What a point of a real grid may not rely on, another point's writes, is not watched
//! here.

use super::{combine::combine, loops::tabulate, maps::Access};
use crate::{
    error::Fault,
    machine::{Action, Flow, Frame, Op, Slot, Table},
    semantics,
    types::{Kind, Sort},
};
use terrace_dialects::{
    ir::attributes,
    ops::kernel::{AtomicOp, ReduceOp, ScanOp},
};
use terrace_tensor::{Scalar, Tensor, layout::positions};

pub(super) fn register(table: &mut Table) {
    table.add("kernel.return", |op| Ok(op.leave()));
    table.add("kernel.launch", launch);
    table.add("kernel.concurrent", concurrent);
    table.add("kernel.load", load);
    table.add("kernel.store", store);
    table.add("kernel.gather", gather);
    table.add("kernel.scatter", scatter);
    table.add("kernel.atomic", atomic);
    table.add("kernel.iota", |op| {
        let kind = op.result_kind(0)?;
        let result = op.results()[0];
        Ok(Box::new(move |_, frame| {
            frame.set(result, tabulate(&kind, |index| Ok(Scalar::Int(index[0])))?);
            Ok(Flow::Next)
        }))
    });
    table.add("kernel.reduce", reduce);
    table.add("kernel.scan", scan);
    table.add("kernel.broadcast", |op| {
        let (tile, dims, kind) = (op.tensor(0), op.ints("dims")?, op.result_kind(0)?);
        op.value(move |f| {
            let tile = f.tensor(tile);
            let mut strides = vec![0; kind.sizes.len()];
            for (&dim, &stride) in dims.iter().zip(tile.strides()) {
                strides[dim as usize] = stride;
            }
            Ok(tile.view(kind.sizes.clone(), strides, tile.offset())?)
        })
    });
    table.add("kernel.reinterpret", |op| {
        let (source, kind) = (op.tensor(0), op.result_kind(0)?);
        op.value(move |f| reinterpret(f.tensor(source), &kind))
    });
    // Where a tile lies is no part of its value.
    table.add("kernel.convert_layout", |op| {
        let tile = op.tensor(0);
        op.value(move |f| Ok(f.tensor(tile).clone()))
    });
    table.add("kernel.dot", |op| {
        let [lhs, rhs, acc] = [0, 1, 2].map(|index| op.tensor(index));
        let one = Scalar::Int(1);
        op.value(move |f| {
            crate::semantics::matmul::addmm(f.tensor(acc), f.tensor(lhs), f.tensor(rhs), one, one)
        })
    });
}

/// The memory of a tensor as elements of another dtype, counted in them.
fn reinterpret(source: &Tensor, kind: &Kind) -> semantics::Result<Tensor> {
    let (a, b) = (source.dtype().bytes() as i64, kind.dtype.bytes() as i64);
    let counted = |number: &i64| number * a / b;
    let (mut sizes, mut strides) = (source.sizes().to_vec(), source.strides().to_vec());
    let last = match kind.sizes.len() as i64 - sizes.len() as i64 {
        1 => Some(a / b),
        0 if a == b => None,
        _ => {
            strides.pop();
            sizes.pop().map(|size| counted(&size)).filter(|_| kind.sizes.len() == source.rank())
        }
    };
    let mut strides: Vec<i64> = strides.iter().map(counted).collect();
    sizes.extend(last);
    strides.extend(last.map(|_| 1));
    let offset = counted(&source.offset());
    Ok(Tensor::new(source.storage().clone(), kind.dtype, sizes, strides, offset)?.with_flags(source.flags()))
}

fn launch(op: &mut Op) -> Result<Action, String> {
    let name = attributes::symbol(op.required("callee")?);
    let number = op.function(&name).ok_or_else(|| format!("launches @{name}, which is no kernel"))?;
    let (grid, arguments) = (op.dynamic_ints("grid", 0)?, op.list(1));
    Ok(Box::new(move |machine, frame| {
        for point in positions(&grid.get(frame)) {
            let mut all = frame.get_all(&arguments);
            all.extend(point.into_iter().map(|index| Scalar::Int(index).into()));
            machine.invoke(number, &all, frame.depth)?;
        }
        Ok(Flow::Next)
    }))
}

/// In their order, which is one of those that are allowed.
fn concurrent(op: &mut Op) -> Result<Action, String> {
    let body = op.region(0)?;
    Ok(Box::new(move |machine, frame| {
        body.run(machine, frame, &[])?;
        Ok(Flow::Next)
    }))
}

/// Ranges of a buffer's indices, each a dimension of a tile.
struct Ranges {
    start: Access,
    ranges: Vec<i64>,
    steps: Vec<i64>,
    /// How many of each range are there; none where all are.
    valid: Vec<Slot>,
}

impl Ranges {
    /// Decodes ranges whose indices are operand `indices` of ODS and whose valid counts are the operand
    /// after.
    fn of(op: &Op, indices: usize) -> Result<Ranges, String> {
        Ok(Ranges {
            start: Access::of(op, "map", op.list(indices))?,
            ranges: op.ints("ranges")?,
            steps: op.ints("steps")?,
            valid: op.list(indices + 1),
        })
    }

    /// The buffer's index of each element of the tile; `None` for what is not there.
    fn places(&self, frame: &Frame) -> Result<Vec<Option<Vec<i64>>>, Fault> {
        let start = self.start.get(frame)?;
        let valid: Vec<i64> = self.valid.iter().map(|&slot| frame.scalar(slot).to_i64()).collect();
        let tile: Vec<i64> = self.ranges.iter().copied().filter(|&range| range != 0).collect();
        let place = |within: Vec<i64>| {
            if within.iter().zip(&valid).any(|(at, valid)| at >= valid) {
                return None;
            }
            let (mut index, mut within) = (start.clone(), within.into_iter());
            for (dim, place) in index.iter_mut().enumerate() {
                if self.ranges[dim] != 0 {
                    *place += within.next().unwrap_or_default() * self.steps[dim];
                }
            }
            Some(index)
        };
        Ok(positions(&tile).map(place).collect())
    }
}

fn load(op: &mut Op) -> Result<Action, String> {
    let (source, ranges, other) = (op.tensor(0), Ranges::of(op, 1)?, op.optional(3));
    let (kind, result) = (op.result_kind(0)?, op.results()[0]);
    Ok(Box::new(move |_, frame| {
        let mut places = ranges.places(frame)?.into_iter();
        let read = |_: &[i64]| element(frame, source, places.next().flatten(), other);
        let tile = tabulate(&kind, read)?;
        frame.set(result, tile);
        Ok(Flow::Next)
    }))
}

fn store(op: &mut Op) -> Result<Action, String> {
    let (tile, destination, ranges) = (op.tensor(0), op.tensor(1), Ranges::of(op, 2)?);
    Ok(Box::new(move |_, frame| {
        let (tile, destination) = (frame.tensor(tile), frame.tensor(destination));
        for (value, place) in tile.to_vec().into_iter().zip(ranges.places(frame)?) {
            if let Some(place) = place {
                destination.set(&place, value)?;
            }
        }
        Ok(Flow::Next)
    }))
}

fn gather(op: &mut Op) -> Result<Action, String> {
    let (source, indices) = (op.tensor(0), op.list(1));
    let (mask, other) = (op.optional(2), op.optional(3));
    let (kind, result) = (op.result_kind(0)?, op.results()[0]);
    Ok(Box::new(move |_, frame| {
        let read = |at: &[i64]| element(frame, source, place(frame, &indices, mask, at)?, other);
        let tile = tabulate(&kind, read)?;
        frame.set(result, tile);
        Ok(Flow::Next)
    }))
}

fn scatter(op: &mut Op) -> Result<Action, String> {
    let (tile, destination, indices, mask) = (op.tensor(0), op.tensor(1), op.list(2), op.optional(3));
    Ok(Box::new(move |_, frame| {
        let (tile, destination) = (frame.tensor(tile), frame.tensor(destination));
        for (at, value) in positions(tile.sizes()).zip(tile.to_vec()) {
            if let Some(place) = place(frame, &indices, mask, &at)? {
                destination.set(&place, value)?;
            }
        }
        Ok(Flow::Next)
    }))
}

fn atomic(op: &mut Op) -> Result<Action, String> {
    let combiner = AtomicOp::try_from(op.operation()).map_err(|_| "is no atomic operation")?.combiner();
    let (tile, destination, indices, mask) = (op.tensor(0), op.tensor(1), op.list(2), op.optional(3));
    Ok(Box::new(move |_, frame| {
        let (tile, destination) = (frame.tensor(tile), frame.tensor(destination));
        for (at, value) in positions(tile.sizes()).zip(tile.to_vec()) {
            if let Some(place) = place(frame, &indices, mask, &at)? {
                let both = [destination.get(&place)?, value];
                destination.set(&place, combine(combiner, tile.dtype(), both.into_iter()))?;
            }
        }
        Ok(Flow::Next)
    }))
}

/// The buffer's index for an element of a tile, from tiles of indices; `None` where the mask is off.
fn place(frame: &Frame, indices: &[Slot], mask: Option<Slot>, at: &[i64]) -> Result<Option<Vec<i64>>, Fault> {
    if let Some(mask) = mask
        && !frame.tensor(mask).get(at)?.to_bool()
    {
        return Ok(None);
    }
    let index = |&slot: &Slot| match frame.get(slot).as_tensor() {
        Some(tile) => Ok(tile.get(at)?.to_i64()),
        None => Ok(frame.scalar(slot).to_i64()),
    };
    indices.iter().map(index).collect::<Result<Vec<i64>, Fault>>().map(Some)
}

/// The element of a buffer, or what stands for one that is not there.
fn element(
    frame: &Frame,
    source: Slot,
    place: Option<Vec<i64>>,
    other: Option<Slot>,
) -> Result<Scalar, Fault> {
    match (place, other) {
        (Some(place), _) => Ok(frame.tensor(source).get(&place)?),
        (None, Some(other)) => Ok(frame.scalar(other)),
        (None, None) => Err("has nothing to stand for what is not there".into()),
    }
}

fn scan(op: &mut Op) -> Result<Action, String> {
    let view = ScanOp::try_from(op.operation()).map_err(|_| "is no scan")?;
    let combiner = view.combiner();
    let (tile, carry) = (op.tensor(0), op.tensor(1));
    let (kind, wide, results) = (op.result_kind(0)?, op.result_kind(1)?, op.results());
    Ok(Box::new(move |_, frame| {
        let mut total = frame.scalar(carry);
        let mut made = vec![];
        for element in frame.tensor(tile).to_vec() {
            total = combine(combiner, wide.dtype, [total, element.cast(wide.dtype)].into_iter());
            made.push(total.cast(kind.dtype));
        }
        let out: Tensor = tabulate(&kind, |place: &[i64]| Ok(made[place[0] as usize]))?;
        frame.set(results[0], out);
        frame.set(results[1], total);
        Ok(Flow::Next)
    }))
}

fn reduce(op: &mut Op) -> Result<Action, String> {
    let view = ReduceOp::try_from(op.operation()).map_err(|_| "is no reduction")?;
    let combiner = view.combiner();
    let (tile, dim) = (op.tensor(0), op.attribute("dim").map(attributes::i64));
    let (kind, result) = (op.result_kind(0)?, op.results()[0]);
    Ok(Box::new(move |_, frame| {
        let tile = frame.tensor(tile);
        let Some(dim) = dim.filter(|_| kind.sort != Sort::Number) else {
            let all = combine(combiner, kind.dtype, tile.to_vec().into_iter());
            frame.set(result, all);
            return Ok(Flow::Next);
        };
        let along = |place: &[i64]| {
            let line: Result<Vec<Scalar>, Fault> = (0..tile.sizes()[dim as usize])
                .map(|i| {
                    let mut index = place.to_vec();
                    index.insert(dim as usize, i);
                    Ok(tile.get(&index)?)
                })
                .collect();
            Ok(combine(combiner, kind.dtype, line?.into_iter()))
        };
        let out: Tensor = tabulate(&kind, along)?;
        frame.set(result, out);
        Ok(Flow::Next)
    }))
}
