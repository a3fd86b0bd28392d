//! Einsum: the steps that [`terrace_dialects::aten::placement::einsum`] takes, on values.

use super::lowering::{Lowered, Lowering};
use crate::functional::writer::Writer;
use melior::ir::Value;
use terrace_dialects::{
    aten::placement::einsum::{Algebra, steps},
    ir::{
        OperationLike, attributes as convert,
        dtype::{Dtype, Operand, promote},
        pass::Failure,
        view,
    },
    ops::functional,
};
use terrace_size::Size;

/// Values of the functional dialect.
struct OfValues<'c, 'a>(Writer<'c, 'a>);

impl<'c, 'a> Algebra for OfValues<'c, 'a> {
    type Size = Size;
    type Tensor = Value<'c, 'a>;
    type Error = Failure;

    fn sizes(&self, t: &Self::Tensor) -> Result<Vec<Size>, Failure> {
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

    fn reshape(&self, t: Self::Tensor, sizes: &[Size]) -> Result<Self::Tensor, Failure> {
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

/// `einsum`.
pub fn einsum<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let equation = convert::string(l.op.attribute("equation")?);
    let mut operands = vec![];
    for value in view::variadic(l.op, l.op_impl, 0) {
        operands.push(l.read(value)?);
    }
    Ok(vec![steps(&OfValues(**l.values), &equation, operands)?])
}
