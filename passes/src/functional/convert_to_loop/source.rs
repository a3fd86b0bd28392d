//! What a tensor is when it is read: a number that is the same everywhere, or elements found through views.

use super::{
    sizes::tensor,
    views::{View, is_view},
};
use crate::emit::{Emitted, Emitter, Number, complex::Complex, number_of};
use melior::ir::{AffineExpr, AffineMap, ValueLike};
use terrace_dialects::{
    ir::{
        OperationLike, attributes,
        cursor::V,
        operations::{definition, name_of},
        pass::Failure,
        types::TensorType,
    },
    loops::affine,
    ops::functional,
};

/// A tensor as loads see it.
#[derive(Clone)]
pub enum Source<'c, 'a> {
    /// Every element is this number.
    Number(V<'c, 'a>),
    /// Elements of another tensor.
    Elements {
        /// The tensor that holds the elements.
        tensor: V<'c, 'a>,
        /// An expression for each of its dimensions. Dimension i is index i of what is read; those from its
        /// rank on are `operands`.
        exprs: Vec<AffineExpr<'c>>,
        /// Indices that are known at run time only.
        operands: Vec<V<'c, 'a>>,
        /// The rank of what is read.
        rank: usize,
    },
}

impl<'c: 'a, 'a> Source<'c, 'a> {
    /// What a tensor value is: looks through views to what they view, at constants and fills.
    pub fn of(value: V<'c, 'a>, e: &Emitter<'c, 'a>) -> Result<Self, Failure> {
        if let Some(number) = number(value, e)? {
            return Ok(Self::Number(number));
        }
        let rank = tensor(value)?.rank();
        let mut source = Self::of_tensor(value, rank, e);
        while let Self::Elements { tensor, .. } = &source
            && let Some(op) = definition(*tensor)
            && is_view(op)
            && let Some(view) = View::of(op, e)?
        {
            source = source.through(view, op.operand(0)?, e);
        }
        Ok(source)
    }

    /// The elements of a tensor as they lie.
    pub fn of_tensor(tensor: V<'c, 'a>, rank: usize, e: &Emitter<'c, 'a>) -> Self {
        Self::Elements { tensor, exprs: (0..rank).map(|d| e.dim(d)).collect(), operands: vec![], rank }
    }

    /// Read from what the tensor that held the elements is a view of.
    fn through(self, view: View<'c, 'a>, viewed: V<'c, 'a>, e: &Emitter<'c, 'a>) -> Self {
        let Self::Elements { exprs, mut operands, rank, .. } = self else { return self };
        let first = rank + operands.len();
        let dims: Vec<_> =
            exprs.into_iter().chain((first..).map(|d| e.dim(d)).take(view.operands.len())).collect();
        let exprs = substitute(e, &view.exprs, &dims);
        operands.extend(view.operands);
        Self::Elements { tensor: viewed, exprs, operands, rank }
    }

    /// Seen as a tensor of another rank: `exprs` gives each index of this one by the indices of the other.
    pub fn reindexed(self, exprs: &[AffineExpr<'c>], rank: usize, e: &Emitter<'c, 'a>) -> Self {
        let Self::Elements { tensor, exprs: own, operands, .. } = self else { return self };
        let dims: Vec<_> =
            exprs.iter().copied().chain((rank..).map(|d| e.dim(d)).take(operands.len())).collect();
        Self::Elements { tensor, exprs: substitute(e, &own, &dims), operands, rank }
    }

    /// Whether neighbours along the last dimension are neighbours in memory, and not apart as in an image
    /// whose channels are last.
    pub fn has_rows(&self) -> bool {
        let Self::Elements { exprs, rank, .. } = self else { return false };
        let mut dims = vec![];
        exprs.iter().last().iter().for_each(|expr| affine::of(**expr).dims(&mut dims));
        rank.checked_sub(1).is_some_and(|last| dims.contains(&last))
    }

    /// The element at a point.
    pub fn load(&self, e: &Emitter<'c, 'a>, indices: &[V<'c, 'a>]) -> Emitted<'c, 'a> {
        let dims: Vec<_> = (0..indices.len()).map(|d| e.dim(d)).collect();
        self.load_at(e, &dims, indices, None)
    }

    /// The element at expressions whose dimension i is `values[i]`; with a mask and another number, that
    /// number where the mask does not hold.
    pub fn load_at(
        &self,
        e: &Emitter<'c, 'a>,
        place: &[AffineExpr<'c>],
        values: &[V<'c, 'a>],
        mask: Option<(V<'c, 'a>, V<'c, 'a>)>,
    ) -> Emitted<'c, 'a> {
        match self {
            Self::Number(number) => Ok(mask.map_or(*number, |(mask, other)| e.select(mask, *number, other))),
            Self::Elements { tensor, exprs, operands, .. } => {
                let all = [values, operands].concat();
                let rest = (values.len()..all.len()).map(|d| e.dim(d));
                let dims: Vec<_> = place.iter().copied().chain(rest).collect();
                e.load(*tensor, &substitute(e, exprs, &dims), &all, mask)
            }
        }
    }
}

/// Expressions with others in the places of their dimensions.
pub fn substitute<'c>(
    e: &Emitter<'c, '_>,
    exprs: &[AffineExpr<'c>],
    dims: &[AffineExpr<'c>],
) -> Vec<AffineExpr<'c>> {
    let map = AffineMap::new(e.context, dims.len(), 0, dims);
    exprs.iter().map(|expr| expr.compose(map)).collect()
}

/// The number that all elements of a tensor are: of a splat constant or a `full`, through any views.
pub fn number<'c, 'a>(mut value: V<'c, 'a>, e: &Emitter<'c, 'a>) -> Result<Option<V<'c, 'a>>, Failure> {
    while let Some(op) = definition(value) {
        if is_view(op) {
            value = op.operand(0)?;
            continue;
        }
        if let Ok(full) = functional::FullOp::try_from(op) {
            return Ok(Some(e.cast(full.fill_value(), tensor(value)?.dtype)));
        }
        if name_of(op) == "arith.constant"
            && let Some(splat) = attributes::splat(op.attribute("value")?)
            && let Some(ty) = TensorType::of(value.r#type())
        {
            if let Some(parts) = attributes::complex(splat) {
                let part = e.number_type(ty.dtype.part());
                let [re, im] = parts.map(|number| e.constant(part, Number::Float(number)));
                return Ok(Some(e.join(Complex { re, im })));
            }
            return Ok(number_of(splat).map(|n| e.constant(e.number_type(ty.dtype), n)));
        }
        break;
    }
    Ok(None)
}
