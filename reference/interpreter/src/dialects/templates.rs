//! kernel: templates, by what they compute and not by their schedules.

use super::{combine::combine, loops::number};
use crate::{
    error::Fault,
    machine::{Action, Flow, Frame, Interpreter, Op, Region, Table},
    types::Kind,
};
use melior::ir::{RegionLike, ValueLike};
use terrace_dialects::{
    ir::{BlockLike, OperationLike},
    ops::{Combiner, kernel::MatmulOp},
};
use terrace_tensor::{Dtype, Scalar, Value, layout::positions};

pub(super) fn register(table: &mut Table) {
    table.add("kernel.matmul", matmul);
}

/// What a body yields.
fn run(machine: &Interpreter, frame: &mut Frame, body: &Region, at: &[i64]) -> Result<Scalar, Fault> {
    let index: Vec<Value> = at.iter().map(|&i| Scalar::Int(i).into()).collect();
    number(&body.run(machine, frame, &index)?[0])
}

/// The numbers of bf16 that a word is: each is the upper half of an f32, the first one the word's lower half.
fn halves(word: Scalar) -> [f64; 2] {
    let word = word.to_i64() as u32;
    [word << 16, word & 0xffff_0000].map(|bits| f32::from_bits(bits).into())
}

/// All sums are computed, and what becomes of them, before the first element is stored.
fn matmul(op: &mut Op) -> Result<Action, String> {
    let sizes = op.dynamic_ints("sizes", 0)?;
    let view = MatmulOp::try_from(op.operation()).map_err(|_| "is no product")?;
    let end = view.lhs().first_block().and_then(|block| block.terminator()).ok_or("yields nothing")?;
    let element = Kind::of(end.operand(0).map_err(|error| error.to_string())?.r#type())?.dtype;
    let dtype = if element.is_float() { element } else { Dtype::F32 };
    let reduced = usize::try_from(view.reduced()).map_err(|_| "sums over no dimension")?;
    let destination = op.tensor(1);
    let (lhs, rhs) = (op.region(0)?, op.region(1)?);
    let epilogue = op.has_block(2).then(|| op.region(2)).transpose()?;
    Ok(Box::new(move |machine, frame| {
        let sizes = sizes.get(frame);
        let (outer, inner) = sizes.split_at(sizes.len() - reduced);
        let mut elements = Vec::new();
        for place in positions(outer) {
            let mut terms = Vec::new();
            for rest in positions(inner) {
                let index = [place.as_slice(), &rest].concat();
                let a = run(machine, frame, &lhs, &index)?;
                let b = run(machine, frame, &rhs, &index)?;
                let product = |(a, b): (f64, f64)| Scalar::Float(dtype.round(a * b));
                if element.is_float() {
                    terms.push(product((a.to_f64(), b.to_f64())));
                } else {
                    terms.extend(halves(a).into_iter().zip(halves(b)).map(product));
                }
            }
            let sum = combine(Combiner::Add, dtype, terms.into_iter());
            let Some(epilogue) = &epilogue else {
                elements.push((place, sum));
                continue;
            };
            let mut given: Vec<Value> = place.iter().map(|&i| Scalar::Int(i).into()).collect();
            given.push(sum.into());
            let yielded = epilogue.run(machine, frame, &given)?;
            let at = yielded[1..].iter().map(|value| Ok(number(value)?.to_i64()));
            let at = at.collect::<Result<Vec<i64>, Fault>>()?;
            elements.push((if at.is_empty() { place } else { at }, number(&yielded[0])?));
        }
        for (place, element) in elements {
            frame.tensor(destination).set(&place, element)?;
        }
        Ok(Flow::Next)
    }))
}
