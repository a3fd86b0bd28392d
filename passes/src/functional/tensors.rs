//! Shapes, sums and products in the vocabulary of [`Writer`], with eager's broadcasting.

use super::{Binary, Writer, Written};
use melior::ir::{Value, ValueLike};
use terrace_dialects::{dtype::Dtype, ops::functional, pass::Failure, types::TensorType};

impl<'c, 'a> Writer<'c, 'a> {
    /// The type of a tensor, taken apart.
    pub fn ty(&self, tensor: Value<'c, 'a>) -> Result<TensorType<'c>, Failure> {
        Ok(TensorType::of(tensor.r#type()).ok_or("expects a tensor")?)
    }

    /// The sizes of a tensor.
    pub fn sizes(&self, tensor: Value<'c, 'a>) -> Result<Vec<i64>, Failure> {
        Ok(self.ty(tensor)?.shape)
    }

    /// The same elements in row-major order, with other sizes.
    pub fn view(&self, tensor: Value<'c, 'a>, sizes: &[i64]) -> Written<'c, 'a> {
        if self.sizes(tensor)? == sizes {
            return Ok(tensor);
        }
        self.value(functional::view(self.location(), tensor, &[], sizes))
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
    pub fn along(&self, vector: Value<'c, 'a>, dim: usize, sizes: &[i64]) -> Written<'c, 'a> {
        let mut ones = vec![1; sizes.len()];
        ones[dim] = sizes[dim];
        self.expand(self.view(vector, &ones)?, sizes)
    }

    /// The product of vectors, matrices, and batches of them that broadcast.
    pub fn matmul(&self, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Written<'c, 'a> {
        let (left, right) = (self.sizes(a)?, self.sizes(b)?);
        let (n, m) = (left.len(), right.len());
        let inner = left[n - 1];
        if m <= 2 {
            // All that stands before the last dimension is rows.
            let (rows, columns) = (left[..n - 1].iter().product(), if m == 2 { right[1] } else { 1 });
            let (a, b) = (self.view(a, &[rows, inner])?, self.view(b, &[inner, columns])?);
            let product = self.binary(functional::mm, a, b)?;
            return self.view(product, &[&left[..n - 1], &right[1..]].concat());
        }
        let rows = if n > 1 { left[n - 2] } else { 1 };
        let batch = broadcast(if n > 2 { &left[..n - 2] } else { &[] }, &right[..m - 2]);
        let count: i64 = batch.iter().product();
        let flat = |t: Value<'c, 'a>, matrix: [i64; 2]| -> Written<'c, 'a> {
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

    /// A tensor with zeros around it along one dimension.
    pub fn padded(&self, tensor: Value<'c, 'a>, dim: usize, before: i64, after: i64) -> Written<'c, 'a> {
        if before == 0 && after == 0 {
            return Ok(tensor);
        }
        let ty = self.ty(tensor)?;
        let own = ty.shape[dim];
        let mut sizes = ty.shape.clone();
        sizes[dim] += before + after;
        let zeros = self.full(self.number(ty.dtype, 0)?, ty.dtype, &sizes)?;
        let (at, end) = (Some(dim as i64), before + own);
        let l = self.location();
        self.value(functional::slice_scatter(l, zeros, tensor, at, &[], &[before], &[], &[end], &[], &[1]))
    }

    /// A tensor's elements as ones of another dtype, whose parts are a new last dimension.
    pub fn opened(&self, value: Value<'c, 'a>, dtype: Dtype) -> Written<'c, 'a> {
        let sizes: Vec<i64> = self.sizes(value)?.into_iter().chain([1]).collect();
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
    pub fn filled(&self, value: f64, dtype: Dtype, sizes: &[i64]) -> Written<'c, 'a> {
        self.full(self.float(value)?, dtype, sizes)
    }
}

/// The shape of both; they are known to agree.
pub fn broadcast(a: &[i64], b: &[i64]) -> Vec<i64> {
    let rank = a.len().max(b.len());
    let at = |s: &[i64], d: usize| if d + s.len() < rank { 1 } else { s[d + s.len() - rank] };
    (0..rank).map(|d| if at(a, d) == 1 { at(b, d) } else { at(a, d) }).collect()
}
