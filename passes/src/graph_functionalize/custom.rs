//! Custom operators, by their schemas, and operators that draw from a generator.
//!
//! What a custom operator does is known to its implementation only, which works on tensors that share storages. So it is called in a function
//! of its own, on values: that makes a storage of each value, gives the operator the views of them that it had, with their strides and
//! their aliases, and returns what it returned and what the written storages hold then. The core calls that function.
//!
//! An operator that draws is called so too: calls stay in order, and so do the draws.
//!
//! A custom operator without a schema may do anything to any storage that it ever saw. It stays where it is among others of its kind, and is refused in a
//! function that writes an argument, whose storage is up to date at the end only.

use super::{
    analysis::{Analysis, At, Origin, Tensor},
    boundary::memory_order,
    checks,
    frames::Frame,
    operators::Lowering,
    seen::Seen,
};
use melior::ir::{
    Attribute, Block, BlockLike, Identifier, OperationRef, Region, RegionLike, Type, TypeLike, Value,
    ValueLike,
    attribute::{FlatSymbolRefAttribute, StringAttribute, TypeAttribute},
    operation::{OperationBuilder, OperationLike, WalkOrder, WalkResult},
    r#type::FunctionType,
};
use std::collections::HashSet;
use terrace_dialects::{
    attributes as convert, bridge,
    custom::{operands, schema, written_as},
    operations,
    ops::graph,
    pass::Failure,
    registry::{self, OpImpl},
    strided::{Layout, overlap::overlap},
    types::{TensorType, is_graph_tensor},
};

/// Whether an operation touches no memory, or memory that is made here or has a name.
fn is_apart(op: OperationRef) -> bool {
    let name = |op: OperationRef| op.name().as_string_ref().as_str().unwrap_or_default().to_string();
    let own = name(op);
    if bridge::is_memory_effect_free(op)
        || matches!(own.as_str(), "cf.assert" | "memref.alloc" | "memref.alloca")
    {
        return true;
    }
    // `restrict` says that nothing else is a way to that memory.
    if own == "bufferization.to_tensor" && op.attribute("restrict").is_ok() {
        return true;
    }
    let memrefs: Vec<Value> = op.operands().filter(|value| value.r#type().is_mem_ref()).collect();
    let is_made_here = |value: &Value| {
        operations::definition(*value).is_some_and(|made| {
            ["memref.get_global", "memref.alloc", "memref.alloca"].contains(&name(made).as_str())
        })
    };
    own.starts_with("memref.") && !memrefs.is_empty() && memrefs.iter().all(is_made_here)
}

/// The type rules of operators that draw.
const DRAWS: [&str; 12] = [
    "bernoulli",
    "bernoulli_in_place",
    "dropout",
    "multinomial",
    "native_dropout",
    "normal_in_place",
    "random",
    "random_integers",
    "random_integers_like",
    "random_like",
    "randperm",
    "uniform_in_place",
];

/// Whether an operator draws from a generator.
pub fn draws(class: &OpImpl) -> bool {
    class.dialect == "graph" && DRAWS.binary_search(&class.rule).is_ok()
}

/// Whether an operator is called in a function of its own on values.
pub fn is_called_on_values(class: &OpImpl) -> bool {
    class.name == "graph.custom" || draws(class)
}

/// The operands that are written, by their numbers; all graph tensors without a schema.
fn written(op: OperationRef) -> Result<Vec<usize>, String> {
    let Ok(custom) = &graph::CustomOp::try_from(op) else {
        let in_place = registry::of(op).is_some_and(|class| class.is_in_place());
        return Ok(if in_place { vec![0] } else { vec![] });
    };
    let Some(schema) = schema(custom)? else {
        let tensors = custom.args().into_iter().enumerate().filter(|(_, v)| is_graph_tensor(v.r#type()));
        return Ok(tensors.map(|(place, _)| place).collect());
    };
    let places = operands(custom, &schema)?;
    let all = schema.arguments.iter().zip(places).filter(|(argument, _)| argument.written);
    Ok(all.flat_map(|(_, places)| places).collect())
}

impl<'c, 'a> Analysis<'c, 'a> {
    /// Takes in a custom operator.
    pub(super) fn custom(&mut self, op: OperationRef<'c, 'a>) -> Result<(), String> {
        let custom = graph::CustomOp::try_from(op).map_err(|_| "is no custom operator")?;
        let (schema, written) = (schema(&custom)?, written(op)?);
        let args = custom.args();
        for value in args.iter().filter(|value| is_graph_tensor(value.r#type())) {
            self.reads(op, *value)?;
        }
        for place in &written {
            let layout = self.layout(args[*place])?.clone();
            checks::written(&layout, true)?;
            self.writes(op, args[*place], layout)?;
        }
        if schema.is_none() && self.opaque.is_none() {
            self.opaque = Some(self.accesses.len());
        }
        for (number, result) in op.results().enumerate() {
            let Some(ty) = TensorType::of(result.r#type()).filter(|ty| ty.graph) else { continue };
            let described = schema.as_ref().and_then(|schema| schema.results.get(number));
            if let (Some(schema), Some(described)) = (&schema, described)
                && described.set.is_some()
            {
                let argument = written_as(schema, described).ok_or_else(|| {
                    format!("result {number} is a view by the schema, of strides that it does not say: not supported here")
                })?;
                let place = operands(&custom, schema)?[argument][0];
                let identity = self.known(args[place])?.identity;
                self.is(result.into(), identity);
                continue;
            }
            let fresh = self.new_storage(op, Some(result.into()), Layout::contiguous(&ty.shape), ty.dtype);
            // The operator chooses its strides.
            self.fresh[fresh].frame = Frame::Open;
        }
        Ok(())
    }

    /// Takes in an operation of another dialect, not on graph tensors. What it reads or writes it does in its place; memory that comes from
    /// elsewhere may be any storage.
    pub(super) fn beside(&mut self, op: OperationRef<'c, 'a>) {
        let mut anywhere = false;
        op.walk(WalkOrder::PreOrder, |inner| {
            anywhere |= inner.region_count() == 0 && !is_apart(inner);
            WalkResult::Advance
        });
        if anywhere && self.opaque.is_none() {
            self.opaque = Some(self.accesses.len());
        }
    }

    /// Refuses what a custom operator without a schema may see or change while it is not in memory: arguments that are written, and those
    /// that are read after it.
    pub(super) fn in_memory_for_opaque(&self) -> Result<(), At<'c, 'a>> {
        let Some(first) = self.opaque else { return Ok(()) };
        let argument = |origin| matches!(origin, Origin::Argument(_));
        let is_custom = |op: OperationRef| op.name().as_string_ref().as_str() == Ok("graph.custom");
        let mut accesses = self.accesses.iter().enumerate().filter(|(_, access)| argument(access.origin));
        match accesses.find(|(number, access)| access.writes || *number >= first) {
            Some((_, access)) if is_custom(access.op) => Err((
                access.op,
                "may read or write any storage, and takes an argument: give it a 'schema' that says what it does".into(),
            )),
            Some((_, access)) => Err((
                access.op,
                "is on an argument in a function with an operation that may read or write any storage: give a custom operator a \
                 'schema' that says what it does, and leave memory that comes from elsewhere to other functions"
                    .into(),
            )),
            None => Ok(()),
        }
    }
}

/// What is passed to the function on values: a storage, or the elements of one operand.
struct Unit<'c, 'a> {
    /// The value that is passed.
    value: Value<'c, 'a>,
    /// Where it is a storage: its number, and the layout that the value has there.
    storage: Option<(usize, Layout)>,
    written: bool,
}

/// How an operand of the operator is made from a unit.
struct View {
    unit: usize,
    /// Sizes, strides and offset over the unit's elements; all of it without.
    layout: Option<Layout>,
}

impl<'c, 'a> Lowering<'_, 'c, 'a> {
    /// Calls the operator on values.
    pub(super) fn on_values(&mut self) -> Result<(), Failure> {
        let (args, written) = (self.op.operands().collect::<Vec<_>>(), written(self.op)?);
        let (mut units, mut views): (Vec<Unit>, Vec<Option<View>>) = (vec![], vec![]);
        let mut numbers = vec![];
        for (place, value) in args.iter().enumerate() {
            if !is_graph_tensor(value.r#type()) {
                numbers.push(self.values.current(*value));
                views.push(None);
                continue;
            }
            let is_written = written.contains(&place);
            let view = match self.in_storage(*value) {
                Some((storage, base, tensor)) => {
                    let known = units
                        .iter()
                        .position(|unit| unit.storage.as_ref().is_some_and(|own| own.0 == storage));
                    let packed = base.permute(&memory_order(&base));
                    let unit = match known {
                        Some(unit) => unit,
                        None => {
                            let value = self.values.read(storage, &packed)?;
                            units.push(Unit { value, storage: Some((storage, packed)), written: false });
                            units.len() - 1
                        }
                    };
                    let offset = tensor.layout.offset - base.offset;
                    View { unit, layout: Some(Layout { offset, ..tensor.layout }) }
                }
                None => {
                    self.shares_nothing(&args, place, &written)?;
                    units.push(Unit { value: self.read(*value)?, storage: None, written: false });
                    View { unit: units.len() - 1, layout: None }
                }
            };
            units[view.unit].written |= is_written;
            views.push(Some(view));
        }
        let call = self.call(&units, &views, &numbers)?;
        let results = self.op.result_count();
        for number in 0..results {
            let (old, new) = (self.op.result(number)?, call.result(number)?.into());
            if !is_graph_tensor(old.r#type()) {
                self.values.replace(old.into(), new);
            } else if self.analysis.choice(old.into()).is_some_and(|choice| {
                choice.states.iter().all(|identity| {
                    matches!(self.analysis.identities[*identity].0.origin, Origin::Fresh(n) if self.analysis.fresh[n].op == self.op)
                })
            }) {
                self.set(number, new)?;
            }
        }
        let mut next = results;
        let mut by_value = 0;
        for unit in &units {
            if !unit.written {
                continue;
            }
            let new = call.result(next)?.into();
            next += 1;
            match &unit.storage {
                Some((storage, packed)) => self.values.write(*storage, packed, new)?,
                None => {
                    // Its number among what is written.
                    let place = views.iter().position(|view| {
                        view.as_ref().is_some_and(|view| {
                            view.layout.is_none() && std::ptr::eq(&units[view.unit], unit)
                        })
                    });
                    let number = written.iter().position(|w| Some(*w) == place).unwrap_or(by_value);
                    by_value = number + 1;
                    self.update(number, new)?;
                }
            }
        }
        Ok(())
    }

    /// The storage of a tensor, its base and the tensor, where the operator can be given that storage: one that is packed.
    fn in_storage(&self, value: Value<'c, 'a>) -> Option<(usize, Layout, Tensor)> {
        let tensor = self.analysis.tensor(value)?.clone();
        if self.analysis.root(tensor.origin) != tensor.origin || self.analysis.is_framed(tensor.origin) {
            return None;
        }
        let storage = self.storages.of(tensor.origin);
        let own = &self.storages.list[storage];
        let stored = tensor.seen == Seen::stored(own.dtype);
        // What repeats is no storage, and of what has gaps the elements between are not known.
        let inside = tensor.layout.offset >= own.base.offset && tensor.layout.end() <= own.base.end();
        (stored && own.base.is_dense() && inside).then(|| (storage, own.base.clone(), tensor))
    }

    /// Refuses an operand that is passed by its elements alone and shares some with one that is written, or is written and shares some.
    fn shares_nothing(&self, args: &[Value<'c, 'a>], place: usize, written: &[usize]) -> Result<(), Failure> {
        let states = |value: Value<'c, 'a>| -> Vec<&Tensor> {
            let choice =
                self.analysis.choice(value).map(|choice| choice.states.as_slice()).unwrap_or_default();
            choice.iter().map(|identity| &self.analysis.identities[*identity].0).collect()
        };
        for (other, value) in args.iter().enumerate().filter(|(_, v)| is_graph_tensor(v.r#type())) {
            if other == place || !(written.contains(&other) || written.contains(&place)) {
                continue;
            }
            for own in states(args[place]) {
                for tensor in states(*value) {
                    let one = self.analysis.one_storage(own.origin, tensor.origin);
                    if one && overlap(&own.span, &tensor.span) {
                        return Err(format!(
                            "operand {place} shares elements with operand {other}, one of them is written, and of their storage \
                             not all is known: clone one of them first"
                        )
                        .into());
                    }
                }
            }
        }
        Ok(())
    }

    /// Makes the function on values, and calls it.
    fn call(
        &mut self,
        units: &[Unit<'c, 'a>],
        views: &[Option<View>],
        numbers: &[Value<'c, 'a>],
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        let (op, context) = (self.op, self.values.context);
        let location = op.location();
        let mut outer = op;
        while let Some(parent) = outer.parent_operation()
            && parent.name().as_string_ref().as_str() != Ok("builtin.module")
        {
            outer = parent;
        }
        let module = outer.block().ok_or("stands in no module")?;
        let passed: Vec<Value> = units.iter().map(|unit| unit.value).chain(numbers.iter().copied()).collect();
        let inputs: Vec<Type> = passed.iter().map(|value| value.r#type()).collect();
        let arguments: Vec<_> = inputs.iter().map(|ty| (*ty, location)).collect();
        let block = Block::new(&arguments);
        let append = |op| block.append_operation(op);
        let mut storages: Vec<Value> = vec![];
        for number in 0..units.len() {
            let new = append(graph::fresh(location, block.argument(number)?.into())?);
            storages.push(new.result(0)?.into());
        }
        let (mut operands, mut next): (Vec<Value>, usize) = (vec![], units.len());
        for view in views {
            let Some(View { unit, layout }) = view else {
                operands.push(block.argument(next)?.into());
                next += 1;
                continue;
            };
            operands.push(match layout {
                None => storages[*unit],
                Some(Layout { sizes, strides, offset }) => {
                    let view = graph::as_strided(
                        location,
                        storages[*unit],
                        &[],
                        sizes,
                        &[],
                        strides,
                        &[],
                        &[*offset],
                    )?;
                    append(view).result(0)?.into()
                }
            });
        }
        let attributes: Vec<(Identifier, Attribute)> = op.attributes().collect();
        let types: Vec<Type> = op.results().map(|result| result.r#type()).collect();
        let inner = OperationBuilder::new(self.op_impl.name, location)
            .add_operands(&operands)
            .add_attributes(&attributes)
            .add_results(&types)
            .build()?;
        let inner = append(inner);
        let mut returned: Vec<Value> = vec![];
        for result in inner.results() {
            returned.push(match is_graph_tensor(result.r#type()) {
                true => append(graph::value(location, result.into())?).result(0)?.into(),
                false => result.into(),
            });
        }
        for (unit, storage) in units.iter().zip(&storages).filter(|(unit, _)| unit.written) {
            let _ = unit;
            returned.push(append(graph::value(location, *storage)?).result(0)?.into());
        }
        let results: Vec<Type> = returned.iter().map(|value| value.r#type()).collect();
        append(OperationBuilder::new("func.return", location).add_operands(&returned).build()?);
        let region = Region::new();
        region.append_block(block);
        let taken: HashSet<String> = super::operations(module)
            .into_iter()
            .filter_map(|op| op.attribute("sym_name").ok())
            .map(convert::string)
            .collect();
        let own = self.op_impl.name.trim_start_matches("graph.").to_string();
        let callee = op.attribute("callee").map_or(own, convert::symbol);
        let names =
            std::iter::once(format!("{callee}.values")).chain((0..).map(|i| format!("{callee}.values_{i}")));
        let name = names.into_iter().find(|name| !taken.contains(name)).ok_or("has no name")?;
        let signature = FunctionType::new(context, &inputs, &results);
        let attributes: [(&str, Attribute); 3] = [
            ("sym_name", StringAttribute::new(context, &name).into()),
            ("function_type", TypeAttribute::new(signature.into()).into()),
            ("sym_visibility", StringAttribute::new(context, "private").into()),
        ];
        let function = OperationBuilder::new("func.func", location)
            .add_attributes(&attributes.map(|(key, value)| (Identifier::new(context, key), value)))
            .add_regions([region])
            .build()?;
        module.insert_operation_before(outer, function);
        let callee: Attribute = FlatSymbolRefAttribute::new(context, &name).into();
        let call = OperationBuilder::new("func.call", location)
            .add_operands(&passed)
            .add_attributes(&[(Identifier::new(context, "callee"), callee)])
            .add_results(&results)
            .build()?;
        self.values.insert(Ok(call))
    }
}

/// Whether a function calls a custom operator on values already.
pub fn on_values(ops: &[OperationRef]) -> bool {
    let is = |op: &OperationRef, names: &[&str]| {
        op.name().as_string_ref().as_str().is_ok_and(|name| names.contains(&name))
    };
    let allowed = ["graph.fresh", "graph.as_strided", "graph.value", "func.return"];
    let is_called = |op: &OperationRef| registry::of(*op).is_some_and(is_called_on_values);
    ops.iter().any(is_called) && ops.iter().all(|op| is_called(op) || is(op, &allowed))
}
