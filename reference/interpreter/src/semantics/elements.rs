//! The elements of tensors, taken out in row-major order, and put back.

use super::{
    error::{Error, Result},
    promotion::Operand,
    real::Real,
    shape::broadcast_view,
};
use terrace_tensor::{Dtype, Scalar, Tensor};

/// Elements of one class of dtypes.
#[derive(Debug, Clone)]
pub enum Elements {
    /// Of a float dtype.
    Real(Vec<Real>),
    /// Of a complex dtype: real and imaginary parts.
    Complex(Vec<[Real; 2]>),
    /// Of an integer dtype or bool.
    Int(Vec<i64>),
}

impl Elements {
    /// The elements of a float dtype.
    ///
    /// # Panics
    /// When they are of another class.
    pub fn as_reals(&self) -> &[Real] {
        match self {
            Elements::Real(reals) => reals,
            _ => panic!("elements of no float dtype"),
        }
    }

    /// The elements of a complex dtype.
    ///
    /// # Panics
    /// When they are of another class.
    pub fn as_complex(&self) -> &[[Real; 2]] {
        match self {
            Elements::Complex(complex) => complex,
            _ => panic!("elements of no complex dtype"),
        }
    }

    /// The elements of an integer dtype or bool.
    ///
    /// # Panics
    /// When they are of another class.
    pub fn as_ints(&self) -> &[i64] {
        match self {
            Elements::Int(ints) => ints,
            _ => panic!("elements of no integer dtype"),
        }
    }
}

/// The bound of a float after its conversion: two values that differ may come to lie a rounding further
/// apart.
pub fn converted_bound(value: f64, bound: f64, from: Dtype, to: Dtype) -> f64 {
    if bound == 0.0 || to.epsilon() <= from.epsilon() { bound } else { bound + to.epsilon() * value.abs() }
}

/// The elements of a tensor as floats of `dtype`.
pub fn reals(tensor: &Tensor, dtype: Dtype) -> Vec<Real> {
    let real = |at: i64| {
        let value = tensor.read(at).cast(dtype).to_f64();
        Real { value, bound: converted_bound(value, tensor.bound(at), tensor.dtype(), dtype) }
    };
    tensor.offsets().map(real).collect()
}

/// The elements of a tensor as integers of `dtype`, truth values as 0 and 1.
pub fn ints(tensor: &Tensor, dtype: Dtype) -> Vec<i64> {
    tensor.offsets().map(|at| tensor.read(at).cast(dtype).to_i64()).collect()
}

/// The elements of a tensor as complex numbers of `dtype`.
pub fn complexes(tensor: &Tensor, dtype: Dtype) -> Vec<[Real; 2]> {
    let pair = |at: i64| {
        let (re, im) = tensor.read(at).cast(dtype).to_complex();
        let bound = converted_bound(re.hypot(im), tensor.bound(at), tensor.dtype(), dtype);
        // The imaginary part of a real number is known.
        let own = if tensor.dtype().is_complex() { bound } else { 0.0 };
        [Real { value: re, bound }, Real { value: im, bound: own }]
    };
    tensor.offsets().map(pair).collect()
}

/// The elements of a tensor, converted to `dtype`.
///
/// # Errors
/// Operators of reals and integers have no complex elements; `kernel` names the one that lacks them.
pub fn elements(tensor: &Tensor, dtype: Dtype, kernel: &str) -> Result<Elements> {
    if dtype.is_complex() {
        return Err(Error::not_implemented(kernel, dtype));
    }
    any_elements(tensor, dtype)
}

/// The elements of a tensor, converted to `dtype`, whatever that is.
///
/// # Errors
/// Never; the signature is that of [`elements`].
pub fn any_elements(tensor: &Tensor, dtype: Dtype) -> Result<Elements> {
    Ok(if dtype.is_complex() {
        Elements::Complex(complexes(tensor, dtype))
    } else if dtype.is_float() {
        Elements::Real(reals(tensor, dtype))
    } else {
        Elements::Int(ints(tensor, dtype))
    })
}

/// An operand converted to `dtype` and broadcast to `sizes`.
pub fn operand(operand: Operand, dtype: Dtype, sizes: &[i64]) -> Result<Elements> {
    match operand {
        Operand::Tensor(tensor) => any_elements(&broadcast_view(tensor, sizes)?, dtype),
        Operand::Scalar(scalar) => {
            let mut one = Tensor::zeros(dtype, &[])?;
            one.write(0, scalar);
            one = broadcast_view(&one, sizes)?;
            any_elements(&one, dtype)
        }
    }
}

/// Replaces the elements of a tensor by ones of the dtype `from`, converted to its own.
pub fn store(tensor: &Tensor, elements: &Elements, from: Dtype) {
    match elements {
        Elements::Real(reals) => store_reals(tensor, reals, from),
        Elements::Complex(pairs) => {
            for (at, [re, im]) in tensor.offsets().zip(pairs) {
                write(tensor, at, Scalar::Complex(re.value, im.value), re.bound.max(im.bound), from);
            }
        }
        Elements::Int(ints) => store_ints(tensor, ints),
    }
}

/// Replaces the elements of a tensor by floats of the dtype `from`, converted to its own.
pub fn store_reals(tensor: &Tensor, reals: &[Real], from: Dtype) {
    for (at, real) in tensor.offsets().zip(reals) {
        write(tensor, at, Scalar::Float(real.value), real.bound, from);
    }
}

/// Replaces the elements of a tensor by integers, converted to its dtype.
pub fn store_ints(tensor: &Tensor, ints: &[i64]) {
    for (at, &int) in tensor.offsets().zip(ints) {
        tensor.write(at, Scalar::Int(int));
    }
}

/// Copies elements one by one, converted to the dtype of the destination, bounds included. Everything is read
/// before anything is written.
pub fn copy(to: &Tensor, from: &Tensor) {
    let values: Vec<(Scalar, f64)> = from.offsets().map(|at| (from.read(at), from.bound(at))).collect();
    for (at, (value, bound)) in to.offsets().zip(values) {
        write(to, at, value, bound, from.dtype());
    }
}

/// Replaces an element by a number of the dtype `from`, with its bound.
pub fn write(tensor: &Tensor, at: i64, value: Scalar, bound: f64, from: Dtype) {
    tensor.write(at, value);
    if bound != 0.0 && tensor.dtype().epsilon() != 0.0 {
        let (re, im) = value.to_complex();
        tensor.set_bound(at, converted_bound(re.hypot(im), bound, from, tensor.dtype()));
    }
}
