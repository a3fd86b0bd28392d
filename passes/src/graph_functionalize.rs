//! `graph-functionalize`: a function on storages becomes a pure core on values, and a boundary.
//!
//! Contract: every function with graph tensors in its signature or body is one block of operations of the graph dialect
//! with static sizes, and of other operations without memory effects. It becomes `@f.core`, private, pure, on builtin
//! tensors, and `@f`, which reads storages, calls the core and writes back. Whatever is not known is a located error.
//!
//! The work is linear in the operations. [`analysis`] says of each tensor its storage and its layout over it, whatever
//! the depth of the chain of views, and [`frames`] what it is where strides are not known; [`storages`] chooses the tensor that stands for each storage; [`values`] keeps one
//! SSA value per version of a storage, reads views out of it when they are used and scatters mutations into it;
//! [`operators`] has the functional form of each operator; [`seen`] how views see elements of a storage, [`regions`] says what is written back, and [`boundary`] rebuilds
//! what the caller sees.
//!
//! The body is turned into the core in place, so that operations of other dialects stay where they are.

mod activation_gradients;
pub(crate) mod analysis;
mod boundary;
mod checks;
mod clamping;
mod classes;
mod convolutions;
mod created;
mod einsum;
mod elementary;
mod flat;
mod forms;
mod frames;
mod gates;
mod gradients;
mod images;
mod losses;
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
mod values;
mod writes;

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
use std::collections::{HashMap, HashSet};
use storages::{Source, Storages};
use terrace_dialects::{
    arguments::is_eager, attributes as convert, bridge, context, ops::graph, pass::Failure, registry,
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
pub fn run(module: OperationRef, _options: &crate::options::GraphFunctionalize) -> Result<(), Failure> {
    let mut failed = false;
    for function in functions(module) {
        match split(function) {
            Ok(()) => {}
            Err(Failure::Reported) => failed = true,
            Err(Failure::Message(message)) => {
                bridge::emit_op_error(&function, &message);
                failed = true;
            }
        }
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

fn has_tensors(function: OperationRef) -> bool {
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
        "func.return",
    ];
    let is_view = |op: &OperationRef| registry::of(*op).is_some_and(|i| i.dialect == "graph" && i.view);
    let is_call = |op: &OperationRef| op.name().as_string_ref().as_str() == Ok("func.call");
    all.iter().any(is_call)
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
fn split<'c, 'a>(function: OperationRef<'c, 'a>) -> Result<(), Failure> {
    let block = blocks(function).next().ok_or("has no body")?;
    let end = block.terminator().ok_or("has a body without end")?;
    if block.next_in_region().is_some() || end.name().as_string_ref().as_str() != Ok("func.return") {
        return Err(refuse(
            end,
            "is not supported on graph tensors: graph-functionalize knows straight-line code",
        ));
    }
    let analysis = Analysis::of(function, block).map_err(|(op, message)| refuse(op, &message))?;
    let storages =
        Storages::choose(&analysis).map_err(|(op, message)| refuse(op.unwrap_or(function), &message))?;
    let signature: Vec<(Type, Location)> = arguments(block).map(|v| (v.r#type(), v.location())).collect();
    let core = lower(block, end, &analysis, &storages)?;
    let plan = finish(function, block, end, &analysis, &storages, core)?;
    let body = function.region(0)?;
    boundary::write(function, body, &signature, &analysis, &storages, &plan)
}

/// The body as it becomes the core.
struct Core<'c, 'a> {
    values: Values<'c, 'a>,
    /// The core's argument for the first value of a storage.
    first: HashMap<usize, Value<'c, 'a>>,
    /// The operations that were lowered, in order.
    lowered: Vec<OperationRef<'c, 'a>>,
}

/// Puts the functional form of each operation before it.
fn lower<'c, 'a>(
    block: BlockRef<'c, 'a>,
    end: OperationRef<'c, 'a>,
    analysis: &Analysis<'c, 'a>,
    storages: &Storages,
) -> Result<Core<'c, 'a>, Failure> {
    let mut values = Values::new(end);
    let mut first = HashMap::new();
    for (number, storage) in storages.list.iter().enumerate() {
        values.add(storage.base.clone(), storage.dtype);
        let (Source::Whole(argument) | Source::Places(argument)) = storage.source else { continue };
        let location = block.argument(argument)?.location();
        let value = block.add_argument(values.tensor_type(storage.dtype, &storage.base.sizes), location);
        values.set(number, value);
        first.insert(number, value);
    }
    let mut lowered = vec![];
    for op in operations(block) {
        let Some(op_impl) = registry::of(op).filter(|i| i.dialect == "graph") else { continue };
        lowered.push(op);
        if op_impl.view {
            continue;
        }
        values.before = op;
        let mut l = Lowering { values: &mut values, analysis, storages, op, op_impl };
        if let Ok(read) = graph::ValueOp::try_from(op) {
            let value = l.read(read.view())?;
            unsafe { mlirValueReplaceAllUsesOfWith(op.result(0)?.to_raw(), value.to_raw()) };
        } else if let Ok(fresh) = graph::FreshOp::try_from(op) {
            let value = fresh.value();
            set(&mut l, 0, value)?;
        } else if let Ok(write) = graph::WriteBackOp::try_from(op) {
            let value = write.value();
            update(&mut l, 0, value)?;
        } else {
            let operator = operators::find(op_impl).ok_or("an operator has no functional form")?;
            if op_impl.is_in_place() {
                if analysis.written(op).is_some() {
                    let value = operators::updated(&mut l, operator).map_err(|failure| at(op, failure))?;
                    update(&mut l, 0, value)?;
                }
            } else {
                let values = (operator.lower)(&mut l).map_err(|failure| at(op, failure))?;
                let (results, writes) = values.split_at(op.result_count());
                for (index, value) in results.iter().enumerate() {
                    let result = op.result(index)?;
                    if is_graph_tensor(result.r#type()) {
                        set(&mut l, index, *value)?;
                    } else {
                        unsafe { mlirValueReplaceAllUsesOfWith(result.to_raw(), value.to_raw()) };
                    }
                }
                for (index, value) in writes.iter().enumerate() {
                    update(&mut l, index, *value)?;
                }
            }
        }
    }
    values.before = end;
    Ok(Core { values, first, lowered })
}

/// Gives a new storage, that of a result, its first value.
fn set<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>, result: usize, value: Value<'c, 'a>) -> Result<(), Failure> {
    let tensor = l.analysis.tensor(l.op.result(result)?.into()).ok_or("a result has no storage")?;
    l.values.set(l.storages.of(tensor.origin), value);
    Ok(())
}

/// Writes what the operation writes, of several parts the one of this number.
fn update<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>, number: usize, value: Value<'c, 'a>) -> Result<(), Failure> {
    match l.analysis.all_written(l.op).nth(number) {
        Some((origin, layout, seen)) => l.values.write_seen(l.storages.of(origin), layout, seen, value),
        None => Ok(()),
    }
}

/// Ends the core with its results, takes out what it no longer needs, and moves it into a function of its own.
fn finish<'c, 'a>(
    function: OperationRef<'c, 'a>,
    block: BlockRef<'c, 'a>,
    end: OperationRef<'c, 'a>,
    analysis: &Analysis<'c, 'a>,
    storages: &Storages,
    core: Core<'c, 'a>,
) -> Result<Plan<'c>, Failure> {
    let Core { mut values, first, lowered } = core;
    let mut results: Vec<Value> = vec![];
    let mut outputs = vec![];
    let mut fresh: Vec<(usize, usize)> = vec![];
    for value in end.operands() {
        let Some(tensor) = analysis.tensor(value) else {
            outputs.push(Output::Value(results.len()));
            results.push(value);
            continue;
        };
        outputs.push(Output::Tensor(tensor.clone()));
        if let Origin::Fresh(number) = tensor.origin
            && fresh.iter().all(|(known, _)| *known != number)
        {
            let storage = storages.of(tensor.origin);
            let base = &storages.list[storage].base;
            fresh.push((number, results.len()));
            results.push(values.read(storage, &base.permute(&boundary::memory_order(base)))?);
        }
    }
    let distinct = regions::written_frames(analysis);
    let mut regions = vec![];
    for (storage, region) in regions::written(analysis, storages) {
        regions.push((region, results.len()));
        let (region, _) = &regions[regions.len() - 1];
        results.push(values.read(storage, &region.layout)?);
    }
    let location = end.location();
    let new_end = OperationBuilder::new("func.return", location).add_operands(&results).build()?;
    block.append_operation(new_end);
    let types = results.iter().map(|v| v.r#type()).collect();
    erase(end);
    for op in lowered.into_iter().rev() {
        erase(op);
    }
    sweep(block);
    let inputs = inputs(block, storages, &first);
    let core = outline(function, block)?;
    Ok(Plan { core, types, inputs, outputs, fresh, distinct, regions })
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

/// Takes out operations whose results nobody uses.
fn sweep(block: BlockRef) {
    for op in operations(block).into_iter().rev().skip(1) {
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

/// Moves a function's body into a private function before it; returns the new function's name.
fn outline<'c, 'a>(function: OperationRef<'c, 'a>, block: BlockRef<'c, 'a>) -> Result<String, Failure> {
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
    Ok(name)
}
