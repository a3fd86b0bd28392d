//! A store of a nest as a loop operation.

use super::{
    NotConverted,
    bounds::Extent,
    nest::{Atom, Inside, Nest, Place, is_fold, is_load},
    statement::{Fold, Slice, Statement},
};
use crate::loops::write::{self, Insert, Size, combine, load};
use melior::ir::{
    OperationRef, Type, ValueLike,
    attribute::{FloatAttribute, IntegerAttribute},
    r#type::IntegerType,
};
use rustc_hash::FxHashMap;
use terrace_dialects::{
    ir::{
        OperationLike,
        cursor::{Cursor, V},
        operations::{key, name_of},
        pass::Failure,
        rewrite::set_operand,
        shaped::Shaped,
        types::is_float,
    },
    loops::{affine::Expr, combiners},
    ops::Combiner,
};
use terrace_size::symbols::Predicate;

/// A point: how often each loop has gone round, and what values of the nest are there.
struct Point<'c, 'a, 'n> {
    nest: &'n Nest<'c, 'a>,
    at: Cursor<'c, 'a>,
    rounds: FxHashMap<usize, V<'c, 'a>>,
    env: FxHashMap<usize, V<'c, 'a>>,
    extents: &'n [Extent<'c, 'a>],
}

/// Writes what a store becomes.
pub(super) fn statement<'c: 'a, 'a>(
    at: Cursor<'c, 'a>,
    nest: &Nest<'c, 'a>,
    extents: &[Extent<'c, 'a>],
    statement: &Statement<'c, 'a>,
) -> Result<(), NotConverted> {
    let at = at.of(statement.store.op.location());
    let (buffer, moving) = (statement.access.buffer, statement.loops());
    let place = nest.place(statement.store.op)?;
    let start = |at: Cursor<'c, 'a>, loops: &[usize], indices: &[V<'c, 'a>]| Point {
        nest,
        at,
        extents,
        rounds: loops.iter().copied().zip(indices.iter().copied()).collect(),
        env: FxHashMap::default(),
    };
    let own = |loops: &[usize]| loops.iter().map(|l| extents[*l].size).collect::<Vec<_>>();
    if statement.combined.is_some() || !statement.slice.folds.is_empty() {
        write::group(at, &own(&moving), &[buffer], |at, i| {
            let mut point = start(at, &moving, i);
            let value = match &statement.combined {
                Some((combiner, over)) => {
                    let sum = point.reduction(*combiner, over, statement)?;
                    let old = point.element(buffer, &place, None)?;
                    combine(at, *combiner, old, sum)?
                }
                None => {
                    point.slice(&statement.slice)?;
                    point.stored(statement, &place)?
                }
            };
            let values = point.values(&place);
            Ok(vec![Insert { value, into: 0, place: place.exprs, values }])
        })?;
        return Ok(());
    }
    if let Some(order) = destination_order(nest, statement) {
        write::pointwise(at, &own(&order), buffer, |at, i| {
            let mut point = start(at, &order, i);
            point.slice(&statement.slice)?;
            point.stored(statement, &place)
        })?;
        return Ok(());
    }
    write::scatter(at, &own(&moving), buffer, |at, i| {
        let mut point = start(at, &moving, i);
        point.slice(&statement.slice)?;
        let (value, values) = (point.stored(statement, &place)?, point.values(&place));
        Ok((value, place.exprs, values))
    })?;
    Ok(())
}

/// The loops in the order of the dimensions of the memref, where each goes through all of one.
fn destination_order<'c: 'a, 'a>(nest: &Nest<'c, 'a>, statement: &Statement<'c, 'a>) -> Option<Vec<usize>> {
    let access = &statement.access;
    let mut order = vec![];
    for (dim, subscript) in access.subscripts.iter().enumerate() {
        let number = statement.store.loops[subscript.as_ref()?.index()?];
        if order.contains(&number) || !nest.loops[number].covers(access.buffer, dim) {
            return None;
        }
        order.push(number);
    }
    (order.len() == statement.store.loops.len()).then_some(order)
}

impl<'c: 'a, 'a> Point<'c, 'a, '_> {
    /// The values of atoms.
    fn values(&self, place: &Place<'c, 'a>) -> Vec<V<'c, 'a>> {
        let value = |atom: &Atom<'c, 'a>| match atom {
            Atom::Loop(number) => self.rounds[number],
            Atom::Start(number) => self.extents[*number].start.expect("it is computed"),
            Atom::Outside(value) => *value,
            Atom::Inside(value) => self.env.get(&key(*value)).copied().unwrap_or(*value),
        };
        place.atoms.iter().map(value).collect()
    }

    /// The value of an operand of the nest.
    fn get(&self, value: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        if let Some(value) = self.env.get(&key(value)) {
            return Ok(*value);
        }
        if self.nest.loop_of(value).is_some() {
            let place = self.nest.index(value);
            return self.compute(&place.exprs[0], &self.values(&place));
        }
        Ok(value)
    }

    /// The value of an expression, by arith.
    fn compute(&self, expr: &Expr, values: &[V<'c, 'a>]) -> Result<V<'c, 'a>, Failure> {
        let ty = self.at.index_type();
        let both = |name: &str, l: &Expr, r: &Expr| {
            self.at.op(name, &[self.compute(l, values)?, self.compute(r, values)?], ty)
        };
        match expr {
            Expr::Dim(d) => Ok(values[*d]),
            Expr::Constant(c) => self.at.index(*c),
            Expr::Add(l, r) if **r == Expr::Constant(0) => self.compute(l, values),
            Expr::Mul(l, r) if **r == Expr::Constant(1) => self.compute(l, values),
            Expr::Add(l, r) => both("arith.addi", l, r),
            Expr::Mul(l, r) => both("arith.muli", l, r),
            Expr::FloorDiv(l, r) => both("arith.floordivsi", l, r),
            Expr::CeilDiv(l, r) => both("arith.ceildivsi", l, r),
            Expr::Mod(l, r) => {
                let whole = Expr::Mul(Box::new(Expr::FloorDiv(l.clone(), r.clone())), r.clone());
                both("arith.subi", l, &whole)
            }
        }
    }

    /// An element at a place; where a mask is off zero, with nothing read.
    fn element(
        &self,
        buffer: V<'c, 'a>,
        place: &Place<'c, 'a>,
        mask: Option<V<'c, 'a>>,
    ) -> Result<V<'c, 'a>, Failure> {
        let element = Shaped::expect(buffer.r#type())?.element;
        let mask = match mask {
            Some(mask) => Some((mask, self.zero(element)?)),
            None => None,
        };
        load(self.at, buffer, &place.exprs, &self.values(place), mask)
    }

    fn zero(&self, ty: Type<'c>) -> Result<V<'c, 'a>, Failure> {
        let value = match is_float(ty) {
            true => FloatAttribute::new(self.at.context, ty, 0.0).into(),
            false => IntegerAttribute::new(ty, 0).into(),
        };
        self.at.constant(ty, value)
    }

    /// Whether all conditions around an operation hold; None where there are none.
    fn condition(&self, around: &[(OperationRef<'c, 'a>, bool)]) -> Result<Option<V<'c, 'a>>, NotConverted> {
        let truth: Type = IntegerType::new(self.at.context, 1).into();
        let mut all: Option<V<'c, 'a>> = None;
        for (op, holds) in around {
            let mut own: Option<V<'c, 'a>> = None;
            let and = |a: Option<V<'c, 'a>>, b: V<'c, 'a>| match a {
                Some(a) => self.at.op("arith.andi", &[a, b], truth),
                None => Ok(b),
            };
            if name_of(*op) == "scf.if" {
                own = Some(self.get(op.operand(0)?)?);
            } else {
                let (place, zero) = self.nest.condition(*op)?;
                let values = self.values(&place);
                for (expr, zero) in place.exprs.iter().zip(zero) {
                    // Equal, or signed and not less.
                    let how = if zero { Predicate::Equal } else { Predicate::GreaterOrEqual };
                    let holds = self.at.compare(how, self.compute(expr, &values)?, self.at.index(0)?)?;
                    own = Some(and(own, holds)?);
                }
            }
            let Some(mut own) = own else { continue };
            if !holds {
                let on = self.at.integer(truth, 1)?;
                own = self.at.op("arith.xori", &[own, on], truth)?;
            }
            all = Some(and(all, own)?);
        }
        Ok(all)
    }

    /// Copies what computes a value.
    fn slice(&mut self, slice: &Slice<'c, 'a>) -> Result<(), Failure> {
        slice.ops.iter().try_for_each(|own| self.step(own, slice)).map_err(into_failure)
    }

    fn step(&mut self, own: &Inside<'c, 'a>, slice: &Slice<'c, 'a>) -> Result<(), NotConverted> {
        let op = own.op;
        let result: V = op.result_at(0)?.into();
        if is_fold(op) {
            let fold = slice.folds.iter().find(|fold| fold.op == op).ok_or("has a loop that is unknown")?;
            let value = self.fold(fold)?;
            self.env.insert(key(result), value);
            return Ok(());
        }
        if is_load(op) {
            let mask = self.condition(&own.conditions)?;
            let value = self.element(self.nest.buffer(op)?, &self.nest.place(op)?, mask)?;
            self.env.insert(key(result), value);
            return Ok(());
        }
        if name_of(op) == "affine.apply" {
            let place = self.nest.index(result);
            let value = self.compute(&place.exprs[0], &self.values(&place))?;
            self.env.insert(key(result), value);
            return Ok(());
        }
        let operands = op.operands().map(|v| self.get(v)).collect::<Result<Vec<_>, _>>()?;
        let copy = self.at.of(op.location()).insert((*op).clone());
        for (i, operand) in operands.into_iter().enumerate() {
            set_operand(copy, i, operand);
        }
        for (old, new) in op.results().zip(copy.results()) {
            self.env.insert(key(old), new.into());
        }
        Ok(())
    }

    /// What a loop with `iter_args` gives.
    fn fold(&self, fold: &Fold<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        let ty = fold.term.value.r#type();
        let start = match fold.start {
            Some(start) => self.get(start)?,
            // A sum begins at zero, whatever its sign.
            None if fold.combiner == Combiner::Add => self.zero(ty)?,
            None => self.at.constant(ty, combiners::identity(self.at.context, fold.combiner, ty))?,
        };
        let inner = |point: &mut Self| {
            point.slice(&fold.term)?;
            point.get(fold.term.value)
        };
        let sum = self.over(fold.combiner, &fold.loops, ty, inner)?;
        combine(self.at, fold.combiner, start, sum)
    }

    /// What a store combines into its element.
    fn reduction(
        &self,
        combiner: Combiner,
        over: &[usize],
        statement: &Statement<'c, 'a>,
    ) -> Result<V<'c, 'a>, Failure> {
        let ty = statement.slice.value.r#type();
        self.over(combiner, over, ty, |point| {
            point.slice(&statement.slice)?;
            let value = point.get(statement.slice.value)?;
            let held = point.condition(&statement.store.conditions).map_err(into_failure)?;
            match held {
                Some(held) => {
                    let identity = combiners::identity(point.at.context, combiner, ty);
                    point.at.op("arith.select", &[held, value, point.at.constant(ty, identity)?], ty)
                }
                None => Ok(value),
            }
        })
    }

    /// A combination over loops, as a member of the group that the point is of.
    fn over(
        &self,
        combiner: Combiner,
        over: &[usize],
        ty: Type<'c>,
        body: impl FnOnce(&mut Self) -> Result<V<'c, 'a>, Failure>,
    ) -> Result<V<'c, 'a>, Failure> {
        let sizes: Vec<Size> = over.iter().map(|l| self.extents[*l].size).collect();
        let member = write::reduction(self.at, combiner, &sizes, sizes.len(), Err(ty), |at, j| {
            let mut rounds = self.rounds.clone();
            rounds.extend(over.iter().copied().zip(j.iter().copied()));
            body(&mut Point { nest: self.nest, at, rounds, env: self.env.clone(), extents: self.extents })
        })?;
        Ok(member.result_at(0)?.into())
    }

    /// What is stored: the value, and the old one where a condition does not hold.
    fn stored(&self, statement: &Statement<'c, 'a>, place: &Place<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        let value = self.get(statement.slice.value)?;
        match self.condition(&statement.store.conditions).map_err(into_failure)? {
            Some(held) => {
                let old = self.element(statement.access.buffer, place, None)?;
                self.at.op("arith.select", &[held, value, old], value.r#type())
            }
            None => Ok(value),
        }
    }
}

pub(super) fn into_failure(not_converted: NotConverted) -> Failure {
    match not_converted {
        NotConverted::For(why) => Failure::Message(why),
        NotConverted::Failed(failure) => failure,
    }
}
