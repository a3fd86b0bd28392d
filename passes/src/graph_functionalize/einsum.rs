//! Einsum: two operands at a time, as sums, products and one batch of matrix products.
//!
//! Operands are seen with all letters of the equation as dimensions, those of the result first; a letter that an operand has not is
//! a dimension of size 1. A letter is summed as soon as no other operand has it. The steps are written once, over [`Algebra`]: on values,
//! and on layouts for the strides that eager's steps come to.
//!
//! Source of the order of steps: the behaviour of `torch.einsum` without a path, PyTorch 2.15.

use super::operators::{Lowered, Lowering};
use crate::functional::Writer;
use melior::ir::{Value, operation::OperationLike};
use terrace_dialects::{
    attributes as convert,
    dtype::{Dtype, Operand, promote},
    ops::functional,
    pass::Failure,
    rules::{Equation, Label},
    strided::{Layout, creation},
    view,
};

/// What the steps work on.
pub trait Algebra {
    /// A tensor.
    type Tensor: Clone;
    /// Why there is none.
    type Error: From<String>;
    /// Its sizes.
    fn sizes(&self, t: &Self::Tensor) -> Result<Vec<i64>, Self::Error>;
    /// The elements with two equal indices, the new dimension last.
    fn diagonal(&self, t: Self::Tensor, dim1: usize, dim2: usize) -> Result<Self::Tensor, Self::Error>;
    /// The dimensions in another order.
    fn permute(&self, t: Self::Tensor, order: &[usize]) -> Result<Self::Tensor, Self::Error>;
    /// A dimension of size 1 more.
    fn unsqueeze(&self, t: Self::Tensor, dim: usize) -> Result<Self::Tensor, Self::Error>;
    /// Other sizes, by a copy where it takes one.
    fn reshape(&self, t: Self::Tensor, sizes: &[i64]) -> Result<Self::Tensor, Self::Error>;
    /// The sum over dimensions.
    fn sum(&self, t: Self::Tensor, dims: &[usize], keepdim: bool) -> Result<Self::Tensor, Self::Error>;
    /// The product of elements.
    fn mul(&self, a: Self::Tensor, b: Self::Tensor) -> Result<Self::Tensor, Self::Error>;
    /// The products of matrices.
    fn bmm(&self, a: Self::Tensor, b: Self::Tensor) -> Result<Self::Tensor, Self::Error>;
}

/// The result of an equation.
pub fn steps<A: Algebra>(
    algebra: &A,
    equation: &str,
    operands: Vec<A::Tensor>,
) -> Result<A::Tensor, A::Error> {
    let shapes = operands.iter().map(|t| algebra.sizes(t)).collect::<Result<Vec<_>, _>>()?;
    let ranks: Vec<usize> = shapes.iter().map(Vec::len).collect();
    let equation = Equation::parse(equation, &ranks)?;
    let kept = equation.result.len();
    let sizes = equation.sizes(&shapes)?;
    let mut labels = equation.result.clone();
    labels.extend(sizes.keys().filter(|label| !equation.result.contains(label)));
    let several = operands.len() > 1;
    let mut counts = vec![0; labels.len()];
    let mut spread = vec![];
    for (t, own) in operands.into_iter().zip(&equation.operands) {
        let t = with_all(algebra, t, own, &labels)?;
        for (count, size) in counts.iter_mut().zip(algebra.sizes(&t)?) {
            *count += usize::from(size != 1);
        }
        spread.push(t);
    }
    let mut rest = spread.into_iter();
    let mut product = rest.next().ok_or("einsum(): must provide at least one operand".to_string())?;
    for next in rest {
        product = contract(algebra, product, next, kept, &mut counts)?;
    }
    let summed: Vec<usize> = (kept..labels.len()).collect();
    if summed.is_empty() {
        Ok(product)
    } else if several {
        let sizes = algebra.sizes(&product)?[..kept].to_vec();
        algebra.reshape(product, &sizes)
    } else {
        algebra.sum(product, &summed, false)
    }
}

/// A tensor with a dimension for each label.
fn with_all<A: Algebra>(
    algebra: &A,
    mut t: A::Tensor,
    own: &[Label],
    labels: &[Label],
) -> Result<A::Tensor, A::Error> {
    let mut own = own.to_vec();
    while let Some((first, second)) =
        (0..own.len()).find_map(|i| Some((i, (i + 1..own.len()).find(|j| own[*j] == own[i])?)))
    {
        t = algebra.diagonal(t, first, second)?;
        let label = own[first];
        own.remove(second);
        own.remove(first);
        own.push(label);
    }
    let order: Vec<usize> = labels.iter().filter_map(|label| own.iter().position(|l| l == label)).collect();
    t = algebra.permute(t, &order)?;
    for (at, label) in labels.iter().enumerate() {
        if !own.contains(label) {
            t = algebra.unsqueeze(t, at)?;
        }
    }
    Ok(t)
}

/// The product of two, summed over what no other operand has; summed dimensions stay with size 1.
fn contract<A: Algebra>(
    algebra: &A,
    mut a: A::Tensor,
    mut b: A::Tensor,
    kept: usize,
    counts: &mut [usize],
) -> Result<A::Tensor, A::Error> {
    let (m, n) = (algebra.sizes(&a)?, algebra.sizes(&b)?);
    let (mut both, mut of_a, mut of_b) = (vec![], vec![], vec![]);
    for dim in kept..counts.len() {
        if m[dim] != 1 && n[dim] != 1 {
            counts[dim] -= 1;
            if counts[dim] == 1 {
                both.push(dim);
                counts[dim] = 0;
            }
        } else if counts[dim] == 1 && m[dim] != n[dim] {
            if m[dim] != 1 {
                of_a.push(dim)
            } else {
                of_b.push(dim)
            }
            counts[dim] = 0;
        }
    }
    if !of_a.is_empty() {
        a = algebra.sum(a, &of_a, true)?;
    }
    if !of_b.is_empty() {
        b = algebra.sum(b, &of_b, true)?;
    }
    if both.is_empty() {
        return algebra.mul(a, b);
    }
    let (m, n) = (algebra.sizes(&a)?, algebra.sizes(&b)?);
    let turned = kept > 0 && m[kept - 1] != 1 && n[kept - 1] == 1;
    let (a, b, m, n) = if turned { (b, a, n, m) } else { (a, b, m, n) };
    let dims = |wanted: fn(bool, bool) -> bool| -> Vec<usize> {
        (0..counts.len()).filter(|d| !both.contains(d) && wanted(m[*d] != 1, n[*d] != 1)).collect()
    };
    let (batch, rows, columns) = (dims(|a, b| a && b), dims(|a, b| a && !b), dims(|a, _| !a));
    let count = |sizes: &[i64], dims: &[usize]| dims.iter().map(|d| sizes[*d]).product::<i64>();
    let left = algebra.permute(a, &[&batch[..], &rows, &both, &columns].concat())?;
    let left = algebra.reshape(left, &[count(&m, &batch), count(&m, &rows), count(&m, &both)])?;
    let right = algebra.permute(b, &[&batch[..], &both, &columns, &rows].concat())?;
    let right = algebra.reshape(right, &[count(&n, &batch), count(&n, &both), count(&n, &columns)])?;
    let product = algebra.bmm(left, right)?;
    let order = [&batch[..], &rows, &both, &columns].concat();
    let size = |d: &usize| match (both.contains(d), columns.contains(d)) {
        (true, _) => 1,
        (_, true) => n[*d],
        _ => m[*d],
    };
    let sizes: Vec<i64> = order.iter().map(size).collect();
    let mut back = vec![0; order.len()];
    for (place, dim) in order.iter().enumerate() {
        back[*dim] = place;
    }
    algebra.permute(algebra.reshape(product, &sizes)?, &back)
}

/// Values of the functional dialect.
struct OfValues<'c, 'a>(Writer<'c, 'a>);

impl<'c, 'a> Algebra for OfValues<'c, 'a> {
    type Tensor = Value<'c, 'a>;
    type Error = Failure;

    fn sizes(&self, t: &Self::Tensor) -> Result<Vec<i64>, Failure> {
        self.0.sizes(*t)
    }

    fn diagonal(&self, t: Self::Tensor, dim1: usize, dim2: usize) -> Result<Self::Tensor, Failure> {
        let dims = [dim1, dim2].map(|d| Some(d as i64));
        self.0.value(functional::diagonal(self.0.location(), t, Some(0), dims[0], dims[1]))
    }

    fn permute(&self, t: Self::Tensor, order: &[usize]) -> Result<Self::Tensor, Failure> {
        self.0.permute(t, order)
    }

    fn unsqueeze(&self, t: Self::Tensor, dim: usize) -> Result<Self::Tensor, Failure> {
        self.0.value(functional::unsqueeze(self.0.location(), t, dim as i64))
    }

    fn reshape(&self, t: Self::Tensor, sizes: &[i64]) -> Result<Self::Tensor, Failure> {
        self.0.view(t, sizes)
    }

    fn sum(&self, t: Self::Tensor, dims: &[usize], keepdim: bool) -> Result<Self::Tensor, Failure> {
        let dtype = self.0.ty(t)?.dtype;
        self.0.sum(self.0.cast(t, if dtype.is_inexact() { dtype } else { Dtype::I64 })?, dims, keepdim)
    }

    fn mul(&self, a: Self::Tensor, b: Self::Tensor) -> Result<Self::Tensor, Failure> {
        let dtype = promote(&[self.0.ty(a)?.dtype, self.0.ty(b)?.dtype].map(Operand::Dimensioned));
        let op = if dtype == Dtype::Bool { functional::bitwise_and } else { functional::mul };
        self.0.joined(op, self.0.cast(a, dtype)?, self.0.cast(b, dtype)?)
    }

    fn bmm(&self, a: Self::Tensor, b: Self::Tensor) -> Result<Self::Tensor, Failure> {
        self.0.binary(functional::bmm, a, b)
    }
}

/// Layouts alone.
pub struct OfLayouts;

impl Algebra for OfLayouts {
    type Tensor = Layout;
    type Error = String;

    fn sizes(&self, t: &Layout) -> Result<Vec<i64>, String> {
        Ok(t.sizes.clone())
    }

    fn diagonal(&self, t: Layout, dim1: usize, dim2: usize) -> Result<Layout, String> {
        Ok(t.diagonal(0, dim1, dim2))
    }

    fn permute(&self, t: Layout, order: &[usize]) -> Result<Layout, String> {
        Ok(t.permute(order))
    }

    fn unsqueeze(&self, t: Layout, dim: usize) -> Result<Layout, String> {
        Ok(t.unsqueeze(dim))
    }

    fn reshape(&self, t: Layout, sizes: &[i64]) -> Result<Layout, String> {
        Ok(t.view(sizes).unwrap_or_else(|| Layout::contiguous(sizes)))
    }

    fn sum(&self, t: Layout, dims: &[usize], keepdim: bool) -> Result<Layout, String> {
        let kept = t.sizes.iter().enumerate();
        let sizes: Vec<i64> = match keepdim {
            true => kept.map(|(d, n)| if dims.contains(&d) { 1 } else { *n }).collect(),
            false => kept.filter(|(d, _)| !dims.contains(d)).map(|(_, n)| *n).collect(),
        };
        Ok(Layout::contiguous(&sizes))
    }

    fn mul(&self, a: Layout, b: Layout) -> Result<Layout, String> {
        let joined = |(m, n): (&i64, &i64)| if *m == 1 { *n } else { *m };
        let sizes: Vec<i64> = a.sizes.iter().zip(&b.sizes).map(joined).collect();
        Ok(creation::pointwise(&sizes, &[a, b]))
    }

    fn bmm(&self, a: Layout, b: Layout) -> Result<Layout, String> {
        Ok(Layout::contiguous(&[a.sizes[0], a.sizes[1], b.sizes[2]]))
    }
}

/// `einsum`.
pub fn einsum<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let equation = convert::string(l.op.attribute("equation")?);
    let mut operands = vec![];
    for value in view::variadic(l.op, l.op_impl, 0) {
        operands.push(l.read(value)?);
    }
    Ok(vec![steps(&OfValues(**l.values), &equation, operands)?])
}
