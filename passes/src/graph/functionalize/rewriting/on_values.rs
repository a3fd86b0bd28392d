//! Operators that are called in a function of their own, on values.
//!
//! That function makes a storage of each value, gives the operator the views of them that it had, with their
//! strides and their aliases, and returns what it returned and what the written storages hold then. The core
//! calls that function. A storage that is known as a whole is passed as one, so that operands on it alias; of
//! any other the operand's own elements are.

use crate::{
    functions::{self, Names},
    graph::functionalize::{
        analysis::{
            custom::written,
            tensors::{Layout, Origin, Tensor},
            transform::ElementTransform,
        },
        boundary::plan::memory_order,
        decompositions::lowering::Lowering,
    },
};
use melior::ir::{
    Attribute, Block, Identifier, OperationRef, Region, RegionLike, Type, Value, ValueLike,
    operation::OperationBuilder,
};
use terrace_dialects::{
    internal,
    ir::{
        BlockLike, OperationLike, attributes as convert, pass::Failure, refusal::Reason,
        types::is_graph_tensor,
    },
    ops::graph,
};
use terrace_layout::overlap::may_overlap as overlap;
use terrace_size::Number;

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
    pub(crate) fn on_values(&mut self, names: &mut Names) -> Result<(), Failure> {
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
        let call = self.call(&units, &views, &numbers, names)?;
        let results = self.op.result_count();
        for number in 0..results {
            let (old, new) = (self.op.result_at(number)?, call.result_at(number)?.into());
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
            let new = call.result_at(next)?.into();
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

    /// The storage of a tensor, its base and the tensor, where the operator can be given that storage: one
    /// that is packed.
    fn in_storage(&self, value: Value<'c, 'a>) -> Option<(usize, Layout, Tensor)> {
        let tensor = self.analysis.tensor(value)?.clone();
        if self.analysis.root(tensor.origin) != tensor.origin || self.analysis.is_logical(tensor.origin) {
            return None;
        }
        let storage = self.storages.of(tensor.origin);
        let own = &self.storages.list[storage];
        let stored = tensor.transform == ElementTransform::stored(own.dtype);
        // What repeats is no storage, and of what has gaps the elements between are not known.
        let inside =
            tensor.layout.offset.assume_ge(own.base.offset) && tensor.layout.end().assume_le(own.base.end());
        (stored && own.base.is_dense() && inside).then(|| (storage, own.base.clone(), tensor))
    }

    /// Refuses an operand that is passed by its elements alone and shares some with one that is written, or
    /// is written and shares some.
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
                        return Err(Reason::Storage.says(format!(
                            "operand {place} shares elements with operand {other}, one of them is written, and of their storage \
                             not all is known: clone one of them first"
                        )).into());
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
        names: &mut Names,
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        let op = self.op;
        let location = op.location();
        let mut outer = op;
        while let Some(parent) = outer.parent_operation()
            && parent.name().as_string_ref().as_str() != Ok("builtin.module")
        {
            outer = parent;
        }
        let module = outer.block().ok_or(internal!("stands in no module"))?;
        let passed: Vec<Value> = units.iter().map(|unit| unit.value).chain(numbers.iter().copied()).collect();
        let inputs: Vec<Type> = passed.iter().map(|value| value.r#type()).collect();
        let arguments: Vec<_> = inputs.iter().map(|ty| (*ty, location)).collect();
        let block = Block::new(&arguments);
        let append = |op| block.append_operation(op);
        let mut storages: Vec<Value> = vec![];
        for number in 0..units.len() {
            let new = append(graph::fresh(location, block.argument(number)?.into())?);
            storages.push(new.result_at(0)?.into());
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
                Some(layout) => {
                    let terrace_layout::Layout { sizes, strides, offset } =
                        layout.simplified().numbers().ok_or_else(|| {
                            Reason::Size.says(
                                "views a storage by sizes that are not static: pass a clone to the operator",
                            )
                        })?;
                    let view = graph::as_strided(
                        location,
                        storages[*unit],
                        &[],
                        &sizes,
                        &[],
                        &strides,
                        &[],
                        &[offset],
                    )?;
                    append(view).result_at(0)?.into()
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
                true => append(graph::value(location, result.into())?).result_at(0)?.into(),
                false => result.into(),
            });
        }
        for (_, storage) in units.iter().zip(&storages).filter(|(unit, _)| unit.written) {
            returned.push(append(graph::value(location, *storage)?).result_at(0)?.into());
        }
        let results: Vec<Type> = returned.iter().map(|value| value.r#type()).collect();
        append(OperationBuilder::new("func.return", location).add_operands(&returned).build()?);
        let region = Region::new();
        region.append_block(block);
        let own = self.op_impl.name.trim_start_matches("graph.").to_string();
        let callee = op.attribute("callee").map_or(own, convert::symbol);
        let name = names.fresh(module, format!("{callee}.values"));
        module
            .insert_operation_before(outer, functions::private(location, &name, &inputs, &results, region)?);
        let call = functions::call(location, &name, &passed, &results)?;
        self.values.insert(Ok(call))
    }
}
