//! Pointwise operators: promotion, broadcasting, and the forms that write their first operand.

use super::{
    complex::{Complex, complex},
    copy::check_representable,
    elements::{self, Elements},
    error::{Error, Result, ensure},
    overlap,
    promotion::{Operand, can_cast, float_dtype, result_dtype},
    real::{self, Real, is_exact},
    scalar_table::{Pointwise, Promotion},
    shape::broadcast,
    strides::{self, Layout},
};
use terrace_tensor::{Dtype, Scalar, Tensor};

/// The operator on new memory. `parameters` are what the row asks for after its operands.
///
/// # Errors
/// When the operands do not broadcast, or the operator has no kernel for their dtype.
pub fn apply(row: &Pointwise, operands: &[Operand], parameters: &[Scalar]) -> Result<Tensor> {
    (row.check)(operands, parameters)?;
    let sizes = broadcast(operands.iter().map(|operand| operand.sizes()))?;
    let (compute, result) = dtypes(row, operands);
    let elements = evaluate(row, operands, parameters, compute, &sizes)?;
    let number = operands[1..].iter().all(|operand| operand.tensor().is_none());
    let decide = if row.first_decides_layout && number { &operands[..1] } else { operands };
    let strides = match operands[0].tensor() {
        // Eager makes an empty tensor like the complex one first.
        Some(own) if result != compute && result == compute.part() => strides::preserved(own),
        _ => strides::pointwise(&sizes, &layouts(decide, compute)),
    };
    let out = Tensor::zeros_strided(result, &sizes, &strides)?;
    elements::store(&out, &elements, compute);
    Ok(out)
}

/// The operator in place: its first operand is written, and returned.
///
/// # Errors
/// As [`apply`], and when the first operand would have to grow or to change its dtype, or shares memory with
/// itself or another operand so that the result depends on the order of evaluation.
pub fn apply_in_place(
    row: &Pointwise,
    written: &Tensor,
    others: &[Operand],
    parameters: &[Scalar],
) -> Result<Tensor> {
    let operands: Vec<Operand> = std::iter::once(written.into()).chain(others.iter().copied()).collect();
    (row.check)(&operands, parameters)?;
    if row.checks_memory {
        overlap::check_memory(written, &operands)?;
    }
    check_sizes(written, &operands)?;
    let (compute, result) = dtypes(row, &operands);
    check_dtype(written, result)?;
    overlap::check_order(written, &operands)?;
    let elements = evaluate(row, &operands, parameters, compute, written.sizes())?;
    elements::store(written, &elements, compute);
    Ok(written.clone())
}

/// [`apply`] or [`apply_in_place`] of the first operand.
///
/// # Errors
/// As they, and when a number is to be written.
pub fn call(row: &Pointwise, operands: &[Operand], parameters: &[Scalar], in_place: bool) -> Result<Tensor> {
    if !in_place {
        return apply(row, operands, parameters);
    }
    let written = operands[0].tensor().ok_or_else(|| Error::new("a number cannot be written"))?;
    apply_in_place(row, written, &operands[1..], parameters)
}

/// `condition ? self : other`.
///
/// # Errors
/// When the condition is no tensor of truth values, or the operands do not broadcast.
pub fn where_(condition: &Tensor, on_true: Operand, on_false: Operand) -> Result<Tensor> {
    let dtype = result_dtype(&[on_true, on_false]);
    ensure!(
        matches!(condition.dtype(), Dtype::Bool | Dtype::U8),
        "where expected condition to be a boolean tensor, but got a tensor with dtype {}",
        condition.dtype().aten_name()
    );
    let sizes = broadcast([condition.sizes(), on_true.sizes(), on_false.sizes()])?;
    let mut operands = layouts(&[condition.into()], Dtype::Bool);
    operands.extend(layouts(&[on_true, on_false], dtype));
    let out = Tensor::zeros_strided(dtype, &sizes, &strides::pointwise(&sizes, &operands))?;
    let chosen = elements::ints(&super::shape::broadcast_view(condition, &sizes)?, Dtype::Bool);
    let on_true = elements::operand(on_true, dtype, &sizes)?;
    let on_false = elements::operand(on_false, dtype, &sizes)?;
    elements::store(&out, &choose_elements(&chosen, &on_true, &on_false), dtype);
    Ok(out)
}

/// `masked_fill`: a copy, row-major, with a number where the mask holds.
///
/// # Errors
/// When the two do not broadcast.
pub fn masked_fill(tensor: &Tensor, mask: &Tensor, value: Operand) -> Result<Tensor> {
    let sizes = broadcast([tensor.sizes(), mask.sizes()])?;
    let out = Tensor::zeros(tensor.dtype(), &sizes)?;
    elements::copy(&out, &super::shape::broadcast_view(tensor, &sizes)?);
    masked_fill_(&out, mask, value)
}

/// [`masked_fill`] in place.
///
/// # Errors
/// When the tensor overlaps itself or the mask, or its dtype has no such number.
pub fn masked_fill_(written: &Tensor, mask: &Tensor, value: Operand) -> Result<Tensor> {
    if let Operand::Tensor(value) = value {
        check_representable(value.read(value.offset()), written.dtype())?;
    }
    overlap::check_partly(written, mask)?;
    overlap::check_order(written, &[Operand::Tensor(written), Operand::Tensor(mask)])?;
    let sizes = written.sizes();
    let one = elements::operand(value, written.dtype(), sizes)?;
    let own = elements::any_elements(written, written.dtype())?;
    let chosen = elements::ints(&super::shape::broadcast_view(mask, sizes)?, Dtype::Bool);
    elements::store(written, &choose_elements(&chosen, &one, &own), written.dtype());
    Ok(written.clone())
}

/// Checks that operands broadcast to the written tensor.
///
/// # Errors
/// When they do not, or when it would have to grow.
pub(super) fn check_sizes(written: &Tensor, operands: &[Operand]) -> Result<()> {
    let own = [written.sizes()];
    let sizes = broadcast(own.into_iter().chain(operands.iter().map(|operand| operand.sizes())))?;
    ensure!(
        sizes == written.sizes(),
        "output with shape {:?} doesn't match the broadcast shape {sizes:?}",
        written.sizes()
    );
    Ok(())
}

/// Checks that a result can be stored in the written tensor.
///
/// # Errors
/// When its dtype is of a lower category.
fn check_dtype(written: &Tensor, result: Dtype) -> Result<()> {
    ensure!(
        can_cast(result, written.dtype()),
        "result type {} can't be cast to the desired output type {}",
        result.aten_name(),
        written.dtype().aten_name()
    );
    Ok(())
}

/// The dtype to compute in and that of the result.
fn dtypes(row: &Pointwise, operands: &[Operand]) -> (Dtype, Dtype) {
    let common = result_dtype(operands);
    match row.promotion {
        Promotion::Common => (common, common),
        Promotion::Float => (float_dtype(common), float_dtype(common)),
        Promotion::Bool => (common, Dtype::Bool),
        Promotion::Part => (common, common.part()),
        Promotion::FloatPart => (float_dtype(common), float_dtype(common).part()),
    }
}

/// The layouts of operands as eager sees them: those of another dtype are converted copies.
fn layouts(operands: &[Operand], compute: Dtype) -> Vec<Layout> {
    let layout = |operand: &Operand| match operand.tensor() {
        Some(tensor) if tensor.dtype() == compute => Layout::of(tensor),
        Some(tensor) => Layout::of_copy(tensor),
        None => Layout { sizes: Vec::new(), strides: Vec::new() },
    };
    operands.iter().map(layout).collect()
}

fn evaluate(
    row: &Pointwise,
    operands: &[Operand],
    parameters: &[Scalar],
    compute: Dtype,
    sizes: &[i64],
) -> Result<Elements> {
    // What numbers are kept in, and a second operand that is one.
    let number = if row.keeps_numbers { compute.opmath() } else { compute };
    let second = operands.len() == 2 && operands[1].sizes().is_empty();
    let operand = |(place, &operand): (usize, &Operand)| {
        let dtype = if second && place == 1 { number } else { compute };
        elements::operand(operand, dtype, sizes)
    };
    let parameter = |&parameter| elements::operand(Operand::Scalar(parameter), number, sizes);
    let columns = operands.iter().enumerate().map(operand).chain(parameters.iter().map(parameter));
    let columns = columns.collect::<Result<Vec<_>>>()?;
    let missing = || Error::not_implemented(row.kernel, compute);
    if compute.is_float() {
        let single = row.single.filter(|_| compute.opmath() == Dtype::F32);
        let function = single.or(row.float).ok_or_else(missing)?;
        let columns: Vec<_> = columns.iter().map(|column| column.as_reals()).collect();
        let exact = |operands: &[f64], result: f64| {
            let rounded = |value| is_exact(operands, value, compute);
            row.correctly_rounded && rounded((row.intermediate)(operands)) && rounded(result)
        };
        let element = |operands: &[Real]| {
            let real = real::evaluate(function, exact, row.error, operands, compute);
            let jump = row.piece.map_or(0.0, |piece| real::jump(piece, operands));
            Real { bound: real.bound.max(jump), ..real }
        };
        return Ok(Elements::Real(zip(&columns, element)));
    }
    if compute.is_complex() {
        let function = row.complex.ok_or_else(missing)?;
        let columns: Vec<_> = columns.iter().map(|column| column.as_complex()).collect();
        return Ok(Elements::Complex(zip(&columns, |operands| {
            complex_element(row, function, operands, compute)
        })));
    }
    let function = if compute == Dtype::Bool { row.bool } else { row.int }.ok_or_else(missing)?;
    let columns: Vec<_> = columns.iter().map(|column| column.as_ints()).collect();
    let divides_by_zero = matches!(row.name, "div" | "fmod" | "remainder") && columns[1].contains(&0);
    ensure!(!divides_by_zero, "ZeroDivisionError");
    Ok(Elements::Int(zip(&columns, function)))
}

/// Applies a function to each row of some columns.
fn zip<T: Copy + Default, R>(columns: &[&[T]], function: impl Fn(&[T]) -> R) -> Vec<R> {
    let mut row = vec![T::default(); columns.len()];
    let count = columns.first().map(|column| column.len()).unwrap_or_default();
    let element = |number: usize| {
        for (place, column) in row.iter_mut().zip(columns) {
            *place = column[number];
        }
        function(&row)
    };
    (0..count).map(element).collect()
}

/// One complex result: its parts are functions of the operands' parts, whose errors are relative to the
/// whole.
fn complex_element(
    row: &Pointwise,
    function: fn(&[Complex]) -> Complex,
    operands: &[[Real; 2]],
    dtype: Dtype,
) -> [Real; 2] {
    let whole = |parts: &[f64]| {
        let numbers: Vec<Complex> = parts.chunks_exact(2).map(|pair| complex(pair[0], pair[1])).collect();
        function(&numbers)
    };
    let parts = operands.concat();
    let exact = |parts: &[f64], result: f64| {
        row.correctly_rounded
            && row.whole
            && dtype.part().round(result) == result
            && parts.iter().all(|part| part.fract() == 0.0 && part.abs() <= 1024.0)
    };
    let error = |parts: &[f64], _: f64| {
        8.0 * (whole(parts).abs() + parts.chunks_exact(2).map(|p| p[0].hypot(p[1])).fold(0.0, f64::max))
    };
    let part = |which: fn(Complex) -> f64| {
        real::evaluate(|parts| which(whole(parts)), exact, error, &parts, dtype.part())
    };
    [part(|z| z.re), part(|z| z.im)]
}

fn choose_elements(chosen: &[i64], on_true: &Elements, on_false: &Elements) -> Elements {
    match (on_true, on_false) {
        (Elements::Real(a), Elements::Real(b)) => Elements::Real(choose(chosen, a, b)),
        (Elements::Complex(a), Elements::Complex(b)) => Elements::Complex(choose(chosen, a, b)),
        (Elements::Int(a), Elements::Int(b)) => Elements::Int(choose(chosen, a, b)),
        _ => unreachable!("both were converted to one dtype"),
    }
}

fn choose<T: Copy>(chosen: &[i64], on_true: &[T], on_false: &[T]) -> Vec<T> {
    let pairs = on_true.iter().zip(on_false);
    chosen.iter().zip(pairs).map(|(&chosen, (&a, &b))| if chosen != 0 { a } else { b }).collect()
}
