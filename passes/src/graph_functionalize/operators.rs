//! The functional form of every operator of the graph dialect: one row per type rule.
//!
//! A row says which strides eager gives to the result and how the values are computed. The in-place form of an operator
//! is computed by the same row and then cast to the tensor's dtype. Here promotion, broadcasting and numbers become
//! explicit: casts, expansions, tensors filled with a number.

use super::{
    Number,
    analysis::Analysis,
    clamping, convolutions, created, einsum,
    forms::{
        accumulate, arange, cat, choose, copy, copy_into, factory, fill, filled, pointwise, same_operands,
        softmax,
    },
    gradients, images,
    layouts::{self, Asked},
    norms, places, products, spelled, statistics,
    storages::Storages,
    values::Values,
};
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

macro_rules! operators {
    ($($rule:literal $strides:ident$(($layout:path))? $lower:path;)*) => {
        &[$(Operator { rule: $rule, strides: Strides::$strides$(($layout))?, lower: |l| $lower(l) }),*]
    };
}

static OPERATORS: &[Operator] = operators! {
    "arithmetic"        Pointwise  pointwise;
    "subtraction"       Pointwise  pointwise;
    "negation"          Pointwise  pointwise;
    "float_arithmetic"  Pointwise  pointwise;
    "division"          Pointwise  pointwise;
    "number"            Pointwise  pointwise;
    "floats"            Pointwise  pointwise;
    "square"            Pointwise  pointwise;
    "gelu"              Pointwise  pointwise;
    "bitwise"           Pointwise  pointwise;
    "predicate"         Pointwise  pointwise;
    "activation"        Pointwise  spelled::activation;
    "threshold"         Pointwise  spelled::threshold;
    "addcmul"           Pointwise  spelled::add_product;
    "addcdiv"           Pointwise  spelled::add_product;
    "masked_fill"       Contiguous spelled::masked_fill;
    "where_"            Pointwise  choose;
    "threshold_backward" Pointwise gradients::threshold;
    "activation_backward" Pointwise gradients::activation;
    "softmax_backward"  Contiguous gradients::softmax;
    "native_layer_norm_backward" Contiguous gradients::layer_norm;
    "convolution_backward" Contiguous same_operands;
    "nll_loss_forward"  Contiguous same_operands;
    "nll_loss_backward" Contiguous same_operands;
    "embedding_dense_backward" Contiguous same_operands;
    "same"              Like       copy;
    "clone"             Like       copy;
    "to"                Like       copy;
    "copy"              Like       copy_into;
    "fill"              Like       fill;
    "factory"           Contiguous factory;
    "like"              Like       filled;
    "empty"             Given      created::empty;
    "eye"               Contiguous created::eye;
    "linspace"          Contiguous created::linspace;
    "triangle_indices"  Contiguous created::triangle_indices;
    "triangle"          Contiguous created::triangle;
    "flip"              Like       same_operands;
    "scalar_tensor"     Contiguous filled;
    "arange"            Contiguous arange;
    "sum"               Contiguous accumulate;
    "mean"              Contiguous accumulate;
    "prod"              Contiguous accumulate;
    "cumulative"        Contiguous accumulate;
    "amax"              Contiguous same_operands;
    "amin"              Contiguous same_operands;
    "any"               Contiguous same_operands;
    "mm"                Contiguous same_operands;
    "bmm"               Contiguous same_operands;
    "addmm"             Contiguous products::added;
    "addmv"             Contiguous products::added;
    "baddbmm"           Contiguous products::added;
    "addbmm"            Contiguous products::added;
    "matmul"            Contiguous products::matmul;
    "mv"                Contiguous products::matmul;
    "dot"               Contiguous products::matmul;
    "vdot"              Contiguous products::matmul;
    "outer"             Own(layouts::outer) products::outer;
    "bilinear"          Own(layouts::bilinear) products::bilinear;
    "einsum"            Own(layouts::einsum) einsum::einsum;
    "conv"              Own(layouts::convolution) convolutions::convolution;
    "conv_padding"      Own(layouts::convolution) convolutions::convolution;
    "conv_transpose"    Own(layouts::convolution) convolutions::convolution;
    "attention"         Own(layouts::attention) same_operands;
    "flash_attention"   Own(layouts::flash_attention) same_operands;
    "batch_norm"        Suggested  norms::batch_norm;
    "instance_norm"     Contiguous norms::instance_norm;
    "native_group_norm" Suggested  same_operands;
    "group_norm"        Suggested  norms::group_norm;
    "rms_norm"          Suggested  same_operands;
    "linear"            Contiguous same_operands;
    "convolution"       Convolution same_operands;
    "softmax"           Contiguous softmax;
    "layer_norm"        Contiguous same_operands;
    "native_layer_norm" Contiguous same_operands;
    "max_pool2d_with_indices" Suggested same_operands;
    "max_pool2d_with_indices_backward" Suggested same_operands;
    "max_pool2d"        Suggested  images::max_pool2d;
    "max_pool1d"        Contiguous images::max_pool1d;
    "avg_pool2d"        Suggested  same_operands;
    "avg_pool1d"        Own(layouts::of_rows) images::avg_pool1d;
    "adaptive_avg_pool2d" Suggested images::adaptive_avg_pool;
    "adaptive_avg_pool1d" Own(layouts::of_rows) images::adaptive_avg_pool;
    "upsample"          Suggested  same_operands;
    "upsample_vec"      Suggested  images::upsample_vec;
    "pixel_shuffle"     Suggested  images::pixel_shuffle;
    "pixel_unshuffle"   Suggested  images::pixel_shuffle;
    "embedding"         Contiguous same_operands;
    "index"             Index      same_operands;
    "unsafe_index"      Index      places::unsafe_index;
    "gather"            Contiguous same_operands;
    "scatter"           Contiguous places::scatter;
    "scatter_reduce"    Contiguous places::scatter;
    "index_select"      Contiguous places::index_select;
    "index_copy"        Contiguous places::index_copy;
    "index_add"         Contiguous places::index_add;
    "index_fill"        Like       places::index_fill;
    "index_put"         Like       places::index_put;
    "masked_index_put_accumulate" Like places::masked_index_put_accumulate;
    "select_scatter"    Whole      places::view_scatter;
    "slice_scatter"     Whole      places::view_scatter;
    "diagonal_scatter"  Whole      places::view_scatter;
    "as_strided_scatter" Whole     places::view_scatter;
    "clamp"             Pointwise  clamping::clamp;
    "hardtanh"          Like       clamping::hardtanh;
    "lerp"              Pointwise  clamping::lerp;
    "arg_extreme"       Contiguous same_operands;
    "extreme_dim"       Contiguous same_operands;
    "extreme_all"       Contiguous statistics::extreme;
    "cumulative_extreme" Contiguous same_operands;
    "sort"              Like       same_operands;
    "argsort"           Like       statistics::argsort;
    "topk"              Contiguous same_operands;
    "count_nonzero"     Contiguous statistics::count_nonzero;
    "histc"             Contiguous same_operands;
    "bincount"          Contiguous same_operands;
    "variance"          Contiguous statistics::variance;
    "logsumexp"         Contiguous statistics::logsumexp;
    "vector_norm"       Contiguous statistics::vector_norm;
    "cat"               Cat        cat;
};

/// The memory format that an operation gives its result, where it does not preserve the operand's.
pub fn format(op: OperationRef) -> Option<String> {
    let format = view::attribute(op, "memory_format").map(terrace_dialects::attributes::string);
    format.filter(|format| format != "preserve_format")
}

/// The row of an operation.
pub fn find(op_impl: &OpImpl) -> Option<&'static Operator> {
    let rule = op_impl.rule.strip_suffix("_in_place").unwrap_or(op_impl.rule);
    OPERATORS.iter().find(|o| o.rule == rule)
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
        rule => rule == "float_arithmetic",
    };
    match promoted {
        Dtype::Bool if rule == "square" => Dtype::I64,
        promoted if floats && !promoted.is_float() => Dtype::F32,
        promoted => promoted,
    }
}

fn promoted_as(value: &Value) -> Operand {
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
        "activation" | "threshold" => 1,
        "addcmul" | "addcdiv" | "clamp" | "lerp" => 3,
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
    if matches!(op_impl.name, "graph.rsub" | "graph.threshold_backward") {
        // The one is the difference of other and self; the other iterates over its operand first.
        operands.reverse();
    }
    let dtype = computed(op, op_impl, &operands);
    // A power to a number is an operator of one tensor; bounds and weights that are numbers are no operands either.
    let counts = |v: &Value| {
        let alone = op_impl.name == "graph.pow" || matches!(op_impl.rule, "clamp" | "lerp");
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
        self.values.read(storage, &tensor.layout)
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
