//! Numbers out of tensors: elements are extracted; sizes are constants, and strides where they are declared.

use super::lowering::{Lowered, Lowering};
use crate::{functional::writer::same, graph::functionalize::analysis::tensors::Layout};
use melior::ir::{
    Identifier, Type, Value, ValueLike, attribute::IntegerAttribute, operation::OperationBuilder,
};
use terrace_dialects::{
    internal,
    ir::{
        OperationLike, context, dtype::ElementType, pass::Failure, refusal::Reason, types::TensorType, view,
    },
};
use terrace_size::Size;

/// The only element.
pub(crate) fn item<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let own = l.operand(0);
    let value = l.read(own)?;
    let ty = TensorType::of(value.r#type()).ok_or(internal!("reads no tensor"))?;
    let wide = ty.dtype.widest();
    let value = l.values.cast(value, wide)?;
    let mut operands = vec![value];
    for _ in 0..ty.rank() {
        operands.push(index(l, 0)?);
    }
    let element = wide.to_type(context::of(l.op.context()));
    Ok(vec![insert(l, "tensor.extract", &operands, element)?])
}

/// The size or the stride of a dimension.
pub(crate) fn of_dim<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let sizes = sizes(l)?;
    let dim = terrace_dialects::ir::attributes::i64(view::required(l.op, "dim"));
    let dim = if dim < 0 { dim + sizes.len() as i64 } else { dim } as usize;
    let number = if l.base_name() == "sym_size" { sizes[dim] } else { in_memory(l)?.strides[dim] };
    Ok(vec![l.values.size(number)?])
}

/// The number of elements, or the offset.
pub(crate) fn of_all<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let number = if l.base_name() == "sym_numel" { sizes(l)?.iter().product() } else { in_memory(l)?.offset };
    Ok(vec![l.values.size(number)?])
}

/// The sizes of the operand: what its type says, and what is known of the others.
fn sizes(l: &Lowering) -> Result<Vec<Size>, Failure> {
    let ty = TensorType::of(l.operand(0).r#type()).ok_or(internal!("the operand is no tensor"))?;
    if ty.is_static() {
        return Ok(ty.shape.into_iter().map(Size::from).collect());
    }
    Ok(l.analysis.sizes(l.operand(0)).ok_or(internal!("the operand is no tensor"))?)
}

/// Where the operand lies in memory.
fn in_memory(l: &Lowering) -> Result<Layout, Failure> {
    // What changed the tensor object since has other sizes.
    let sizes = sizes(l)?;
    let layout = l.analysis.placed(l.operand(0)).filter(|layout| same(&layout.sizes, &sizes));
    Ok(layout
        .cloned()
        .ok_or_else(|| Reason::Layout.says("is known when the program runs only: declare graph.layout"))?)
}

fn index<'c, 'a>(l: &Lowering<'_, 'c, 'a>, number: i64) -> Result<Value<'c, 'a>, Failure> {
    let context = context::of(l.op.context());
    let number = IntegerAttribute::new(Type::index(context), number).into();
    let op = OperationBuilder::new("arith.constant", l.values.location())
        .add_attributes(&[(Identifier::new(context, "value"), number)])
        .add_results(&[Type::index(context)])
        .build()?;
    l.values.value(Ok(op))
}

fn insert<'c, 'a>(
    l: &Lowering<'_, 'c, 'a>,
    name: &str,
    operands: &[Value<'c, 'a>],
    ty: Type<'c>,
) -> Result<Value<'c, 'a>, Failure> {
    let op =
        OperationBuilder::new(name, l.values.location()).add_operands(operands).add_results(&[ty]).build()?;
    l.values.value(Ok(op))
}
