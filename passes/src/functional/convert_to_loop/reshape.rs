//! Reshapes: the same elements in row-major order under other sizes.
//!
//! The sizes on both sides fall into groups of equal products, the smallest there are: `[6, 4, 5] -> [2, 3,
//! 20]` has the groups `[6] -> [2, 3]` and `[4, 5] -> [20]`. A group that splits is an affine expression of
//! the new indices; one that merges goes by upstream's `tensor.collapse_shape`, which moves no element of a
//! buffer. Sizes of the run are in groups of products that are known to be equal; where none are found all
//! dimensions are one.

use super::sizes::{self, tensor};
use crate::emit::{Emitted, Emitter, Typed};
use melior::ir::{
    AffineExpr, Attribute, OperationRef, Type, ValueLike,
    attribute::{ArrayAttribute, DenseI64ArrayAttribute, IntegerAttribute},
    r#type::IntegerType,
};
use std::ops::Range;
use terrace_dialects::ir::{OperationLike, cursor::V, extent::Extent, pass::Failure};
use terrace_size::{DYNAMIC, Size};

/// The dimensions of a group on both sides.
type Group = (Range<usize>, Range<usize>);

/// The groups of a reshape between sizes of one product, which is not 0. One without any dimension on a side
/// stands alone.
fn groups(from: &[i64], to: &[i64]) -> Vec<Group> {
    let mut groups: Vec<Group> = vec![];
    let (mut i, mut j) = (0, 0);
    while i < from.len() && j < to.len() {
        let (first, second) = (i, j);
        let (mut a, mut b) = (from[i], to[j]);
        (i, j) = (i + 1, j + 1);
        while a != b {
            if a < b {
                a *= from[i];
                i += 1;
            } else {
                b *= to[j];
                j += 1;
            }
        }
        groups.push((first..i, second..j));
    }
    // Only sizes of 1 are left.
    match groups.last_mut() {
        Some(last) => (last.0.end, last.1.end) = (from.len(), to.len()),
        None => groups.push((0..from.len(), 0..to.len())),
    }
    groups
}

/// The groups of a reshape between sizes that may be expressions, of one product: each ends as soon as the
/// products of both sides are known to be equal.
fn open_groups(from: &[Size], to: &[Size]) -> Vec<Group> {
    let product = |sizes: &[Size]| -> Size { sizes.iter().product() };
    let mut groups: Vec<Group> = vec![];
    let (mut i, mut j) = (0, 0);
    while i < from.len() && j < to.len() {
        let ends = (2..=from.len() - i + to.len() - j).flat_map(|n| (1..n).map(move |k| (k, n - k)));
        let ends = ends.map(|(k, l)| (i + k, j + l)).filter(|(k, l)| *k <= from.len() && *l <= to.len());
        let same = |(k, l): &(usize, usize)| product(&from[i..*k]).is_same(product(&to[j..*l]));
        let (k, l) = ends.into_iter().find(same).unwrap_or((from.len(), to.len()));
        groups.push((i..k, j..l));
        (i, j) = (k, l);
    }
    match groups.last_mut() {
        Some(last) => (last.0.end, last.1.end) = (from.len(), to.len()),
        None => groups.push((0..from.len(), 0..to.len())),
    }
    groups
}

/// The indices before a reshape by those after it, where no group merges dimensions; sizes of 1 do not count.
pub fn split<'c, 'a>(
    e: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Result<Option<Vec<AffineExpr<'c>>>, Failure> {
    let (viewed, view) = (op.operand(0)?, op.result_at(0)?.into());
    let (from, to) = (tensor(viewed)?.shape, tensor(view)?.shape);
    if from.contains(&0) {
        return Ok(Some(vec![e.number(0); from.len()]));
    }
    let groups = match [&from, &to].iter().any(|sizes| sizes.contains(&DYNAMIC)) {
        true => open_groups(&sizes::sizes(viewed, e.known), &sizes::sizes(view, e.known)),
        false => groups(&from, &to),
    };
    let mut exprs = vec![e.number(0); from.len()];
    for (old, new) in groups {
        if old.len() == 1 && new.len() == 1 {
            exprs[old.start] = e.dim(new.start);
            continue;
        }
        let mut large = old.filter(|d| from[*d] != 1);
        let Some(d) = large.next() else { continue };
        if large.next().is_some() {
            return Ok(None);
        }
        // From the inside, for the outermost size may be any.
        let mut stride = 1i64;
        let mut split = vec![];
        for n in new.rev().filter(|n| to[*n] != 1) {
            if stride == DYNAMIC {
                return Ok(None);
            }
            split.push(e.dim(n) * e.number(stride));
            stride = if to[n] == DYNAMIC { DYNAMIC } else { stride * to[n] };
        }
        exprs[d] = split.into_iter().rev().fold(exprs[d], |sum, term| sum + term);
    }
    Ok(Some(exprs))
}

/// The row-major elements of a tensor as one dimension.
pub fn flat<'c, 'a>(e: &Emitter<'c, 'a>, value: V<'c, 'a>, sizes: &[Extent<'c, 'a>]) -> Emitted<'c, 'a> {
    let elements = sizes.iter().try_fold(Extent::Number(1), |n, size| e.product(n, *size))?;
    reshape(e, value, &[elements])
}

/// A tensor under other sizes, by upstream's operations.
pub fn reshape<'c, 'a>(e: &Emitter<'c, 'a>, value: V<'c, 'a>, sizes: &[Extent<'c, 'a>]) -> Emitted<'c, 'a> {
    let own = tensor(value)?;
    let (from, (dynamic, to)) = (&own.shape, Extent::split(sizes));
    let to = &to[..];
    let open = [from, to].iter().any(|sizes| sizes.contains(&DYNAMIC));
    if from == to && !open {
        return Ok(value);
    }
    let result = own.with_shape(to).to_type(e.context);
    if from.contains(&0) {
        return Ok(e.empty(Typed { ty: result, extents: sizes.to_vec() }));
    }
    let groups = match open {
        true if from.is_empty() || to.is_empty() => {
            // Of one element: its type has to say so.
            let one = |sizes: &[i64]| vec![1; sizes.len()];
            let value = cast(e, value, own.with_shape(&one(from)).to_type(e.context));
            let value = reshape(e, value, &Extent::numbers(&one(to)))?;
            return Ok(cast(e, value, result));
        }
        true => vec![(0..from.len(), 0..to.len())],
        false => groups(from, to),
    };
    // One dimension for each group; none where a side has none, which upstream spells by no groups.
    let some = !from.is_empty() && !to.is_empty();
    let groups = if some { groups } else { vec![] };
    let product = |sizes: &[i64]| if sizes.contains(&DYNAMIC) { DYNAMIC } else { sizes.iter().product() };
    let merged: Vec<i64> = groups.iter().map(|(old, _)| product(&from[old.clone()])).collect();
    let mut value = value;
    if merged.len() != from.len() {
        let ty = own.with_shape(&merged).to_type(e.context);
        let groups: Vec<_> = groups.iter().map(|(old, _)| old.clone()).collect();
        value = collapse(e, value, &groups, ty);
    }
    if merged.len() == to.len() {
        value = cast(e, value, result);
    } else {
        let split: Vec<i64> = groups.iter().map(|(_, new)| product(&to[new.clone()])).collect();
        value = cast(e, value, own.with_shape(&split).to_type(e.context));
        let groups = reassociation(e, groups.iter().map(|(_, new)| new.clone()));
        let sizes = DenseI64ArrayAttribute::new(e.context, to).into();
        let attributes = [("reassociation", groups), ("static_output_shape", sizes)];
        let operands = [&[value], &dynamic[..]].concat();
        value = e.op("tensor.expand_shape", &operands, result, &attributes);
    }
    Ok(value)
}

/// A tensor as one of a type that says more or less of its sizes.
fn cast<'c, 'a>(e: &Emitter<'c, 'a>, value: V<'c, 'a>, ty: Type<'c>) -> V<'c, 'a> {
    if value.r#type() == ty { value } else { e.op("tensor.cast", &[value], ty, &[]) }
}

/// A tensor whose dimensions of each group are one.
pub fn collapse<'c, 'a>(
    e: &Emitter<'c, 'a>,
    value: V<'c, 'a>,
    groups: &[Range<usize>],
    ty: Type<'c>,
) -> V<'c, 'a> {
    let groups = reassociation(e, groups.iter().cloned());
    e.op("tensor.collapse_shape", &[value], ty, &[("reassociation", groups)])
}

fn reassociation<'c>(e: &Emitter<'c, '_>, groups: impl Iterator<Item = Range<usize>>) -> Attribute<'c> {
    let ty = IntegerType::new(e.context, 64).into();
    let group = |range: Range<usize>| -> Attribute<'c> {
        let dims: Vec<Attribute> = range.map(|d| IntegerAttribute::new(ty, d as i64).into()).collect();
        ArrayAttribute::new(e.context, &dims).into()
    };
    ArrayAttribute::new(e.context, &groups.map(group).collect::<Vec<_>>()).into()
}

#[cfg(test)]
mod tests {
    use super::{groups, open_groups};
    use terrace_size::{
        Size,
        symbols::{Symbols, current},
    };

    #[test]
    fn groups_are_the_smallest() {
        assert_eq!(groups(&[6, 4, 5], &[2, 3, 20]), [(0..1, 0..2), (1..3, 2..3)]);
        assert_eq!(groups(&[6, 4], &[4, 6]), [(0..2, 0..2)]);
        assert_eq!(groups(&[2, 3], &[2, 3]), [(0..1, 0..1), (1..2, 1..2)]);
    }

    #[test]
    fn groups_of_sizes_of_the_run_end_where_products_are_known_to_be_equal() {
        let size = Size::from;
        Symbols::new().enter(|| {
            let [n, m] = [0, 1].map(|_| current(|symbols| symbols.symbol(None, 0)).1);
            assert_eq!(
                open_groups(&[n, size(24i64)], &[n, size(4i64), size(6i64)]),
                [(0..1, 0..1), (1..2, 1..3)]
            );
            assert_eq!(open_groups(&[n, size(4i64), m], &[n * 4, m]), [(0..2, 0..1), (2..3, 1..2)]);
            // Of which nothing is known.
            assert_eq!(open_groups(&[n, m], &[m, n]), [(0..2, 0..2)]);
            assert_eq!(open_groups(&[n, size(1i64)], &[n]), [(0..2, 0..1)]);
        });
    }

    #[test]
    fn sizes_of_one_join_a_neighbour() {
        assert_eq!(groups(&[1, 2], &[2]), [(0..2, 0..1)]);
        assert_eq!(groups(&[2], &[2, 1, 1]), [(0..1, 0..3)]);
        assert_eq!(groups(&[], &[1, 1]), [(0..0, 0..2)]);
        assert_eq!(groups(&[1, 1], &[1]), [(0..2, 0..1)]);
    }
}
