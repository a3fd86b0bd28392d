//! A store of a nest: what computes its value, and whether some loops only combine into its element.

use super::{
    NotConverted,
    nest::{Inside, Nest, is_fold, is_load},
};
use crate::inputs::convert_linalg_to_loop::combiner_of;
use melior::ir::{BlockRef, OperationRef, RegionLike, TypeLike, ValueLike};
use rustc_hash::FxHashSet;
use terrace_dialects::{
    analysis::dependence::Access,
    ir::{
        BlockLike, OperationLike, attributes,
        cursor::V,
        operations::{definition, name_of, users},
        types::{is_float, is_truth},
    },
    ops::Combiner,
};

/// A loop with `iter_args`, and those right inside of it that go on with its value: what they combine.
pub(crate) struct Fold<'c, 'a> {
    pub op: OperationRef<'c, 'a>,
    /// What combines; none where it may do so in any order.
    by: Option<OperationRef<'c, 'a>>,
    pub combiner: Combiner,
    /// What is combined with all; none of a parallel loop.
    pub start: Option<V<'c, 'a>>,
    /// The loops, by their numbers.
    pub loops: Vec<usize>,
    pub term: Slice<'c, 'a>,
}

/// A value, and what computes it inside of the nest, in order.
pub(crate) struct Slice<'c, 'a> {
    pub value: V<'c, 'a>,
    pub ops: Vec<Inside<'c, 'a>>,
    pub folds: Vec<Fold<'c, 'a>>,
}

/// A store.
pub(crate) struct Statement<'c, 'a> {
    pub store: Inside<'c, 'a>,
    pub access: Access<'c, 'a>,
    /// The value that is stored; of a combination, what is combined.
    pub slice: Slice<'c, 'a>,
    /// How it is combined with the old element, and the loops over which, by their numbers.
    pub combined: Option<(Combiner, Vec<usize>)>,
}

impl<'c: 'a, 'a> Slice<'c, 'a> {
    /// What computes a value, and more that is needed with it.
    fn of(nest: &Nest<'c, 'a>, value: V<'c, 'a>, more: Vec<V<'c, 'a>>) -> Result<Self, NotConverted> {
        let mut slice = Self { value, ops: vec![], folds: vec![] };
        let mut met = FxHashSet::default();
        let mut wanted = [vec![value], more].concat();
        while let Some(value) = wanted.pop() {
            let Some(own) = definition(value).and_then(|op| nest.inside(op)) else { continue };
            if !met.insert(own.position) {
                continue;
            }
            if is_fold(own.op) {
                slice.folds.push(Fold::of(nest, own.op)?);
            }
            wanted.extend(nest.needs(own.op)?);
            for (condition, _) in &own.conditions {
                wanted.extend(nest.needs(*condition)?);
            }
            slice.ops.push(own.clone());
        }
        slice.ops.sort_by_key(|own| own.position);
        Ok(slice)
    }

    /// The loads of the slice, and of what is combined in it.
    pub fn loads(&self) -> Vec<&Inside<'c, 'a>> {
        let own = self.ops.iter().filter(|own| is_load(own.op));
        own.chain(self.folds.iter().flat_map(|fold| fold.term.loads())).collect()
    }
}

impl<'c: 'a, 'a> Fold<'c, 'a> {
    fn of(nest: &Nest<'c, 'a>, op: OperationRef<'c, 'a>) -> Result<Self, NotConverted> {
        if op.result_count() != 1 {
            return Err("has a loop that gives several values".into());
        }
        let block = op.region(0)?.first_block().ok_or("has no body")?;
        if name_of(op) == "affine.parallel" {
            return Self::of_parallel(nest, op, block);
        }
        let start = op.operand(op.operand_count() - 1)?;
        let (acc, yielded): (V, V) =
            (block.argument(1)?.into(), block.terminator().ok_or("has no end")?.operand(0)?);
        let numbers = nest.numbers(op)?;
        let last = definition(yielded).ok_or("has a loop that combines nothing")?;
        if is_fold(last) {
            let mut inner = Fold::of(nest, last)?;
            if inner.start != Some(acc) || users(acc).count() != 1 {
                return Err("has a loop that goes on with more than what it has combined".into());
            }
            inner.loops.splice(0..0, numbers);
            return Ok(Fold { op, start: Some(start), ..inner });
        }
        let combiner = combiner_of(last).ok_or("has a loop that does not combine by one operation")?;
        let (left, right) = (last.operand(0)?, last.operand(1)?);
        let term = if left == acc { right } else { left };
        if (left != acc && right != acc) || users(acc).count() != 1 {
            return Err("has a loop that does more with its value than combining".into());
        }
        let term = Self::term(nest, term)?;
        Ok(Fold { op, by: Some(last), combiner, start: Some(start), loops: numbers, term })
    }

    fn of_parallel(
        nest: &Nest<'c, 'a>,
        op: OperationRef<'c, 'a>,
        block: BlockRef<'c, 'a>,
    ) -> Result<Self, NotConverted> {
        let kind = attributes::array(op.attribute("reductions")?).into_iter().map(attributes::i64).next();
        // Of `arith.AtomicRMWKind`; maxima and minima of integers are on types with a sign, which arith does
        // not compute with.
        let combiner = match kind {
            Some(0 | 1) => Combiner::Add,
            Some(2) => Combiner::And,
            Some(4) => Combiner::Max,
            Some(8) => Combiner::Min,
            Some(12 | 13) => Combiner::Mul,
            Some(14) => Combiner::Or,
            _ => return Err("has a loop that combines by something else than a sum, product, maximum, minimum, 'and' or 'or'".into()),
        };
        let value: V = block.terminator().ok_or("has no end")?.operand(0)?;
        if is_truth(value.r#type()) && !matches!(combiner, Combiner::And | Combiner::Or) {
            return Err("has a loop that combines truth values by arithmetic".into());
        }
        let term = Self::term(nest, value)?;
        Ok(Fold { op, by: None, combiner, start: None, loops: nest.numbers(op)?, term })
    }

    /// What is combined at each point.
    fn term(nest: &Nest<'c, 'a>, value: V<'c, 'a>) -> Result<Slice<'c, 'a>, NotConverted> {
        let term = Slice::of(nest, value, vec![])?;
        match term.folds.is_empty() {
            true => Ok(term),
            false => Err("has a loop that combines what another one combines".into()),
        }
    }
}

impl<'c: 'a, 'a> Statement<'c, 'a> {
    /// What a store is.
    pub fn of(nest: &Nest<'c, 'a>, store: &Inside<'c, 'a>) -> Result<Self, NotConverted> {
        let access = nest.access(store)?;
        let stored = store.op.operand(0)?;
        let ty = stored.r#type();
        if !is_float(ty) && !ty.is_integer() && !ty.is_index() {
            return Err(format!("stores {ty}: expects floats, integers or indices").into());
        }
        let mut more = nest.needs(store.op)?;
        for (condition, _) in &store.conditions {
            more.extend(nest.needs(*condition)?);
        }
        if let Some((combiner, term, over)) = combination(nest, store, &access)? {
            let slice = Slice::of(nest, term, more)?;
            if !slice.folds.is_empty() {
                return Err("combines what another loop combines".into());
            }
            return Ok(Self { store: store.clone(), access, slice, combined: Some((combiner, over)) });
        }
        let slice = Slice::of(nest, stored, more)?;
        Ok(Self { store: store.clone(), access, slice, combined: None })
    }

    /// Whether what it combines may be combined in any order: all but sums and products of floats, unless
    /// they say so.
    pub fn may_be_reordered(&self) -> bool {
        let own = self.combined.as_ref().and_then(|_| definition(self.store.op.operand(0).ok()?));
        own.into_iter().chain(self.slice.folds.iter().filter_map(|fold| fold.by)).all(may_be_reordered)
    }

    /// The loops that move the element, by their numbers, from the outermost.
    pub fn loops(&self) -> Vec<usize> {
        let over = self.combined.as_ref().map_or(&[][..], |(_, over)| over);
        self.store.loops.iter().filter(|l| !over.contains(l)).copied().collect()
    }
}

/// Whether an operation that combines may do so in any order.
fn may_be_reordered(op: OperationRef) -> bool {
    let flags = || op.attribute("fastmath").map(|flags| flags.to_string()).unwrap_or_default();
    !matches!(name_of(op), "arith.addf" | "arith.mulf")
        || ["reassoc", "fast>"].iter().any(|flag| flags().contains(flag))
}

/// What is combined into an element, how, and over which loops: `y[i] = y[i] + f(i, j)`.
fn combination<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    store: &Inside<'c, 'a>,
    access: &Access<'c, 'a>,
) -> Result<Option<(Combiner, V<'c, 'a>, Vec<usize>)>, NotConverted> {
    let Some(subscripts) = access.subscripts.iter().cloned().collect::<Option<Vec<_>>>() else {
        return Ok(None);
    };
    let still = |i: &usize| access.sizes[*i] != Some(1) && subscripts.iter().all(|s| s.factor(*i) == 0);
    let over: Vec<usize> = (0..access.sizes.len()).filter(still).map(|i| store.loops[i]).collect();
    let op =
        definition(store.op.operand(0)?).filter(|op| nest.inside(*op).is_some() && op.operand_count() == 2);
    let (Some(op), false) = (op, over.is_empty()) else { return Ok(None) };
    let Some(combiner) = combiner_of(op) else { return Ok(None) };
    let is_old = |value: V<'c, 'a>| -> Result<bool, NotConverted> {
        let Some(load) = definition(value).filter(|op| is_load(*op)).and_then(|op| nest.inside(op)) else {
            return Ok(false);
        };
        Ok(load.loops == store.loops
            && load.conditions == store.conditions
            && nest.access(load)?.is_same(access)
            && users(value).count() == 1)
    };
    let (left, right) = (op.operand(0)?, op.operand(1)?);
    let used_once = users(op.result_at(0)?.into()).count() == 1;
    Ok(match (is_old(left)?, is_old(right)?) {
        (true, false) if used_once => Some((combiner, right, over)),
        (false, true) if used_once => Some((combiner, left, over)),
        _ => None,
    })
}
