//! Lanes whose places are constants but for a number that all share: one vector is loaded, and the lanes are
//! picked out of it.
//!
//! ```text
//! %x[(%j + 0..15) floordiv 2], 2 divides %j       8 elements from %j / 2 on: 0 0 1 1 2 2 ... 7 7
//! %mean[(0..31) floordiv 4]                       8 elements: 0 0 0 0 1 1 1 1 ...
//! ```
//!
//! A gather reads each lane alone, and LLVM moves no gather out of a loop. What is loaded lies between two
//! lanes, so all of it is in the buffer's allocation.

use super::{
    alignment::divisor,
    body::Body,
    buffer::{Buffer, Number, add},
    known,
    tile::{Cut, Tile},
};
use melior::ir::ValueLike;
use terrace_dialects::{
    ir::{
        OperationLike, attributes,
        cursor::{Cursor, V},
        operations::{definition, name_of},
        pass::Failure,
    },
    ops::kernel,
};

/// Vectors that are loaded at most for one vector of lanes.
const VECTORS: i64 = 2;

/// A number for each lane: one that all share, with what is known to divide it, and a constant.
struct Steps<'c, 'a> {
    shared: Option<(V<'c, 'a>, i64)>,
    lanes: Vec<i64>,
}

impl<'c: 'a, 'a> Body<'c, 'a> {
    /// The tile of a gather without a mask, where its places are such.
    pub(super) fn picked(
        &self,
        at: &Cursor<'c, 'a>,
        op: kernel::GatherOp<'c, 'a>,
        cut: &Cut<'c>,
        buffer: &Buffer<'c, 'a>,
    ) -> Result<Option<Tile<'c, 'a>>, Failure> {
        let [lanes] = cut.shape[..] else { return Ok(None) };
        if self.threads.is_some() || op.mask().is_some() {
            return Ok(None);
        }
        let (mut shared, mut offsets) = (vec![], vec![0i64; lanes as usize]);
        for (index, stride) in op.indices().iter().zip(&buffer.strides) {
            if self.cut(index.r#type()).is_none() {
                shared.push(self.one(*index)?);
                continue;
            }
            let (Some(steps), Number::Known(stride)) = (self.steps(at, *index, lanes)?, stride) else {
                return Ok(None);
            };
            shared.push(steps.shared.map_or_else(|| at.index(0), |(number, _)| Ok(number))?);
            offsets.iter_mut().zip(&steps.lanes).for_each(|(offset, lane)| *offset += lane * stride);
        }
        let spans: Vec<(i64, &[i64], i64)> = cut
            .spans()
            .map(|(from, lanes)| {
                let own = &offsets[from as usize..(from + lanes) as usize];
                let (least, most) = own.iter().fold((i64::MAX, i64::MIN), |(l, m), o| (l.min(*o), m.max(*o)));
                (least, own, most - least + 1)
            })
            .collect();
        if spans.iter().any(|(_, own, width)| *width > VECTORS * own.len() as i64) {
            return Ok(None);
        }
        let (linear, first) = (buffer.linear(at)?, buffer.place(at, &shared)?);
        let mut parts = vec![];
        for (least, own, width) in spans {
            let place = add(at, first, least)?;
            let loaded = at.op("vector.load", &[linear, place], cut.vector(width))?;
            let mask: Vec<i64> = own.iter().map(|offset| offset - least).collect();
            let ty = cut.vector(own.len() as i64);
            parts.push(at.with(
                "vector.shuffle",
                &[loaded, loaded],
                ty,
                &[at.named("mask", at.numbers(&mask))],
            )?);
        }
        Ok(Some(Tile { cut: cut.clone(), parts }))
    }

    /// What a tile of indices is.
    fn steps(
        &self,
        at: &Cursor<'c, 'a>,
        index: V<'c, 'a>,
        lanes: i64,
    ) -> Result<Option<Steps<'c, 'a>>, Failure> {
        let Some(op) = definition(index) else { return Ok(None) };
        let constants = |lanes: Vec<i64>| Ok(Some(Steps { shared: None, lanes }));
        match name_of(op) {
            "kernel.iota" => return constants((0..lanes).collect()),
            "arith.constant" => {
                let number = op.attribute("value").ok().and_then(attributes::splat).map(attributes::i64);
                return number.map_or(Ok(None), |number| constants(vec![number; lanes as usize]));
            }
            "tensor.splat" => {
                let number = op.operand(0)?;
                return Ok(Some(match known(number) {
                    Some(number) => Steps { shared: None, lanes: vec![number; lanes as usize] },
                    None => {
                        let shared = Some((self.one(number)?, divisor(number)));
                        Steps { shared, lanes: vec![0; lanes as usize] }
                    }
                }));
            }
            _ => {}
        }
        let (name, both) = (name_of(op), [op.operand(0), op.operand(1)]);
        let ([Ok(left), Ok(right)], true) = (both, NAMES.contains(&name)) else { return Ok(None) };
        let [Some(left), Some(right)] = [self.steps(at, left, lanes)?, self.steps(at, right, lanes)?] else {
            return Ok(None);
        };
        let each = |of: fn(i64, i64) -> Option<i64>| {
            left.lanes.iter().zip(&right.lanes).map(|(l, r)| of(*l, *r)).collect::<Option<Vec<_>>>()
        };
        // All divide by the same, and the parts of a sum alone where that divides the one that is shared.
        let by = right.lanes[0];
        let divides = |number: i64| {
            by > 0
                && number % by == 0
                && right.lanes.iter().all(|own| *own == by)
                && left.lanes.iter().all(|own| *own >= 0)
        };
        let (shared, lanes) = match (name, left.shared, right.shared) {
            ("arith.addi", shared, None) | ("arith.addi", None, shared) => (shared, each(i64::checked_add)),
            ("arith.muli", None, None) => (None, each(i64::checked_mul)),
            ("arith.remui", shared, None) if divides(shared.map_or(0, |own| own.1)) => {
                (None, each(i64::checked_rem))
            }
            ("arith.divui", None, None) if divides(0) => (None, each(i64::checked_div)),
            ("arith.divui", Some((number, factor)), None) if divides(factor) => {
                let quotient = at.op("arith.divui", &[number, at.index(by)?], at.index_type())?;
                (Some((quotient, factor / by)), each(i64::checked_div))
            }
            _ => return Ok(None),
        };
        Ok(lanes.map(|lanes| Steps { shared, lanes }))
    }
}

/// What places are computed with.
const NAMES: [&str; 4] = ["arith.addi", "arith.muli", "arith.divui", "arith.remui"];
