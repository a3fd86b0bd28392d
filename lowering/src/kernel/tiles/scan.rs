//! Scans of tiles: within a vector by shuffles, lanes added to those 1, 2, 4, ... further on; from vector to
//! vector by a number.
//!
//! ```text
//! a b c d   ->   a  a+b  b+c  c+d   ->   a  a+b  a+b+c  a+b+c+d
//! ```
//!
//! The number that is carried is all that one vector waits for of the one before. Where it is f64 and
//! elements are f32, it is added in f64.
//!
//! On threads each scans the elements that it holds of a round, side by side, and combines them with what the
//! threads below it have.

use super::{
    body::Body,
    combiner::combine,
    share::Share,
    threads::{Threads, barrier},
    tile::{Cut, Tile, broadcast, extract},
};
use melior::ir::{Type, ValueLike, attribute::DenseElementsAttribute};
use terrace_dialects::{
    ir::{
        cursor::{Cursor, V},
        pass::Failure,
    },
    loops::combiners,
    ops::{Combiner, kernel},
};

/// Each lane with those before it.
fn within<'c, 'a>(
    at: &Cursor<'c, 'a>,
    combiner: Combiner,
    cut: &Cut<'c>,
    (vector, lanes): (V<'c, 'a>, i64),
) -> Result<V<'c, 'a>, Failure> {
    let ty = cut.vector(lanes);
    let identity = combiners::identity(at.context, combiner, cut.element);
    let none = at.constant(ty, DenseElementsAttribute::splat(ty, identity).into())?;
    let (mut sums, mut distance) = (vector, 1);
    while distance < lanes {
        let mask: Vec<i64> =
            (0..lanes).map(|lane| if lane < distance { lane } else { lanes + lane - distance }).collect();
        let before = at.with("vector.shuffle", &[none, sums], ty, &[at.named("mask", at.numbers(&mask))])?;
        sums = combine(at, combiner, cut.element, vec![before, sums])?;
        distance *= 2;
    }
    Ok(sums)
}

impl<'c: 'a, 'a> Body<'c, 'a> {
    /// What a `kernel.scan` gives: the tile, and the number that is carried on.
    pub(crate) fn scan(
        &mut self,
        at: &Cursor<'c, 'a>,
        op: kernel::ScanOp<'c, 'a>,
    ) -> Result<(Tile<'c, 'a>, V<'c, 'a>), Failure> {
        let (tile, mut carry, combiner) = (self.tile(op.tile())?, self.one(op.carry())?, op.combiner());
        let (cut, number) = (tile.cut.clone(), carry.r#type());
        if let Some(threads) = &mut self.threads {
            return scan_on(threads, at, combiner, &tile, carry);
        }
        let wide = number != cut.element;
        let mut parts = vec![];
        for (part, (_, lanes)) in tile.parts.iter().zip(cut.spans()) {
            let own = within(at, combiner, &cut, (*part, lanes))?;
            let vector = |element: Type<'c>| Type::vector(&[lanes as u64], element);
            let as_wide =
                |value: V<'c, 'a>, ty| if wide { at.op("arith.extf", &[value], ty) } else { Ok(value) };
            let before = broadcast(at, carry, vector(number))?;
            let total = combine(at, combiner, number, vec![before, as_wide(own, vector(number))?])?;
            parts.push(match wide {
                true => at.op("arith.truncf", &[total], vector(cut.element))?,
                false => total,
            });
            let last = as_wide(extract(at, own, lanes - 1, cut.element)?, number)?;
            carry = combine(at, combiner, number, vec![carry, last])?;
        }
        Ok((Tile { cut, parts }, carry))
    }
}

/// A scan by the threads of a block: the tile, and the number that is carried on.
fn scan_on<'c: 'a, 'a>(
    threads: &mut Threads<'c, 'a>,
    at: &Cursor<'c, 'a>,
    combiner: Combiner,
    tile: &Tile<'c, 'a>,
    mut carry: V<'c, 'a>,
) -> Result<(Tile<'c, 'a>, V<'c, 'a>), Failure> {
    let (cut, number) = (&tile.cut, carry.r#type());
    let as_wide =
        |value| if number == cut.element { Ok(value) } else { at.op("arith.extf", &[value], number) };
    let vector = cut.share.as_ref().map_or(1, Share::lanes);
    let mut scanned = vec![];
    for (round, elements) in tile.elements(at)?.chunks(vector.max(1) as usize).enumerate() {
        if round > 0 {
            // All have read what the last round exchanged.
            barrier(at)?;
        }
        let mut own: Vec<V<'c, 'a>> = vec![];
        for element in elements {
            let sum = own
                .last()
                .map_or(Ok(*element), |last| combine(at, combiner, cut.element, vec![*last, *element]))?;
            own.push(sum);
        }
        let (before, all) = threads.scan(at, combiner, cut, own[own.len() - 1])?;
        for sum in own {
            let sum = as_wide(combine(at, combiner, cut.element, vec![before, sum])?)?;
            let total = combine(at, combiner, number, vec![carry, sum])?;
            let narrow =
                if number == cut.element { total } else { at.op("arith.truncf", &[total], cut.element)? };
            scanned.push(narrow);
        }
        carry = combine(at, combiner, number, vec![carry, as_wide(all)?])?;
    }
    Ok((Tile::of_elements(at, cut.clone(), &scanned)?, carry))
}
