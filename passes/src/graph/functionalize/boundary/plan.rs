//! The boundary `@f`: values out of storages, the call of the core, what was written back, the results as
//! tensors.
//!
//! Its operations are `graph.value`, the call, `graph.write_back`, `graph.fresh`, `graph.alias`, and
//! `graph.as_strided` for every view, with numbers that are absolute in the storage: first all reads, then
//! the call, then everything else. Where strides are not known it has the views as they were written (see
//! [`logical_views`](crate::graph::functionalize::analysis::frames)).

use super::{
    super::rewriting::{generator, place::as_strided},
    guards,
};
use crate::{
    functional::writer::{Writer, Written},
    functions,
    graph::functionalize::{
        analysis::{
            capacities::Resized,
            demands::Demands,
            logical_views::Tensors,
            state::Analysis,
            tensors::{Choice, Layout, Origin, Tensor},
        },
        rewriting::{
            place::Place,
            storages::{Source, Storage, Storages},
        },
    },
};
use melior::{
    Context,
    ir::{
        Attribute, Block, Location, Operation, OperationRef, RegionLike, RegionRef, Type, Value, ValueLike,
        operation::OperationBuilder,
    },
};
use terrace_dialects::{
    analysis::known::Known,
    internal,
    ir::{
        BlockLike, OperationLike,
        builder::BuildError,
        dtype::{Dtype, ElementType},
        pass::Failure,
        rewrite::erase,
        types::TensorType,
    },
    ops::graph,
};
use terrace_size::{Number, Size, sort_where, symbols::Symbol};

/// What an operand of the core is on the boundary.
#[derive(Clone, Copy)]
pub enum Input {
    /// The argument of this number: no graph tensor.
    Argument(usize),
    /// The first value of the storage of this number.
    Storage(usize),
    /// The state of the generator.
    Generator,
    /// A size, as a number.
    Size(Size),
}

/// What a result of the function is on the boundary.
#[derive(Clone)]
pub enum Output {
    /// A result of the core that is no graph tensor.
    Value(usize),
    /// A tensor, or one of several.
    Tensor(Choice),
}

/// A part of an argument's storage that a result of the core is written to.
pub struct Region<'c> {
    /// The argument.
    pub argument: usize,
    /// The part.
    pub layout: Layout,
    /// The identity of the tensor that is the part, where strides are not known.
    pub tensor: Option<usize>,
    /// The last write's location.
    pub location: Location<'c>,
}

/// What the boundary has to say.
pub struct Plan<'c> {
    /// The name of the core.
    pub core: String,
    /// The types of the core's results.
    pub types: Vec<Type<'c>>,
    /// The operands of the core.
    pub inputs: Vec<Input>,
    /// Their types.
    pub arguments: Vec<Type<'c>>,
    /// The results of the function.
    pub outputs: Vec<Output>,
    /// Their types.
    pub returned: Vec<Type<'c>>,
    /// For each new storage that is returned: its number among these, the core's result, which has its
    /// elements in the order of memory, or of its frame, and its base.
    pub fresh: Vec<(usize, usize, Layout)>,
    /// Selectors of returned tensors, and the core's results for them.
    pub selectors: Vec<(usize, usize)>,
    /// Windows that returned tensors are in, and the core's results for their indices.
    pub dynamic_views: Vec<(usize, usize)>,
    /// Arguments whose storages change their size.
    pub resizes: Vec<Resized>,
    /// Written regions, and the core's results for them.
    pub regions: Vec<(Region<'c>, usize)>,
    /// The core's result for the state of the generator, where that is another one.
    pub generator: Option<usize>,
    /// Sizes that are known when the core has run, and its results for them.
    pub symbols: Vec<(Symbol, usize)>,
    /// Arguments that are results as they are in the end, and the core's results for them.
    pub updated: Vec<(usize, usize)>,
}

pub(crate) struct Boundary<'c, 'a> {
    context: &'c Context,
    pub(crate) writer: Writer<'c, 'a>,
    pub(crate) location: Location<'c>,
}

impl<'c, 'a> Boundary<'c, 'a> {
    pub(crate) fn insert(
        &self,
        op: Result<Operation<'c>, BuildError>,
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        self.writer.insert(op)
    }

    pub(crate) fn value(&self, op: Result<Operation<'c>, BuildError>) -> Result<Value<'c, 'a>, Failure> {
        Ok(self.insert(op)?.result_at(0)?.into())
    }

    /// A value as one of the type that a graph tensor's elements have.
    pub(crate) fn valued(&self, value: Value<'c, 'a>, tensor: Value<'c, 'a>) -> Written<'c, 'a> {
        let ty = TensorType::<i64>::of(tensor.r#type()).ok_or("expects a graph tensor")?;
        self.writer.cast_to(value, ty.builtin().to_type(self.context))
    }

    /// A tensor over the storage of another one, with its sizes, strides, offset, dtype and flags.
    pub(crate) fn transform(
        &self,
        root: Value<'c, 'a>,
        (own, stored): (&Layout, Dtype),
        to: &Tensor,
    ) -> Result<Value<'c, 'a>, Failure> {
        let mut value = self.part(root, (own, stored), (&to.layout, to.transform.dtype))?;
        if to.transform.conj {
            value = self.value(graph::_conj(self.location, value))?;
        }
        if to.transform.neg {
            value = self.value(graph::_neg_view(self.location, value))?;
        }
        Ok(value)
    }

    /// A view of a tensor's storage with exactly these sizes, strides, offset and dtype.
    fn part(
        &self,
        root: Value<'c, 'a>,
        (own, stored): (&Layout, Dtype),
        (to, dtype): (&Layout, Dtype),
    ) -> Result<Value<'c, 'a>, Failure> {
        if stored == dtype {
            return self.view(root, own, to);
        }
        // The storage in a row, as elements of the other dtype.
        let end = if to.is_known_empty() { Size::ZERO } else { to.end() };
        let end = (end * dtype.bytes() as i64 + stored.bytes() as i64 - 1) / stored.bytes() as i64;
        let row = self.view(root, own, &Layout::contiguous(&[end]))?;
        let row = self.value(graph::view_dtype(self.location, row, dtype.to_type(self.context)))?;
        let places = end * stored.bytes() as i64 / dtype.bytes() as i64;
        self.view(row, &Layout::contiguous(&[places]), to)
    }

    /// A view of a tensor's storage with exactly these sizes, strides and offset.
    pub(crate) fn view(
        &self,
        tensor: Value<'c, 'a>,
        own: &Layout,
        to: &Layout,
    ) -> Result<Value<'c, 'a>, Failure> {
        if own.is_same(to) { Ok(tensor) } else { as_strided(&self.writer, self.location, tensor, to) }
    }

    /// The tensor whose elements are the first value of a storage.
    fn first(
        &self,
        storage: &Storage,
        argument: ArgumentOf<'_, '_, 'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        match storage.source {
            Source::Whole(i) if argument(i)?.1.1 == storage.dtype => Ok(argument(i)?.0),
            Source::Whole(i) | Source::Places(i) => {
                let (tensor, own) = argument(i)?;
                self.part(tensor, own, (&storage.base, storage.dtype))
            }
            Source::Fresh | Source::Generator => Err("a new storage has no first value".into()),
        }
    }

    /// The view of an argument that is a written region of it, at the location of the last write.
    fn written(
        &self,
        analysis: &Analysis<'c, 'a>,
        region: &Region<'c>,
        argument: ArgumentOf<'_, '_, 'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let (tensor, own) = argument(region.argument)?;
        let dtype = analysis.dtype(Origin::Argument(region.argument)).unwrap_or(own.1);
        let at = Boundary { location: region.location, ..*self };
        at.part(tensor, own, (&region.layout, dtype))
    }
}

/// An argument, with its layout and its dtype.
pub(crate) type ArgumentOf<'p, 'l, 'c, 'a> =
    &'p dyn Fn(usize) -> Result<(Value<'c, 'a>, (&'l Layout, Dtype)), Failure>;

/// Whether a layout leaves out places between its elements: what has it is handed on with these, as a row.
pub fn has_gaps(layout: &Layout) -> bool {
    layout.numbers().is_some_and(|own| !own.is_empty() && !own.is_dense())
}

/// The order that brings a dense tensor's dimensions to the order of its elements in memory.
pub fn memory_order(layout: &Layout) -> Vec<usize> {
    if layout.numbers().is_none()
        && let Some(order) = packed_order(layout)
    {
        return order;
    }
    let mut order: Vec<usize> = (0..layout.rank()).collect();
    if !layout.is_contiguous() {
        sort_where(&mut order, |a, b| layout.strides[*b].assume_lt(layout.strides[*a]));
    }
    order
}

/// The same where dimensions are known, without a guard, to lie packed inside each other.
fn packed_order(layout: &Layout) -> Option<Vec<usize>> {
    let (mut left, mut order): (Vec<usize>, Vec<usize>) = ((0..layout.rank()).collect(), vec![]);
    // Of a dimension without elements the strides after it may count none.
    let (mut expected, mut counted) = (Size::ONE, Size::ONE);
    while !left.is_empty() {
        let fits = |stride: Size| stride.is_same(expected) || stride.is_same(counted);
        let next = left.iter().rposition(|dim| fits(layout.strides[*dim]))?;
        let dim = left.remove(next);
        expected *= layout.sizes[dim].or_one();
        counted *= layout.sizes[dim];
        order.insert(0, dim);
    }
    Some(order)
}

/// Fills the body of `function` with the boundary, which asserts what is demanded of the arguments.
pub fn write<'c, 'a>(
    (function, body): (OperationRef<'c, 'a>, RegionRef<'c, 'a>),
    arguments: &[(Type<'c>, Location<'c>)],
    analysis: &Analysis<'c, 'a>,
    storages: &Storages,
    plan: &Plan<'c>,
    asserted: &Demands<'c>,
    known: Known<'a>,
) -> Result<(), Failure> {
    let location = function.location();
    let context = terrace_dialects::ir::context::of(function.context());
    let block = body.append_block(Block::new(arguments));
    // What all else goes before.
    let end = block.append_operation(OperationBuilder::new("func.return", location).build()?);
    let b = Boundary { context, writer: Writer::before(end).knowing(known), location };
    guards::given(
        analysis,
        b.writer,
        &terrace_dialects::ir::operations::arguments(block).collect::<Vec<_>>(),
    )?;
    let argument = |i: usize| -> Result<(Value<'c, 'a>, (&Layout, Dtype)), Failure> {
        let own = analysis.arguments[i].as_ref().ok_or(internal!("an argument is no graph tensor"))?;
        Ok((block.argument(i)?.into(), (&own.layout, own.dtype)))
    };
    let mut tensors = Tensors::of_arguments(
        analysis,
        &terrace_dialects::ir::operations::arguments(block).collect::<Vec<_>>(),
    );
    for logical in &asserted.distinct {
        b.insert(graph::assert_distinct(logical.location, &[], argument(logical.argument)?.0))?;
    }
    let resize = |argument: usize, bytes: Size, at_least: bool| {
        let bytes = bytes.assume_number().ok_or(internal!("has a size of which nothing is known"))?;
        let at_least = at_least.then(|| Attribute::unit(context));
        let argument = block.argument(argument)?;
        b.insert(graph::resize_storage(location, &[], argument.into(), &[], &[bytes], at_least))
    };
    for resized in &plan.resizes {
        resized.before.map(|bytes| resize(resized.argument, bytes, true)).transpose()?;
    }
    for reach in &asserted.reached {
        reach.assert(&b.writer, argument(reach.argument)?.0)?;
    }
    let put = |op| b.insert(Ok(op));
    let at = Place { put: &put, location };
    let mut inputs = vec![];
    for (input, ty) in plan.inputs.iter().zip(&plan.arguments) {
        let value = match *input {
            Input::Argument(i) => block.argument(i)?.into(),
            Input::Size(size) => b.writer.size(size)?,
            Input::Generator => generator::read(at)?,
            Input::Storage(s) => {
                let view = b.first(&storages.list[s], &argument)?;
                let value = b.value(graph::value(location, view))?;
                b.writer.cast_to(value, *ty)?
            }
        };
        inputs.push(value);
    }
    let call = b.insert(Ok(functions::call(location, &plan.core, &inputs, &plan.types)?))?;
    for (symbol, result) in &plan.symbols {
        b.writer.known.set_symbol(*symbol, call.result_at(*result)?.into());
    }
    for (region, result) in &plan.regions {
        let view = match region.tensor {
            Some(identity) => tensors.get(analysis, &b.writer, region.location, identity)?,
            None => b.written(analysis, region, &argument)?,
        };
        let value = b.valued(call.result_at(*result)?.into(), view)?;
        b.insert(graph::write_back(region.location, &[], value, view))?;
    }
    for resized in &plan.resizes {
        resized.after.map(|bytes| resize(resized.argument, bytes, false)).transpose()?;
    }
    if let Some(result) = plan.generator {
        generator::write(at, call.result_at(result)?.into())?;
    }
    let results = b.outputs(analysis, plan, call, &argument, tensors)?;
    if !plan.updated.is_empty() {
        let added: Vec<Type> = results[plan.outputs.len()..].iter().map(|value| value.r#type()).collect();
        super::updates::add_results(function, &added)?;
    }
    b.insert(Ok(OperationBuilder::new("func.return", location).add_operands(&results).build()?))?;
    erase(end);
    Ok(())
}
