//! Matrix products.
//!
//! Operands have one dtype. Floats accumulate in f64 and round once; integers wrap. Results are row-major.

use super::{
    elements::{Elements, elements, store},
    error::Result,
    parts,
    real::{Accumulator, Real, is_exact},
    views,
};
use terrace_tensor::{Dtype, Scalar, Tensor};

/// `mm`: `self[m, k] x mat2[k, n]`.
///
/// # Errors
/// When the memory cannot be had.
pub fn mm(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    if a.dtype().is_complex() {
        return parts::bilinear(a, b, mm);
    }
    let out = Tensor::zeros(a.dtype(), &[a.sizes()[0], b.sizes()[1]])?;
    let result = match product(a, b)? {
        Product::Real(sums) => Elements::Real(sums.iter().map(|sum| sum.finish(a.dtype())).collect()),
        Product::Int(sums) => Elements::Int(sums),
    };
    store(&out, &result, a.dtype());
    Ok(out)
}

/// `bmm`: one product per index of the first dimension.
///
/// # Errors
/// When the memory cannot be had.
pub fn bmm(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let (left, right) = (a.sizes(), b.sizes());
    let out = Tensor::zeros(a.dtype(), &[left[0], left[1], right[2]])?;
    for batch in 0..left[0] {
        let part = mm(&views::select(a, 0, batch)?, &views::select(b, 0, batch)?)?;
        super::copy::copy_(&views::select(&out, 0, batch)?, &part)?;
    }
    Ok(out)
}

/// `addmm`: `beta * self + alpha * (mat1 x mat2)`, self expanded. Where beta is 0, self is not read.
///
/// # Errors
/// When the memory cannot be had.
pub fn addmm(addend: &Tensor, a: &Tensor, b: &Tensor, beta: Scalar, alpha: Scalar) -> Result<Tensor> {
    let dtype = a.dtype();
    let sizes = [a.sizes()[0], b.sizes()[1]];
    let expanded = views::expand(addend, &sizes)?;
    if dtype.is_complex() {
        // Without a product there is nothing to scale.
        let alpha = if a.sizes()[1] == 0 { Scalar::Int(0) } else { alpha };
        return super::copy::packed(&parts::scaled_sum(&expanded, beta, &mm(a, b)?, alpha)?);
    }
    let (beta, alpha) = (beta.cast(dtype.opmath()), alpha.cast(dtype.opmath()));
    let out = Tensor::zeros(dtype, &sizes)?;
    let result = match (product(a, b)?, elements(&expanded, dtype, KERNEL)?) {
        (Product::Real(sums), Elements::Real(addends)) => {
            // Without a product there is nothing to scale.
            let alpha = if a.sizes()[1] == 0 { 0.0 } else { alpha.to_f64() };
            let beta = beta.to_f64();
            let element = |(sum, addend): (&Accumulator, &Real)| scaled_sum(sum, *addend, beta, alpha, dtype);
            Elements::Real(sums.iter().zip(&addends).map(element).collect())
        }
        (Product::Int(sums), Elements::Int(addends)) => {
            let (beta, alpha) = (beta.to_i64(), alpha.to_i64());
            let element = |(sum, addend): (&i64, &i64)| {
                beta.wrapping_mul(*addend).wrapping_add(alpha.wrapping_mul(*sum))
            };
            Elements::Int(sums.iter().zip(&addends).map(element).collect())
        }
        _ => unreachable!("all operands have one dtype"),
    };
    store(&out, &result, dtype);
    Ok(out)
}

/// `linear`: `input x weight^T + bias`, over the last dimension of the input.
///
/// # Errors
/// When the memory cannot be had.
pub fn linear(input: &Tensor, weight: &Tensor, bias: Option<&Tensor>) -> Result<Tensor> {
    // A vector is a matrix of one row, and its dimension goes from the result.
    let matrix = if weight.rank() == 1 { views::unsqueeze(weight, 0)? } else { weight.clone() };
    let transposed = views::t(&matrix)?;
    let width = input.sizes()[input.rank() - 1];
    let rows = input.sizes()[..input.rank() - 1].iter().product();
    let flat = super::copy::packed(input)?.view(vec![rows, width], vec![width, 1], 0)?;
    let product = match bias {
        Some(bias) => addmm(bias, &flat, &transposed, Scalar::Int(1), Scalar::Int(1))?,
        None => mm(&flat, &transposed)?,
    };
    let mut sizes = input.sizes().to_vec();
    sizes.pop();
    if weight.rank() == 2 {
        sizes.push(weight.sizes()[0]);
    }
    let out = Tensor::zeros(product.dtype(), &sizes)?;
    super::elements::copy(&out, &product);
    Ok(out)
}

const KERNEL: &str = "addmm_impl_cpu_";

/// The sums of products of a matrix product, not yet rounded, in row-major order.
enum Product {
    Real(Vec<Accumulator>),
    Int(Vec<i64>),
}

fn product(a: &Tensor, b: &Tensor) -> Result<Product> {
    let dtype = a.dtype();
    let sizes = [a.sizes()[0], b.sizes()[0], b.sizes()[1]].map(|size| size as usize);
    Ok(match (elements(a, dtype, KERNEL)?, elements(b, dtype, KERNEL)?) {
        (Elements::Real(a), Elements::Real(b)) => {
            Product::Real(sums(&a, &b, sizes, Accumulator::add_product))
        }
        (Elements::Int(a), Elements::Int(b)) => {
            let add = |sum: &mut i64, a: i64, b: i64| *sum = sum.wrapping_add(a.wrapping_mul(b));
            Product::Int(sums(&a, &b, sizes, add))
        }
        _ => unreachable!("both operands have one dtype"),
    })
}

fn sums<T: Copy, S: Copy + Default>(
    a: &[T],
    b: &[T],
    [rows, inner, columns]: [usize; 3],
    add: impl Fn(&mut S, T, T),
) -> Vec<S> {
    let mut sums = vec![S::default(); rows * columns];
    for (sums, a) in sums.chunks_exact_mut(columns.max(1)).zip(a.chunks_exact(inner.max(1))) {
        for (&a, b) in a.iter().zip(b.chunks_exact(columns)) {
            for (sum, &b) in sums.iter_mut().zip(b) {
                add(sum, a, b);
            }
        }
    }
    sums
}

fn scaled_sum(sum: &Accumulator, addend: Real, beta: f64, alpha: f64, dtype: Dtype) -> Real {
    let scaled = alpha * sum.value();
    let (kept, kept_bound) =
        if beta == 0.0 { (0.0, 0.0) } else { (beta * addend.value, beta.abs() * addend.bound) };
    let value = kept + scaled;
    let rounded = |factor: f64, term: f64| if factor == 1.0 { 0.0 } else { term.abs() };
    let fits = |value| is_exact(&[kept, scaled], value, dtype);
    let exact = sum.own(dtype) == 0.0 && fits(kept) && fits(scaled) && fits(value);
    let own = alpha.abs() * sum.own(dtype) + rounded(alpha, scaled) + rounded(beta, kept) + value.abs();
    Real::rounded(value, alpha.abs() * sum.spread() + kept_bound, if exact { 0.0 } else { own }, dtype)
}
