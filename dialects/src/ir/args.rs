//! The operands and attributes of an operation that exists or is about to: what a rule is asked with.

use super::{
    attributes as convert,
    dtype::{Dtype, ElementType},
    operations::constant,
    registry::{Arity, OpImpl},
    types::{Inferred, SizedType as TensorType},
    view,
};
use melior::{
    ContextRef,
    ir::{Attribute, Value, ValueLike},
};
use std::ops::Range;
use terrace_size::Size;

/// What is known of values beyond their types.
pub trait KnownValues<'c> {
    /// The type of a tensor, its sizes perhaps expressions.
    fn tensor(&self, value: Value<'c, '_>) -> Option<TensorType<'c>>;
    /// The number that an integer is.
    fn number(&self, value: Value<'c, '_>) -> Option<Size>;
}

/// Operands and attributes by their places and names in ODS.
pub struct Args<'c, 'a> {
    op: &'static OpImpl,
    context: ContextRef<'c>,
    operands: &'a [Value<'c, 'a>],
    attribute: &'a dyn Fn(&str) -> Option<Attribute<'c>>,
    /// Whether operands stand for what they are when the program runs.
    running: bool,
    annotations: Option<&'a dyn KnownValues<'c>>,
}

impl<'c, 'a> Args<'c, 'a> {
    /// Puts a question together.
    pub fn new(
        op: &'static OpImpl,
        context: ContextRef<'c>,
        operands: &'a [Value<'c, 'a>],
        attribute: &'a dyn Fn(&str) -> Option<Attribute<'c>>,
    ) -> Self {
        Self { op, context, operands, attribute, running: false, annotations: None }
    }

    /// The same question when the program runs: entries of lists that are operands are known then.
    pub fn running(self) -> Self {
        Self { running: true, ..self }
    }

    /// The same question where more is known of operands than their types.
    pub fn with(self, annotations: &'a dyn KnownValues<'c>) -> Self {
        Self { annotations: Some(annotations), ..self }
    }

    /// A question about another operation, with what this one knows.
    pub fn other<'b>(
        &self,
        op: &'static OpImpl,
        operands: &'b [Value<'c, 'b>],
        attribute: &'b dyn Fn(&str) -> Option<Attribute<'c>>,
    ) -> Args<'c, 'b>
    where
        'a: 'b,
    {
        Args {
            op,
            context: self.context,
            operands,
            attribute,
            running: self.running,
            annotations: self.annotations,
        }
    }

    /// The class of the operation.
    pub fn class(&self) -> &'static OpImpl {
        self.op
    }

    /// The context as a reference, with which another question can be put.
    pub fn context_ref(&self) -> ContextRef<'c> {
        self.context
    }

    /// Whether the operation is of the graph dialect: its tensors are views of storages.
    pub fn is_graph(&self) -> bool {
        self.op.dialect == "graph"
    }

    /// The operator, without dialect and in-place underscore: `add` of `graph.add_`.
    pub fn operator(&self) -> &'static str {
        self.op.operator()
    }

    /// The number of operands in ODS.
    pub fn operand_count(&self) -> usize {
        self.op.operands.len()
    }

    /// All operands.
    pub fn all(&self) -> &'a [Value<'c, 'a>] {
        self.operands
    }

    /// Whether the second operand is the `src` of a scatter.
    pub fn operand_is_src(&self) -> bool {
        self.op.name.ends_with("_scatter")
    }

    /// The context.
    pub fn context(&self) -> &'c melior::Context {
        crate::ir::context::of(self.context)
    }

    fn range(&self, index: usize) -> Result<Range<usize>, String> {
        let sizes = if self.op.has_segments {
            let sizes = self.attribute("operandSegmentSizes").ok_or("misses operandSegmentSizes")?;
            Some(convert::i32s(sizes))
        } else {
            None
        };
        view::segment(self.op, self.operands.len(), sizes.as_deref(), index)
    }

    /// The values of operand `index` of ODS.
    pub fn variadic(&self, index: usize) -> Result<&'a [Value<'c, 'a>], String> {
        let range = self.range(index)?;
        self.operands.get(range).ok_or_else(|| format!("misses operand {index}"))
    }

    /// The value of operand `index`, if it is there.
    pub fn optional(&self, index: usize) -> Result<Option<Value<'c, 'a>>, String> {
        Ok(self.variadic(index)?.first().copied())
    }

    /// The value of operand `index`.
    pub fn operand(&self, index: usize) -> Result<Value<'c, 'a>, String> {
        assert!(self.op.operands.get(index) != Some(&Arity::Variadic));
        self.optional(index)?.ok_or_else(|| format!("misses operand {index}"))
    }

    /// The tensor type of an operand; None where it is no tensor.
    pub fn tensor_of(&self, value: Value<'c, 'a>) -> Option<TensorType<'c>> {
        let known = self.annotations.and_then(|annotations| annotations.tensor(value));
        known.or_else(|| TensorType::of_type(value.r#type()))
    }

    /// The tensor type of operand `index`.
    pub fn tensor(&self, index: usize) -> Result<TensorType<'c>, String> {
        let value = self.operand(index)?;
        let ty = value.r#type();
        self.tensor_of(value).ok_or_else(|| format!("operand {index} is no ranked tensor but {ty}"))
    }

    /// The tensor type of operand `index`, if it is there.
    pub fn optional_tensor(&self, index: usize) -> Result<Option<TensorType<'c>>, String> {
        Ok(if self.optional(index)?.is_some() { Some(self.tensor(index)?) } else { None })
    }

    /// The tensor types of operand `index`.
    pub fn tensors(&self, index: usize) -> Result<Vec<TensorType<'c>>, String> {
        self.variadic(index)?
            .iter()
            .map(|v| self.tensor_of(*v).ok_or_else(|| format!("operand {} is no ranked tensor", v.r#type())))
            .collect()
    }

    /// An attribute.
    pub fn attribute(&self, name: &str) -> Option<Attribute<'c>> {
        (self.attribute)(name)
    }

    fn required(&self, name: &str) -> Result<Attribute<'c>, String> {
        self.attribute(name).ok_or_else(|| format!("misses attribute '{name}'"))
    }

    /// An integer attribute.
    pub fn int(&self, name: &str) -> Result<i64, String> {
        self.required(name).map(convert::i64)
    }

    /// An integer attribute with a default.
    pub fn int_or(&self, name: &str, default: i64) -> i64 {
        self.attribute(name).map_or(default, convert::i64)
    }

    /// A list of integers; dynamic entries are [`terrace_size::DYNAMIC`].
    pub fn ints(&self, name: &str) -> Result<Vec<i64>, String> {
        self.required(name).map(convert::i64s)
    }

    /// A list of integers, if present.
    pub fn optional_ints(&self, name: &str) -> Option<Vec<i64>> {
        self.attribute(name).map(convert::i64s)
    }

    /// A list of integers whose dynamic entries are the operands at `index`: as many as there are.
    pub fn dynamic_ints(&self, name: &str, index: usize) -> Result<Vec<Size>, String> {
        let mut sizes: Vec<Size> = self.ints(name)?.into_iter().map(Size::from).collect();
        let dynamic = sizes.iter_mut().filter(|size| size.is_unknown());
        let (entries, given) = (dynamic.collect::<Vec<_>>(), self.variadic(index)?);
        if entries.len() != given.len() {
            let (dynamic, given) = (entries.len(), given.len());
            return Err(format!("'{name}' has {dynamic} dynamic entries but {given} operands for them"));
        }
        for (entry, value) in entries.into_iter().zip(given) {
            if let Some(number) = self.annotations.and_then(|annotations| annotations.number(*value)) {
                *entry = number;
            } else if self.running
                && let Some(number) = constant(*value)
            {
                *entry = Size::of_run(convert::i64(number));
            }
        }
        Ok(sizes)
    }

    /// One integer of a list of one, which may be unknown.
    pub fn dynamic_int(&self, name: &str, index: usize) -> Result<Size, String> {
        match self.dynamic_ints(name, index)?.as_slice() {
            [i] => Ok(*i),
            list => Err(format!("'{name}' is one number, got {}", list.len())),
        }
    }

    /// A number of the run, where it is known as a size.
    pub fn number(&self, value: Value<'c, '_>) -> Option<Size> {
        self.annotations
            .and_then(|annotations| annotations.number(value))
            .filter(|number| !number.is_unknown())
    }

    /// A list of sizes; dynamic entries are unknown.
    pub fn sizes(&self, name: &str) -> Result<Vec<Size>, String> {
        Ok(self.ints(name)?.into_iter().map(Size::from).collect())
    }

    /// A flag; false where absent.
    pub fn flag(&self, name: &str) -> bool {
        self.attribute(name).is_some_and(convert::bool)
    }

    /// The dtype that an attribute names.
    pub fn dtype(&self, name: &str) -> Result<Option<Dtype>, String> {
        self.attribute(name)
            .map(|a| {
                let ty = convert::ty(a);
                Dtype::of(ty).ok_or_else(|| format!("'{name}' is no dtype: {ty}"))
            })
            .transpose()
    }

    /// A tensor of the operation's own dialect.
    pub fn result(&self, shape: &[Size], dtype: Dtype) -> Inferred<'c> {
        TensorType { shape: shape.to_vec(), dtype, device: None, graph: self.is_graph() }.into()
    }
}
