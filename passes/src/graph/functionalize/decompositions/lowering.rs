//! One operation on its way into the functional dialect: what its row of the table works with.

use crate::graph::functionalize::{
    analysis::state::Analysis,
    program::{Number, constant},
    rewriting::{storages::Storages, values::Values},
};
use melior::ir::{OperationRef, Value, ValueLike};
use terrace_dialects::{
    internal,
    ir::{
        OperationLike,
        builder::Builder,
        dtype::Dtype,
        pass::Failure,
        registry::{self, OpImpl},
        types::{TensorType, is_graph_tensor},
        view,
    },
};
use terrace_size::Size;

/// The values of an operation's results.
pub(crate) type Lowered<'c, 'a> = Result<Vec<Value<'c, 'a>>, Failure>;

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
    pub(crate) fn operand(&self, place: usize) -> Value<'c, 'a> {
        view::operand(self.op, self.op_impl, place)
    }

    /// The elements of a graph tensor; any other value as it is.
    pub fn read(&mut self, value: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        if !is_graph_tensor(value.r#type()) {
            return Ok(value);
        }
        let choice = self.analysis.choice(value).ok_or(internal!("a tensor has no storage"))?;
        let mut values = vec![];
        for identity in &choice.states {
            let tensor = &self.analysis.identities[*identity].0;
            values.push(self.elements(tensor.origin, &tensor.layout, tensor.transform)?);
        }
        self.values.choose_by(self.analysis, &choice.by, &values)
    }

    /// A tensor or a number as a tensor of a dtype and a shape.
    pub(crate) fn tensor(
        &mut self,
        value: Value<'c, 'a>,
        dtype: Dtype,
        sizes: &[Size],
    ) -> Result<Value<'c, 'a>, Failure> {
        if !is_graph_tensor(value.r#type()) {
            return self.values.full(value, dtype, sizes);
        }
        let value = self.read(value)?;
        let value = self.values.cast(value, dtype)?;
        self.values.expand(value, sizes)
    }

    /// Shape and dtype of the result.
    pub(crate) fn result(&self) -> Result<(Vec<Size>, Dtype), Failure> {
        let result: Value = self.op.result_at(0)?.into();
        let ty = TensorType::of(result.r#type()).ok_or(internal!("the result is no tensor"))?;
        let sizes = self.analysis.sizes(result).ok_or(internal!("a result has no storage"))?;
        Ok((sizes, ty.dtype))
    }

    /// The results of `functional.NAME` with attributes of the operation, but for those named.
    pub(crate) fn build(
        &mut self,
        name: &str,
        operands: &[Vec<Value<'c, 'a>>],
        without: &[&str],
    ) -> Lowered<'c, 'a> {
        let op_impl = registry::by_name(&format!("functional.{name}"))
            .ok_or_else(|| format!("there is no operation functional.{name}"))?;
        let mut builder = Builder::new(op_impl, self.values.location());
        for values in operands {
            let values: Vec<_> =
                values.iter().map(|value| self.values.typed(*value)).collect::<Result<_, _>>()?;
            builder.operands(&values);
        }
        for (key, value) in self.op.attributes() {
            let key = key.as_string_ref().as_str().unwrap_or_default().to_string();
            if key != "operandSegmentSizes" && !without.contains(&key.as_str()) {
                builder.any(&key, value);
            }
        }
        self.values.values(builder.infer())
    }

    /// The operation's name without dialect and trailing underscore.
    pub(crate) fn base_name(&self) -> &'static str {
        self.op_impl.operator()
    }
}

/// Whether a number is a constant of this value.
pub(crate) fn is_constant(number: Value, value: f64) -> bool {
    match constant(number) {
        Some(Number::Float(f)) => f == value,
        Some(Number::Int(i)) => i as f64 == value,
        None => false,
    }
}
