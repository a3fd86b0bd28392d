//! Extremes with their places: the least of the places at which the extreme stands.

use crate::functional::writer::{Writer, Written};
use melior::ir::{OperationRef, Value};
use terrace_dialects::{
    aten::rules::TensorType,
    ir::{OperationLike, cursor::Results, pass::Failure},
    ops::functional as f,
};
use terrace_size::Size;

/// A tensor and the dimension along which its extremes are looked for.
struct Rows<'c, 'a> {
    w: Writer<'c, 'a>,
    own: Value<'c, 'a>,
    ty: TensorType<'c>,
    dim: usize,
    largest: bool,
}

impl<'c, 'a> Rows<'c, 'a> {
    /// Without `dim` all elements are one row, and so is a tensor without dimensions.
    fn new(w: Writer<'c, 'a>, own: Value<'c, 'a>, dim: Option<i64>, largest: bool) -> Result<Self, Failure> {
        let ty = w.ty(own)?;
        let dim = dim.filter(|_| ty.rank() > 0);
        let Some(dim) = dim else {
            let flat: [Size; 1] = [ty.shape.iter().product()];
            let own = w.view(own, &flat)?;
            return Ok(Self { w, own, ty: ty.with_shape(&flat), dim: 0, largest });
        };
        let dim = dim.rem_euclid(ty.rank() as i64) as usize;
        Ok(Self { w, own, ty, dim, largest })
    }

    /// The extremes; nan if there is one.
    fn values(&self) -> Written<'c, 'a> {
        let (location, dims) = (self.w.location(), [self.dim as i64]);
        self.w.value(match self.largest {
            true => f::amax(location, self.own, Some(&dims), Some(true)),
            false => f::amin(location, self.own, Some(&dims), Some(true)),
        })
    }

    /// The first place of each.
    fn places(&self, values: Value<'c, 'a>) -> Written<'c, 'a> {
        let (w, sizes) = (self.w, &self.ty.shape);
        let mut stands = w.binary(f::eq, self.own, w.expand(values, sizes)?)?;
        if self.ty.dtype.is_float() {
            stands = w.binary(f::bitwise_or, stands, w.unary(f::isnan, self.own)?)?;
        }
        let size = sizes[self.dim];
        let count = w.along(w.counted(size, 0, 1)?, self.dim, sizes)?;
        let found = w.choose(stands, count, w.like_size(count, size)?)?;
        w.value(f::amin(w.location(), found, Some(&[self.dim as i64]), Some(true)))
    }

    /// A result of the rank that it has to have: without the dimension, or with it of size 1.
    fn shaped(&self, value: Value<'c, 'a>, result: Value<'c, 'a>) -> Written<'c, 'a> {
        let mut sizes = self.w.sizes(value)?;
        let rank = self.w.ty(result)?.rank();
        if rank < sizes.len() {
            sizes.remove(self.dim);
        }
        sizes.resize(rank, Size::ONE);
        self.w.view(value, &sizes)
    }
}

/// `argmax` and `argmin`.
pub fn arg_extreme<'c, 'a>(op: OperationRef<'c, 'a>, w: Writer<'c, 'a>) -> Results<'c, 'a> {
    let (dim, largest) = match f::ArgmaxOp::try_from(op) {
        Ok(view) => (view.dim(), true),
        Err(_) => (f::ArgminOp::try_from(op).map_err(|_| "is no argmin")?.dim(), false),
    };
    let rows = Rows::new(w, op.operand(0)?, dim, largest)?;
    let places = rows.places(rows.values()?)?;
    Ok(vec![rows.shaped(places, op.result_at(0)?.into())?])
}

/// `max.dim` and `min.dim`.
pub fn extreme_dim<'c, 'a>(op: OperationRef<'c, 'a>, w: Writer<'c, 'a>) -> Results<'c, 'a> {
    let (dim, largest) = match f::MaxDimOp::try_from(op) {
        Ok(view) => (view.dim(), true),
        Err(_) => (f::MinDimOp::try_from(op).map_err(|_| "is no min.dim")?.dim(), false),
    };
    let rows = Rows::new(w, op.operand(0)?, Some(dim), largest)?;
    let values = rows.values()?;
    let places = rows.places(values)?;
    Ok(vec![rows.shaped(values, op.result_at(0)?.into())?, rows.shaped(places, op.result_at(1)?.into())?])
}
