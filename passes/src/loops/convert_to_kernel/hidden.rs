//! What a causal mask hides from every row of a block: columns that are not computed.
//!
//! ```text
//! loop.group (%b, %i) {
//!   %s = loop.reduction add (%j = 1024) over (%k) ..     %s[j], the product
//!   %t = loop.pointwise (%j) .. select(%j <= %i, %s[j], -inf)
//!   %m = loop.reduction max over (%j) .. %t[j]            -inf counts for nothing
//!   %e = loop.pointwise (%j) .. exp(%t[j] - %m)           0
//!   %n = loop.reduction add over (%j) .. %e[j]            0 counts for nothing
//!   %y = loop.reduction add (%d) over (%j) .. %e[j] * %v[j, d]
//! }
//! ```
//!
//! Of the points `j > i` it is found what each member gives there, whatever is loaded: -inf or 0. Where every
//! reduction over them gets what counts for nothing, and nothing else looks at them, a block of rows needs no
//! column behind its last row. A row always sees its first column, so that its largest element is there, and
//! what is NaN without the hidden columns is NaN with them. A value that is infinite or NaN and hidden does
//! not reach the result, as it does not in kernels of attention elsewhere.
//!
//! Source: the causal masking of FlashAttention (Dao et al. 2022), which skips blocks.

use super::group::{Group, Step};
use crate::{
    emit,
    kernel::tile_programs::{
        access::Access,
        nest::{Element, Kind, Nest, is_local},
    },
};
use melior::ir::OperationRef;
use std::collections::{HashMap, HashSet};
use terrace_dialects::{
    ir::{
        OperationLike, attributes,
        cursor::V,
        operations::{definition, key, name_of},
    },
    ops::{Combiner, loop_},
};

/// Of each step the dimension that has hidden points.
pub(super) type Dims = HashMap<usize, usize>;

/// What a value is at hidden points; of a number, what it is at all.
#[derive(Clone, Copy, PartialEq)]
enum At {
    Unknown,
    Float(f64),
    /// The truth value that is false there.
    Hidden,
    /// -inf, an element of a tensor.
    Masked(usize),
    /// The largest element of a row of that.
    Largest(usize),
    /// -inf, without the largest element of the row.
    Shifted,
    /// 0, a power of that, of which some element of the row is 1.
    Power,
    /// The sum of such a row, which is finite and at least 1, or one over it.
    Sum,
}

/// The dimensions of a group's members that need not run beyond the last row of a block; None where some
/// point behind it may count.
pub(super) fn of<'c: 'a, 'a>(group: &Group<'c, 'a>) -> Option<Dims> {
    let nests: Vec<&Nest<'c, 'a>> = group.steps.iter().map(Step::nest).collect();
    let row = *group.indices.last()?;
    let mut dims = Dims::new();
    let mut tensors: HashSet<usize> = HashSet::new();
    // From what is masked to what it is made of, and to what is made of it.
    loop {
        let known = dims.len();
        for (number, nest) in nests.iter().enumerate() {
            let is_masked = nest.is_pointwise()
                && nest.indices.len() == 1
                && nest.body.iter().any(|op| is_visible(*op, nest.indices[0], row));
            if is_masked {
                dims.insert(number, 0);
            }
            let made = key(nest.store.buffer);
            if tensors.contains(&made) {
                dims.insert(number, 0);
            }
            for load in loads(nest).filter(|load| tensors.contains(&key(load.source()))) {
                let dim = (0..nest.indices.len()).find(|d| is_at(&load, nest.indices[*d]))?;
                if *dims.entry(number).or_insert(dim) != dim {
                    return None;
                }
            }
            if let Some(dim) = dims.get(&number).copied().filter(|dim| *dim < nest.outer) {
                if dim > 0 || nest.outer != 1 || !is_local(nest.store.buffer) {
                    return None;
                }
                tensors.insert(made);
                let own =
                    |load: &loop_::LoadOp<'c, 'a>| is_local(load.source()) && is_at(load, nest.indices[dim]);
                tensors.extend(loads(nest).filter(own).map(|load| key(load.source())));
            }
        }
        if dims.len() == known {
            break;
        }
    }
    let size = |(number, dim): (&usize, &usize)| nests[*number].sizes[*dim];
    let sizes: HashSet<i64> = dims.iter().map(size).collect();
    (sizes.len() == 1).then_some(())?;
    let inserted = |step: &Step<'c, 'a>| matches!(step, Step::Insert(..) | Step::Finished(..));
    let mut known: HashMap<usize, At> = HashMap::new();
    for (number, step) in group.steps.iter().enumerate() {
        let nest = step.nest();
        match dims.get(&number) {
            Some(_) if inserted(step) => return None,
            Some(dim) => {
                let value = member(nest, *dim, row, &mut known)?;
                known.insert(key(nest.store.buffer), value);
            }
            None => body(nest, None, row, &mut known),
        }
    }
    Some(dims)
}

/// What a member that has hidden points gives; None where these count.
fn member<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    dim: usize,
    row: V<'c, 'a>,
    known: &mut HashMap<usize, At>,
) -> Option<At> {
    body(nest, Some(nest.indices[dim]), row, known);
    let Element::Value(value) = nest.element else { return None };
    let element = at(value, known);
    match nest.kind {
        Kind::Pointwise => Some(match element {
            At::Float(value) if value == f64::NEG_INFINITY => At::Masked(key(nest.store.buffer)),
            element => element,
        }),
        // Its columns are hidden.
        Kind::Reduction(_) if dim < nest.outer => Some(At::Unknown),
        Kind::Reduction(combiner) => match (combiner, element) {
            (Combiner::Max, At::Masked(tensor)) => Some(At::Largest(tensor)),
            (Combiner::Add, At::Power) => Some(At::Sum),
            (Combiner::Add, At::Float(0.0)) => Some(At::Unknown),
            _ => None,
        },
        _ => None,
    }
}

/// What the operations of a body give at hidden points.
fn body<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    index: Option<V<'c, 'a>>,
    row: V<'c, 'a>,
    known: &mut HashMap<usize, At>,
) {
    for op in &nest.body {
        let value = match index {
            Some(index) if is_visible(*op, index, row) => At::Hidden,
            _ => operation(*op, known),
        };
        if let Some(result) = op.results().next() {
            known.insert(key(result), value);
        }
    }
}

/// What an operation gives.
fn operation<'c: 'a, 'a>(op: OperationRef<'c, 'a>, known: &HashMap<usize, At>) -> At {
    if let Ok(load) = loop_::LoadOp::try_from(op) {
        return known.get(&key(load.source())).copied().unwrap_or(At::Unknown);
    }
    let operands: Vec<At> = op.operands().map(|value| at(value, known)).collect();
    match (name_of(op), &operands[..]) {
        ("arith.select", [condition, _, other]) if *condition == At::Hidden => *other,
        ("arith.select", [_, a, b]) if a == b => *a,
        // A row that sees nothing else has no largest element, and no sum.
        ("arith.select", [_, At::Float(other), own @ (At::Largest(_) | At::Sum)]) if other.is_finite() => {
            *own
        }
        // By the largest of another row a sum may come to 0.
        ("arith.subf", [At::Masked(own), shift]) if *shift == At::Largest(*own) => At::Shifted,
        ("math.exp", [At::Shifted]) => At::Power,
        ("arith.divf", [At::Float(1.0), At::Sum]) => At::Sum,
        ("arith.mulf" | "arith.divf", [At::Power, At::Sum]) => At::Float(0.0),
        (
            "arith.mulf",
            [At::Float(0.0) | At::Power, At::Unknown] | [At::Unknown, At::Float(0.0) | At::Power],
        ) => At::Float(0.0),
        ("arith.extf" | "arith.truncf", [own]) => *own,
        _ => At::Unknown,
    }
}

/// What is known of a value.
fn at(value: V, known: &HashMap<usize, At>) -> At {
    let constant = || Some(At::Float(emit::known(value)?.float()));
    known.get(&key(value)).copied().or_else(constant).unwrap_or(At::Unknown)
}

/// The loads of a member.
fn loads<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> impl Iterator<Item = loop_::LoadOp<'c, 'a>> {
    nest.body.iter().filter_map(|op| loop_::LoadOp::try_from(*op).ok())
}

/// Whether a load is of the element at an index.
fn is_at<'c: 'a, 'a>(load: &loop_::LoadOp<'c, 'a>, index: V<'c, 'a>) -> bool {
    let (own, identity) = (Access::load(*load), Access::identity(load.source(), &[index]));
    own.map == identity.map && own.operands == identity.operands
}

/// Whether an operation says that an index is at most the row.
fn is_visible<'c: 'a, 'a>(op: OperationRef<'c, 'a>, index: V<'c, 'a>, row: V<'c, 'a>) -> bool {
    let Some((a, b)) = op.operand(0).ok().zip(op.operand(1).ok()).filter(|_| name_of(op) == "arith.cmpi")
    else {
        return false;
    };
    let plain = |value: V<'c, 'a>| {
        let cast = definition(value).filter(|op| name_of(*op) == "arith.index_cast");
        cast.and_then(|op| op.operand(0).ok()).unwrap_or(value)
    };
    // As arith numbers them, with and without sign.
    let (at_most, at_least) = ([3, 7], [5, 9]);
    let predicate = op.attribute("predicate").map_or(-1, attributes::i64);
    (at_most.contains(&predicate) && plain(a) == index && plain(b) == row)
        || (at_least.contains(&predicate) && plain(a) == row && plain(b) == index)
}
