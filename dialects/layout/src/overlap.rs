//! Whether layouts share elements: of numbers as [`terrace_overlap`] decides it, of expressions as far as
//! relations between them are known; and what is said of writes that are refused for it, before a program
//! runs and while it does.

use super::Layout;
use terrace_overlap::Places;
use terrace_size::{
    Number, Size, sort_where,
    symbols::{Relation, current},
};

/// Eager's words where elements of a written tensor are repeated.
pub const REPEATED: &str = "unsupported operation: more than one element of the written-to tensor refers to a single memory location. \
                            Please clone() the tensor before performing the operation.";

/// Eager's words where an operand is a part of a written tensor, or another view of it.
pub const PARTLY: &str = "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory \
                          location. Please clone() the tensor before performing the operation.";

/// Ours where elements of a written tensor overlap, which eager lets pass.
pub const ITSELF: &str =
    "result depends on the order of evaluation: elements of the written-to tensor overlap";

/// Ours where an operand overlaps a tensor that is written beside others.
pub const BESIDE: &str = "result depends on the order of evaluation: an operand overlaps a written-to tensor";

/// Ours where an operand of this number overlaps the written tensor.
pub fn by_operand(place: impl std::fmt::Display) -> String {
    format!("result depends on the order of evaluation: operand {place} overlaps the written-to tensor")
}

fn places(layout: &Layout) -> Option<Places> {
    Places::of(layout.offset, layout.sizes.iter().copied().zip(layout.strides.iter().copied()))
}

/// Whether an element of one is an element of the other.
pub fn overlap(a: &Layout, b: &Layout) -> bool {
    places(a).zip(places(b)).is_some_and(|(a, b)| a.meet(&b))
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

/// Whether two indices of a layout name one element, where it may have expressions; undecided means that they
/// do.
pub fn may_overlap_itself(a: &Layout<Size>) -> bool {
    if let Some(numbers) = a.numbers() {
        return overlaps_itself(&numbers);
    }
    if a.is_empty() {
        return false;
    }
    let mut dims: Vec<(Size, Size)> = a.moving().collect();
    sort_where(&mut dims, |(_, a), (_, b)| a.assume_lt(*b));
    let mut reach = Size::ZERO;
    !dims.iter().all(|(n, s)| {
        let above = s.assume_gt(reach);
        reach += (*n - 1) * *s;
        above
    })
}

/// Whether two indices of a layout name one element.
pub fn overlaps_itself(a: &Layout) -> bool {
    places(a).is_some_and(|places| places.repeat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;
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
