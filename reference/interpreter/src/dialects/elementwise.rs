//! Functions of numbers, on numbers, and element by element on tensors and vectors.

use crate::{
    error::Fault,
    machine::{Action, Flow, Frame, Op, Slot},
    semantics::real::{self, Real, is_exact},
    types::Sort,
};
use terrace_tensor::{Dtype, Scalar, Tensor, Value};

/// A function of floats and how implementations may differ from it.
#[derive(Clone, Copy)]
pub(super) struct FloatFunction {
    pub function: fn(&[f64]) -> f64,
    pub correctly_rounded: bool,
}

/// The name of an operation, and its function of floats.
pub(super) type FloatRow = (&'static str, fn(&[f64]) -> f64);

/// An integer of some width, both ways of reading its bits.
#[derive(Clone, Copy)]
pub(super) struct Word {
    pub signed: i64,
    pub unsigned: u64,
    /// In bits.
    pub width: u32,
}

impl Word {
    /// The bits of a number of an integer dtype, of bool or index.
    pub fn of(value: Scalar, dtype: Dtype) -> Word {
        let width = if dtype == Dtype::Bool { 1 } else { 8 * dtype.bytes() as u32 };
        let unsigned = value.to_i64() as u64 & (u64::MAX >> (64 - width));
        let unused = 64 - width;
        Word { signed: (unsigned << unused) as i64 >> unused, unsigned, width }
    }
}

/// The number of an integer dtype that has the low bits of a word.
pub(super) fn from_bits(bits: i64, dtype: Dtype) -> Scalar {
    if dtype == Dtype::Bool { Scalar::Bool(bits & 1 != 0) } else { Scalar::Int(bits).cast(dtype) }
}

/// An action that applies a function of numbers; numbers among tensors count for every element. Error bounds
/// end here.
pub(super) fn scalars(
    op: &mut Op,
    function: impl Fn(&[Scalar]) -> Result<Scalar, String> + 'static,
) -> Result<Action, String> {
    let (operands, kind) = (op.operands(), op.result_kind(0)?);
    let result = op.results()[0];
    Ok(Box::new(move |_, frame| {
        if kind.sort == Sort::Number {
            let numbers: Vec<_> = operands.iter().map(|&slot| frame.scalar(slot)).collect();
            frame.set(result, function(&numbers)?);
            return Ok(Flow::Next);
        }
        let columns = Columns::new(frame, &operands)?;
        let out = Tensor::zeros(kind.dtype, columns.sizes)?;
        for (number, at) in out.offsets().enumerate() {
            out.write(at, function(&columns.row(number, |tensor, at| tensor.read(at), |scalar| scalar))?);
        }
        frame.set(result, out);
        Ok(Flow::Next)
    }))
}

/// An action that applies a function of floats in the dtype of the result; bounds are carried through
/// tensors.
pub(super) fn floats(op: &mut Op, row: FloatFunction) -> Result<Action, String> {
    let (operands, kind) = (op.operands(), op.result_kind(0)?);
    let (dtype, result) = (kind.dtype, op.results()[0]);
    if !dtype.is_float() {
        return Err(format!("has results of {dtype}, which the interpreter does not know here"));
    }
    Ok(Box::new(move |_, frame| {
        if kind.sort == Sort::Number {
            let numbers: Vec<_> = operands.iter().map(|&slot| frame.scalar(slot).to_f64()).collect();
            frame.set(result, Scalar::Float(dtype.round((row.function)(&numbers))));
            return Ok(Flow::Next);
        }
        let columns = Columns::new(frame, &operands)?;
        let out = Tensor::zeros(dtype, columns.sizes)?;
        let read = |tensor: &Tensor, at| Real { value: tensor.read(at).to_f64(), bound: tensor.bound(at) };
        for (number, at) in out.offsets().enumerate() {
            let operands = columns.row(number, read, |scalar| Real::exact(scalar.to_f64()));
            let units = if row.correctly_rounded { 1.0 } else { 4.0 };
            let error = |_: &[f64], result: f64| units * result.abs();
            let exact = |operands: &[f64], result| row.correctly_rounded && is_exact(operands, result, dtype);
            let value = real::evaluate(row.function, exact, error, &operands, dtype);
            out.write(at, Scalar::Float(value.value));
            out.set_bound(at, value.bound);
        }
        frame.set(result, out);
        Ok(Flow::Next)
    }))
}

/// Operands of equal sizes, or numbers.
struct Columns<'f> {
    values: Vec<&'f Value>,
    offsets: Vec<Vec<i64>>,
    sizes: &'f [i64],
}

impl<'f> Columns<'f> {
    fn new(frame: &'f Frame, slots: &[Slot]) -> Result<Columns<'f>, Fault> {
        let values: Vec<&Value> = slots.iter().map(|&slot| frame.get(slot)).collect();
        let mut tensors = values.iter().filter_map(|value| value.as_tensor());
        let sizes = tensors.next().map_or(&[][..], Tensor::sizes);
        if let Some(other) = tensors.find(|tensor| tensor.sizes() != sizes) {
            return Err(format!("has operands of sizes {sizes:?} and {:?}", other.sizes()).into());
        }
        let offsets =
            |value: &&Value| value.as_tensor().map_or_else(Vec::new, |tensor| tensor.offsets().collect());
        let offsets = values.iter().map(offsets).collect();
        Ok(Columns { values, offsets, sizes })
    }

    fn row<T>(&self, number: usize, read: impl Fn(&Tensor, i64) -> T, lone: impl Fn(Scalar) -> T) -> Vec<T> {
        let element = |(value, offsets): (&&Value, &Vec<i64>)| match value {
            Value::Tensor(tensor) => read(tensor, offsets[number]),
            Value::Scalar(scalar) => lone(*scalar),
        };
        self.values.iter().zip(&self.offsets).map(element).collect()
    }
}
