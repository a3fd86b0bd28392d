//! Matrix products: sums of products of two factors, as the template `kernel.matmul`.
//!
//! A reduction is a product if its body multiplies two values and adds over indices on which both depend: one
//! index of the outer domain moves the left factor only (the rows), one the right factor only (the columns;
//! such indices right in front of it may be counted with it). All other indices are batches. A group of such
//! a sum and of numbers that are made of it is a template with an epilogue. How the template is written is in
//! [`template`](super::template).

use super::group::{Group, Step};
use crate::kernel::tile_programs::{
    access::Access,
    matrix::Matrix,
    nest::{Element, Kind, Nest, usual},
    places::{Places, placed},
    products::choices,
    schedule::Limits,
};
use melior::ir::{OperationRef, Type, TypeLike, ValueLike};
use std::{collections::HashSet, rc::Rc};
use terrace_dialects::{
    ir::{
        OperationLike,
        cursor::V,
        operations::{key, name_of},
        pass::Failure,
    },
    loops::widened,
    ops::{Combiner, loop_},
};
use terrace_size::DYNAMIC;

/// Rows that pay for a pass over the right factor, and columns for one over the left factor.
const ROWS: i64 = 6;
pub(super) const COLUMNS: i64 = 8;

/// The same for a copy of a right factor that is masked: each row would find out anew which places of all
/// windows there are.
const MASKED_ROWS: i64 = 3;

/// One side of a product: a value, and the operations of the body that make it, in order.
pub(crate) struct Factor<'c, 'a> {
    pub value: V<'c, 'a>,
    pub body: Vec<OperationRef<'c, 'a>>,
    places: Rc<Places<'c, 'a>>,
}

/// A product that was recognized.
pub(crate) struct Product<'c, 'a, 'n> {
    pub nest: &'n Nest<'c, 'a>,
    pub lhs: Factor<'c, 'a>,
    pub rhs: Factor<'c, 'a>,
    /// The dimension of the rows.
    pub rows: usize,
    /// The dimension of the columns, the last, behind those that may be counted with it.
    pub columns: Vec<usize>,
    /// What is summed over, but for sizes of one.
    pub inner: Vec<usize>,
    /// Whether there are so few rows that it pays only where lanes are along what is summed over.
    pub is_few: bool,
    /// What is done with each sum.
    pub epilogue: Option<&'n Epilogue<'c, 'a>>,
}

/// What a group does with the sums of a product: operations on numbers, and where the number that they come
/// to goes.
pub(crate) struct Epilogue<'c, 'a> {
    pub sum: V<'c, 'a>,
    pub body: Vec<OperationRef<'c, 'a>>,
    pub value: V<'c, 'a>,
    pub store: Access<'c, 'a>,
}

/// A group that is a sum at each of its points, numbers made of it, and one element of one destination: as a
/// nest over the domain of both, and its epilogue. None where it is anything else.
pub(super) fn of_group<'c: 'a, 'a>(group: &Group<'c, 'a>) -> Option<(Nest<'c, 'a>, Epilogue<'c, 'a>)> {
    let (mut member, mut insert, mut body) = (None, None, vec![]);
    for step in &group.steps {
        match step {
            Step::Member(nest) if nest.outer == 0 && member.is_none() => member = Some(nest),
            Step::Insert(nest, None) if insert.is_none() => insert = Some(nest),
            Step::Numbers(nest) => body.extend(&nest.body),
            _ => return None,
        }
    }
    let (member, insert) = (member?, insert?);
    if group.tile.is_some()
        || member.order.is_some()
        || member.captured().into_iter().any(|v| computed(group, v))
    {
        return None;
    }
    let Element::Value(value) = insert.element else { return None };
    let nest = Nest {
        op: group.op,
        kind: member.kind,
        sizes: [&group.sizes[..], &member.sizes].concat(),
        extents: [&group.extents[..], &member.extents].concat(),
        outer: group.sizes.len(),
        indices: [&group.indices[..], &member.indices].concat(),
        given: vec![],
        body: member.body.clone(),
        element: member.element,
        store: Access::identity(insert.store.buffer, &group.indices),
        around: vec![],
        places: Rc::default(),
        order: None,
        tile: None,
    };
    let epilogue = Epilogue { sum: member.store.buffer, body, value, store: insert.store.clone() };
    Some((nest, epilogue))
}

/// Whether a member uses what was computed at the point before it: its own result apart.
fn computed<'c: 'a, 'a>(group: &Group<'c, 'a>, value: V<'c, 'a>) -> bool {
    let numbers = group.steps.iter().filter_map(|step| match step {
        Step::Numbers(nest) => Some(&nest.body),
        _ => None,
    });
    numbers.flatten().any(|op| op.results().any(|r| V::from(r) == value))
}

impl<'c: 'a, 'a> Factor<'c, 'a> {
    fn of(nest: &Nest<'c, 'a>, value: V<'c, 'a>) -> Self {
        let mut needed = HashSet::from([key(value)]);
        let mut body = vec![];
        for op in nest.body.iter().rev() {
            if op.results().any(|r| needed.contains(&key(r))) {
                needed.extend(op.operands().map(key));
                body.push(*op);
            }
        }
        body.reverse();
        Self { value, body, places: Rc::clone(&nest.places) }
    }

    fn access(&self, load: loop_::LoadOp<'c, 'a>) -> Access<'c, 'a> {
        placed(&self.places, Access::load(load))
    }

    /// Whether an index moves it.
    pub fn uses(&self, index: V<'c, 'a>) -> bool {
        self.body.iter().any(|op| match loop_::LoadOp::try_from(*op) {
            Ok(load) => self.access(load).used().any(|v| v == index),
            Err(_) => op.operands().any(|v| v == index),
        })
    }

    /// Whether some of its elements are not in memory.
    fn is_masked(&self) -> bool {
        self.body.iter().any(|op| loop_::LoadOp::try_from(*op).is_ok_and(|load| load.mask().is_some()))
    }

    /// The load that it is, as it lies or widened.
    pub fn load(&self) -> Option<loop_::LoadOp<'c, 'a>> {
        let load = match self.body[..] {
            [load] => load,
            [load, extension] if name_of(extension) == "arith.extf" => load,
            _ => return None,
        };
        loop_::LoadOp::try_from(load).ok()
    }

    /// Whether it is rows along an index, where they lie or widened.
    fn has_rows_along(&self, rows: V<'c, 'a>, inner: V<'c, 'a>) -> bool {
        let access = self.load().map(|load| self.access(load));
        let matrix = access.filter(|access| access.mask.is_none());
        let matrix = matrix.and_then(|access| Matrix::of(access, [rows, inner]));
        matrix.is_some_and(|matrix| matrix.in_order() && matrix.has_contiguous_rows())
    }

    /// The matrix that it is in memory, where it is one.
    fn matrix(&self, along: [V<'c, 'a>; 2]) -> Option<Matrix<'c, 'a>> {
        let [op] = self.body[..] else { return None };
        let access = self.access(loop_::LoadOp::try_from(op).ok()?);
        if access.mask.is_some() { None } else { Matrix::of(access, along) }
    }
}

/// Whether a nest is a product that becomes a template.
pub(crate) fn is_product(nest: &Nest) -> bool {
    Product::of(nest).is_some()
}

impl<'c: 'a, 'a, 'n> Product<'c, 'a, 'n> {
    /// Reads a nest as a product; None where it is none, or where register tiles would not pay.
    pub fn of(nest: &'n Nest<'c, 'a>) -> Option<Self> {
        if nest.kind != Kind::Reduction(Combiner::Add) || nest.sizes.contains(&0) {
            return None;
        }
        let Element::Value(yielded) = nest.element else { return None };
        let product = nest.body.iter().find(|op| op.results().any(|r| V::from(r) == yielded))?;
        let element: Type = yielded.r#type();
        if name_of(*product) != "arith.mulf"
            || !(element.is_f32() || element.is_f64())
            || nest.loads_from_store()
        {
            return None;
        }
        let factors = [0, 1].map(|i| product.operand(i).map(|value| Factor::of(nest, value)));
        let [Ok(first), Ok(second)] = factors else { return None };
        let size = |d: usize| nest.sizes[d];
        let moves = |factor: &Factor<'c, 'a>, d: usize| factor.uses(nest.indices[d]);
        let mut inner: Vec<usize> = (nest.outer..nest.sizes.len()).filter(|d| size(*d) != 1).collect();
        if inner.is_empty() {
            inner.extend((nest.outer..nest.sizes.len()).next_back());
        }
        if inner.is_empty() || inner.iter().any(|k| !moves(&first, *k) || !moves(&second, *k)) {
            return None;
        }
        // The last dimension that moves one factor only is the columns, and that factor is the right one.
        let alone = |d: &usize| usual(size(*d)) > 1 && moves(&first, *d) != moves(&second, *d);
        let n = (0..nest.outer).rev().find(alone)?;
        let in_order = moves(&second, n);
        let rows = (0..n).rev().find(|d| alone(d) && moves(&first, *d) == in_order)?;
        let beside = |d: &usize| alone(d) && *d != rows && size(*d) != DYNAMIC && size(n) != DYNAMIC;
        let mut columns: Vec<usize> = (0..n).rev().take_while(beside).collect();
        columns.reverse();
        columns.push(n);
        let (lhs, rhs) = if in_order { (first, second) } else { (second, first) };
        let index = |d: usize| nest.indices[d];
        let mut is_few = false;
        if let [k] = inner[..] {
            let left = lhs.matrix([index(rows), index(k)]);
            let right = rhs.matrix([index(k), index(n)]);
            let right = right.filter(|b| b.in_order() && b.has_contiguous_rows());
            let count = columns.iter().fold(1i64, |n, d| n.saturating_mul(usual(size(*d))));
            let few = right.is_none() && usual(size(rows)) < ROWS || left.is_none() && count < COLUMNS;
            // Of the elements two may be a word.
            let dots = choices::are_few(size(rows), size(k) / 2)
                && element.is_f32()
                && lhs.has_rows_along(index(rows), index(k))
                && rhs.has_rows_along(index(n), index(k));
            if few && !dots {
                return None;
            }
            is_few = few;
        } else {
            // What is copied first has to pay for it; the inner sizes have to be known to be one.
            let known = inner.iter().all(|d| size(*d) != DYNAMIC);
            let least = if rhs.is_masked() { MASKED_ROWS } else { ROWS };
            if !known || usual(size(rows)) < least {
                return None;
            }
        }
        Some(Self { nest, lhs, rhs, rows, columns, inner, is_few, epilogue: None })
    }

    /// The value that each sum is, where it is used.
    pub fn sum(&self) -> Result<V<'c, 'a>, Failure> {
        match (self.epilogue, self.nest.element) {
            (Some(epilogue), _) => Ok(epilogue.sum),
            (None, Element::Value(own)) => Ok(own),
            _ => Err("has no sum".into()),
        }
    }

    /// The same with something done with each sum.
    pub fn then(self, epilogue: &'n Epilogue<'c, 'a>) -> Self {
        Self { epilogue: Some(epilogue), ..self }
    }

    /// The dimension, of several that are summed over, along which factors of bf16 are copied as words of
    /// two: the first one that 2 divides. None where there are no instructions for them.
    pub fn words(&self, limits: Limits) -> Option<usize> {
        let are_pairs = limits.pairs
            && self.inner.len() > 1
            && [&self.lhs, &self.rhs].into_iter().all(|factor| widened(factor.value).is_some());
        let is_even = |d: &usize| self.nest.sizes[*d] != DYNAMIC && self.nest.sizes[*d] % 2 == 0;
        self.inner.iter().copied().find(is_even).filter(|_| are_pairs)
    }

    /// The dimensions that are neither rows nor columns, nor summed over.
    pub fn batches(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.nest.outer).filter(|d| *d != self.rows && !self.columns.contains(d))
    }
}
