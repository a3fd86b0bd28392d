//! Products that only graph has: how functional's `mm` and `bmm` spell them.

use super::{
    forms::scaled,
    lowering::{Lowered, Lowering, is_constant},
};
use melior::ir::{Value, ValueLike, operation::OperationBuilder};
use terrace_dialects::{
    aten::rules,
    internal,
    ir::{
        dtype::{Dtype, ElementType},
        pass::Failure,
        refusal::Reason,
        view,
    },
    ops::functional,
};
use terrace_size::{Number, Size};

/// `matmul`, `mv`, `dot`, `vdot`.
pub fn matmul<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (mut a, b) = (l.read(l.operand(0))?, l.read(l.operand(1))?);
    if l.base_name() == "vdot" && l.result()?.1.is_complex() {
        a = l.values.unary(functional::conj_physical, a)?;
    }
    Ok(vec![l.values.matmul(a, b)?])
}

/// `outer`: a column by a row.
pub fn outer<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, dtype) = l.result()?;
    let (a, b) = (l.read(l.operand(0))?, l.read(l.operand(1))?);
    let column = l.values.view(l.values.cast(a, dtype)?, &[sizes[0], Size::ONE])?;
    let row = l.values.view(l.values.cast(b, dtype)?, &[Size::ONE, sizes[1]])?;
    let name = if dtype == Dtype::Bool { functional::bitwise_and } else { functional::mul };
    Ok(vec![l.values.joined(name, column, row)?])
}

/// `bilinear`: the weight by the first input, then by the second per row.
pub fn bilinear<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let [a, b, weight] = [l.read(l.operand(0))?, l.read(l.operand(1))?, l.read(l.operand(2))?];
    let bias = view::optional(l.op, l.op_impl, 3).map(|bias| l.read(bias)).transpose()?;
    let w = **l.values;
    let shape = w.sizes(weight)?;
    let lead = l.values.sizes(a)?;
    let lead = &lead[..lead.len() - 1];
    let rows: Size = lead.iter().product();
    let spread = w.view(w.permute(weight, &[1, 0, 2])?, &[shape[1], shape[0] * shape[2]])?;
    let inner = w.matmul(w.view(a, &[rows, shape[1]])?, spread)?;
    let inner = w.view(inner, &[rows, shape[0], shape[2]])?;
    let product = w.matmul(inner, w.view(b, &[rows, shape[2], Size::ONE])?)?;
    let product = w.view(product, &[lead, &shape[..1]].concat())?;
    Ok(vec![match bias {
        Some(bias) => w.joined(functional::add, product, bias)?,
        None => product,
    }])
}

/// `addmm` and its kin: `beta * self + alpha * product`; a `beta` of 0 ignores `self`, nan included.
pub fn added<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, dtype) = l.result()?;
    // Of no elements eager has no kernel: truth values are as good as others.
    if sizes.iter().any(|size| size.assume_eq(0)) {
        let zero = l.values.number(dtype, 0)?;
        return Ok(vec![l.values.full(zero, dtype, &sizes)?]);
    }
    let value = unrounded(l)?;
    Ok(vec![l.values.cast(value, dtype)?])
}

/// [`added`] before it is rounded to half precision.
fn unrounded<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    let (sizes, dtype) = l.result()?;
    let dtype = dtype.opmath();
    let (a, b) = (l.read(l.operand(1))?, l.read(l.operand(2))?);
    let w = **l.values;
    let (a, b) = (w.cast(a, dtype)?, w.cast(b, dtype)?);
    let (left, right) = (w.sizes(a)?, w.sizes(b)?);
    let (mut product, inner) = match l.base_name() {
        "baddbmm" => (w.binary(functional::bmm, a, b)?, left[2]),
        "addbmm" => {
            // The batches are one long inner dimension.
            let long = w.view(w.permute(a, &[1, 0, 2])?, &[left[1], left[0] * left[2]])?;
            let tall = w.view(b, &[right[0] * right[1], right[2]])?;
            (w.binary(functional::mm, long, tall)?, left[0] * left[2])
        }
        _ => (w.matmul(a, b)?, left[1]),
    };
    // A product of nothing is not scaled: it would be nan times infinity.
    let empty = inner.assume_eq(0);
    if let Some(alpha) = view::optional(l.op, l.op_impl, 4).filter(|a| !empty && !is_constant(*a, 1.0)) {
        product = scaled(l, product, alpha, dtype, &sizes)?;
    }
    let beta = view::optional(l.op, l.op_impl, 3);
    if beta.is_some_and(|b| is_constant(b, 0.0)) {
        return Ok(product);
    }
    let own = l.tensor(l.operand(0), dtype, &sizes)?;
    let Some(beta) = beta.filter(|b| !is_constant(*b, 1.0)) else {
        return l.values.binary(functional::add, own, product);
    };
    let own = scaled(l, own, beta, dtype, &sizes)?;
    let sum = l.values.binary(functional::add, own, product)?;
    if crate::graph::functionalize::program::constant(beta).is_some() || rules::is_constant(beta) {
        return Ok(sum);
    }
    let ignored = is_zero(l, beta)?;
    let ignored = l.values.full(ignored, Dtype::Bool, &sizes)?;
    l.values.value(functional::where_(l.values.location(), ignored, product, sum))
}

/// Whether a number that is known at run time only is zero: an i1.
fn is_zero<'c, 'a>(l: &Lowering<'_, 'c, 'a>, number: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    let dtype = Dtype::of(number.r#type()).ok_or(internal!("a number has a dtype"))?;
    if dtype.is_complex() {
        return Err(Reason::RunTime
            .says("has a factor that is a complex number known at run time only: it must be a constant here")
            .into());
    }
    let zero = l.values.number(dtype, 0)?;
    // Equality: the first predicate of integers, and the first ordered one of floats.
    let (name, predicate) = if dtype.is_float() { ("arith.cmpf", 1) } else { ("arith.cmpi", 0) };
    let context = l.values.context;
    let i64_type = Dtype::I64.to_type(context);
    let predicate = melior::ir::attribute::IntegerAttribute::new(i64_type, predicate);
    let op = OperationBuilder::new(name, l.values.location())
        .add_operands(&[number, zero])
        .add_attributes(&[(melior::ir::Identifier::new(context, "predicate"), predicate.into())])
        .add_results(&[Dtype::Bool.to_type(context)])
        .build()?;
    l.values.value(Ok(op))
}
