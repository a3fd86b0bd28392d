//! Shapes, sums and products in the vocabulary of [`Writer`], with eager's broadcasting.

use super::{Binary, Writer, Written};
use melior::ir::Value;
use terrace_dialects::{
    aten::rules::TensorType,
    ir::{
        dtype::{Dtype, ElementType},
        pass::Failure,
        refusal::Reason,
    },
    ops::functional,
};
use terrace_size::Size;

impl<'c, 'a> Writer<'c, 'a> {
    /// The type of a tensor, taken apart, its sizes as far as they are known.
    pub fn ty(&self, tensor: Value<'c, 'a>) -> Result<TensorType<'c>, Failure> {
        Ok(self.known.ty(tensor).ok_or("expects a tensor")?)
    }

    /// The sizes of a tensor.
    pub fn sizes(&self, tensor: Value<'c, 'a>) -> Result<Vec<Size>, Failure> {
        Ok(self.known.sizes(tensor).ok_or("expects a tensor")?)
    }

    /// The same elements in row-major order, with other sizes.
    pub fn view(&self, tensor: Value<'c, 'a>, sizes: &[impl Into<Size> + Copy]) -> Written<'c, 'a> {
        let sizes: Vec<Size> = sizes.iter().map(|size| (*size).into()).collect();
        if same(&self.sizes(tensor)?, &sizes) {
            return Ok(tensor);
        }
        let (dynamic, numbers) = self.listed(&sizes)?;
        let value = self.value(functional::view(self.location(), tensor, &dynamic, &numbers))?;
        Ok(value)
    }

    /// The dimensions in another order.
    pub fn permute(&self, tensor: Value<'c, 'a>, order: &[usize]) -> Written<'c, 'a> {
        if order.iter().copied().eq(0..order.len()) {
            return Ok(tensor);
        }
        let order: Vec<i64> = order.iter().map(|d| *d as i64).collect();
        self.value(functional::permute(self.location(), tensor, &order))
    }

    /// The sum over dimensions, in the tensor's dtype.
    pub fn sum(&self, tensor: Value<'c, 'a>, dims: &[usize], keepdim: bool) -> Written<'c, 'a> {
        if dims.is_empty() {
            return Ok(tensor);
        }
        let dims: Vec<i64> = dims.iter().map(|d| *d as i64).collect();
        let dtype = self.ty(tensor)?.dtype.to_type(self.context);
        self.value(functional::sum(self.location(), tensor, Some(&dims), Some(keepdim), Some(dtype)))
    }

    /// A number times a tensor.
    pub fn scaled(&self, tensor: Value<'c, 'a>, factor: f64) -> Written<'c, 'a> {
        if factor == 1.0 {
            return Ok(tensor);
        }
        self.binary(functional::mul, tensor, self.like(tensor, factor)?)
    }

    /// A tensor with a number added.
    pub fn shifted(&self, tensor: Value<'c, 'a>, addend: f64) -> Written<'c, 'a> {
        self.binary(functional::add, tensor, self.like(tensor, addend)?)
    }

    /// A tensor over a number.
    pub fn over(&self, tensor: Value<'c, 'a>, divisor: f64) -> Written<'c, 'a> {
        self.quotient(tensor, self.like(tensor, divisor)?)
    }

    /// An operator of two tensors of one dtype whose shapes broadcast.
    pub fn joined(&self, op: Binary<'c, 'a>, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Written<'c, 'a> {
        let sizes = broadcast(&self.sizes(a)?, &self.sizes(b)?);
        self.binary(op, self.expand(a, &sizes)?, self.expand(b, &sizes)?)
    }

    /// A vector along one dimension of a shape: a parameter per channel.
    pub fn along(
        &self,
        vector: Value<'c, 'a>,
        dim: usize,
        sizes: &[impl Into<Size> + Copy],
    ) -> Written<'c, 'a> {
        let mut ones = vec![Size::ONE; sizes.len()];
        ones[dim] = sizes[dim].into();
        self.expand(self.view(vector, &ones)?, sizes)
    }

    /// The product of vectors, matrices, and batches of them that broadcast.
    pub fn matmul(&self, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Written<'c, 'a> {
        let (left, right) = (self.sizes(a)?, self.sizes(b)?);
        let (n, m) = (left.len(), right.len());
        let inner = left[n - 1];
        if m <= 2 {
            // All that stands before the last dimension is rows.
            let rows: Size = left[..n - 1].iter().product();
            let columns = if m == 2 { right[1] } else { Size::ONE };
            let (a, b) = (self.view(a, &[rows, inner])?, self.view(b, &[inner, columns])?);
            let product = self.binary(functional::mm, a, b)?;
            return self.view(product, &[&left[..n - 1], &right[1..]].concat());
        }
        let rows = if n > 1 { left[n - 2] } else { Size::ONE };
        let batch = broadcast(if n > 2 { &left[..n - 2] } else { &[] }, &right[..m - 2]);
        let count: Size = batch.iter().product();
        let flat = |t: Value<'c, 'a>, matrix: [Size; 2]| -> Written<'c, 'a> {
            let own = self.sizes(t)?;
            let lead = if own.len() > 2 { &own[..own.len() - 2] } else { &[] };
            let t = self.view(t, &[lead, &matrix[..]].concat())?;
            let t = self.expand(t, &[&batch[..], &matrix].concat())?;
            self.view(t, &[count, matrix[0], matrix[1]])
        };
        let (a, b) = (flat(a, [rows, inner])?, flat(b, [inner, right[m - 1]])?);
        let product = self.binary(functional::bmm, a, b)?;
        let rows = if n > 1 { vec![rows] } else { vec![] };
        self.view(product, &[&batch[..], &rows, &right[m - 1..]].concat())
    }

    /// The part of a dimension from one index up to another.
    pub fn part_of(&self, tensor: Value<'c, 'a>, dim: usize, start: Size, end: Size) -> Written<'c, 'a> {
        let (from, to, dim) = (self.listed(&[start])?, self.listed(&[end])?, Some(dim as i64));
        self.value(functional::slice(self.location(), tensor, dim, &from.0, &from.1, &to.0, &to.1, &[], &[1]))
    }

    /// A tensor with zeros around it along one dimension.
    pub fn padded(&self, tensor: Value<'c, 'a>, dim: usize, before: i64, after: i64) -> Written<'c, 'a> {
        if before == 0 && after == 0 {
            return Ok(tensor);
        }
        let (dtype, mut sizes) = (self.ty(tensor)?.dtype, self.sizes(tensor)?);
        let (end, own) = self.listed(&[sizes[dim] + before])?;
        sizes[dim] = sizes[dim] + (before + after);
        let zeros = self.full(self.number(dtype, 0)?, dtype, &sizes)?;
        let (l, at) = (self.location(), Some(dim as i64));
        self.value(functional::slice_scatter(l, zeros, tensor, at, &[], &[before], &end, &own, &[], &[1]))
    }

    /// A tensor's elements as ones of another dtype, whose parts are a new last dimension.
    pub fn opened(&self, value: Value<'c, 'a>, dtype: Dtype) -> Written<'c, 'a> {
        let sizes: Vec<Size> = self.sizes(value)?.into_iter().chain([Size::ONE]).collect();
        self.retyped(self.view(value, &sizes)?, dtype)
    }

    /// The inverse of [`Writer::opened`].
    pub fn closed(&self, value: Value<'c, 'a>, dtype: Dtype) -> Written<'c, 'a> {
        let value = self.retyped(value, dtype)?;
        let mut sizes = self.sizes(value)?;
        sizes.pop();
        self.view(value, &sizes)
    }

    /// The bytes of the elements as elements of another dtype, in a last dimension of another size.
    pub fn retyped(&self, value: Value<'c, 'a>, dtype: Dtype) -> Written<'c, 'a> {
        self.value(functional::view_dtype(self.location(), value, dtype.to_type(self.context)))
    }

    /// A part of complex numbers: 0 the real one, 1 the imaginary one.
    pub fn part(&self, value: Value<'c, 'a>, which: i64) -> Written<'c, 'a> {
        let parts = self.opened(value, self.ty(value)?.dtype.part())?;
        self.value(functional::select(self.location(), parts, Some(-1), &[], &[which]))
    }

    /// A tensor of a dtype filled with a float.
    pub fn filled(&self, value: f64, dtype: Dtype, sizes: &[impl Into<Size> + Copy]) -> Written<'c, 'a> {
        self.full(self.float(value)?, dtype, sizes)
    }
}

/// A size as a number.
///
/// # Errors
/// It is another one.
pub fn number(size: Size) -> Result<i64, Failure> {
    Ok(size
        .simplified()
        .known()
        .ok_or_else(|| Reason::Size.says(format!("sizes must be static here, got {size}")))?)
}

/// Whether sizes are the same, as far as is known without a guard.
pub fn same(a: &[Size], b: &[Size]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_same(*b))
}

/// The shape of both; they are known to agree.
pub fn broadcast(a: &[Size], b: &[Size]) -> Vec<Size> {
    let rank = a.len().max(b.len());
    let at = |s: &[Size], d: usize| if d + s.len() < rank { Size::ONE } else { s[d + s.len() - rank] };
    let one = |size: Size| size.known() == Some(1);
    (0..rank).map(|d| if one(at(a, d)) { at(b, d) } else { at(a, d) }).collect()
}
