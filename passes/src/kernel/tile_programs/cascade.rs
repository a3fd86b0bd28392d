//! Long sums in two levels: blocks of at most 64 terms in f32, their totals in f64; of products of two
//! factors, which a template adds up in f32 alone, of at most 512.
//!
//! One f32 that a million terms are added to is off in the third digit, and stops growing at 2^24 ones. The
//! error of a block is that of its terms; totals of blocks are added once for 64 terms, so their width costs
//! nothing. Where the lanes are along the inner domain each lane has sums of its own.
//!
//! A scan carries f64 all along.
//!
//! Loops over the inner domain that have few rounds together are a block; a long last one is cut into blocks.

use super::cursor::Cursor;
use melior::ir::{Type, ValueLike};
use terrace_dialects::{
    ir::{
        cursor::V,
        dtype::{Dtype, ElementType},
        pass::Failure,
        shaped::Shaped,
        types::part,
    },
    ops::Combiner,
};
use terrace_size::DYNAMIC;

/// The terms of a block at most; between two blocks loads wait for a total.
pub(crate) const TERMS: i64 = 64;
pub(crate) const PRODUCTS: i64 = 512;

/// Where the blocks of a sum are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cascade {
    /// The loops from this one on are a block.
    pub level: usize,
    /// The rounds of a block, where it is a part of that loop, the last.
    pub terms: Option<i64>,
}

impl Cascade {
    /// Decides for loops of so many rounds, from the outermost on, and blocks of so many terms; None where
    /// all of it is one block, or nothing is rounded.
    pub fn of(combiner: Combiner, element: Type, rounds: &[i64], most: i64) -> Option<Self> {
        if !is_rounded(combiner, element) {
            return None;
        }
        let last = rounds.len().checked_sub(1)?;
        let is_long = |rounds: i64| rounds == DYNAMIC || rounds > most;
        if is_long(rounds[last]) {
            return Some(Self { level: last, terms: Some(most) });
        }
        let mut terms = 1i64;
        for (level, rounds) in rounds.iter().enumerate().rev() {
            let more = if *rounds == DYNAMIC { i64::MAX } else { terms.saturating_mul((*rounds).max(1)) };
            if more > most {
                return Some(Self { level: level + 1, terms: None });
            }
            terms = more;
        }
        None
    }
}

/// Whether what is combined are sums that f32 rounds.
pub(crate) fn is_rounded(combiner: Combiner, element: Type) -> bool {
    matches!(combiner, Combiner::Add | Combiner::LogAddExp)
        && Dtype::of(part(element).unwrap_or(element)) == Some(Dtype::F32)
}

/// The type of the totals of blocks of a type.
fn wide<'c>(at: &Cursor<'c, '_, '_>, ty: Type<'c>) -> Type<'c> {
    let f64 = Type::float64(at.context);
    Shaped::of(ty).map_or(f64, |shaped| super::cursor::tile_type(&shaped.shape, f64))
}

/// What totals start from, where blocks start from these.
pub(crate) fn start<'c, 'a>(at: Cursor<'c, 'a, '_>, start: &[V<'c, 'a>]) -> Result<Vec<V<'c, 'a>>, Failure> {
    start.iter().map(|start| at.op("arith.extf", &[*start], wide(&at, start.r#type()))).collect()
}

/// Totals with a block.
pub(crate) fn add<'c, 'a>(
    at: Cursor<'c, 'a, '_>,
    combiner: Combiner,
    totals: &[V<'c, 'a>],
    block: &[V<'c, 'a>],
) -> Result<Vec<V<'c, 'a>>, Failure> {
    let one = |(total, block): (&V<'c, 'a>, &V<'c, 'a>)| {
        let block = at.op("arith.extf", &[*block], total.r#type())?;
        at.combine(combiner, *total, block)
    };
    totals.iter().zip(block).map(one).collect()
}

/// A total as the sum's own type.
pub(crate) fn narrow<'c, 'a>(at: Cursor<'c, 'a, '_>, total: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
    let f32 = Type::float32(at.context);
    let ty = Shaped::of(total.r#type()).map_or(f32, |shaped| super::cursor::tile_type(&shaped.shape, f32));
    at.op("arith.truncf", &[total], ty)
}

#[cfg(test)]
mod tests {
    use super::Cascade;
    use melior::{Context, ir::Type};
    use terrace_dialects::ops::Combiner;

    #[test]
    fn blocks_have_at_most_64_terms() {
        let context = Context::new();
        let of = |rounds: &[i64]| {
            let own = Cascade::of(Combiner::Add, Type::float32(&context), rounds, super::TERMS);
            own.map(|own| (own.level, own.terms))
        };
        assert_eq!(of(&[64]), None);
        assert_eq!(of(&[4, 16]), None);
        assert_eq!(of(&[65]), Some((0, Some(64))));
        assert_eq!(of(&[7, 1000]), Some((1, Some(64))));
        assert_eq!(of(&[1000, 7]), Some((1, None)));
        assert_eq!(of(&[1000, 4, 16]), Some((1, None)));
        assert_eq!(of(&[1000, 5, 16]), Some((2, None)));
        assert_eq!(of(&[super::DYNAMIC, 3]), Some((1, None)));
        assert_eq!(of(&[]), None);
        assert!(Cascade::of(Combiner::Max, Type::float32(&context), &[1000], 64).is_none());
        assert!(Cascade::of(Combiner::Add, Type::float64(&context), &[1000], 64).is_none());
    }
}
