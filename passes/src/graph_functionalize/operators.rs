//! The functional form of every operator of the graph dialect: one row per type rule.
//!
//! A row says which strides eager gives to the result and how the values are computed. The in-place form of an operator
//! is computed by the same row and then cast to the tensor's dtype. Here promotion, broadcasting and numbers become
//! explicit: casts, expansions, tensors filled with a number.

use super::{Number, analysis::Analysis, layouts::Asked, storages::Storages, values::Values};
use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike};
use terrace_dialects::{
    attributes as convert,
    builder::Builder,
    dtype::{Category, Dtype, Operand, promote},
    pass::Failure,
    registry::{self, OpImpl},
    strided::Layout,
    types::{TensorType, is_graph_tensor},
    view,
};

/// The strides of an operator's result.
#[derive(Clone, Copy)]
pub enum Strides {
    /// Those of a pointwise iteration over the operands that [`iterated`] gives.
    Pointwise,
    /// Those of the first operand, or as near as a dense tensor comes.
    Like,
    /// Row-major.
    Contiguous,
    /// Those of its memory format.
    Given,
    /// Those of `cat`.
    Cat,
    /// Those of `index`.
    Index,
    /// Those of `convolution`.
    Convolution,
    /// Channels last where the first operand suggests it, else row-major.
    Suggested,
    /// What the function says.
    Own(fn(&Asked) -> Result<Layout, String>),
    /// Those of the first operand, of which the whole storage is copied.
    Whole,
}

impl PartialEq for Strides {
    fn eq(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

/// The values of an operation's results.
pub(super) type Lowered<'c, 'a> = Result<Vec<Value<'c, 'a>>, Failure>;

/// A row of the table.
pub struct Operator {
    /// The name of its type rule, without `_in_place`.
    pub rule: &'static str,
    /// The strides of its result.
    pub strides: Strides,
    /// The values of its results.
    pub lower: for<'l, 'c, 'a> fn(&mut Lowering<'l, 'c, 'a>) -> Lowered<'c, 'a>,
}

/// The memory format that an operation gives its result, where it does not preserve the operand's.
pub fn format(op: OperationRef) -> Option<String> {
    let format = view::attribute(op, "memory_format").map(terrace_dialects::attributes::string);
    format.filter(|format| format != "preserve_format")
}

/// The row of an operation.
pub fn find(op_impl: &OpImpl) -> Option<&'static Operator> {
    let rule = op_impl.rule.strip_suffix("_in_place").unwrap_or(op_impl.rule);
    super::table::OPERATORS.iter().find(|o| o.rule == rule)
}

/// The places of operands that an operation writes besides making its results: running statistics, in training.
pub fn written_operands(op: OperationRef, op_impl: &OpImpl) -> Vec<usize> {
    let flag = match op_impl.rule {
        "batch_norm" => "training",
        "instance_norm" => "use_input_stats",
        _ => return vec![],
    };
    let places = [3, 4].into_iter().filter(|place| view::optional(op, op_impl, *place).is_some());
    if op.attribute(flag).is_ok_and(convert::bool) { places.collect() } else { vec![] }
}

/// The dtype that a pointwise operator of two operands or one computes in.
pub(super) fn computed(op: OperationRef, op_impl: &OpImpl, operands: &[Value]) -> Dtype {
    let promoted = promote(&operands.iter().map(promoted_as).collect::<Vec<_>>());
    let rule = op_impl.rule.strip_suffix("_in_place").unwrap_or(op_impl.rule);
    let floats = match rule {
        "division" => op.attribute("rounding_mode").is_err(),
        rule => rule == "float_arithmetic" || op_impl.name == "graph.angle",
    };
    match promoted {
        Dtype::Bool if rule == "square" => Dtype::I64,
        promoted if floats && !promoted.is_inexact() => Dtype::F32,
        promoted => promoted,
    }
}

pub(super) fn promoted_as(value: &Value) -> Operand {
    match TensorType::of(value.r#type()) {
        Some(t) if t.rank() == 0 => Operand::ZeroDim(t.dtype),
        Some(t) => Operand::Dimensioned(t.dtype),
        None => Operand::Number(Dtype::of(value.r#type()).map_or(Category::Float, Dtype::category)),
    }
}

/// The operands that a pointwise operator iterates over; the others are parameters.
pub(super) fn factors<'c, 'a>(op: OperationRef<'c, 'a>, op_impl: &OpImpl) -> Vec<Value<'c, 'a>> {
    let rule = op_impl.rule.strip_suffix("_in_place").unwrap_or(op_impl.rule);
    let most = match rule {
        "activation" | "threshold" | "celu" | "softshrink" => 1,
        "addcmul" | "addcdiv" | "clamp" | "lerp" => 3,
        // The operand of this gradient comes last.
        "activation_backward" if op_impl.operands.len() > 4 => {
            return [0, 4].map(|place| view::operand(op, op_impl, place)).to_vec();
        }
        _ => 2,
    };
    (0..op_impl.operands.len().min(most)).filter_map(|i| view::optional(op, op_impl, i)).collect()
}

/// The operands of a pointwise iteration, each with the dtype that it is cast to first.
pub fn iterated<'c, 'a>(op: OperationRef<'c, 'a>, op_impl: &OpImpl) -> Vec<(Value<'c, 'a>, Option<Dtype>)> {
    if op_impl.rule == "where_" {
        let operands: Vec<Value> = op.operands().collect();
        let dtype = computed(op, op_impl, &operands[1..]);
        return operands.into_iter().enumerate().map(|(i, v)| (v, (i > 0).then_some(dtype))).collect();
    }
    let mut operands = factors(op, op_impl);
    if matches!(op_impl.name, "graph.rsub" | "graph.threshold_backward" | "graph.leaky_relu_backward") {
        // The one is the difference of other and self; the other iterates over its operand first.
        operands.reverse();
    }
    let dtype = computed(op, op_impl, &operands);
    // A power to a number is an operator of one tensor; bounds and weights that are numbers are no operands either.
    let counts = |v: &Value| {
        let alone = matches!(op_impl.name, "graph.pow" | "graph.float_power")
            || matches!(op_impl.rule, "clamp" | "lerp");
        !alone || is_graph_tensor(v.r#type())
    };
    operands.into_iter().filter(counts).map(|v| (v, Some(dtype))).collect()
}

/// An operation on its way into the functional dialect.
pub struct Lowering<'l, 'c, 'a> {
    /// The storages' values, and where operations go.
    pub values: &'l mut Values<'c, 'a>,
    /// What the tensors are.
    pub analysis: &'l Analysis<'c, 'a>,
    /// Where they are.
    pub storages: &'l Storages,
    /// The operation.
    pub op: OperationRef<'c, 'a>,
    /// Its class.
    pub op_impl: &'static OpImpl,
}

impl<'c, 'a> Lowering<'_, 'c, 'a> {
    pub(super) fn operand(&self, place: usize) -> Value<'c, 'a> {
        view::operand(self.op, self.op_impl, place)
    }

    /// The elements of a graph tensor; any other value as it is.
    pub fn read(&mut self, value: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        if !is_graph_tensor(value.r#type()) {
            return Ok(value);
        }
        let tensor = self.analysis.tensor(value).ok_or("a tensor has no storage")?;
        let storage = self.storages.of(tensor.origin);
        self.values.read_seen(storage, &tensor.layout, tensor.seen)
    }

    /// A tensor or a number as a tensor of a dtype and a shape.
    pub(super) fn tensor(
        &mut self,
        value: Value<'c, 'a>,
        dtype: Dtype,
        sizes: &[i64],
    ) -> Result<Value<'c, 'a>, Failure> {
        if !is_graph_tensor(value.r#type()) {
            return self.values.full(value, dtype, sizes);
        }
        let value = self.read(value)?;
        let value = self.values.cast(value, dtype)?;
        self.values.expand(value, sizes)
    }

    /// Shape and dtype of the result.
    pub(super) fn result(&self) -> Result<(Vec<i64>, Dtype), Failure> {
        let ty = TensorType::of(self.op.result(0)?.r#type()).ok_or("the result is no tensor")?;
        Ok((ty.shape, ty.dtype))
    }

    /// `functional.NAME` with attributes of the operation, but for those named.
    pub(super) fn build(
        &mut self,
        name: &str,
        operands: &[Vec<Value<'c, 'a>>],
        without: &[&str],
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        let op_impl = registry::by_name(&format!("functional.{name}"))
            .ok_or_else(|| format!("there is no operation functional.{name}"))?;
        let mut builder = Builder::new(op_impl, self.values.location());
        for values in operands {
            builder.operands(values);
        }
        for (key, value) in self.op.attributes() {
            let key = key.as_string_ref().as_str().unwrap_or_default().to_string();
            if key != "operandSegmentSizes" && !without.contains(&key.as_str()) {
                builder.any(&key, value);
            }
        }
        self.values.insert(builder.infer())
    }

    /// The operation's name without dialect and trailing underscore.
    pub(super) fn base_name(&self) -> &'static str {
        self.op_impl.operator()
    }
}

/// Whether a number is a constant of this value.
pub(super) fn is_constant(number: Value, value: f64) -> bool {
    match super::constant(number) {
        Some(Number::Float(f)) => f == value,
        Some(Number::Int(i)) => i as f64 == value,
        None => false,
    }
}

/// The elements of the first operand of an in-place operation, after it: cast to the operand's dtype.
pub fn updated<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>, operator: &Operator) -> Result<Value<'c, 'a>, Failure> {
    let (_, dtype) = l.result()?;
    let value = (operator.lower)(l)?.pop().ok_or("an operator has no result")?;
    l.values.cast(value, dtype)
}
