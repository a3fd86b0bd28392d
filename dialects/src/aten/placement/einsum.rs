//! Einsum: two operands at a time, as sums, products and one batch of matrix products.
//!
//! Operands are seen with all letters of the equation as dimensions, those of the result first; a letter that
//! an operand has not is a dimension of size 1. A letter is summed as soon as no other operand has it. The
//! steps are written once, over [`Algebra`]: on layouts for the strides that eager's steps come to, and on
//! values where they are computed.
//!
//! Source of the order of steps: the behaviour of `torch.einsum` without a path, PyTorch 2.15.

use crate::{
    aten::rules::{Equation, Label},
    ir::{OperationLike, attributes as convert, registry::OpImpl, types::TensorType, view},
};
use melior::ir::{OperationRef, ValueLike};
use terrace_layout::{Layout, creation};
use terrace_size::Number;

/// What the steps work on.
pub trait Algebra {
    /// What sizes are counted in.
    type Size: Number;
    /// A tensor.
    type Tensor: Clone;
    /// Why there is none.
    type Error: From<String>;
    /// Its sizes.
    fn sizes(&self, t: &Self::Tensor) -> Result<Vec<Self::Size>, Self::Error>;
    /// The elements with two equal indices, the new dimension last.
    fn diagonal(&self, t: Self::Tensor, dim1: usize, dim2: usize) -> Result<Self::Tensor, Self::Error>;
    /// The dimensions in another order.
    fn permute(&self, t: Self::Tensor, order: &[usize]) -> Result<Self::Tensor, Self::Error>;
    /// A dimension of size 1 more.
    fn unsqueeze(&self, t: Self::Tensor, dim: usize) -> Result<Self::Tensor, Self::Error>;
    /// Other sizes, by a copy where it takes one.
    fn reshape(&self, t: Self::Tensor, sizes: &[Self::Size]) -> Result<Self::Tensor, Self::Error>;
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
            *count += usize::from(size.assume_ne(1));
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

/// An operand with its dimensions in the order of some labels.
pub struct Arrangement {
    /// The pairs of dimensions of which the diagonal is taken, one after another; the new dimension is the
    /// last.
    pub diagonals: Vec<[usize; 2]>,
    /// Then the order of dimensions.
    pub order: Vec<usize>,
}

impl Arrangement {
    fn new(own: &[Label], labels: &[Label]) -> Self {
        let (mut own, mut diagonals) = (own.to_vec(), vec![]);
        while let Some((first, second)) =
            (0..own.len()).find_map(|i| Some((i, (i + 1..own.len()).find(|j| own[*j] == own[i])?)))
        {
            diagonals.push([first, second]);
            let label = own[first];
            own.remove(second);
            own.remove(first);
            own.push(label);
        }
        let order = labels.iter().filter_map(|label| own.iter().position(|l| l == label)).collect();
        Self { diagonals, order }
    }

    /// What the equation of an operation on one tensor comes to where nothing is summed: a view. None where
    /// it is no view.
    pub fn of(op: OperationRef, class: &OpImpl) -> Option<Self> {
        let operands = view::variadic(op, class, 0);
        let ranks = operands.iter().map(|value| Some(TensorType::<i64>::of(value.r#type())?.rank()));
        let equation = convert::string(op.attribute("equation").ok()?);
        let equation = Equation::parse(&equation, &ranks.collect::<Option<Vec<_>>>()?).ok()?;
        let [own] = &equation.operands[..] else { return None };
        let kept = own.iter().all(|label| equation.result.contains(label));
        kept.then(|| Self::new(own, &equation.result))
    }
}

/// A tensor with a dimension for each label.
fn with_all<A: Algebra>(
    algebra: &A,
    mut t: A::Tensor,
    own: &[Label],
    labels: &[Label],
) -> Result<A::Tensor, A::Error> {
    let Arrangement { diagonals, order } = Arrangement::new(own, labels);
    for [first, second] in diagonals {
        t = algebra.diagonal(t, first, second)?;
    }
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
        if m[dim].assume_ne(1) && n[dim].assume_ne(1) {
            counts[dim] -= 1;
            if counts[dim] == 1 {
                both.push(dim);
                counts[dim] = 0;
            }
        } else if counts[dim] == 1 && m[dim].assume_ne(n[dim]) {
            if m[dim].assume_ne(1) {
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
    let turned = kept > 0 && !m[kept - 1].assume_eq(1) && n[kept - 1].assume_eq(1);
    let (a, b, m, n) = if turned { (b, a, n, m) } else { (a, b, m, n) };
    let dims = |wanted: fn(bool, bool) -> bool| -> Vec<usize> {
        (0..counts.len())
            .filter(|d| !both.contains(d) && wanted(!m[*d].assume_eq(1), !n[*d].assume_eq(1)))
            .collect()
    };
    let (batch, rows, columns) = (dims(|a, b| a && b), dims(|a, b| a && !b), dims(|a, _| !a));
    let count = |sizes: &[A::Size], dims: &[usize]| dims.iter().map(|d| sizes[*d]).product::<A::Size>();
    let left = algebra.permute(a, &[&batch[..], &rows, &both, &columns].concat())?;
    let left = algebra.reshape(left, &[count(&m, &batch), count(&m, &rows), count(&m, &both)])?;
    let right = algebra.permute(b, &[&batch[..], &both, &columns, &rows].concat())?;
    let right = algebra.reshape(right, &[count(&n, &batch), count(&n, &both), count(&n, &columns)])?;
    let product = algebra.bmm(left, right)?;
    let order = [&batch[..], &rows, &both, &columns].concat();
    let size = |d: &usize| match (both.contains(d), columns.contains(d)) {
        (true, _) => A::Size::ONE,
        (_, true) => n[*d],
        _ => m[*d],
    };
    let sizes: Vec<A::Size> = order.iter().map(size).collect();
    let mut back = vec![0; order.len()];
    for (place, dim) in order.iter().enumerate() {
        back[*dim] = place;
    }
    algebra.permute(algebra.reshape(product, &sizes)?, &back)
}

/// Layouts alone.
pub struct OfLayouts<N>(pub std::marker::PhantomData<N>);

impl<N: Number> Algebra for OfLayouts<N> {
    type Size = N;
    type Tensor = Layout<N>;
    type Error = String;

    fn sizes(&self, t: &Layout<N>) -> Result<Vec<N>, String> {
        Ok(t.sizes.clone())
    }

    fn diagonal(&self, t: Layout<N>, dim1: usize, dim2: usize) -> Result<Layout<N>, String> {
        Ok(t.diagonal(0, dim1, dim2))
    }

    fn permute(&self, t: Layout<N>, order: &[usize]) -> Result<Layout<N>, String> {
        Ok(t.permute(order))
    }

    fn unsqueeze(&self, t: Layout<N>, dim: usize) -> Result<Layout<N>, String> {
        Ok(t.unsqueeze(dim))
    }

    fn reshape(&self, t: Layout<N>, sizes: &[N]) -> Result<Layout<N>, String> {
        Ok(t.view(sizes).unwrap_or_else(|| Layout::contiguous(sizes)))
    }

    fn sum(&self, t: Layout<N>, dims: &[usize], keepdim: bool) -> Result<Layout<N>, String> {
        let kept = t.sizes.iter().enumerate();
        let sizes: Vec<N> = match keepdim {
            true => kept.map(|(d, n)| if dims.contains(&d) { N::ONE } else { *n }).collect(),
            false => kept.filter(|(d, _)| !dims.contains(d)).map(|(_, n)| *n).collect(),
        };
        Ok(Layout::contiguous(&sizes))
    }

    fn mul(&self, a: Layout<N>, b: Layout<N>) -> Result<Layout<N>, String> {
        let joined = |(m, n): (&N, &N)| if m.assume_eq(1) { *n } else { *m };
        let sizes: Vec<N> = a.sizes.iter().zip(&b.sizes).map(joined).collect();
        Ok(creation::pointwise(&sizes, &[a, b]))
    }

    fn bmm(&self, a: Layout<N>, b: Layout<N>) -> Result<Layout<N>, String> {
        Ok(Layout::contiguous(&[a.sizes[0], a.sizes[1], b.sizes[2]]))
    }
}
