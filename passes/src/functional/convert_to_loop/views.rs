//! The geometry of views: where an element of the view lies in what is viewed.
//!
//! A [`View`] gives, for each dimension of what is viewed, an affine expression of the view's indices. Loads
//! go through it to read, scatters to write: `slice_scatter` writes where `slice` reads.

use super::{
    places::{self, Computed, is_computed},
    reshape,
    sizes::{self, tensor, wrap},
    source::{Source, number},
};
use crate::emit::{Emitted, Emitter};
use melior::ir::{AffineExpr, OperationRef, Value, ValueLike};
use terrace_dialects::{
    analysis::known::Known,
    ir::{
        OperationLike,
        cursor::{Results, V},
        extent::Extent,
        operations::{definition, name_of},
        operator::Elements,
        pass::Failure,
        refusal::Reason,
        registry,
        rewrite::{erase, set_operand},
    },
    ops::functional,
};
use terrace_size::DYNAMIC;

/// Where the elements of a view lie.
pub struct View<'c, 'a> {
    /// An expression for each dimension of what is viewed. Dimension i is index i of the view; those from the
    /// view's rank on are `operands`.
    pub exprs: Vec<AffineExpr<'c>>,
    /// Indices that are known at run time only.
    pub operands: Vec<V<'c, 'a>>,
}

/// Whether an operation is a view: its elements are elements of its first operand.
pub fn is_view(op: OperationRef) -> bool {
    registry::elements(op) == Some(Elements::Viewed)
}

/// The name of the view that an operation is a copy of, without the dialect's.
pub fn copied(op: OperationRef) -> Option<&'static str> {
    let view = registry::by_name(name_of(op).strip_suffix("_copy")?)?;
    view.name.strip_prefix("functional.").filter(|_| view.elements == Elements::Viewed)
}

/// Whether a view has all elements of what is viewed, in row-major order.
pub fn is_reshape(op: OperationRef) -> bool {
    matches!(name_of(op), "functional.view" | "functional.squeeze" | "functional.unsqueeze")
}

impl<'c, 'a> View<'c, 'a> {
    /// The geometry of a view; None where elements can't be found by affine expressions: a reshape that
    /// merges dimensions, `as_strided` of more than one dimension.
    pub fn of(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Result<Option<Self>, Failure> {
        let from = tensor(op.operand(0)?)?.shape;
        let to = tensor(Value::from(op.result_at(0)?))?.shape;
        let view = |exprs| Ok(Some(Self { exprs, operands: vec![] }));
        if let Ok(op) = functional::PermuteOp::try_from(op) {
            let mut exprs = vec![e.number(0); from.len()];
            for (i, d) in op.dims().iter().enumerate() {
                exprs[wrap(*d, from.len())] = e.dim(i);
            }
            return view(exprs);
        }
        if let Ok(flip) = functional::FlipOp::try_from(op) {
            let turned: Vec<usize> = flip.dims().iter().map(|d| wrap(*d, from.len())).collect();
            let shape = sizes::extents(op.operand(0)?, e)?;
            let mut region = Region { e, part: shape.clone(), shape, operands: vec![] };
            let mut exprs = vec![];
            for d in 0..from.len() {
                exprs.push(if turned.contains(&d) {
                    e.dim(d) * e.number(-1) + region.expr(region.shape[d]) + e.number(-1)
                } else {
                    e.dim(d)
                });
            }
            return Ok(Some(Self { exprs, operands: region.operands }));
        }
        if functional::ExpandOp::try_from(op).is_ok() {
            return view(expand(e, &from, &to));
        }
        if is_reshape(op) {
            return match reshape::split(e, op)? {
                Some(exprs) => view(exprs),
                None => Ok(None),
            };
        }
        if functional::AsStridedOp::try_from(op).is_ok() && from.len() != 1 {
            return Ok(None);
        }
        Self::of_region(op, op.operand(0)?, op.result_at(0)?.into(), e)
    }

    /// The geometry of a view that a scatter is the inverse of, or of that scatter; `viewed` is what is
    /// viewed, `view` has the view's sizes.
    pub fn of_region(
        op: OperationRef<'c, 'a>,
        viewed: V<'c, 'a>,
        view: V<'c, 'a>,
        e: &Emitter<'c, 'a>,
    ) -> Result<Option<Self>, Failure> {
        let (shape, part) = (sizes::extents(viewed, e)?, sizes::extents(view, e)?);
        let mut region = Region { e, shape, part, operands: vec![] };
        let exprs = if let Ok(op) = functional::SelectOp::try_from(op) {
            region.select(op.dim().unwrap_or(0), &op.index(), &op.dynamic_index())?
        } else if let Ok(op) = functional::SelectScatterOp::try_from(op) {
            region.select(op.dim().unwrap_or(0), &op.index(), &op.dynamic_index())?
        } else if let Ok(op) = functional::SliceOp::try_from(op) {
            region.slice(
                op.dim().unwrap_or(0),
                sizes::entry(&op.start(), &op.dynamic_start(), e),
                &op.step(),
            )?
        } else if let Ok(op) = functional::SliceScatterOp::try_from(op) {
            region.slice(
                op.dim().unwrap_or(0),
                sizes::entry(&op.start(), &op.dynamic_start(), e),
                &op.step(),
            )?
        } else if let Ok(op) = functional::DiagonalOp::try_from(op) {
            region.diagonal(op.offset().unwrap_or(0), op.dim1().unwrap_or(0), op.dim2().unwrap_or(1))
        } else if let Ok(op) = functional::DiagonalScatterOp::try_from(op) {
            region.diagonal(op.offset().unwrap_or(0), op.dim1().unwrap_or(0), op.dim2().unwrap_or(1))
        } else if let Ok(op) = functional::AsStridedOp::try_from(op) {
            region
                .strided(&op.stride(), sizes::entry(&op.storage_offset(), &op.dynamic_storage_offset(), e))?
        } else if let Ok(op) = functional::AsStridedScatterOp::try_from(op) {
            region
                .strided(&op.stride(), sizes::entry(&op.storage_offset(), &op.dynamic_storage_offset(), e))?
        } else {
            return Ok(None);
        };
        Ok(Some(Self { exprs, operands: region.operands }))
    }
}

/// Where the elements of an expanded tensor lie: dimensions of size 1 repeat, new ones stand in front. A size
/// that is known when the program runs is the same on both sides.
pub fn expand<'c>(e: &Emitter<'c, '_>, from: &[i64], to: &[i64]) -> Vec<AffineExpr<'c>> {
    let lead = to.len() - from.len();
    let repeats = |d: usize| from[d] == 1 && to[lead + d] != 1;
    (0..from.len()).map(|d| if repeats(d) { e.number(0) } else { e.dim(lead + d) }).collect()
}

/// A number that must be known.
fn fixed(what: &str, list: &[i64]) -> Result<i64, Failure> {
    match list {
        [i] if *i != DYNAMIC => Ok(*i),
        _ => Err(Reason::RunTime
            .says(format!("has a {what} that is only known at run time; loops are made for known ones"))
            .into()),
    }
}

/// A part of a tensor.
struct Region<'e, 'c, 'a> {
    e: &'e Emitter<'c, 'a>,
    shape: Vec<Extent<'c, 'a>>,
    /// The part's sizes.
    part: Vec<Extent<'c, 'a>>,
    operands: Vec<V<'c, 'a>>,
}

impl<'c, 'a> Region<'_, 'c, 'a> {
    /// A number in the part's expressions.
    fn expr(&mut self, number: Extent<'c, 'a>) -> AffineExpr<'c> {
        match number {
            Extent::Number(number) => self.e.number(number),
            Extent::Value(value) => {
                self.operands.push(value);
                self.e.dim(self.part.len() + self.operands.len() - 1)
            }
        }
    }

    /// The indices of a part that lacks some dimensions: `without(d)` is where dimension d is lacking.
    fn place(&self, without: impl Fn(usize) -> Option<AffineExpr<'c>>) -> Vec<AffineExpr<'c>> {
        let mut next = 0;
        let index = |d| {
            without(d).unwrap_or_else(|| {
                next += 1;
                self.e.dim(next - 1)
            })
        };
        (0..self.shape.len()).map(index).collect()
    }

    fn select(
        &mut self,
        dim: i64,
        index: &[i64],
        dynamic: &[V<'c, 'a>],
    ) -> Result<Vec<AffineExpr<'c>>, Failure> {
        let dim = wrap(dim, self.shape.len());
        let index = match dynamic {
            // The index is in range: see `select_in_range`.
            [index] => {
                let index = self.e.as_index(*index);
                self.expr(Extent::Value(index))
            }
            _ => {
                let index = fixed("index", index)?;
                let index =
                    if index < 0 { self.e.plus(self.shape[dim], index)? } else { Extent::Number(index) };
                self.expr(index)
            }
        };
        Ok(self.place(|d| (d == dim).then_some(index)))
    }

    fn slice(
        &mut self,
        dim: i64,
        start: Option<Extent<'c, 'a>>,
        step: &[i64],
    ) -> Result<Vec<AffineExpr<'c>>, Failure> {
        let (e, dim, step) = (self.e, wrap(dim, self.shape.len()), fixed("step", step)?);
        let start = places::start(e, start, Extent::Number(step), [self.shape[dim], self.part[dim]])?;
        let start = self.expr(start);
        let index = |d| if d == dim { e.dim(d) * e.number(step) + start } else { e.dim(d) };
        Ok((0..self.shape.len()).map(index).collect())
    }

    fn diagonal(&self, offset: i64, dim1: i64, dim2: i64) -> Vec<AffineExpr<'c>> {
        let rank = self.shape.len();
        let (dim1, dim2) = (wrap(dim1, rank), wrap(dim2, rank));
        // The diagonal's own dimension is the last one.
        let along = self.e.dim(rank - 2);
        let row = along + self.e.number(offset.saturating_neg().max(0));
        let column = along + self.e.number(offset.max(0));
        self.place(|d| if d == dim1 { Some(row) } else { (d == dim2).then_some(column) })
    }

    fn strided(
        &mut self,
        stride: &[i64],
        offset: Option<Extent<'c, 'a>>,
    ) -> Result<Vec<AffineExpr<'c>>, Failure> {
        let e = self.e;
        let mut place =
            self.expr(offset.ok_or_else(|| Reason::RunTime.says("has a storage offset that is no number"))?);
        for (d, stride) in stride.iter().enumerate() {
            place = place + e.dim(d) * e.number(fixed("stride", &[*stride])?);
        }
        Ok(vec![place])
    }
}

/// Makes a view ready to be read through: what it needs at run time is computed in front of it.
pub fn prepare<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Result<(), Failure> {
    if let Ok(view) = functional::SelectOp::try_from(op) {
        if let [index] = view.dynamic_index()[..] {
            let shape = sizes::extents(view.self_(), e)?;
            let index = super::bounds::select_in_range(index, &shape, view.dim().unwrap_or(0), e);
            set_operand(op, 1, index);
        }
    } else if let Ok(view) = functional::AsStridedOp::try_from(op)
        && number(view.self_(), e)?.is_none()
    {
        // The operand's elements in row-major order stand for the storage.
        let shape = sizes::extents(view.self_(), e)?;
        set_operand(op, 0, reshape::flat(e, view.self_(), &shape)?);
    }
    Ok(())
}

/// A tensor of its own for a view, or a `full`, that something else than a load uses: a reshape of what it
/// views, else a copy.
pub fn materialize<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Emitted<'c, 'a> {
    let value = Value::from(op.result_at(0)?);
    if is_reshape(op) && number(value, e)?.is_none() {
        if let Some(whole) = unmerged(op.operand(0)?, value, e.known) {
            return Ok(whole);
        }
        return reshape::reshape(e, op.operand(0)?, &sizes::extents(value, e)?);
    }
    if is_computed(op) && number(value, e)?.is_none() {
        let own = op.operand(0)?;
        let (computed, source) = (Computed::of(op, own, value, e)?, Source::of(own, e)?);
        return e.pointwise(sizes::typed(value, e)?, |e, i| source.load(e, &computed.place(e, i)));
    }
    let source = Source::of(value, e)?;
    e.pointwise(sizes::typed(value, e)?, |e, i| source.load(e, i))
}

/// What a tensor was before its dimensions were merged, where it had the sizes of `value`.
fn unmerged<'c: 'a, 'a>(merged: V<'c, 'a>, value: V<'c, 'a>, known: Known) -> Option<V<'c, 'a>> {
    let merge = definition(merged).filter(|op| name_of(*op) == "tensor.collapse_shape")?;
    let whole = merge.operand(0).ok()?;
    let (own, sizes) = (sizes::sizes(whole, known), sizes::sizes(value, known));
    let same = own.len() == sizes.len() && own.iter().zip(&sizes).all(|(a, b)| a.is_same(*b));
    (same && whole.r#type() == value.r#type()).then_some(whole)
}

/// A copy of a view: what the view is, in a tensor of its own. What is the same everywhere stays a view, one
/// of `views`.
pub fn copy<'c, 'a>(
    op: OperationRef<'c, 'a>,
    view: &str,
    e: &Emitter<'c, 'a>,
    views: &mut Vec<OperationRef<'c, 'a>>,
) -> Results<'c, 'a> {
    let operands: Vec<V> = op.operands().collect();
    let attributes: Vec<_> = op.attributes().collect();
    let result = Value::from(op.result_at(0)?).r#type();
    let view = (**e).build(&format!("functional.{view}"), &operands, &[result], &attributes, vec![])?;
    let value = Value::from(view.result_at(0)?);
    sizes::learn(view, e.known)?;
    if number(value, e)?.is_some() {
        views.push(view);
        return Ok(vec![value]);
    }
    prepare(view, e)?;
    let same = is_reshape(view) && tensor(view.operand(0)?)?.shape == tensor(value)?.shape;
    let made = if same {
        let source = Source::of(value, e)?;
        e.pointwise(sizes::typed(value, e)?, |e, i| source.load(e, i))?
    } else {
        materialize(view, e)?
    };
    sizes::forget(view, e.known);
    erase(view);
    Ok(vec![made])
}
