//! An operation that is being resolved: its operands, what is known of them, and operations in its place.

use crate::{
    functional::writer::Writer,
    graph::functionalize::{
        UNKNOWN,
        analysis::{dynamic_views::AT_AN_INDEX, state::Analysis, transform::ElementTransform},
        splits,
    },
};
use melior::ir::{
    BlockRef, Identifier, Location, Operation, OperationRef, Type, Value, ValueLike,
    attribute::FloatAttribute, operation::OperationBuilder,
};
use terrace_dialects::{
    analysis::known::Known,
    internal,
    ir::{
        BlockLike, OperationLike, attributes as convert,
        builder::{BuildError, Builder},
        cursor::Cursor,
        pass::Failure,
        refusal::Reason,
        registry::{self, OpImpl},
        types::TensorType,
        view,
    },
    ops::graph,
};
use terrace_layout::{Layout, creation::suggested_format};
use terrace_size::{DYNAMIC, Number, Size, symbols::Predicate};

/// The values that replace an operation's results.
pub type Resolved<'c, 'a> = Result<Vec<Value<'c, 'a>>, Failure>;

/// A value, or why there is none.
pub type ResolvedValue<'c, 'a> = Result<Value<'c, 'a>, Failure>;

/// An operation on its way into views and copies.
pub struct Resolver<'l, 'c, 'a> {
    analysis: &'l mut Analysis<'c, 'a>,
    block: BlockRef<'c, 'a>,
    /// How operands see elements whose strides are not known.
    transform: Vec<(Value<'c, 'a>, ElementTransform)>,
    /// What is known of values that were written.
    known: Known<'a>,
    /// What is in its place so far.
    inserted: Vec<OperationRef<'c, 'a>>,
    /// The operation.
    pub op: OperationRef<'c, 'a>,
    /// Its class.
    pub class: &'static OpImpl,
}

impl<'l, 'c, 'a> Resolver<'l, 'c, 'a> {
    /// The operation with what is known where it stands.
    pub fn new(
        analysis: &'l mut Analysis<'c, 'a>,
        op: OperationRef<'c, 'a>,
        transform: Vec<(Value<'c, 'a>, ElementTransform)>,
        known: Known<'a>,
    ) -> Result<Self, Failure> {
        let block = op.block().ok_or(internal!("is in no block"))?;
        let class = registry::of(op).ok_or(internal!("is not known"))?;
        Ok(Self { analysis, block, transform, known, inserted: vec![], op, class })
    }

    /// Its location, which is that of all that it becomes.
    pub fn location(&self) -> Location<'c> {
        self.op.location()
    }

    /// The operand of this place in ODS.
    pub fn operand(&self, place: usize) -> Value<'c, 'a> {
        view::operand(self.op, self.class, place)
    }

    /// The operands of this place in ODS.
    pub fn operands(&self, place: usize) -> Vec<Value<'c, 'a>> {
        view::variadic(self.op, self.class, place)
    }

    /// The type of a result.
    pub fn result(&self, index: usize) -> Result<TensorType<'c>, Failure> {
        tensor(self.op.result_at(index)?.r#type())
    }

    /// The sizes of a result, as far as they are known.
    pub fn result_sizes(&mut self, index: usize) -> Result<Vec<Size>, Failure> {
        let said: Vec<Size> = self.result(index)?.shape.into_iter().map(Size::from).collect();
        if !said.iter().any(|size| size.is_unknown()) || !self.analysis.knows_symbols() {
            return Ok(said);
        }
        let ty = self.analysis.result_types(self.op, self.class)?.into_iter().nth(index).flatten();
        Ok(ty.ok_or(internal!("has no such result"))?.shape)
    }

    /// The sizes of a tensor, as far as they are known.
    pub fn sizes(&self, value: Value<'c, 'a>) -> Result<Vec<Size>, Failure> {
        match self.analysis.tensor(value) {
            Some(known) => Ok(known.layout.sizes.clone()),
            None => Ok(tensor(value.r#type())?.shape.into_iter().map(Size::from).collect()),
        }
    }

    /// Whether a tensor has no elements.
    pub fn is_empty(&self, value: Value<'c, 'a>) -> Result<bool, Failure> {
        let sizes = self.sizes(value)?;
        if sizes.iter().any(|size| size.known() == Some(0)) {
            return Ok(true);
        }
        if sizes.iter().any(|size| size.is_unknown()) {
            return Err(Reason::Size
                .says("is its operand where that has no elements: sizes must be static here")
                .into());
        }
        Ok(sizes.iter().any(|size| size.assume_eq(0)))
    }

    /// The layout of a tensor, where its strides decide what an operation is.
    pub fn layout(&self, value: Value<'c, 'a>) -> Result<Layout<Size>, Failure> {
        let layout = self.analysis.in_memory(value).cloned();
        Ok(layout.ok_or_else(|| {
            Reason::Layout.says(format!("is a view or a copy by the strides of its operand, {UNKNOWN}"))
        })?)
    }

    /// The layout of a tensor in numbers, of which the offset may say nothing (see [`Analysis::in_memory`]).
    pub fn strided(&self, value: Value<'c, 'a>) -> Result<Layout, Failure> {
        Ok(self
            .layout(value)?
            .simplified()
            .numbers()
            .ok_or_else(|| Reason::Size.says("sizes must be static here"))?)
    }

    /// Where a tensor lies in its storage, in numbers.
    pub fn numbers(&self, value: Value<'c, 'a>) -> Result<Layout, Failure> {
        let layout = self.strided(value)?;
        if self.analysis.placed(value).is_none() {
            return Err(Reason::RunTime.says(AT_AN_INDEX).into());
        }
        Ok(layout)
    }

    /// Sizes as operators take them: the values of those that are no numbers, and all.
    pub fn listed(&mut self, sizes: &[Size]) -> Result<(Vec<Value<'c, 'a>>, Vec<i64>), Failure> {
        let w = Writer::before(self.op).knowing(self.known);
        let (mut values, mut numbers) = (vec![], vec![]);
        for size in sizes {
            numbers.push(size.simplified().in_type());
            if size.simplified().known().is_none() {
                if size.is_unknown() || !self.analysis.knows_symbols() {
                    return Err(Reason::Size.says("sizes must be static here").into());
                }
                let value = w.size(*size)?;
                self.analysis.is_number(value, *size);
                values.push(value);
            }
        }
        Ok((values, numbers))
    }

    /// What is in its place so far, when the operation stays as it is: to be erased once nothing is asked of
    /// values any more.
    pub fn given_up(self) -> Vec<OperationRef<'c, 'a>> {
        self.inserted
    }

    /// How a tensor sees the elements of its storage, where that is known.
    pub fn transform(&self, value: Value) -> Option<ElementTransform> {
        let known = self.analysis.tensor(value).map(|tensor| tensor.transform);
        known
            .or_else(|| self.transform.iter().find(|(own, _)| *own == value).map(|(_, transform)| *transform))
    }

    /// How many elements of its dtype a tensor's storage is known to have.
    pub fn capacity(&self, value: Value<'c, 'a>) -> Result<i64, Failure> {
        let reach = self.numbers(value)?.needed();
        let Some(tensor) = self.analysis.tensor(value) else { return Ok(reach) };
        let bytes = tensor.transform.dtype.bytes() as i64;
        let capacity = self.analysis.available(tensor.origin) / bytes;
        let capacity = capacity
            .known()
            .ok_or_else(|| Reason::Size.says("is in a storage of a size that is not known"))?;
        Ok(if self.analysis.is_resized(tensor.origin) { capacity } else { capacity.max(reach) })
    }

    /// Puts an operation in place.
    pub fn insert(&mut self, op: Result<Operation<'c>, BuildError>) -> Result<OperationRef<'c, 'a>, Failure> {
        let op = self.block.insert_operation_before(self.op, op?);
        self.inserted.push(op);
        self.analysis.visit_new(op, self.known);
        Ok(op)
    }

    /// Puts an operation of one result in place.
    pub fn value(&mut self, op: Result<Operation<'c>, BuildError>) -> ResolvedValue<'c, 'a> {
        Ok(self.insert(op)?.result_at(0)?.into())
    }

    /// `graph.NAME` of the same operands and attributes, which takes them all.
    pub fn renamed(&mut self, name: &str) -> Result<OperationRef<'c, 'a>, Failure> {
        let operands: Vec<_> = (0..self.class.operands.len()).map(|place| self.operands(place)).collect();
        self.with_attributes(name, &operands)
    }

    /// `graph.NAME` of the same attributes, which takes them all, and of other operands, by their places in
    /// ODS.
    pub fn with_attributes(
        &mut self,
        name: &str,
        operands: &[Vec<Value<'c, 'a>>],
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        let class = registry::by_name(&format!("graph.{name}"))
            .ok_or_else(|| format!("there is no operation graph.{name}"))?;
        let mut builder = Builder::new(class, self.location());
        for values in operands {
            builder.operands(values);
        }
        for (key, value) in self.op.attributes() {
            let key = key.as_string_ref().as_str().unwrap_or_default().to_string();
            if key != "operandSegmentSizes" {
                builder.any(&key, value);
            }
        }
        self.insert(builder.infer())
    }

    /// [`Self::renamed`], for its results.
    pub fn as_view(&mut self, name: &str) -> Resolved<'c, 'a> {
        Ok(self.renamed(name)?.results().map(Value::from).collect())
    }

    /// A copy in a memory format.
    pub fn clone(&mut self, value: Value<'c, 'a>, format: &str) -> ResolvedValue<'c, 'a> {
        self.value(graph::clone(self.location(), value, Some(format)))
    }

    /// A row-major tensor of the same elements: the tensor itself where it is known to be one.
    pub fn packed(&mut self, value: Value<'c, 'a>) -> ResolvedValue<'c, 'a> {
        match self.analysis.in_memory(value) {
            Some(layout) if layout.is_contiguous() => Ok(value),
            _ => self.clone(value, "contiguous_format"),
        }
    }

    /// The memory format that a tensor's strides suggest.
    pub fn suggested(&self, value: Value<'c, 'a>) -> Result<&'static str, Failure> {
        // Only images and volumes have another one.
        let images = matches!(tensor(value.r#type())?.rank(), 4 | 5);
        if images { Ok(suggested_format(&self.layout(value)?)) } else { Ok("contiguous_format") }
    }

    /// A constant number, f64.
    pub fn number(&mut self, value: f64) -> ResolvedValue<'c, 'a> {
        let context = terrace_dialects::ir::context::of(self.op.context());
        let ty = Type::float64(context);
        let value = FloatAttribute::new(context, ty, value).into();
        let constant = OperationBuilder::new("arith.constant", self.location())
            .add_attributes(&[(Identifier::new(context, "value"), value)])
            .add_results(&[ty])
            .build()?;
        let constant = self.block.insert_operation_before(self.op, constant);
        self.inserted.push(constant);
        Ok(constant.result_at(0)?.into())
    }

    /// Has it checked that there is anything along a dimension, which was taken for granted of a size of the
    /// run.
    pub fn check_any(&mut self, size: Size, message: &str) -> Result<(), Failure> {
        if size.simplified().known().is_some() {
            return Ok(());
        }
        let [size] = self.listed(&[size])?.0[..] else { return Ok(()) };
        let at = Cursor::before(self.op)?;
        let any = at.compare(Predicate::Greater, size, at.integer(size.r#type(), 0)?)?;
        self.check(any, message)
    }

    /// Has it checked, when the program runs, that something holds.
    pub fn check(&mut self, holds: Value<'c, 'a>, message: &str) -> Result<(), Failure> {
        self.inserted.push(Cursor::before(self.op)?.of(self.location()).assert(holds, message)?);
        Ok(())
    }

    /// A list of integers among the attributes; empty where it is absent.
    pub fn ints(&self, name: &str) -> Vec<i64> {
        view::attribute(self.op, name).map(convert::i64s).unwrap_or_default()
    }

    /// An integer among the attributes.
    pub fn int(&self, name: &str) -> Option<i64> {
        view::attribute(self.op, name).map(convert::i64)
    }

    /// A view of a shape, which strides allow.
    pub fn view(&mut self, value: Value<'c, 'a>, shape: &[Size]) -> ResolvedValue<'c, 'a> {
        let (dynamic, shape) = self.listed(shape)?;
        self.value(graph::view(self.location(), value, &dynamic, &shape))
    }

    /// A tensor in another shape of as many elements: a view where strides allow, else of a copy.
    pub fn reshape(&mut self, value: Value<'c, 'a>, shape: &[Size]) -> ResolvedValue<'c, 'a> {
        let own = self.sizes(value)?;
        let open = |sizes: &[Size]| sizes.iter().any(|size| size.is_unknown());
        if open(&own) || open(shape) {
            return Err(Reason::Size.says("is a view or a copy by strides, and sizes that are known at run time only do not tell: sizes must be static here").into());
        }
        let is_view = own.iter().any(|size| size.known() == Some(0))
            || match self.layout(value) {
                Ok(layout) => layout.view(shape).is_some(),
                // Whatever the strides are.
                Err(_) if splits(&own, shape) => true,
                Err(unknown) => return Err(unknown),
            };
        if is_view {
            return self.view(value, shape);
        }
        let copy = self.clone(value, "contiguous_format")?;
        self.view(copy, shape)
    }

    /// A tensor expanded to a shape.
    pub fn expand(&mut self, value: Value<'c, 'a>, shape: &[Size]) -> ResolvedValue<'c, 'a> {
        let (dynamic, shape) = self.listed(shape)?;
        self.value(graph::expand(self.location(), value, &dynamic, &shape))
    }

    /// A tensor as one of a type that says less of its sizes: a view of all of it.
    pub fn of_type(&mut self, value: Value<'c, 'a>, ty: &TensorType<'c>) -> ResolvedValue<'c, 'a> {
        let (w, mut values) = (Writer::before(self.op).knowing(self.known), vec![]);
        for (size, said) in self.sizes(value)?.into_iter().zip(&ty.shape) {
            if *said == DYNAMIC {
                let number = w.size(size)?;
                self.analysis.is_number(number, size);
                values.push(number);
            }
        }
        self.value(graph::expand(self.location(), value, &values, &ty.shape))
    }

    /// Tensors behind each other along a dimension.
    pub fn cat(&mut self, tensors: &[Value<'c, 'a>], dim: usize) -> ResolvedValue<'c, 'a> {
        self.value(graph::cat(self.location(), tensors, Some(dim as i64)))
    }

    /// Indices of a dimension, from `start` to without `end`.
    pub fn slice(
        &mut self,
        value: Value<'c, 'a>,
        dim: usize,
        start: impl Into<Size>,
        end: impl Into<Size>,
    ) -> ResolvedValue<'c, 'a> {
        let (start, end) = (self.listed(&[start.into()])?, self.listed(&[end.into()])?);
        let (at, dim) = (self.location(), Some(dim as i64));
        self.value(graph::slice(at, value, dim, &start.0, &start.1, &end.0, &end.1, &[], &[1]))
    }
}

/// The type of a tensor.
pub fn tensor<'c>(ty: Type<'c>) -> Result<TensorType<'c>, Failure> {
    Ok(TensorType::of(ty).ok_or_else(|| format!("expects a tensor, got {ty}"))?)
}
