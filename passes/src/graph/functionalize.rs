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
//! [`rewriter`] does so, operation by operation, and [`outline`] makes a function of it; [`operators`] has the functional form of each operator; [`seen`] how views see elements of a storage, [`regions`] says what is written back, [`demands`] what arguments have to be for it, and [`boundary`] rebuilds
//! what the caller sees.
//!
//! The body is turned into the core in place, so that operations of other dialects stay where they are.

mod activation_gradients;
pub(crate) mod analysis;
mod boundary;
mod cells;
mod checks;
mod choices;
mod clamping;
mod classes;
mod control;
mod convolutions;
mod core_layouts;
mod created;
mod custom;
mod demands;
mod distinct;
mod einsum;
mod elementary;
mod flat;
mod flow;
mod forms;
mod frames;
mod gates;
mod gradients;
mod guards;
mod images;
mod losses;
mod merges;
mod new_layouts;
mod norm_gradients;
mod norms;
mod numbers;
mod on_values;
mod operators;
mod outline;
mod place;
mod places;
mod prims;
mod products;
mod random;
mod reaches;
mod recurrent;
mod regions;
mod results;
mod rewriter;
mod rooms;
pub(crate) mod seen;
mod selecting;
mod sizes;
mod spelled;
mod statistics;
mod steps;
mod storages;
mod table;
mod tensors;
mod updates;
mod values;
mod visits;
pub(crate) mod windows;
mod writes;

pub use custom::is_called_on_values;
pub use frames::{UNKNOWN, check as needs_no_strides, splits};
pub use random::knows_generator;
pub use terrace_dialects::aten::placement::views::layouts;

use crate::{
    functional::writer::{Writer, known},
    functions::Names,
};
use analysis::Analysis;
use demands::Demands;
use melior::ir::{AttributeLike, BlockRef, Location, OperationRef, RegionLike, Type, Value, ValueLike};
use mlir_sys::*;
use rewriter::Rewriter;
use std::collections::BTreeSet;
use storages::Storages;
use terrace_dialects::{
    internal,
    ir::{
        BlockLike, OperationLike, attributes as convert, diagnostics,
        operations::{self, name_of},
        pass::Failure,
        refusal::Reason,
        registry,
        types::is_graph_tensor,
    },
};
use terrace_size::symbols::{Symbols, current};

/// Operations of graph that stand at a boundary, beside views: those that are put there, and what is asked or made true of storages.
const BOUNDARY: &[&str] = &[
    "graph.assert_distinct",
    "graph.assert_storage",
    "graph.check_disjoint",
    "graph.check_distinct",
    "graph.check_same",
    "graph.check_same_storage",
    "graph.check_storage",
    "graph.fresh",
    "graph.generator_state",
    "graph.guard",
    "graph.resize_storage",
    "graph.set_generator_state",
    "graph.sym_size",
    "graph.sym_storage_offset",
    "graph.sym_stride",
    "graph.value",
    "graph.write_back",
];

/// What makes a boundary of a function, when all that it has is one's.
const MADE: &[&str] = &["func.call", "graph.fresh", "graph.value", "graph.write_back"];

/// A constant number.
enum Number {
    Float(f64),
    Int(i64),
}

/// The number that an `arith.constant` is, or a `complex.constant` without an imaginary part.
fn constant(value: Value) -> Option<Number> {
    let op = operations::definition(value)?;
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
pub(crate) fn constant_int(value: Value) -> Option<i64> {
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
    let (mut failed, mut names) = (false, Names::default());
    for function in functions(module) {
        let done = split(function, as_results, &mut names, &mut Symbols::new());
        if let Err(failure) = done {
            if let Failure::Message(message) = failure {
                diagnostics::emit_op_error(&function, &message);
            }
            failed = true;
        }
    }
    if copies && !failed {
        crate::functional::view_to_copy::run(module, &crate::options::FunctionalViewToCopy {})?;
    }
    if failed { Err(Failure::Reported) } else { Ok(()) }
}

/// The functions to split: those of the module and of modules inside it, that have a body with graph tensors and are not
/// boundaries already.
fn functions<'c, 'a>(module: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut out = vec![];
    let mut next =
        module.region(0).ok().and_then(|r| r.first_block()).and_then(|block| block.first_operation());
    while let Some(op) = next {
        match op.name().as_string_ref().as_str() {
            Ok("builtin.module") => out.extend(functions(op)),
            Ok("func.func") if has_tensors(op) && !is_boundary(op) => out.push(op),
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

pub(crate) fn arguments<'c, 'a>(block: BlockRef<'c, 'a>) -> impl Iterator<Item = Value<'c, 'a>> {
    (0..block.argument_count()).filter_map(move |i| block.argument(i).ok()).map(Value::from)
}

pub(crate) fn has_tensors(function: OperationRef) -> bool {
    blocks(function).flat_map(arguments).any(|v| is_graph_tensor(v.r#type()))
        || analysis::touches_tensors(function)
}

/// Whether a function is split already: it moves values out of storages and into some and calls functions of values, or is on values alone.
pub(crate) fn is_boundary(function: OperationRef) -> bool {
    let all: Vec<_> = blocks(function).flat_map(operations).collect();
    let on_values = !blocks(function).flat_map(arguments).any(|v| is_graph_tensor(v.r#type()));
    let stands = |op: &OperationRef| match name_of(*op) {
        "func.call" => !analysis::touches_tensors(*op),
        "func.return" | "cf.assert" => true,
        name if BOUNDARY.contains(&name) => true,
        name if name.starts_with("arith.") || name.starts_with("tensor.") => true,
        _ => registry::of(*op).is_some_and(|class| class.dialect == "graph" && class.view),
    };
    on_values && custom::on_values(&all)
        || all.iter().any(|op| MADE.contains(&name_of(*op))) && all.iter().all(stands)
}

/// Operations of a block, in order.
fn operations<'c, 'a>(block: BlockRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    std::iter::successors(block.first_operation(), |op| op.next_in_block()).collect()
}

fn refuse(op: OperationRef, message: &str) -> Failure {
    diagnostics::emit_op_error(&op, message);
    Failure::Reported
}

/// A failure is one at an operation.
fn at(op: OperationRef, failure: Failure) -> Failure {
    match failure {
        Failure::Message(message) => refuse(op, &guards::with_guards(message)),
        Failure::Reported => Failure::Reported,
    }
}

/// Splits one function, with these symbols in force.
fn split(
    function: OperationRef,
    as_results: bool,
    names: &mut Names,
    symbols: &mut Symbols,
) -> Result<(), Failure> {
    symbols.enter(|| {
        split_by_symbols(function, as_results, names).map_err(|failure| match failure {
            Failure::Message(message) => Failure::Message(guards::with_guards(message)),
            Failure::Reported => Failure::Reported,
        })
    })
}

fn split_by_symbols(function: OperationRef, as_results: bool, names: &mut Names) -> Result<(), Failure> {
    let block = blocks(function).next().ok_or(internal!("has no body"))?;
    let end = block.terminator().ok_or(internal!("has a body without end"))?;
    if block.next_in_region().is_some() || end.name().as_string_ref().as_str() != Ok("func.return") {
        return Err(refuse(
            end,
            "is not supported on graph tensors: make blocks and branches operations of scf by graph-structure",
        ));
    }
    let written = guards::park(function, block)?;
    let (mut given, mut before) = (vec![], BTreeSet::new());
    if crate::graph::resolve_views::is_left(function) {
        let analysis = Analysis::with_symbols(function, block);
        known::remember(true, || {
            let all: Vec<Value> = arguments(block).collect();
            guards::given(
                &analysis,
                Writer::before(block.first_operation().ok_or(internal!("has no body"))?),
                &all,
            )?;
            crate::graph::resolve_views::by_guards(function, analysis, |analysis| {
                given = analysis.symbols.iter().filter(|(_, source)| source.is_given()).copied().collect();
                // What is late is asked again below.
                let late = guards::late(analysis);
                guards::all(analysis, function, &late).map_err(|(op, message)| refuse(op, &message))?;
                before = late;
                Ok(())
            })
        })?;
    }
    if let Some(open) = operators::unresolved(function) {
        return Err(refuse(
            open,
            &Reason::Layout.says(format!("{}, {UNKNOWN}", operators::is_unresolved(open))),
        ));
    }
    let analysis = Analysis::of(function, block, &given)
        .map_err(|(op, message)| refuse(op, &guards::with_guards(message)))?;
    let storages = Storages::choose(&analysis)
        .map_err(|(op, message)| refuse(op.unwrap_or(function), &guards::with_guards(message)))?;
    let signature: Vec<(Type, Location)> = arguments(block).map(|v| (v.r#type(), v.location())).collect();
    let dynamic = !analysis.symbols.is_empty();
    // Where a call can be refused, but not the program, that is tested.
    let (asserted, asked) =
        Demands::of(&analysis, function).map_err(|(op, message)| refuse(op, &message))?.parted();
    let plan = known::remember(dynamic, || {
        let mut core = Rewriter::new(&analysis, &storages, names, end);
        let first = core.begin(block)?;
        core.block(block)?;
        before.extend(&core.asserted);
        guards::all(&analysis, function, &before).map_err(|(op, message)| refuse(op, &message))?;
        current(|symbols| symbols.asks(0));
        outline::finish(function, block, end, first, core, as_results)
    })?;
    let body = function.region(0)?;
    known::remember(true, || {
        boundary::write(function, body, &signature, &analysis, &storages, &plan, &asserted)
    })?;
    let guards = guards::all(&analysis, function, &before).map_err(|(op, message)| refuse(op, &message))?;
    let boundary = blocks(function).next().ok_or(internal!("has no boundary"))?;
    guards::write(boundary, written, &analysis, (&guards, &asked))
}
