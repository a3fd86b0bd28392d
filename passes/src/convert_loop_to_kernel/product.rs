//! Matrix products: sums of products of two factors, as the template `kernel.matmul`.
//!
//! A reduction is a product if its body multiplies two values and adds over one index `k`, on which both depend: one index
//! of the outer domain moves the left factor only (the rows), one the right factor only (the columns). All other indices
//! are batches. What a factor is computed by becomes its body in the template; most often that is one load. A group of such
//! a sum and of numbers that are made of it is a template with an epilogue.

use super::group::{Group, Step};
use crate::{
    emit::Emitter,
    tile_programs::{
        access::Access,
        cursor::key,
        matrix::Matrix,
        nest::{Element, Kind, Nest},
        schedule::usual,
    },
};
use melior::ir::{
    Block, BlockLike, BlockRef, OperationRef, Region, RegionLike, Type, TypeLike, ValueLike,
    operation::OperationLike,
};
use mlir_sys::mlirOperationSetOperand;
use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};
use terrace_dialects::{
    affine::Expr,
    cursor::V,
    extent::Extent,
    operations::name_of,
    ops::{Combiner, kernel, loop_},
    pass::Failure,
};

/// Rows that pay for a pass over the right factor, and columns for one over the left.
const ROWS: i64 = 6;
const COLUMNS: i64 = 8;

/// One side of a product: a value, and the operations of the body that make it, in order.
struct Factor<'c, 'a> {
    value: V<'c, 'a>,
    body: Vec<OperationRef<'c, 'a>>,
}

/// A product that was recognized.
pub(super) struct Product<'c, 'a, 'n> {
    nest: &'n Nest<'c, 'a>,
    lhs: Factor<'c, 'a>,
    rhs: Factor<'c, 'a>,
    /// The dimensions of the nest in the order of the template: batches, rows, columns, and what is summed over.
    dims: Vec<usize>,
    /// What is done with each sum.
    epilogue: Option<&'n Epilogue<'c, 'a>>,
}

/// What a group does with the sums of a product: operations on numbers, and where the number that they come to goes.
pub(super) struct Epilogue<'c, 'a> {
    sum: V<'c, 'a>,
    body: Vec<OperationRef<'c, 'a>>,
    value: V<'c, 'a>,
    store: Access<'c, 'a>,
}

/// A group that is a sum at each of its points, numbers made of it, and one element of one destination: as a nest over the
/// domain of both, and its epilogue. None where it is anything else.
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
            if op.results().any(|r| needed.contains(&key(r.into()))) {
                needed.extend(op.operands().map(key));
                body.push(*op);
            }
        }
        body.reverse();
        Self { value, body }
    }

    /// Whether an index moves it.
    fn uses(&self, index: V<'c, 'a>) -> bool {
        self.body.iter().any(|op| match loop_::LoadOp::try_from(*op) {
            Ok(load) => Access::load(load).used().any(|v| v == index),
            Err(_) => op.operands().any(|v| v == index),
        })
    }

    /// The matrix that it is in memory, where it is one.
    fn matrix(&self, along: [V<'c, 'a>; 2]) -> Option<Matrix<'c, 'a>> {
        let [op] = self.body[..] else { return None };
        let access = Access::load(loop_::LoadOp::try_from(op).ok()?);
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
        if nest.kind != Kind::Reduction(Combiner::Add) || nest.outer + 1 != nest.sizes.len() {
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
        let (k, size) = (nest.outer, |d: usize| nest.sizes[d]);
        let moves = |factor: &Factor<'c, 'a>, d: usize| factor.uses(nest.indices[d]);
        if !moves(&first, k) || !moves(&second, k) {
            return None;
        }
        // The last dimension that moves one factor only is the columns, and that factor is the right one.
        let alone = |d: &usize| usual(size(*d)) > 1 && moves(&first, *d) != moves(&second, *d);
        let n = (0..nest.outer).rev().find(alone)?;
        let in_order = moves(&second, n);
        let m = (0..n).rev().find(|d| alone(d) && moves(&first, *d) == in_order)?;
        let (lhs, rhs) = if in_order { (first, second) } else { (second, first) };
        let index = |d: usize| nest.indices[d];
        let left = lhs.matrix([index(m), index(k)]);
        let right = rhs.matrix([index(k), index(n)]).filter(|b| b.in_order() && b.has_contiguous_rows());
        if (right.is_none() && usual(size(m)) < ROWS) || (left.is_none() && usual(size(n)) < COLUMNS) {
            return None;
        }
        let batches = (0..nest.outer).filter(|d| *d != m && *d != n);
        let dims = batches.chain([m, n, k]).collect();
        Some(Self { nest, lhs, rhs, dims, epilogue: None })
    }

    /// The same with something done with each sum.
    pub fn then(self, epilogue: &'n Epilogue<'c, 'a>) -> Self {
        Self { epilogue: Some(epilogue), ..self }
    }

    /// Writes the template in front of the nest.
    pub fn write(&self) -> Result<(), Failure> {
        let at = Emitter::before(self.nest.op)?;
        let extents: Vec<Extent> = self.dims.iter().map(|d| self.nest.extents[*d]).collect();
        let (dynamic, sizes) = Extent::split(&extents);
        let regions = vec![self.body(&at, &self.lhs)?, self.body(&at, &self.rhs)?, self.place(&at)?];
        let init = self.nest.store.buffer;
        at.insert(kernel::matmul(at.location, &[], &dynamic, &sizes, init, None, None, regions)?);
        Ok(())
    }

    /// The body of a factor.
    fn body(&self, at: &Emitter<'c, 'a>, factor: &Factor<'c, 'a>) -> Result<Region<'c>, Failure> {
        let region = Region::new();
        let block = region.append_block(Block::new(&vec![(at.index_type(), at.location); self.dims.len()]));
        let mut inside = HashMap::new();
        for (i, d) in self.dims.iter().enumerate() {
            inside.insert(key(self.nest.indices[*d]), V::from(block.argument(i)?));
        }
        copy(block, &factor.body, &mut inside)?;
        let value = inside.get(&key(factor.value)).copied().unwrap_or(factor.value);
        block.append_operation(loop_::yield_(at.location, &[], value, &[], None)?);
        Ok(region)
    }

    /// The epilogue: none where the sum of a point goes to the point, else what is done with it and where it goes.
    fn place(&self, at: &Emitter<'c, 'a>) -> Result<Region<'c>, Failure> {
        let region = Region::new();
        let outer = &self.dims[..self.nest.outer];
        if outer.is_sorted() && self.epilogue.is_none() {
            return Ok(region);
        }
        let Element::Value(own) = self.nest.element else { return Err("has no sum".into()) };
        let mut arguments = vec![(at.index_type(), at.location); outer.len()];
        arguments.push((own.r#type(), at.location));
        let block = region.append_block(Block::new(&arguments));
        let mut inside = HashMap::new();
        for (i, d) in outer.iter().enumerate() {
            inside.insert(key(self.nest.indices[*d]), V::from(block.argument(i)?));
        }
        let sum = V::from(block.argument(outer.len())?);
        let (mut value, mut store) = (sum, &self.nest.store);
        if let Some(epilogue) = self.epilogue {
            inside.insert(key(epilogue.sum), sum);
            copy(block, &epilogue.body, &mut inside)?;
            value = inside.get(&key(epilogue.value)).copied().unwrap_or(epilogue.value);
            store = &epilogue.store;
        }
        let operands: Vec<V> =
            store.operands.iter().map(|v| inside.get(&key(*v)).copied().unwrap_or(*v)).collect();
        let to_the_point = outer.is_sorted() && store.exprs.len() == outer.len() && {
            let index = |d: usize| self.nest.indices.get(d);
            let same =
                |(d, e): (usize, &Expr)| matches!(e, Expr::Dim(i) if index(d) == store.operands.get(*i));
            store.exprs.iter().enumerate().all(same)
        };
        let (operands, map) = if to_the_point { (&[][..], None) } else { (&operands[..], Some(store.map)) };
        block.append_operation(loop_::yield_(at.location, &[], value, operands, map)?);
        Ok(region)
    }
}

/// Writes operations once more at the end of a block, on what their operands became.
fn copy<'c: 'a, 'a>(
    block: BlockRef<'c, '_>,
    body: &[OperationRef<'c, 'a>],
    inside: &mut HashMap<usize, V<'c, 'a>>,
) -> Result<(), Failure> {
    for op in body {
        // SAFETY: the copy lives as long as the block, and nobody else has it.
        let copy: OperationRef<'c, 'a> =
            unsafe { OperationRef::from_raw(block.append_operation((**op).clone()).to_raw()) };
        for (i, operand) in op.operands().enumerate() {
            if let Some(value) = inside.get(&key(operand)) {
                // SAFETY: both are there, and the value comes before the copy.
                unsafe { mlirOperationSetOperand(copy.to_raw(), i as isize, value.to_raw()) };
            }
        }
        for (old, new) in op.results().zip(copy.results()) {
            inside.insert(key(old.into()), new.into());
        }
    }
    Ok(())
}
