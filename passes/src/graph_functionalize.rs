//! `graph-functionalize`: a function on storages becomes a pure core on values, and a boundary.
//!
//! Contract: every function with graph tensors in its signature or body is one block of operations of the graph dialect
//! with static sizes, of control flow of `scf`, and of other operations without memory effects. It becomes `@f.core`, private, pure, on builtin
//! tensors, and `@f`, which reads storages, calls the core and writes back. Whatever is not known is a located error.
//!
//! The work is linear in the operations. [`analysis`] says of each tensor its storage and its layout over it, whatever
//! the depth of the chain of views, and [`frames`] what it is where strides are not known; [`storages`] chooses the tensor that stands for each storage; [`values`] keeps one
//! SSA value per version of a storage, reads views out of it when they are used and scatters mutations into it;
//! [`flow`] follows control flow, [`merges`] says what tensors are where ways meet, [`choices`] what of a tensor that is one of
//! several, and [`control`] rewrites it;
//! [`operators`] has the functional form of each operator; [`seen`] how views see elements of a storage, [`regions`] says what is written back, and [`boundary`] rebuilds
//! what the caller sees.
//!
//! The body is turned into the core in place, so that operations of other dialects stay where they are.

mod activation_gradients;
pub(crate) mod analysis;
mod boundary;
mod checks;
mod choices;
mod clamping;
mod classes;
mod control;
mod convolutions;
mod core_layouts;
mod created;
mod custom;
mod einsum;
mod elementary;
mod flat;
mod flow;
mod forms;
mod frames;
mod gates;
mod gradients;
mod images;
mod losses;
mod merges;
mod new_layouts;
mod norm_gradients;
mod norms;
mod numbers;
mod operators;
mod places;
mod prims;
mod products;
mod recurrent;
mod regions;
pub(crate) mod seen;
mod spelled;
mod statistics;
mod steps;
mod storages;
mod table;
mod updates;
mod values;
mod windows;
mod writes;

pub use custom::is_called_on_values;
pub use frames::{UNKNOWN, check as needs_no_strides, splits};
pub use terrace_dialects::placement::views::layouts;

use analysis::{Analysis, Origin};
use boundary::{Input, Output, Plan};
use melior::ir::{
    Attribute, AttributeLike, BlockLike, BlockRef, Identifier, Location, OperationRef, RegionLike, Type,
    Value, ValueLike,
    attribute::{StringAttribute, TypeAttribute},
    operation::{OperationBuilder, OperationLike, OperationResult},
    r#type::FunctionType,
};
use mlir_sys::*;
use operators::Lowering;
use seen::Seen;
use std::collections::{HashMap, HashSet};
use storages::{Source, Storages};
use terrace_dialects::{
    arguments::is_eager,
    attributes as convert, bridge, context,
    ops::graph,
    pass::Failure,
    registry::{self, OpImpl},
    strided::Layout,
    types::is_graph_tensor,
};
use values::Values;

/// A constant number.
enum Number {
    Float(f64),
    Int(i64),
}

/// The number that an `arith.constant` is, or a `complex.constant` without an imaginary part.
fn constant(value: Value) -> Option<Number> {
    let op = OperationResult::try_from(value).ok()?.owner();
    if op.name().as_string_ref().as_str() == Ok("complex.constant") {
        let [re, im] = convert::complex(op.attribute("value").ok()?)?;
        return (im == 0.0).then_some(Number::Float(re));
    }
    if op.name().as_string_ref().as_str() != Ok("arith.constant") {
        return None;
    }
    let raw = op.attribute("value").ok()?.to_raw();
    unsafe {
        if mlirAttributeIsAFloat(raw) {
            Some(Number::Float(mlirFloatAttrGetValueDouble(raw)))
        } else if mlirAttributeIsABool(raw) {
            Some(Number::Int(mlirBoolAttrGetValue(raw) as i64))
        } else if mlirAttributeIsAInteger(raw) {
            Some(Number::Int(mlirIntegerAttrGetValueInt(raw)))
        } else {
            None
        }
    }
}

/// The integer that an `arith.constant` is.
fn constant_int(value: Value) -> Option<i64> {
    match constant(value)? {
        Number::Int(i) => Some(i),
        Number::Float(_) => None,
    }
}

/// Runs the pass on a module.
pub fn run(module: OperationRef, options: &crate::options::GraphFunctionalize) -> Result<(), Failure> {
    let as_results = match options.input_mutations.as_str() {
        "write-back" => false,
        "results" => true,
        other => return Err(format!("'input-mutations' is 'write-back' or 'results', got '{other}'").into()),
    };
    let copies = match options.remove.as_str() {
        "mutations" => false,
        "mutations-and-views" => true,
        other => {
            return Err(format!("'remove' is 'mutations' or 'mutations-and-views', got '{other}'").into());
        }
    };
    let mut failed = false;
    for function in functions(module) {
        match split(function, as_results) {
            Ok(()) => {}
            Err(Failure::Reported) => failed = true,
            Err(Failure::Message(message)) => {
                bridge::emit_op_error(&function, &message);
                failed = true;
            }
        }
    }
    if copies && !failed {
        crate::functional_view_to_copy::run(module, &crate::options::FunctionalViewToCopy {})?;
    }
    if failed { Err(Failure::Reported) } else { Ok(()) }
}

/// The functions to split: those of the module and of modules inside it, that have a body with graph tensors, are not
/// boundaries already and do not run as they are written.
fn functions<'c, 'a>(module: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut out = vec![];
    let mut next =
        module.region(0).ok().and_then(|r| r.first_block()).and_then(|block| block.first_operation());
    while let Some(op) = next {
        match op.name().as_string_ref().as_str() {
            Ok("builtin.module") => out.extend(functions(op)),
            Ok("func.func") if has_tensors(op) && !is_eager(op) && !is_boundary(op) => out.push(op),
            _ => {}
        }
        next = op.next_in_block();
    }
    out
}

fn blocks<'c, 'a>(function: OperationRef<'c, 'a>) -> impl Iterator<Item = BlockRef<'c, 'a>> {
    let first = function.region(0).ok().and_then(|r| r.first_block());
    std::iter::successors(first, |b| b.next_in_region())
}

fn arguments<'c, 'a>(block: BlockRef<'c, 'a>) -> impl Iterator<Item = Value<'c, 'a>> {
    (0..block.argument_count()).filter_map(move |i| block.argument(i).ok()).map(Value::from)
}

pub(crate) fn has_tensors(function: OperationRef) -> bool {
    blocks(function).flat_map(arguments).any(|v| is_graph_tensor(v.r#type()))
        || analysis::touches_tensors(function)
}

/// Whether a function is split already: a call on values between operations of the boundary.
fn is_boundary(function: OperationRef) -> bool {
    let all: Vec<_> = blocks(function).flat_map(operations).collect();
    let known = [
        "graph.value",
        "graph.write_back",
        "graph.fresh",
        "graph.new_storage",
        "graph.assert_distinct",
        "arith.constant",
        "arith.cmpi",
        "arith.select",
        "func.return",
    ];
    let is_view = |op: &OperationRef| registry::of(*op).is_some_and(|i| i.dialect == "graph" && i.view);
    let is_call = |op: &OperationRef| op.name().as_string_ref().as_str() == Ok("func.call");
    let on_values = !blocks(function).flat_map(arguments).any(|v| is_graph_tensor(v.r#type()));
    on_values && custom::on_values(&all)
        || all.iter().any(is_call)
            && all.iter().all(|op| {
                op.name().as_string_ref().as_str().is_ok_and(|name| known.contains(&name))
                    || is_view(op)
                    || is_call(op) && !analysis::touches_tensors(*op)
            })
}

/// Operations of a block, in order.
fn operations<'c, 'a>(block: BlockRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    std::iter::successors(block.first_operation(), |op| op.next_in_block()).collect()
}

fn refuse(op: OperationRef, message: &str) -> Failure {
    bridge::emit_op_error(&op, message);
    Failure::Reported
}

/// A failure is one at an operation.
fn at(op: OperationRef, failure: Failure) -> Failure {
    match failure {
        Failure::Message(message) => refuse(op, &message),
        Failure::Reported => Failure::Reported,
    }
}

/// Splits one function.
fn split<'c, 'a>(function: OperationRef<'c, 'a>, as_results: bool) -> Result<(), Failure> {
    let block = blocks(function).next().ok_or("has no body")?;
    let end = block.terminator().ok_or("has a body without end")?;
    if block.next_in_region().is_some() || end.name().as_string_ref().as_str() != Ok("func.return") {
        return Err(refuse(
            end,
            "is not supported on graph tensors: make blocks and branches operations of scf by graph-structure",
        ));
    }
    let analysis = Analysis::of(function, block).map_err(|(op, message)| refuse(op, &message))?;
    let storages =
        Storages::choose(&analysis).map_err(|(op, message)| refuse(op.unwrap_or(function), &message))?;
    let signature: Vec<(Type, Location)> = arguments(block).map(|v| (v.r#type(), v.location())).collect();
    let mut core = Rewriter {
        analysis: &analysis,
        storages: &storages,
        values: Values::new(end),
        lowered: vec![],
        gone: vec![],
    };
    let first = core.begin(block)?;
    core.block(block)?;
    let plan = finish(function, block, end, first, core, as_results)?;
    let body = function.region(0)?;
    boundary::write(function, body, &signature, &analysis, &storages, &plan)
}

/// A body on its way to become the core.
struct Rewriter<'l, 'c, 'a> {
    analysis: &'l Analysis<'c, 'a>,
    storages: &'l Storages,
    values: Values<'c, 'a>,
    /// The operations that were rewritten, in order.
    lowered: Vec<OperationRef<'c, 'a>>,
    /// Arguments of blocks that are tensors, by their numbers.
    gone: Vec<(BlockRef<'c, 'a>, Vec<usize>)>,
}

impl<'c, 'a> Rewriter<'_, 'c, 'a> {
    /// The core's arguments for the first values of storages.
    fn begin(&mut self, block: BlockRef<'c, 'a>) -> Result<HashMap<usize, Value<'c, 'a>>, Failure> {
        let mut first = HashMap::new();
        for (number, storage) in self.storages.list.iter().enumerate() {
            self.values.add(storage.base.clone(), storage.dtype);
            let (Source::Whole(argument) | Source::Places(argument)) = storage.source else { continue };
            let location = block.argument(argument)?.location();
            let value =
                block.add_argument(self.values.tensor_type(storage.dtype, &storage.base.sizes), location);
            self.values.set(number, value);
            first.insert(number, value);
        }
        if let Some(op) = block.first_operation() {
            self.values.before = op;
        }
        for number in self.analysis.anything.values() {
            let storage = self.storages.of(Origin::Fresh(*number));
            self.values.set(storage, self.values.unseen(storage)?);
        }
        Ok(first)
    }

    /// Puts the functional form of each operation before it, but for the last, which it returns.
    fn block(&mut self, block: BlockRef<'c, 'a>) -> Result<Option<OperationRef<'c, 'a>>, Failure> {
        let end = block.terminator();
        for op in operations(block) {
            if end == Some(op) {
                break;
            }
            if let Some(class) = registry::of(op).filter(|class| class.dialect == "graph") {
                self.lowered.push(op);
                if !class.view {
                    self.values.before = op;
                    self.operation(op, class)?;
                }
            } else if let Some(flow) = self.analysis.flows.get(&(op.to_raw().ptr as usize)) {
                self.flow(op, flow)?;
            } else if op.results().any(|result| is_graph_tensor(result.r#type())) {
                // What selects among tensors, or is any tensor.
                self.lowered.push(op);
            }
        }
        Ok(end)
    }

    /// Puts the functional form of an operation of graph before it.
    fn operation(&mut self, op: OperationRef<'c, 'a>, op_impl: &'static OpImpl) -> Result<(), Failure> {
        let (analysis, storages) = (self.analysis, self.storages);
        let mut l = Lowering { values: &mut self.values, analysis, storages, op, op_impl };
        if let Ok(read) = graph::ValueOp::try_from(op) {
            let value = l.read(read.view())?;
            l.values.replace(op.result(0)?.into(), value);
        } else if let Ok(fresh) = graph::FreshOp::try_from(op) {
            let value = fresh.value();
            l.set(0, value)?;
        } else if let Ok(write) = graph::WriteBackOp::try_from(op) {
            let value = write.value();
            l.update(0, value)?;
        } else if custom::is_called_on_values(op_impl) {
            l.on_values().map_err(|failure| at(op, failure))?;
        } else {
            let operator = operators::find(op_impl).ok_or("an operator has no functional form")?;
            if op_impl.is_in_place() {
                if analysis.written(op).is_some() {
                    let value = operators::updated(&mut l, operator).map_err(|failure| at(op, failure))?;
                    l.update(0, value)?;
                }
            } else {
                let values = (operator.lower)(&mut l).map_err(|failure| at(op, failure))?;
                let (results, writes) = values.split_at(op.result_count());
                for (index, value) in results.iter().enumerate() {
                    let result = op.result(index)?;
                    if is_graph_tensor(result.r#type()) {
                        l.set(index, *value)?;
                    } else {
                        l.values.replace(result.into(), *value);
                    }
                }
                for (index, value) in writes.iter().enumerate() {
                    l.update(index, *value)?;
                }
            }
        }
        Ok(())
    }

    /// Takes out what was rewritten.
    fn clear(self) {
        for op in self.lowered.into_iter().rev() {
            erase(op);
        }
        for (block, arguments) in self.gone {
            for argument in arguments.into_iter().rev() {
                unsafe { mlirBlockEraseArgument(block.to_raw(), argument as u32) };
            }
        }
    }
}

impl<'c, 'a> Lowering<'_, 'c, 'a> {
    /// Gives a new storage, that of a result, its first value; where the result is one of several, all of these.
    fn set(&mut self, result: usize, value: Value<'c, 'a>) -> Result<(), Failure> {
        let choice = self.analysis.choice(self.op.result(result)?.into()).ok_or("a result has no storage")?;
        for identity in &choice.states {
            let origin = self.analysis.identities[*identity].0.origin;
            self.values.set(self.storages.of(origin), value);
        }
        Ok(())
    }

    /// Writes what the operation writes, of several parts the one of this number; where it writes one of several tensors, each of
    /// them as it is where it is not that one.
    fn update(&mut self, number: usize, value: Value<'c, 'a>) -> Result<(), Failure> {
        let analysis = self.analysis;
        let by = analysis.operands.get(&(self.op.to_raw().ptr as usize)).map_or(&[][..], Vec::as_slice);
        let mut targets: Vec<(Origin, &Layout, Seen)> = vec![];
        let mut by_combination = vec![];
        for combination in 0..analysis.counts(by).iter().product() {
            let written = analysis.writes_of(self.op).get(combination).and_then(|all| all.get(number));
            let target = written.map(|access| {
                let access = &analysis.accesses[*access];
                let target = (access.at, &access.view, analysis.identities[access.identity].0.seen);
                targets.iter().position(|known| *known == target).unwrap_or_else(|| {
                    targets.push(target);
                    targets.len() - 1
                })
            });
            by_combination.push(target);
        }
        for (target, (origin, layout, seen)) in targets.iter().enumerate() {
            let mut new = value;
            if by_combination.iter().any(|own| *own != Some(target)) {
                let old = self.elements(*origin, layout, *seen)?;
                let either = by_combination.iter().map(|own| if *own == Some(target) { value } else { old });
                let either: Vec<Value> = either.collect();
                new = self.values.choose_by(analysis, by, &either)?;
            }
            self.overwrite(*origin, layout, *seen, new)?;
        }
        Ok(())
    }
}

/// Ends the core with its results, takes out what it no longer needs, and moves it into a function of its own.
fn finish<'c, 'a>(
    function: OperationRef<'c, 'a>,
    block: BlockRef<'c, 'a>,
    end: OperationRef<'c, 'a>,
    first: HashMap<usize, Value<'c, 'a>>,
    mut core: Rewriter<'_, 'c, 'a>,
    as_results: bool,
) -> Result<Plan<'c>, Failure> {
    let (analysis, storages) = (core.analysis, core.storages);
    core.values.before = end;
    let mut results: Vec<Value> = vec![];
    let mut outputs = vec![];
    let mut fresh: Vec<(usize, usize)> = vec![];
    let mut selectors: Vec<(usize, usize)> = vec![];
    for value in end.operands() {
        let Some(choice) = analysis.choice(value) else {
            outputs.push(Output::Value(results.len()));
            results.push(value);
            continue;
        };
        outputs.push(Output::Tensor(choice.clone()));
        for identity in &choice.states {
            let tensor = &analysis.identities[*identity].0;
            if let Origin::Fresh(number) = tensor.origin
                && fresh.iter().all(|(known, _)| *known != number)
            {
                let storage = storages.of(tensor.origin);
                let base = &storages.list[storage].base;
                fresh.push((number, results.len()));
                results.push(core.values.read(storage, &base.permute(&boundary::memory_order(base)))?);
            }
        }
        for selector in &choice.by {
            if selectors.iter().all(|(known, _)| known != selector) {
                selectors.push((*selector, results.len()));
                results.push(core.values.selector(analysis, *selector)?);
            }
        }
    }
    let distinct = regions::written_frames(analysis);
    let (mut regions, mut updated) = (vec![], vec![]);
    if as_results {
        for argument in updates::written(analysis, storages).map_err(|message| refuse(function, &message))? {
            let own = analysis.arguments[argument].as_ref().ok_or("an argument is no graph tensor")?;
            updated.push((argument, results.len()));
            let packed = own.layout.permute(&boundary::memory_order(&own.layout));
            results.push(core.values.read(storages.of(Origin::Argument(argument)), &packed)?);
        }
    }
    for (storage, region) in regions::written(analysis, storages).into_iter().filter(|_| !as_results) {
        regions.push((region, results.len()));
        let (region, _) = &regions[regions.len() - 1];
        results.push(core.values.read(storage, &region.layout)?);
    }
    let location = end.location();
    let new_end = OperationBuilder::new("func.return", location).add_operands(&results).build()?;
    block.append_operation(new_end);
    let types = results.iter().map(|v| v.r#type()).collect();
    erase(end);
    core.clear();
    sweep(block);
    let inputs = inputs(block, storages, &first);
    let core = outline(function, block)?;
    core_layouts::declare(core, &inputs, analysis, storages);
    let core = convert::string(core.attribute("sym_name")?);
    Ok(Plan { core, types, inputs, outputs, fresh, selectors, distinct, regions, updated })
}

fn erase(op: OperationRef) {
    unsafe {
        mlirOperationRemoveFromParent(op.to_raw());
        mlirOperationDestroy(op.to_raw());
    }
}

fn is_used(value: Value) -> bool {
    !unsafe { mlirOpOperandIsNull(mlirValueGetFirstUse(value.to_raw())) }
}

/// Takes out operations whose results nobody uses, inside of others too.
fn sweep(block: BlockRef) {
    for op in operations(block).into_iter().rev().skip(1) {
        op.regions().filter_map(|region| region.first_block()).for_each(sweep);
        let dead = op.results().all(|v| !is_used(v.into())) && bridge::is_memory_effect_free(op);
        if dead {
            erase(op);
        }
    }
}

/// Brings the core's arguments into the order of the function's, without those that nobody uses; says what each is.
fn inputs<'c, 'a>(
    block: BlockRef<'c, 'a>,
    storages: &Storages,
    first: &HashMap<usize, Value<'c, 'a>>,
) -> Vec<Input> {
    let old: Vec<Value> = arguments(block).collect();
    let count = old.len() - first.len();
    let source = |i: usize| {
        storages.list.iter().position(|s| s.source == Source::Whole(i) || s.source == Source::Places(i))
    };
    let mut inputs = vec![];
    for (i, own) in old[..count].iter().enumerate() {
        let (input, value) = match source(i).and_then(|s| Some((s, *first.get(&s)?))) {
            Some((storage, value)) => (Input::Storage(storage), value),
            None => (Input::Argument(i), *own),
        };
        if !is_used(value) {
            continue;
        }
        let new = block.add_argument(value.r#type(), value.location());
        unsafe { mlirValueReplaceAllUsesOfWith(value.to_raw(), new.to_raw()) };
        inputs.push(input);
    }
    for _ in &old {
        unsafe { mlirBlockEraseArgument(block.to_raw(), 0) };
    }
    inputs
}

/// Moves a function's body into a private function before it; returns the new function.
fn outline<'c, 'a>(
    function: OperationRef<'c, 'a>,
    block: BlockRef<'c, 'a>,
) -> Result<OperationRef<'c, 'a>, Failure> {
    let context = context::of(function.context());
    let parent = function.block().ok_or("stands in no module")?;
    let own = convert::string(function.attribute("sym_name")?);
    let taken: HashSet<String> = operations(parent)
        .into_iter()
        .filter_map(|op| op.attribute("sym_name").ok())
        .map(convert::string)
        .collect();
    let names = std::iter::once(format!("{own}.core")).chain((0..).map(|i| format!("{own}.core_{i}")));
    let name = names.into_iter().find(|n| !taken.contains(n)).ok_or("has no name for its core")?;
    let end = block.terminator().ok_or("has a body without end")?;
    let inputs: Vec<Type> = arguments(block).map(|v| v.r#type()).collect();
    let results: Vec<Type> = end.operands().map(|v| v.r#type()).collect();
    let signature = FunctionType::new(context, &inputs, &results);
    let attributes: [(&str, Attribute); 3] = [
        ("sym_name", StringAttribute::new(context, &name).into()),
        ("function_type", TypeAttribute::new(signature.into()).into()),
        ("sym_visibility", StringAttribute::new(context, "private").into()),
    ];
    let core = OperationBuilder::new("func.func", function.location())
        .add_attributes(&attributes.map(|(key, value)| (Identifier::new(context, key), value)))
        .add_regions([melior::ir::Region::new()])
        .build()?;
    let core = parent.insert_operation_before(function, core);
    unsafe { mlirRegionTakeBody(core.region(0)?.to_raw(), function.region(0)?.to_raw()) };
    Ok(core)
}
