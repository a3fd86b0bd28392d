//! Complex tensors as their parts, and what follows of an operator that is linear.
//!
//! The real and the imaginary part are views of real tensors. A linear operator works on them apart; one that
//! is linear in each of two operands comes to four products.

use super::{
    complex::Complex,
    elements::{self, Elements},
    error::{Result, ensure},
    pointwise,
    promotion::Operand,
    real::{self, Real},
    scalar_table,
    shape::{broadcast, broadcast_view},
    strides::{self, Layout},
    views,
};
use terrace_tensor::{Dtype, Flags, Scalar, Tensor};

/// The parts in a last dimension of size 2, a view.
///
/// # Errors
/// When the tensor is a conjugate.
pub fn view_as_real(tensor: &Tensor) -> Result<Tensor> {
    ensure!(tensor.dtype().is_complex(), "view_as_real is only supported for complex tensors");
    ensure!(
        !tensor.flags().conj,
        "view_as_real doesn't work on unresolved conjugated tensors.  To resolve the conjugate tensor so you can view it as real, use self.resolve_conj(); however, be warned that the resulting tensor will NOT alias the original."
    );
    let sizes = tensor.sizes().iter().copied().chain([2]).collect();
    let strides = tensor.strides().iter().map(|stride| 2 * stride).chain([1]).collect();
    over(tensor, tensor.dtype().part(), sizes, strides, 2 * tensor.offset(), tensor.flags())
}

/// The last dimension of size 2 as the parts of complex numbers, a view.
///
/// # Errors
/// When the parts do not lie side by side, each pair at a multiple of its size.
pub fn view_as_complex(tensor: &Tensor) -> Result<Tensor> {
    let dtype = if tensor.dtype() == Dtype::F32 { Dtype::C64 } else { Dtype::C128 };
    let last = tensor.rank().saturating_sub(1);
    ensure!(tensor.rank() > 0, "Input tensor must have one or more dimensions");
    ensure!(tensor.strides()[last] == 1, "Tensor must have a last dimension with stride 1");
    let strides = &tensor.strides()[..last];
    ensure!(tensor.offset() % 2 == 0, "Tensor must have a storage_offset divisible by 2");
    let mut outer = strides.iter().zip(tensor.sizes());
    ensure!(
        outer.all(|(stride, size)| stride % 2 == 0 || *size == 1),
        "Tensor must have a stride divisible by 2 for all but last dimension"
    );
    let strides = strides.iter().map(|stride| stride / 2).collect();
    over(tensor, dtype, tensor.sizes()[..last].to_vec(), strides, tensor.offset() / 2, tensor.flags())
}

/// [`views::view_dtype`] of a value, whose elements have an order but no strides.
///
/// # Errors
/// When the memory cannot be had.
pub fn value_as(tensor: &Tensor, dtype: Dtype) -> Result<Tensor> {
    let packed = super::copy::packed(tensor)?;
    // A dimension of size 1 may have any stride.
    let strides = terrace_tensor::layout::contiguous_strides(packed.sizes());
    views::view_dtype(&packed.view(packed.sizes().to_vec(), strides, 0)?, dtype)
}

fn over(
    tensor: &Tensor,
    dtype: Dtype,
    sizes: Vec<i64>,
    strides: Vec<i64>,
    offset: i64,
    flags: Flags,
) -> Result<Tensor> {
    Ok(Tensor::new(tensor.storage().clone(), dtype, sizes, strides, offset)?.with_flags(flags))
}

/// A tensor with its flag for conjugates turned, a view.
///
/// # Errors
/// Never; the signature is that of the other views.
pub fn conj(tensor: &Tensor) -> Result<Tensor> {
    let Flags { conj, neg } = tensor.flags();
    Ok(super::copy::alias(tensor)?.with_flags(Flags { conj: !conj, neg }))
}

/// The conjugate of complex numbers, a view; real ones as they are.
///
/// # Errors
/// Never; the signature is that of the other views.
pub fn adjoint(tensor: &Tensor) -> Result<Tensor> {
    if tensor.dtype().is_complex() { conj(tensor) } else { Ok(tensor.clone()) }
}

/// A tensor with its flag for negatives turned, a view.
///
/// # Errors
/// Never; the signature is that of the other views.
pub fn neg_view(tensor: &Tensor) -> Result<Tensor> {
    let Flags { conj, neg } = tensor.flags();
    Ok(super::copy::alias(tensor)?.with_flags(Flags { conj, neg: !neg }))
}

/// The real part, a view; a real tensor itself.
///
/// # Errors
/// When the memory cannot be had.
pub fn real(tensor: &Tensor) -> Result<Tensor> {
    if tensor.dtype().is_complex() { part(tensor, 0) } else { Ok(tensor.clone()) }
}

/// The imaginary part, a view: of a conjugate a negative one.
///
/// # Errors
/// When the memory cannot be had.
pub fn imag(tensor: &Tensor) -> Result<Tensor> {
    part(tensor, 1)
}

fn part(tensor: &Tensor, which: i64) -> Result<Tensor> {
    let Flags { conj, neg } = tensor.flags();
    let stored = tensor.clone().with_flags(Flags { conj: false, neg });
    let part = views::select(&view_as_real(&stored)?, -1, which)?;
    if conj && which == 1 { neg_view(&part) } else { Ok(part) }
}

/// The tensor as complex numbers of a dtype.
fn widened(tensor: &Tensor, dtype: Dtype) -> Result<Tensor> {
    if tensor.dtype() == dtype { Ok(tensor.clone()) } else { super::copy::to_copy(tensor, dtype) }
}

/// The complex tensor of two real ones of the same sizes, with the strides of the first.
///
/// # Errors
/// When the memory cannot be had.
pub fn join(re: &Tensor, im: &Tensor) -> Result<Tensor> {
    let dtype = if re.dtype() == Dtype::F32 { Dtype::C64 } else { Dtype::C128 };
    let out = Tensor::zeros_strided(dtype, re.sizes(), re.strides())?;
    elements::copy(&part(&out, 0)?, re);
    elements::copy(&part(&out, 1)?, im);
    Ok(out)
}

/// A linear operator of a tensor that is taken as complex numbers of `dtype`.
///
/// # Errors
/// Those of the operator.
pub fn linear(tensor: &Tensor, dtype: Dtype, operator: impl Fn(&Tensor) -> Result<Tensor>) -> Result<Tensor> {
    let tensor = widened(tensor, dtype)?;
    join(&operator(&real(&tensor)?)?, &operator(&imag(&tensor)?)?)
}

/// An operator of two complex tensors of one dtype that is linear in each.
///
/// # Errors
/// Those of the operator.
pub fn bilinear(
    a: &Tensor,
    b: &Tensor,
    operator: impl Fn(&Tensor, &Tensor) -> Result<Tensor>,
) -> Result<Tensor> {
    let [(ar, ai), (br, bi)] = [(real(a)?, imag(a)?), (real(b)?, imag(b)?)];
    let sum = |row, x: &Tensor, y: &Tensor| {
        pointwise::apply(row, &[Operand::Tensor(x), Operand::Tensor(y)], &[Scalar::Int(1)])
    };
    let re = sum(&scalar_table::SUB, &operator(&ar, &br)?, &operator(&ai, &bi)?)?;
    let im = sum(&scalar_table::ADD, &operator(&ar, &bi)?, &operator(&ai, &br)?)?;
    join(&re, &im)
}

/// `beta * a + alpha * b` of complex tensors; a `beta` of 0 ignores `a`.
///
/// # Errors
/// When the memory cannot be had.
pub fn scaled_sum(a: &Tensor, beta: Scalar, b: &Tensor, alpha: Scalar) -> Result<Tensor> {
    let times = |tensor: &Tensor, factor: Scalar| {
        pointwise::apply(&scalar_table::MUL, &[Operand::Tensor(tensor), Operand::Scalar(factor)], &[])
    };
    let product = times(b, alpha)?;
    if beta.to_complex() == (0.0, 0.0) {
        return Ok(product);
    }
    let kept = times(a, beta)?;
    pointwise::apply(
        &scalar_table::ADD,
        &[Operand::Tensor(&kept), Operand::Tensor(&product)],
        &[Scalar::Int(1)],
    )
}

/// A complex element of each pair of two real tensors, which broadcast.
fn of_pairs(a: &Tensor, b: &Tensor, of: fn(f64, f64) -> Complex, error: fn(f64) -> f64) -> Result<Tensor> {
    let part = a.dtype();
    let dtype = if part == Dtype::F32 { Dtype::C64 } else { Dtype::C128 };
    let sizes = broadcast([a.sizes(), b.sizes()])?;
    let layouts: Vec<Layout> = [a, b].map(Layout::of).into();
    let out = Tensor::zeros_strided(dtype, &sizes, &strides::pointwise(&sizes, &layouts))?;
    let [a, b] = [
        elements::reals(&broadcast_view(a, &sizes)?, part),
        elements::reals(&broadcast_view(b, &sizes)?, part),
    ];
    let pair = |(a, b): (&Real, &Real)| {
        let one = |which: fn(Complex) -> f64| {
            let function = |v: &[f64]| which(of(v[0], v[1]));
            real::evaluate(function, |_, _| false, |v, _| error(v[0]), &[*a, *b], part)
        };
        [one(|z| z.re), one(|z| z.im)]
    };
    let pairs = a.iter().zip(&b).map(pair).collect();
    elements::store(&out, &Elements::Complex(pairs), dtype);
    Ok(out)
}

/// `complex`: the number of two parts.
///
/// # Errors
/// When the operands do not broadcast.
pub fn complex(re: &Tensor, im: &Tensor) -> Result<Tensor> {
    of_pairs(re, im, super::complex::complex, |_| 0.0)
}

/// `polar`: the number of a modulus and an argument.
///
/// # Errors
/// When the operands do not broadcast.
pub fn polar(abs: &Tensor, angle: &Tensor) -> Result<Tensor> {
    of_pairs(abs, angle, Complex::polar, |abs| 4.0 * abs.abs())
}
