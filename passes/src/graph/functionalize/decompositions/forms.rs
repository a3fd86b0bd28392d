//! Operators whose functional form is the one of the same name, on operands that are cast, broadcast and read
//! first; and what copies, fills and makes tensors.

use super::{
    decomposer::Decomposer,
    elementary,
    lowering::{Lowered, Lowering, is_constant},
};
use crate::functional::writer::Unary;
use melior::ir::{TypeLike, Value, ValueLike};
use terrace_dialects::{
    aten::placement::iterated::{computed, factors},
    ir::{OperationLike, dtype::Dtype, pass::Failure, refusal::Reason, types::TensorType, view},
    ops::functional,
};
use terrace_size::{Number, Size};

pub fn pointwise<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, _) = l.result()?;
    let operands = factors(l.op, l.op_impl);
    let dtype = computed(l.op, l.op_impl, &operands);
    if let Some(spell) = elementary::find(l.base_name()) {
        return elementary::spell(Decomposer::new(l, dtype)?, spell);
    }
    let alpha = if l.op_impl.operands.len() > 2 { view::optional(l.op, l.op_impl, 2) } else { None };
    let alpha = alpha.filter(|a| !is_constant(*a, 1.0));
    // Half precision: eager does not round a number that multiplies or divides, nor a product with alpha.
    let number = operands.get(1).is_some_and(|v| TensorType::of(v.r#type()).is_none_or(|t| t.rank() == 0));
    let keeps = number && matches!(l.base_name(), "mul" | "div" | "floor_divide");
    let wide = if keeps || alpha.is_some() { dtype.opmath() } else { dtype };
    let mut values = vec![];
    for (place, operand) in operands.into_iter().enumerate() {
        let own = if keeps && place == 1 { wide } else { dtype };
        let value = l.tensor(operand, own, &sizes)?;
        values.push(vec![l.values.cast(value, wide)?]);
    }
    let reversed = l.base_name() == "rsub";
    if let Some(alpha) = alpha {
        let factor = usize::from(!reversed);
        let alpha = l.values.full(alpha, dtype, &sizes)?;
        let alpha = l.values.cast(alpha, wide)?;
        values[factor] = vec![l.values.binary(functional::mul, values[factor][0], alpha)?];
    }
    let location = l.values.location();
    let value = match l.base_name() {
        "rsub" => l.values.binary(functional::sub, values[1][0], values[0][0])?,
        "square" => l.values.binary(functional::mul, values[0][0], values[0][0])?,
        "floor_divide" => {
            l.values.value(functional::div(location, values[0][0], values[1][0], Some("floor")))?
        }
        "pow" => power(l, values[0][0], values[1][0], dtype)?,
        "max.other" => l.build("maximum", &values, &[])?[0],
        "min.other" => l.build("minimum", &values, &[])?[0],
        name => l.build(name, &values, &[])?[0],
    };
    Ok(vec![if wide == dtype { value } else { l.values.cast(value, dtype)? }])
}

/// A power. Eager computes one of half a number as a root: `(-0)^-0.5` is -inf as it is, and inf where the
/// exponent is a tensor's element. A number of the run is compared.
pub(crate) fn power<'c, 'a>(
    l: &Lowering<'_, 'c, 'a>,
    base: Value<'c, 'a>,
    exponent: Value<'c, 'a>,
    dtype: Dtype,
) -> Result<Value<'c, 'a>, Failure> {
    let (number, w) = (l.operand(1), &l.values);
    let power = || w.binary(functional::pow, base, exponent);
    if !dtype.is_float() || TensorType::of(number.r#type()).is_some() {
        return power();
    }
    let roots = [(0.5, functional::sqrt as Unary), (-0.5, functional::rsqrt)];
    if crate::graph::functionalize::program::constant(number).is_some() {
        let root = roots.iter().find(|(half, _)| is_constant(number, *half));
        return root.map_or_else(power, |(_, root)| w.unary(*root, base));
    }
    let mut value = power()?;
    if number.r#type().is_float() {
        for (half, root) in roots {
            let is = w.binary(functional::eq, exponent, w.like(exponent, half)?)?;
            value = w.value(functional::where_(w.location(), is, w.unary(root, base)?, value))?;
        }
    }
    Ok(value)
}

/// A tensor times a number.
pub fn scaled<'c, 'a>(
    l: &Lowering<'_, 'c, 'a>,
    value: Value<'c, 'a>,
    number: Value<'c, 'a>,
    dtype: Dtype,
    sizes: &[Size],
) -> Result<Value<'c, 'a>, Failure> {
    let factor = l.values.full(number, dtype, sizes)?;
    l.values.binary(functional::mul, value, factor)
}

pub fn choose<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, dtype) = l.result()?;
    let condition = l.tensor(l.operand(0), Dtype::Bool, &sizes)?;
    let (own, other) = (l.tensor(l.operand(1), dtype, &sizes)?, l.tensor(l.operand(2), dtype, &sizes)?);
    Ok(vec![l.values.value(functional::where_(l.values.location(), condition, own, other))?])
}

/// A copy of the first operand in the result's dtype: values need no copy.
pub fn copy<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, dtype) = l.result()?;
    Ok(vec![l.tensor(l.operand(0), dtype, &sizes)?])
}

pub fn copy_into<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, dtype) = l.result()?;
    Ok(vec![l.tensor(l.operand(1), dtype, &sizes)?])
}

/// As many elements as are written: what repeats is filled once.
pub fn fill<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (own, dtype) = l.result()?;
    let sizes = match l.analysis.written(l.op) {
        Some(written) => written.view.sizes.clone(),
        None => own,
    };
    let value = if l.op_impl.operands.len() > 1 { l.operand(1) } else { l.values.number(dtype, 0)? };
    Ok(vec![l.tensor(value, dtype, &sizes)?])
}

/// A tensor filled with the operation's number, its last operand.
pub fn filled<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, dtype) = l.result()?;
    let Some(last) = l.op.operand_count().checked_sub(1).filter(|_| l.op_impl.name != "graph.fake") else {
        return Err(Reason::Form
            .says("has no elements that could be computed: fake tensors are propagated only")
            .into());
    };
    let number = l.op.operand(last)?;
    Ok(vec![l.values.full(number, dtype, &sizes)?])
}

pub fn factory<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let value = match l.base_name() {
        "zeros" => 0,
        "ones" => 1,
        _ => return filled(l),
    };
    let (sizes, dtype) = l.result()?;
    let number = l.values.number(dtype, value)?;
    Ok(vec![l.values.full(number, dtype, &sizes)?])
}

pub fn arange<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, dtype) = l.result()?;
    let or = |place, default| match view::optional(l.op, l.op_impl, place) {
        Some(number) => Ok(number),
        None => l.values.number(Dtype::I64, default),
    };
    let (start, step) = (or(0, 0)?, or(2, 1)?);
    Ok(vec![
        l.values
            .of_sizes(dtype, &sizes, |at, ty, dynamic| functional::arange(at, ty, start, step, dynamic))?,
    ])
}

/// The operand is cast to the dtype that is summed in.
pub fn accumulate<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (_, dtype) = l.result()?;
    let own = l.read(l.operand(0))?;
    let own = l.values.cast(own, dtype)?;
    l.build(l.base_name(), &[vec![own]], &[])
}

pub fn softmax<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, dtype) = l.result()?;
    let own = l.tensor(l.operand(0), dtype, &sizes)?;
    l.build(l.base_name().trim_start_matches('_'), &[vec![own]], &["dtype", "half_to_float"])
}

/// The functional operator of the same name on the same operands: it neither promotes nor broadcasts them.
pub fn same_operands<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let mut operands = vec![];
    for place in 0..l.op_impl.operands.len() {
        let mut values = vec![];
        for value in view::variadic(l.op, l.op_impl, place) {
            values.push(l.read(value)?);
        }
        operands.push(values);
    }
    l.build(l.base_name(), &operands, &[])
}

pub fn cat<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, dtype) = l.result()?;
    let mut values = vec![];
    for value in view::variadic(l.op, l.op_impl, 0) {
        // Empty tensors of one dimension join anything.
        let rank = TensorType::of(value.r#type()).map_or(0, |t| t.rank());
        if rank == sizes.len() {
            let value = l.read(value)?;
            values.push(l.values.cast(value, dtype)?);
        }
    }
    if Size::assume_same(&sizes, &[Size::ZERO]) {
        return Ok(values[..1].to_vec());
    }
    l.build("cat", &[values], &[])
}
