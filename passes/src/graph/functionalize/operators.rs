//! The functional form of every operator of the graph dialect: one row per type rule.
//!
//! A row says how the values are computed; [`terrace_dialects::aten::placement`] says which strides they have in eager. The in-place form of an operator
//! is computed by the same row and then cast to the tensor's dtype. Here promotion, broadcasting and numbers become
//! explicit: casts, expansions, tensors filled with a number.

use super::{Number, analysis::Analysis, storages::Storages, values::Values};
use crate::graph::resolve_views;
use melior::ir::{OperationRef, Value, ValueLike};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;
use terrace_dialects::{
    internal,
    ir::{
        OperationLike, attributes as convert,
        builder::Builder,
        dtype::Dtype,
        operations::{collect, name_of},
        pass::Failure,
        registry::{self, OpImpl},
        types::{TensorType, is_graph_tensor},
        view,
    },
};
use terrace_size::Size;

/// The values of an operation's results.
pub(super) type Lowered<'c, 'a> = Result<Vec<Value<'c, 'a>>, Failure>;

/// A row of the table.
pub struct Operator {
    /// The name of its type rule, without `_in_place`.
    pub rule: &'static str,
    /// The values of its results.
    pub lower: for<'l, 'c, 'a> fn(&mut Lowering<'l, 'c, 'a>) -> Lowered<'c, 'a>,
}

/// The row of an operation.
pub fn find(op_impl: &OpImpl) -> Option<&'static Operator> {
    let rule = op_impl.rule.strip_suffix("_in_place").unwrap_or(op_impl.rule);
    static BY_RULE: LazyLock<FxHashMap<&str, &Operator>> =
        LazyLock::new(|| super::table::OPERATORS.iter().map(|row| (row.rule, row)).collect());
    BY_RULE.get(rule).copied()
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
        let choice = self.analysis.choice(value).ok_or(internal!("a tensor has no storage"))?;
        let mut values = vec![];
        for identity in &choice.states {
            let tensor = &self.analysis.identities[*identity].0;
            values.push(self.elements(tensor.origin, &tensor.layout, tensor.seen)?);
        }
        self.values.choose_by(self.analysis, &choice.by, &values)
    }

    /// A tensor or a number as a tensor of a dtype and a shape.
    pub(super) fn tensor(
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
    pub(super) fn result(&self) -> Result<(Vec<Size>, Dtype), Failure> {
        let result: Value = self.op.result_at(0)?.into();
        let ty = TensorType::of(result.r#type()).ok_or(internal!("the result is no tensor"))?;
        let sizes = self.analysis.sizes(result).ok_or(internal!("a result has no storage"))?;
        Ok((sizes, ty.dtype))
    }

    /// The results of `functional.NAME` with attributes of the operation, but for those named.
    pub(super) fn build(
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
    let value = (operator.lower)(l)?.pop().ok_or(internal!("an operator has no result"))?;
    l.values.cast(value, dtype)
}

/// An operation that copies as a value does, and may be its operand, or a copy that lies as its operand does, gaps and offset included: by
/// what is known of that `graph-resolve-views` says which.
pub fn unresolved<'c, 'a>(function: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let is_open = |op: OperationRef| {
        let Some(class) = registry::of(op).filter(|class| class.dialect == "graph") else { return false };
        let copies = || view::attribute(op, "copy").is_some_and(convert::bool);
        let changes =
            || op.operand(0).ok().map(|own| own.r#type()) != op.result_at(0).ok().map(|new| new.r#type());
        class.name == COPY
            || matches!(class.rule, "same" | "to")
                && resolve_views::of_class(class).is_some()
                && (class.rule == "same" || !copies() && !changes())
    };
    collect(function, is_open).first().copied()
}

/// A copy of a tensor with all that its storage has in between.
const COPY: &str = "graph.copy";

/// What [`unresolved`] is refused for.
pub fn is_unresolved(op: OperationRef) -> &'static str {
    if name_of(op) == COPY {
        "lies in its storage by the strides and the offset of its operand"
    } else {
        "is a view or a copy by the strides of its operand"
    }
}

#[cfg(test)]
mod tests {
    use super::find;
    use terrace_dialects::ir::registry;

    /// What has no row: boundaries, checks, the generator and custom operators.
    const OTHERS: &[&str] = &[
        "graph.assert_distinct",
        "graph.assert_storage",
        "graph.check_disjoint",
        "graph.check_distinct",
        "graph.check_same",
        "graph.check_same_storage",
        "graph.check_storage",
        "graph.custom",
        "graph.fresh",
        "graph.generator_state",
        "graph.guard",
        "graph.resize_storage",
        "graph.set_generator_state",
        "graph.skip_draws",
        "graph.value",
        "graph.write_back",
    ];

    #[test]
    fn every_operator_has_a_form() {
        terrace_dialects::init();
        let without = registry::all().filter(|class| class.dialect == "graph" && !class.view);
        let without = without
            .filter(|class| find(class).is_none() && crate::graph::resolve_views::of_class(class).is_none());
        let names: Vec<&str> = without.map(|class| class.name).collect();
        assert_eq!(names, OTHERS);
    }
}
