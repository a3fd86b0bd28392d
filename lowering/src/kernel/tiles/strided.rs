//! Lanes that lie a few elements apart: all elements between them are loaded as vectors, and the lanes picked
//! out of these.
//!
//! ```text
//! p0 . p2 . p4 . p6 . | . p8 . p10 . p12 . p14      two vectors for 8 lanes, each second element
//! ```
//!
//! Lanes that run backwards are one vector, turned round.
//!
//! The last vector ends with the last lane: nothing is read that is in no lane's reach. Where some lanes are
//! not there, masks end where the last of the others lies.

use super::{access::Access, buffer::add, lanes::Lanes, share::Position};
use melior::ir::ValueLike;
use terrace_dialects::ir::{
    cursor::{Cursor, V},
    pass::Failure,
};

/// The most elements from lane to lane: as many vectors are loaded.
const MOST: i64 = 4;

/// Whether lanes so far apart are loaded so.
pub(super) fn is_picked(access: &Access, distance: i64, lanes: i64) -> bool {
    access.held.is_none() && (2..=MOST).contains(&distance) && lanes >= MOST
}

/// The lanes of a part of a row that run backwards.
pub(super) fn load_backwards<'c, 'a>(
    at: &Cursor<'c, 'a>,
    access: &Access<'c, 'a>,
    (row, from, lanes): (&[i64], i64, i64),
) -> Result<V<'c, 'a>, Failure> {
    let ty = access.cut.vector(lanes);
    let last = access.place(at, row, from + lanes - 1)?;
    let loaded = at.op("vector.load", &[access.linear(at)?, last], ty)?;
    let mask: Vec<i64> = (0..lanes).rev().collect();
    at.with("vector.shuffle", &[loaded, loaded], ty, &[at.named("mask", at.numbers(&mask))])
}

/// The lanes of a part of a row.
pub(super) fn load<'c, 'a>(
    at: &Cursor<'c, 'a>,
    access: &Access<'c, 'a>,
    (row, from, lanes): (&[i64], i64, i64),
    (distance, there): (i64, Lanes<'c, 'a>),
    pad: impl FnOnce() -> Result<V<'c, 'a>, Failure>,
) -> Result<V<'c, 'a>, Failure> {
    let ty = access.cut.vector(lanes);
    let (linear, first) = (access.linear(at)?, access.place(at, row, from)?);
    let count = match there {
        Lanes::All => None,
        Lanes::None => Some(at.index(0)?),
        Lanes::First(count) => Some(at.index(count)?),
        Lanes::Count(count) => Some(count),
    };
    // Elements up to the last lane that is there.
    let reach = match count {
        Some(count) => {
            let all = at.op("arith.muli", &[count, at.index(distance)?], at.index_type())?;
            Some(add(at, all, 1 - distance)?)
        }
        None => None,
    };
    let pad = pad()?;
    let start = |vector: i64| match reach {
        None if vector == distance - 1 => vector * (lanes - 1),
        _ => vector * lanes,
    };
    let one = |vector: i64| {
        let operands = [linear, add(at, first, start(vector))?];
        let here = Lanes::of(at, reach, Position { base: None, plus: start(vector) }, lanes)?;
        match here {
            Lanes::All => at.op("vector.load", &operands, ty),
            Lanes::None => Ok(pad),
            here => {
                let operands = [&operands[..], &[here.mask(at, lanes)?, pad]].concat();
                at.op("vector.maskedload", &operands, ty)
            }
        }
    };
    let mut picked = one(0)?;
    for vector in 1..distance {
        // Lane by lane: what is there, or, where it lies in this vector, the element of that.
        let mask = |lane: i64| {
            let (place, begin) = (lane * distance, start(vector));
            let (before, own) = (start(vector - 1), place - begin);
            match vector {
                _ if own >= 0 => lanes + own.min(lanes - 1),
                1 => place - before,
                _ => lane,
            }
        };
        let mask: Vec<i64> = (0..lanes).map(mask).collect();
        picked =
            at.with("vector.shuffle", &[picked, one(vector)?], ty, &[at.named("mask", at.numbers(&mask))])?;
    }
    match there {
        Lanes::All => Ok(picked),
        _ => at.op("arith.select", &[there.mask(at, lanes)?, picked, pad], picked.r#type()),
    }
}
