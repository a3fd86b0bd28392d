//! Whether layouts share elements, decided exactly wherever a bounded search can; undecided means overlap.
//!
//! Two layouts share an element where `a + Σ sᵢ·xᵢ = b + Σ tⱼ·yⱼ` has a solution with every `xᵢ` and `yⱼ` in range.
//! With `y' = range - y` all coefficients are positive, and it is a bounded subset sum: is there a combination of terms
//! that adds up to a target? Terms of one stride add their ranges, and a term whose stride is a multiple of a smaller
//! one, with no gap between its steps, joins it; after that an interval test decides the common cases (rows, slices,
//! whole tensors) and a search by descending stride, cut by what the rest can reach and by its greatest common divisor,
//! decides the others.

use super::Layout;
use crate::size::{
    Size,
    symbols::{Relation, current},
};

/// Steps of the search before it gives up.
const BUDGET: u32 = 100_000;

/// A stride and the largest number of steps along it.
type Term = (i64, i64);

/// Whether an element of one is an element of the other.
pub fn overlap(a: &Layout, b: &Layout) -> bool {
    if a.is_empty() || b.is_empty() || a.end() <= b.offset || b.end() <= a.offset {
        return false;
    }
    let terms = a.moving().chain(b.moving()).map(|(n, s)| (s, n - 1)).collect();
    let target = b.end() - 1 - a.offset;
    reaches(terms, target)
}

/// The same of layouts that may have expressions, without a guard: what is not known overlaps.
pub fn may_overlap(a: &Layout<Size>, b: &Layout<Size>) -> bool {
    if let (Some(a), Some(b)) = (a.numbers(), b.numbers()) {
        return overlap(&a, &b);
    }
    if a.is_known_empty() || b.is_known_empty() {
        return false;
    }
    let before = |a: &Layout<Size>, b: &Layout<Size>| {
        let reached = a.sizes.iter().zip(&a.strides).map(|(n, s)| (*n - 1) * *s).sum::<Size>() + a.offset + 1;
        current(|symbols| symbols.known(Relation::AtMost, reached, b.offset)) == Some(true)
    };
    if before(a, b) || before(b, a) {
        return false;
    }
    // More elements than there are: those of sizes as large as tensors get.
    match (enlarged(a), enlarged(b)) {
        (Some(a), Some(b)) => overlap(&a, &b),
        _ => true,
    }
}

/// With the largest sizes in place of expressions, where all else are small numbers.
fn enlarged(layout: &Layout<Size>) -> Option<Layout> {
    const LARGEST: i64 = 1 << 40;
    const SMALL: i64 = 1 << 18;
    let small = |size: &Size| size.known().filter(|number| *number < SMALL);
    let large = |size: &Size| if size.known().is_some() { small(size) } else { Some(LARGEST) };
    Some(Layout {
        sizes: layout.sizes.iter().map(large).collect::<Option<_>>()?,
        strides: layout.strides.iter().map(small).collect::<Option<_>>()?,
        offset: small(&layout.offset)?,
    })
}

/// Whether two indices of a layout name one element, where it may have expressions; undecided means that they do.
pub fn may_overlap_itself(a: &Layout<Size>) -> bool {
    if let Some(numbers) = a.numbers() {
        return overlaps_itself(&numbers);
    }
    if a.is_empty() {
        return false;
    }
    let mut dims: Vec<(Size, Size)> = a.moving().collect();
    dims.sort_by_key(|(_, s)| *s);
    let mut reach = Size::ZERO;
    !dims.iter().all(|(n, s)| {
        let above = *s > reach;
        reach += (*n - 1) * *s;
        above
    })
}

/// Whether two indices of a layout name one element.
pub fn overlaps_itself(a: &Layout) -> bool {
    if a.is_empty() {
        return false;
    }
    let mut dims: Vec<(i64, i64)> = a.moving().collect();
    dims.sort_by_key(|(_, s)| *s);
    if dims.first().is_some_and(|(_, s)| *s == 0) {
        return true;
    }
    let mut reach = 0;
    let nested = dims.iter().all(|(n, s)| {
        let above = *s > reach;
        reach += (n - 1) * s;
        above
    });
    if nested {
        return false;
    }
    // The difference of two such indices: its first dimension that is not 0 may be taken positive, the later ones run
    // from -(n - 1) to n - 1.
    (0..dims.len()).any(|first| {
        let (n, s) = dims[first];
        let rest = &dims[first + 1..];
        let terms = std::iter::once((s, n - 2)).chain(rest.iter().map(|(n, s)| (*s, 2 * (n - 1)))).collect();
        let target = rest.iter().map(|(n, s)| (n - 1) * s).sum::<i64>() - s;
        reaches(terms, target)
    })
}

/// Whether some combination of the terms adds up to `target`.
fn reaches(terms: Vec<Term>, target: i64) -> bool {
    let mut terms: Vec<Term> = terms.into_iter().filter(|(s, n)| *s > 0 && *n > 0).collect();
    terms.sort_unstable();
    let mut joined: Vec<Term> = vec![];
    for (s, n) in terms {
        // Steps of s that are multiples of a smaller stride t, with no gap above what t reaches.
        match joined.iter_mut().find(|(t, m)| s % *t == 0 && s / *t <= *m + 1) {
            Some((t, m)) => *m += n * (s / *t),
            None => joined.push((s, n)),
        }
    }
    joined.reverse();
    let mut budget = BUDGET;
    search(&joined, target, &mut budget)
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn search(terms: &[Term], target: i64, budget: &mut u32) -> bool {
    if target < 0 {
        return false;
    }
    let Some(((stride, steps), rest)) = terms.split_first() else { return target == 0 };
    let divisor = terms.iter().fold(0, |g, (s, _)| gcd(*s, g));
    if target % divisor != 0 {
        return false;
    }
    let beyond: i64 = rest.iter().map(|(s, n)| s * n).sum();
    let low =
        (target - beyond).max(0).div_euclid(*stride) + i64::from((target - beyond).max(0) % stride != 0);
    let high = (target / stride).min(*steps);
    if rest.is_empty() {
        return low <= high;
    }
    for k in (low..=high).rev() {
        match budget.checked_sub(1) {
            Some(b) => *budget = b,
            None => return true,
        }
        if search(rest, target - k * stride, budget) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strided::Random;
    use std::collections::HashSet;

    fn random(r: &mut Random) -> Layout {
        let rank = r.below(4) as usize;
        Layout {
            sizes: (0..rank).map(|_| r.below(5)).collect(),
            strides: (0..rank).map(|_| r.below(9)).collect(),
            offset: r.below(20),
        }
    }

    #[test]
    fn it_agrees_with_sets_of_places() {
        let mut r = Random(1);
        for _ in 0..20_000 {
            let (a, b) = (random(&mut r), random(&mut r));
            let (x, y): (HashSet<_>, HashSet<_>) =
                (a.places().into_iter().collect(), b.places().into_iter().collect());
            assert_eq!(overlap(&a, &b), !x.is_disjoint(&y), "{a:?} {b:?}");
            assert_eq!(overlaps_itself(&a), x.len() < a.places().len(), "{a:?}");
        }
    }

    #[test]
    fn interleaved_columns_are_disjoint() {
        let columns = |offset| Layout { sizes: vec![1 << 20, 3], strides: vec![8, 2], offset };
        assert!(!overlap(&columns(0), &columns(1)));
        assert!(overlap(&columns(0), &columns(2)));
    }

    #[test]
    fn what_is_too_hard_overlaps() {
        let strides: Vec<i64> = (0..10).map(|i| 1_000_003 + 7919 * i * i).collect();
        let sizes = vec![9; 10];
        let a = Layout { sizes: sizes.clone(), strides: strides.clone(), offset: 0 };
        let b = Layout { sizes, strides, offset: 1 };
        assert!(overlap(&a, &b));
    }
}
