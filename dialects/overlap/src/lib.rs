//! How strided memory is seen ([`view_strides`]), and whether two views of it share elements, decided exactly
//! wherever a bounded search can; undecided means that they do.
//!
//! Two views share an element where `a + Σ sᵢ·xᵢ = b + Σ tⱼ·yⱼ` has a solution with every `xᵢ` and `yⱼ` in
//! range. With `y' = range - y` all coefficients are positive, and it is a bounded subset sum: is there a
//! combination of terms that adds up to a target? Terms of one stride add their ranges, and a term whose
//! stride is a multiple of a smaller one, with no gap between its steps, joins it; after that an interval
//! test decides the common cases (rows, slices, whole tensors) and a search by descending stride, cut by what
//! the rest can reach and by its greatest common divisor, decides the others.
//!
//! Compilers ask of layouts, compiled programs of addresses: so this knows neither, and depends on nothing.

mod view;

pub use view::view_strides;

/// Steps of the search before it gives up.
const BUDGET: u32 = 100_000;

/// A stride, and the largest number of steps along it.
type Term = (i64, i64);

/// The places of a view's elements.
#[derive(Clone, Debug)]
pub struct Places {
    first: i64,
    terms: Vec<Term>,
}

impl Places {
    /// The places of elements of these sizes and strides, from that of the first index on; None where there
    /// are no elements.
    pub fn of(first: i64, dims: impl IntoIterator<Item = (i64, i64)>) -> Option<Self> {
        let (mut terms, mut least) = (vec![], first);
        for (size, stride) in dims {
            match size {
                ..=0 => return None,
                1 => {}
                _ => terms.push((stride.saturating_abs(), size - 1)),
            }
            // Backwards they are the same places.
            least += stride.min(0).saturating_mul(size - 1);
        }
        Some(Self { first: least, terms })
    }

    /// The places of elements that take so many each.
    #[must_use]
    pub fn wide(mut self, width: i64) -> Self {
        self.terms.push((1, width - 1));
        self
    }

    /// The least place.
    pub fn first(&self) -> i64 {
        self.first
    }

    /// The greatest place.
    pub fn last(&self) -> i64 {
        self.terms.iter().fold(self.first, |at, (stride, steps)| at + stride * steps)
    }

    /// Whether a place of one is a place of the other.
    pub fn meet(&self, other: &Self) -> bool {
        if self.last() < other.first || other.last() < self.first {
            return false;
        }
        let terms = self.terms.iter().chain(&other.terms).copied().collect();
        reaches(terms, other.last() - self.first)
    }

    /// Whether two indices have one place.
    pub fn repeat(&self) -> bool {
        let mut terms = self.terms.clone();
        terms.sort_unstable_by_key(|(stride, _)| *stride);
        if terms.first().is_some_and(|(stride, _)| *stride == 0) {
            return true;
        }
        let mut reach = 0;
        let nested = terms.iter().all(|(stride, steps)| {
            let above = *stride > reach;
            reach += steps * stride;
            above
        });
        if nested {
            return false;
        }
        // The difference of two such indices: its first dimension that is not 0 may be taken positive, the
        // later ones run from -steps to steps.
        (0..terms.len()).any(|first| {
            let (stride, steps) = terms[first];
            let rest = &terms[first + 1..];
            let all = std::iter::once((stride, steps - 1)).chain(rest.iter().map(|(s, n)| (*s, 2 * n)));
            let target = rest.iter().map(|(s, n)| n * s).sum::<i64>() - stride;
            reaches(all.collect(), target)
        })
    }
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
    use std::collections::HashSet;

    /// Numbers that depend on nothing but where they begin: the multiplier of Knuth's MMIX.
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: i64) -> i64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 33) as i64 % bound
        }
    }

    #[test]
    fn it_agrees_with_sets_of_places() {
        let mut random = Random(1);
        for _ in 0..20_000 {
            let mut view = || {
                let dims: Vec<(i64, i64)> =
                    (0..random.below(4)).map(|_| (random.below(5), random.below(13) - 4)).collect();
                let (first, width) = (random.below(20), 1 + random.below(3));
                let mut all = vec![first];
                for (size, stride) in &dims {
                    all = all.iter().flat_map(|at| (0..*size).map(move |i| at + i * stride)).collect();
                }
                let count = all.len();
                let set: HashSet<i64> = all.iter().copied().collect();
                let wide: HashSet<i64> = all.iter().flat_map(|at| *at..*at + width).collect();
                (Places::of(first, dims), width, count, set, wide)
            };
            let ((a, u, count, set, first), (b, v, _, _, second)) = (view(), view());
            assert_eq!(a.is_none(), count == 0);
            let repeats = a.as_ref().is_some_and(|a| a.repeat());
            assert_eq!(repeats, set.len() < count, "{a:?}");
            let meet = a.zip(b).is_some_and(|(a, b)| a.wide(u).meet(&b.wide(v)));
            assert_eq!(meet, !first.is_disjoint(&second));
        }
    }
}
