//! Tiles whose rows lie side by side in memory, and not their lanes: a block of as many rows as a register
//! has lanes is transposed in registers, so that memory is touched in whole vectors.
//!
//! Of `L` vectors, the rows of a block, two rounds of unpacking give vectors whose groups of four lanes are
//! parts of columns:
//!
//! ```text
//! a = a0 a1 a2 a3 | a4 ..        a0 b0 a1 b1 | a4 ..        a0 b0 c0 d0 | a4 b4 c4 d4
//! b = b0 b1 b2 b3 | b4 ..   ->   a2 b2 a3 b3 | a6 ..   ->   a1 b1 c1 d1 | a5 ..
//! ```
//!
//! What is left is a transposition of groups, by rounds that take the even groups of two vectors, and the odd
//! ones. Each shuffle is one instruction: 64 for 16 rows of 16 lanes, 24 for 8 of 8.

use melior::ir::{Type, ValueLike};
use terrace_dialects::ir::{
    cursor::{Cursor, V},
    pass::Failure,
};

/// Lanes of a group: 128 bits of 32 each.
const GROUP: usize = 4;

/// The lanes that `of` says, counted through two vectors.
fn shuffle<'c, 'a>(
    at: &Cursor<'c, 'a>,
    (a, b): (V<'c, 'a>, V<'c, 'a>),
    lanes: usize,
    ty: Type<'c>,
    of: impl Fn(usize) -> usize,
) -> Result<V<'c, 'a>, Failure> {
    let mask: Vec<i64> = (0..lanes).map(|lane| of(lane) as i64).collect();
    at.with("vector.shuffle", &[a, b], ty, &[at.named("mask", at.numbers(&mask))])
}

/// Vector `c` of the result has lane `c` of each vector, in their order; there are as many vectors as lanes,
/// a power of two of at least four.
pub(super) fn transposed<'c, 'a>(at: &Cursor<'c, 'a>, rows: &[V<'c, 'a>]) -> Result<Vec<V<'c, 'a>>, Failure> {
    let (lanes, ty) = (rows.len(), rows[0].r#type());
    let mut parts = rows.to_vec();
    // In groups of lanes: unpack one lane of each of two vectors, then two of each.
    for (distance, width) in [(1, 1), (2, 2)] {
        let mut next = parts.clone();
        for i in (0..lanes).filter(|i| i & distance == 0) {
            for (half, place) in [i, i + distance].into_iter().enumerate() {
                next[place] = shuffle(at, (parts[i], parts[i + distance]), lanes, ty, |lane| {
                    let (group, lane) = (lane / GROUP, lane % GROUP);
                    let source = (lane / width) % 2 * lanes;
                    source + group * GROUP + half * 2 + lane / (2 * width) * width + lane % width
                })?;
            }
        }
        parts = next;
    }
    // Vector 4g + p now has columns q, q + 4, ... of rows 4g to 4g + 3, one in each group; q is p with its
    // bits swapped.
    let groups = lanes / GROUP;
    let column = |p: usize| (p & 1) << 1 | p >> 1;
    let mut result = parts.clone();
    for p in 0..GROUP {
        let own: Vec<V> = (0..groups).map(|g| parts[g * GROUP + p]).collect();
        for (group, part) in gathered(at, &own, lanes, ty)?.into_iter().enumerate() {
            result[group * GROUP + column(p)] = part;
        }
    }
    Ok(result)
}

/// Vector `g` of the result has group `g` of each vector, in their order; there are as many vectors as
/// groups.
fn gathered<'c, 'a>(
    at: &Cursor<'c, 'a>,
    parts: &[V<'c, 'a>],
    lanes: usize,
    ty: Type<'c>,
) -> Result<Vec<V<'c, 'a>>, Failure> {
    // Each round halves the number of vectors and of groups that are mixed: even ones go in front.
    let groups = lanes / GROUP;
    let mut sets = vec![parts.to_vec()];
    while sets[0].len() > 1 {
        let mut next = vec![];
        for set in &sets {
            for odd in [0, 1] {
                let pair = |pair: &[V<'c, 'a>]| {
                    shuffle(at, (pair[0], pair[1]), lanes, ty, |lane| {
                        let (group, lane) = (lane / GROUP, lane % GROUP);
                        // Groups of both vectors, counted through.
                        (2 * group + odd) * GROUP + lane
                    })
                };
                next.push(set.chunks(2).map(pair).collect::<Result<Vec<_>, Failure>>()?);
            }
        }
        sets = next;
    }
    // The sets are in the order of reversed bits.
    let bits = groups.trailing_zeros();
    let mut result = parts.to_vec();
    for (i, set) in sets.iter().enumerate() {
        let place = if bits == 0 { 0 } else { i.reverse_bits() >> (usize::BITS - bits) };
        result[place] = set[0];
    }
    Ok(result)
}
