//! Reshapes: the same elements in row-major order under other sizes.
//!
//! The sizes on both sides fall into groups of equal products, the smallest there are: `[6, 4, 5] -> [2, 3, 20]` has the
//! groups `[6] -> [2, 3]` and `[4, 5] -> [20]`. A group that splits is an affine expression of the new indices; one that
//! merges goes by upstream's `tensor.collapse_shape`, which moves no element of a buffer.

use super::views::tensor;
use crate::emit::Emitter;
use melior::ir::{
    AffineExpr, Attribute,
    attribute::{ArrayAttribute, DenseI64ArrayAttribute, IntegerAttribute},
    r#type::IntegerType,
};
use std::ops::Range;
use terrace_dialects::{cursor::V, pass::Failure};

/// The dimensions of a group on both sides.
type Group = (Range<usize>, Range<usize>);

/// The groups of a reshape between sizes of one product, which is not 0. One without any dimension on a side stands
/// alone.
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

/// The indices before a reshape by those after it, where no group merges dimensions; sizes of 1 do not count.
pub fn split<'c>(e: &Emitter<'c, '_>, from: &[i64], to: &[i64]) -> Option<Vec<AffineExpr<'c>>> {
    if from.contains(&0) {
        return Some(vec![e.number(0); from.len()]);
    }
    let mut exprs = vec![e.number(0); from.len()];
    for (old, new) in groups(from, to) {
        if old.len() == 1 && new.len() == 1 {
            exprs[old.start] = e.dim(new.start);
            continue;
        }
        let mut large = old.filter(|d| from[*d] != 1);
        let Some(d) = large.next() else { continue };
        if large.next().is_some() {
            return None;
        }
        let mut stride = from[d];
        for n in new.filter(|n| to[*n] != 1) {
            stride /= to[n];
            exprs[d] = exprs[d] + e.dim(n) * e.number(stride);
        }
    }
    Some(exprs)
}

/// A tensor under other sizes, by upstream's operations.
pub fn reshape<'c, 'a>(e: &Emitter<'c, 'a>, value: V<'c, 'a>, to: &[i64]) -> Result<V<'c, 'a>, Failure> {
    let own = tensor(value)?;
    let from = &own.shape;
    if from == to {
        return Ok(value);
    }
    let result = own.with_shape(to).to_type(e.context);
    if from.contains(&0) {
        return Ok(e.empty(result));
    }
    let groups = groups(from, to);
    // One dimension for each group; none where a side has none, which upstream spells by no groups.
    let some = !from.is_empty() && !to.is_empty();
    let groups = if some { groups } else { vec![] };
    let merged: Vec<i64> = groups.iter().map(|(old, _)| from[old.clone()].iter().product()).collect();
    let mut value = value;
    if merged.len() != from.len() {
        let ty = own.with_shape(&merged).to_type(e.context);
        let groups = reassociation(e, groups.iter().map(|(old, _)| old.clone()));
        value = e.op("tensor.collapse_shape", &[value], ty, &[("reassociation", groups)]);
    }
    if merged.len() != to.len() {
        let groups = reassociation(e, groups.iter().map(|(_, new)| new.clone()));
        let sizes = DenseI64ArrayAttribute::new(e.context, to).into();
        let attributes = [("reassociation", groups), ("static_output_shape", sizes)];
        value = e.op("tensor.expand_shape", &[value], result, &attributes);
    }
    Ok(value)
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
    use super::groups;

    #[test]
    fn groups_are_the_smallest() {
        assert_eq!(groups(&[6, 4, 5], &[2, 3, 20]), [(0..1, 0..2), (1..3, 2..3)]);
        assert_eq!(groups(&[6, 4], &[4, 6]), [(0..2, 0..2)]);
        assert_eq!(groups(&[2, 3], &[2, 3]), [(0..1, 0..1), (1..2, 1..2)]);
    }

    #[test]
    fn sizes_of_one_join_a_neighbour() {
        assert_eq!(groups(&[1, 2], &[2]), [(0..2, 0..1)]);
        assert_eq!(groups(&[2], &[2, 1, 1]), [(0..1, 0..3)]);
        assert_eq!(groups(&[], &[1, 1]), [(0..0, 0..2)]);
        assert_eq!(groups(&[1, 1], &[1]), [(0..2, 0..1)]);
    }
}
