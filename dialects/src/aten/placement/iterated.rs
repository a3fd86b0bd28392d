//! The operands that a pointwise operator iterates over, and the dtype that it computes in.

use crate::ir::{
    OperationLike, attributes as convert,
    dtype::{Category, Dtype, ElementType, Operand, promote},
    registry::OpImpl,
    types::{TensorType, is_graph_tensor},
    view,
};
use melior::ir::{OperationRef, Value, ValueLike};

/// The memory format that an operation gives its result, where it does not preserve the operand's.
pub fn format(op: OperationRef) -> Option<String> {
    let format = view::attribute(op, "memory_format").map(convert::string);
    format.filter(|format| format != "preserve_format")
}

/// The dtype that a pointwise operator of two operands or one computes in.
pub fn computed(op: OperationRef, op_impl: &OpImpl, operands: &[Value]) -> Dtype {
    let promoted = promote(&operands.iter().map(promoted_as).collect::<Vec<_>>());
    let rule = op_impl.rule.strip_suffix("_in_place").unwrap_or(op_impl.rule);
    let floats = match rule {
        "division" => op.attribute("rounding_mode").is_err(),
        rule => rule == "float_arithmetic" || op_impl.name == "graph.angle",
    };
    match promoted {
        Dtype::Bool if rule == "square" => Dtype::I64,
        promoted if rule == "float_power" => {
            if promoted.is_complex() {
                Dtype::C128
            } else {
                Dtype::F64
            }
        }
        promoted if floats && !promoted.is_inexact() => Dtype::F32,
        promoted => promoted,
    }
}

/// What an operand is to type promotion.
pub fn promoted_as(value: &Value) -> Operand {
    match TensorType::of(value.r#type()) {
        Some(t) if t.rank() == 0 => Operand::ZeroDim(t.dtype),
        Some(t) => Operand::Dimensioned(t.dtype),
        None => Operand::Number(Dtype::of(value.r#type()).map_or(Category::Float, Dtype::category)),
    }
}

/// The operands of an operation by their places in ODS.
type Operands<'l, 'c, 'a> = &'l dyn Fn(usize) -> Option<Value<'c, 'a>>;

fn factors_among<'c, 'a>(op_impl: &OpImpl, operand: Operands<'_, 'c, 'a>) -> Vec<Value<'c, 'a>> {
    let rule = op_impl.rule.strip_suffix("_in_place").unwrap_or(op_impl.rule);
    let most = match rule {
        "activation" | "threshold" | "celu" | "softshrink" => 1,
        "addcmul" | "addcdiv" | "clamp" | "lerp" => 3,
        // The operand of this gradient comes last.
        "activation_backward" if op_impl.operands.len() > 4 => {
            return [0, 4].into_iter().filter_map(operand).collect();
        }
        _ => 2,
    };
    (0..op_impl.operands.len().min(most)).filter_map(operand).collect()
}

/// The operands that a pointwise operator iterates over; the others are parameters.
pub fn factors<'c, 'a>(op: OperationRef<'c, 'a>, op_impl: &OpImpl) -> Vec<Value<'c, 'a>> {
    factors_among(op_impl, &|place| view::optional(op, op_impl, place))
}

/// The operands of a pointwise iteration, each with the dtype that it is cast to first.
pub fn iterated<'c, 'a>(op: OperationRef<'c, 'a>, op_impl: &OpImpl) -> Vec<(Value<'c, 'a>, Option<Dtype>)> {
    iterated_among(op, op_impl, &|place| view::optional(op, op_impl, place))
}

/// [`iterated`] of an operator of a class on other operands, with the attributes of an operation.
pub fn iterated_among<'c, 'a>(
    op: OperationRef<'c, 'a>,
    op_impl: &OpImpl,
    operand: Operands<'_, 'c, 'a>,
) -> Vec<(Value<'c, 'a>, Option<Dtype>)> {
    if op_impl.rule == "where_" {
        let operands: Vec<Value> = (0..3).filter_map(operand).collect();
        let dtype = computed(op, op_impl, &operands[1..]);
        return operands.into_iter().enumerate().map(|(i, v)| (v, (i > 0).then_some(dtype))).collect();
    }
    let mut operands = factors_among(op_impl, operand);
    if matches!(op_impl.name, "graph.rsub" | "graph.threshold_backward" | "graph.leaky_relu_backward") {
        // The one is the difference of other and self; the other iterates over its operand first.
        operands.reverse();
    }
    let dtype = computed(op, op_impl, &operands);
    // A power to a number is an operator of one tensor; bounds and weights that are numbers are no operands
    // either.
    let counts = |v: &Value| {
        let alone = matches!(op_impl.name, "graph.pow" | "graph.float_power")
            || matches!(op_impl.rule, "clamp" | "lerp");
        !alone || is_graph_tensor(v.r#type())
    };
    operands.into_iter().filter(counts).map(|v| (v, Some(dtype))).collect()
}

/// Whether the result is row-major: of powers of a number, and of angles of complex numbers.
pub fn is_row_major(op: OperationRef, op_impl: &OpImpl) -> bool {
    let own = TensorType::<i64>::of(view::operand(op, op_impl, 0).r#type());
    match op_impl.name {
        "graph.pow" | "graph.float_power" => own.is_none(),
        "graph.angle" => own.is_some_and(|own| own.dtype.is_complex()),
        _ => false,
    }
}

/// Whether eager makes an empty tensor like the operand first: the result has its strides.
pub fn is_like(op_impl: &OpImpl, operand: Value) -> bool {
    match op_impl.operator() {
        "deg2rad" | "nan_to_num" | "rad2deg" => true,
        _ => {
            let own = TensorType::of(operand.r#type());
            op_impl.rule == "magnitude" && own.is_some_and(|own| own.dtype.is_complex())
        }
    }
}
