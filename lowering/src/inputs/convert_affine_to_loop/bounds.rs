//! The loops of a nest: what they count from and to, and which two of them are one that was tiled.
//!
//! `for %t = 0 to %n step 32 { for %i = %t to min(%t + 32, %n) { ... } }` is `for %i = 0 to %n { ... }` with
//! a schedule. It is read as the latter, since schedules are decided later on.

use super::{NotConverted, nest::is_loop};
use crate::loops::write::{Size, apply};
use melior::ir::{OperationRef, RegionLike};
use terrace_dialects::{
    analysis::dependence::{Form, Term},
    ir::{
        BlockLike, OperationLike, attributes,
        cursor::{Cursor, V},
        operations::{definition, key, name_of, users},
        pass::Failure,
        shaped::Shaped,
    },
    loops::affine::{self, Expr},
};

/// The largest of several lower bounds, or the least of several upper ones: expressions over values.
#[derive(Clone)]
pub(super) struct Bound<'c, 'a> {
    exprs: Vec<Expr>,
    values: Vec<V<'c, 'a>>,
}

/// A loop: its index is `lower + i * step` for each `i` below its size.
#[derive(Clone)]
pub(crate) struct Loop<'c, 'a> {
    pub index: V<'c, 'a>,
    lower: Bound<'c, 'a>,
    upper: Bound<'c, 'a>,
    pub step: i64,
    /// The size, where it is known.
    pub size: Option<i64>,
    /// Whether its rounds are in no order.
    pub parallel: bool,
    /// Whether it was tiled, with other loops between those over tiles and points: its rounds do not follow
    /// each other.
    pub tiled: bool,
}

/// How often a loop goes round, and what it counts from where that is the largest of several bounds.
pub(crate) struct Extent<'c, 'a> {
    pub size: Size<'c, 'a>,
    pub start: Option<V<'c, 'a>>,
}

impl<'c: 'a, 'a> Bound<'c, 'a> {
    /// Of several numbers the one that `pick` takes is left.
    fn new(exprs: Vec<Expr>, values: Vec<V<'c, 'a>>, pick: fn(i64, i64) -> i64) -> Self {
        let number = |expr: &Expr| if let Expr::Constant(number) = expr { Some(*number) } else { None };
        let picked = exprs.iter().filter_map(number).reduce(pick);
        let mut own: Vec<Expr> = picked.into_iter().map(Expr::Constant).collect();
        for expr in exprs {
            if number(&expr).is_none() && !own.contains(&expr) {
                own.push(expr);
            }
        }
        Self { exprs: own, values }
    }

    /// The only expression.
    fn alone(&self) -> Option<&Expr> {
        if let [expr] = &self.exprs[..] { Some(expr) } else { None }
    }

    /// The expressions as sums over values, by their keys; None of one that is none.
    fn forms(&self) -> Vec<Option<Form>> {
        let terms: Vec<Term> = self.values.iter().map(|v| Term::Symbol(key(*v))).collect();
        self.exprs.iter().map(|expr| Form::of(expr, &terms)).collect()
    }

    /// The value; `picks` is `affine.max` or `affine.min`.
    fn value(&self, at: Cursor<'c, 'a>, picks: &str) -> Result<V<'c, 'a>, Failure> {
        if let Some(expr) = self.alone() {
            return apply(at, expr, &self.values);
        }
        let exprs: Vec<_> = self.exprs.iter().map(|expr| expr.write(at.context)).collect();
        let (operands, map) = affine::access(at.context, &exprs, &self.values);
        at.with(picks, &operands, at.index_type(), &[at.named("map", map)])
    }
}

impl<'c: 'a, 'a> Loop<'c, 'a> {
    fn new(
        index: V<'c, 'a>,
        lower: Bound<'c, 'a>,
        upper: Bound<'c, 'a>,
        step: i64,
        parallel: bool,
    ) -> Result<Self, NotConverted> {
        let size = match (lower.alone(), upper.alone()) {
            (Some(Expr::Constant(lower)), Some(Expr::Constant(upper))) => {
                let distance = upper.checked_sub(*lower).ok_or("has a loop that is too long")?.max(0);
                Some(distance / step + i64::from(distance % step != 0))
            }
            _ => None,
        };
        Ok(Self { index, lower, upper, step, size, parallel, tiled: false })
    }

    /// The loops that an operation is.
    pub fn all(op: OperationRef<'c, 'a>) -> Result<Vec<Self>, NotConverted> {
        let block = op.region(0)?.first_block().ok_or("has no body")?;
        if name_of(op) == "affine.parallel" {
            return Self::of_parallel(op);
        }
        let segments = attributes::i32s(op.attribute("operandSegmentSizes")?);
        let mut lower: Vec<V> = op.operands().collect();
        let mut upper = lower.split_off(segments[0] as usize);
        upper.truncate(segments[1] as usize);
        let lower = Bound::new(affine::exprs(op.attribute("lowerBoundMap")?), lower, i64::max);
        let upper = Bound::new(affine::exprs(op.attribute("upperBoundMap")?), upper, i64::min);
        let step = attributes::i64(op.attribute("step")?);
        Ok(vec![Self::new(block.argument(0)?.into(), lower, upper, step, false)?])
    }

    fn of_parallel(op: OperationRef<'c, 'a>) -> Result<Vec<Self>, NotConverted> {
        let block = op.region(0)?.first_block().ok_or("has no body")?;
        let dims = affine::operands(op.attribute("lowerBoundsMap")?);
        let mut lower: Vec<V> = op.operands().collect();
        let upper = lower.split_off(dims);
        let bounds = |map: &str, groups: &str, values: &[V<'c, 'a>], pick: fn(i64, i64) -> i64| {
            let mut exprs = affine::exprs(op.attribute(map)?).into_iter();
            let groups = attributes::dense_i32s(op.attribute(groups)?);
            let own =
                |count: i32| Bound::new(exprs.by_ref().take(count as usize).collect(), values.to_vec(), pick);
            Ok::<Vec<Bound>, NotConverted>(groups.into_iter().map(own).collect())
        };
        let lower = bounds("lowerBoundsMap", "lowerBoundsGroups", &lower, i64::max)?;
        let upper = bounds("upperBoundsMap", "upperBoundsGroups", &upper, i64::min)?;
        let steps = attributes::array(op.attribute("steps")?).into_iter().map(attributes::i64);
        let mut loops = vec![];
        for (d, ((lower, upper), step)) in lower.into_iter().zip(upper).zip(steps).enumerate() {
            loops.push(Self::new(block.argument(d)?.into(), lower, upper, step, true)?);
        }
        Ok(loops)
    }

    /// The values that its bounds are computed of.
    pub fn values(&self) -> impl Iterator<Item = V<'c, 'a>> {
        let used = |bound: &Bound<'c, 'a>| {
            let mut dims = vec![];
            bound.exprs.iter().for_each(|expr| expr.dims(&mut dims));
            dims.into_iter().map(|d| bound.values[d]).collect::<Vec<_>>()
        };
        used(&self.lower).into_iter().chain(used(&self.upper))
    }

    /// What it counts from; None where that is the largest of several bounds.
    pub fn start(&self) -> Option<(&Expr, &[V<'c, 'a>])> {
        Some((self.lower.alone()?, &self.lower.values))
    }

    /// How often it goes round, computed in front of the cursor.
    pub fn extent(&self, at: Cursor<'c, 'a>) -> Result<Extent<'c, 'a>, Failure> {
        if let Some(size) = self.size {
            return Ok(Extent { size: Size::Known(size), start: None });
        }
        let start = match self.lower.alone() {
            Some(_) => None,
            None => Some(self.lower.value(at, "affine.max")?),
        };
        let rounds = match (self.whole(), self.lower.alone(), self.upper.alone()) {
            (Some(value), ..) => value,
            (_, Some(lower), Some(upper)) => {
                let upper = upper.over(&|d| Expr::Dim(d + self.lower.values.len()));
                let values = [&self.lower.values[..], &self.upper.values].concat();
                apply(at, &rounds(lower.clone(), upper, self.step), &values)?
            }
            (_, lower, _) => {
                let (lower, mut values) = match (start, lower) {
                    (None, Some(lower)) => (lower.clone(), self.lower.values.clone()),
                    (start, _) => (Expr::Dim(0), start.into_iter().collect()),
                };
                values.push(self.upper.value(at, "affine.min")?);
                apply(at, &rounds(lower, Expr::Dim(values.len() - 1), self.step), &values)?
            }
        };
        let size = Size::Value(at.op("arith.maxsi", &[rounds, at.index(0)?], at.index_type())?);
        Ok(Extent { size, start })
    }

    /// The value that it counts to, from 0 by 1.
    fn whole(&self) -> Option<V<'c, 'a>> {
        let from_zero = self.lower.alone() == Some(&Expr::Constant(0)) && self.step == 1;
        match self.upper.alone()? {
            Expr::Dim(d) if from_zero => self.upper.values.get(*d).copied(),
            _ => None,
        }
    }

    /// Whether it goes once round for each index of a dimension of a memref.
    pub fn covers(&self, buffer: V<'c, 'a>, dim: usize) -> bool {
        let Some(shaped) = Shaped::of(melior::ir::ValueLike::r#type(&buffer)) else { return false };
        let own = |value: V<'c, 'a>| {
            let Some(op) = definition(value).filter(|op| name_of(*op) == "memref.dim") else { return false };
            let number = op.operand(1).ok().and_then(definition).and_then(|op| op.attribute("value").ok());
            op.operand(0) == Ok(buffer) && number.is_some_and(|n| attributes::i64(n) == dim as i64)
        };
        self.size == Some(shaped.shape[dim]) || self.whole().is_some_and(own)
    }

    /// The loop that it was before it was tiled, where one inside runs over the tile that each round is.
    pub fn untiled(&self, op: OperationRef<'c, 'a>) -> Option<Self> {
        let mut uses = users(self.index);
        let holder = uses.next().filter(|holder| is_loop(*holder) && uses.all(|other| other == *holder))?;
        let loops = loops_to(op, holder).filter(|_| op.result_count() + holder.result_count() == 0)?;
        let all = Self::all(holder).ok()?;
        let mut over = all.into_iter().filter(|inner| inner.values().any(|v| v == self.index));
        let inner = over.next().filter(|_| over.next().is_none())?;
        let joined = self.joined_with(inner)?;
        let tiled = loops > 1;
        Some(Self { tiled, parallel: joined.parallel && !tiled, ..joined })
    }

    fn joined_with(&self, inner: Self) -> Option<Self> {
        let index = Form { symbols: [(key(self.index), 1)].into(), ..Form::default() };
        let end = Form { constant: self.step, ..index.clone() };
        let [Some(first)] = &inner.lower.forms()[..] else { return None };
        let tiles = *first == index && inner.step > 0 && self.step % inner.step == 0;
        let (ends, own) = (inner.upper.forms(), self.upper.forms());
        if !tiles || !ends.contains(&Some(end.clone())) {
            return None;
        }
        // The last tile ends with the loop, where it isn't a whole one.
        let whole = match (self.lower.alone(), self.upper.alone()) {
            (Some(Expr::Constant(lower)), Some(Expr::Constant(upper))) => (upper - lower) % self.step == 0,
            _ => false,
        };
        if !whole && !own.iter().all(|form| form.is_some() && ends.contains(form)) {
            return None;
        }
        let (mut exprs, mut values) = (self.upper.exprs.clone(), self.upper.values.clone());
        for (expr, form) in inner.upper.exprs.iter().zip(&ends) {
            if form.as_ref() != Some(&end) && !(form.is_some() && own.contains(form)) {
                exprs.push(expr.over(&|d| Expr::Dim(d + values.len())));
                values.extend(&inner.upper.values);
            }
        }
        let upper = Bound::new(exprs, values, i64::min);
        let parallel = self.parallel && inner.parallel;
        Self::new(inner.index, self.lower.clone(), upper, inner.step, parallel).ok()
    }
}

/// How many steps it is from one bound to the other.
fn rounds(lower: Expr, upper: Expr, step: i64) -> Expr {
    let minus = Expr::Mul(Box::new(lower), Box::new(Expr::Constant(-1)));
    let distance = Expr::Add(Box::new(upper), Box::new(minus));
    Expr::CeilDiv(Box::new(distance), Box::new(Expr::Constant(step)))
}

/// How many loops it is from one to another inside, where these hold nothing else.
fn loops_to<'c: 'a, 'a>(outer: OperationRef<'c, 'a>, inner: OperationRef<'c, 'a>) -> Option<usize> {
    let only = |op: OperationRef<'c, 'a>| {
        let first = op.region(0).ok()?.first_block()?.first_operation()?;
        let end = first.next_in_block()?;
        (is_loop(first) && end.next_in_block().is_none()).then_some(first)
    };
    let between = std::iter::successors(only(outer), |op| only(*op)).position(|op| op == inner);
    between.map(|loops| loops + 1)
}
