//! `graph-functionalize`: a function on storages becomes a pure core on values, and a boundary.
//!
//! Contract: every function with graph tensors in its signature or body is one block of operations of the
//! graph dialect with static sizes, of control flow of `scf`, and of other operations without memory effects.
//! It becomes `@f.core`, private, pure, on builtin tensors, and `@f`, which reads storages, calls the core
//! and writes back. Whatever is not known is a located error.
//!
//! The work is linear in the operations. [`analysis`] says of each tensor its storage and its layout over it,
//! whatever the depth of the chain of views, and [`analysis::logical_views`] what it is where strides are not
//! known; [`rewriting::storages`] chooses the tensor that stands for each storage; [`rewriting::values`]
//! keeps one SSA value per version of a storage, reads views out of it when they are used and scatters
//! mutations into it; [`analysis::flow`] follows control flow, [`analysis::merges`] says what tensors are
//! where ways meet, [`analysis::choices`] what of a tensor that is one of several, and [`rewriting::control`]
//! rewrites it; [`rewriting::rewriter`] does so, operation by operation, and [`boundary::outline`] makes a
//! function of it; [`decompositions::dispatch`] has the functional form of each operator;
//! [`analysis::transform`] how views see elements of a storage, [`boundary::regions`] says what is written
//! back, [`analysis::demands`] what arguments have to be for it, and [`boundary`] rebuilds what the caller
//! sees.
//!
//! The body is turned into the core in place, so that operations of other dialects stay where they are.

pub(crate) mod analysis;
pub(crate) mod boundary;
pub(crate) mod decompositions;
mod program;
mod rewriting;

pub use analysis::custom::is_called_on_values;
pub use analysis::generator::knows_generator;
pub use analysis::{
    logical_views::{check as needs_no_strides, splits},
    tensors::UNKNOWN,
};
use boundary::recognized::{has_tensors, is_boundary};
pub use terrace_dialects::aten::placement::views::layouts;

use crate::{functional::writer::Writer, functions::Names};
use analysis::{demands::Demands, state::Analysis};
use melior::ir::{Location, OperationRef, RegionLike, Type, Value, ValueLike};
use program::*;
use rewriting::{rewriter::Rewriter, storages::Storages};
use std::collections::BTreeSet;
use terrace_dialects::{
    analysis::known::{Known, Table},
    internal,
    ir::{
        self, BlockLike, OperationLike, diagnostics,
        operations::{self, name_of},
        pass::Failure,
        refusal::Reason,
        registry,
    },
};
use terrace_size::symbols::{Symbols, current};

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

/// The functions to split: those of the module and of modules inside it, that have a body with graph tensors
/// and are not boundaries already.
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

/// Splits one function, with these symbols in force.
fn split(
    function: OperationRef,
    as_results: bool,
    names: &mut Names,
    symbols: &mut Symbols,
) -> Result<(), Failure> {
    let tables = Tables::default();
    symbols.enter(|| {
        split_by_symbols(function, as_results, names, &tables).map_err(|failure| match failure {
            Failure::Message(message) => Failure::Message(with_guards(message)),
            Failure::Reported => Failure::Reported,
        })
    })
}

/// What is known of values in each part of a function that is written.
#[derive(Default)]
struct Tables {
    resolved: Table,
    core: Table,
    boundary: Table,
    guards: Table,
}

fn split_by_symbols<'c, 'a>(
    function: OperationRef<'c, 'a>,
    as_results: bool,
    names: &mut Names,
    tables: &'a Tables,
) -> Result<(), Failure> {
    let block = blocks(function).next().ok_or(internal!("has no body"))?;
    let end = block.terminator().ok_or(internal!("has a body without end"))?;
    if block.next_in_region().is_some() || end.name().as_string_ref().as_str() != Ok("func.return") {
        return Err(refuse(
            end,
            "is not supported on graph tensors: make blocks and branches operations of scf by graph-structure",
        ));
    }
    let written = boundary::guards::park(function, block)?;
    let (mut given, mut before) = (vec![], BTreeSet::new());
    if crate::graph::resolve_views::is_left(function) {
        let analysis = Analysis::with_symbols(function, block);
        let known = tables.resolved.known();
        let all: Vec<Value> = operations::arguments(block).collect();
        let first = block.first_operation().ok_or(internal!("has no body"))?;
        boundary::guards::given(&analysis, Writer::before(first).knowing(known), &all)?;
        crate::graph::resolve_views::by_guards(function, analysis, known, |analysis| {
            given = analysis.symbols.iter().filter(|(_, source)| source.is_given()).copied().collect();
            // What is late is asked again below.
            let late = boundary::guards::late(analysis);
            boundary::guards::all(analysis, function, &late).map_err(|(op, message)| refuse(op, &message))?;
            before = late;
            Ok(())
        })?;
    }
    if let Some(open) = unresolved(function) {
        return Err(refuse(open, &Reason::Layout.says(format!("{}, {UNKNOWN}", is_unresolved(open)))));
    }
    let analysis =
        Analysis::of(function, block, &given).map_err(|(op, message)| refuse(op, &with_guards(message)))?;
    let storages = Storages::choose(&analysis)
        .map_err(|(op, message)| refuse(op.unwrap_or(function), &with_guards(message)))?;
    let signature: Vec<(Type, Location)> =
        operations::arguments(block).map(|v| (v.r#type(), v.location())).collect();
    let known = if analysis.symbols.is_empty() { Known::NOTHING } else { tables.core.known() };
    // Where a call can be refused, but not the program, that is tested.
    let (asserted, asked) =
        Demands::of(&analysis, function).map_err(|(op, message)| refuse(op, &message))?.parted();
    let mut core = Rewriter::new(&analysis, &storages, names, Writer::before(end).knowing(known));
    let first = core.begin(block)?;
    core.block(block)?;
    before.extend(&core.asserted);
    boundary::guards::all(&analysis, function, &before).map_err(|(op, message)| refuse(op, &message))?;
    current(|symbols| symbols.asks(0));
    let plan = boundary::outline::finish(function, block, end, first, core, as_results)?;
    let body = function.region(0)?;
    let known = tables.boundary.known();
    boundary::plan::write((function, body), &signature, &analysis, &storages, &plan, &asserted, known)?;
    let guards =
        boundary::guards::all(&analysis, function, &before).map_err(|(op, message)| refuse(op, &message))?;
    let boundary = blocks(function).next().ok_or(internal!("has no boundary"))?;
    boundary::guards::write(boundary, written, &analysis, (&guards, &asked), tables.guards.known())
}

/// An operation that copies as a value does, and may be its operand, or a copy that lies as its operand does,
/// gaps and offset included: by what is known of that `graph-resolve-views` says which.
pub fn unresolved<'c, 'a>(function: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let is_open = |op: OperationRef| {
        let Some(class) = registry::of(op).filter(|class| class.dialect == "graph") else { return false };
        let copies = || ir::view::attribute(op, "copy").is_some_and(ir::attributes::bool);
        let changes =
            || op.operand(0).ok().map(|own| own.r#type()) != op.result_at(0).ok().map(|new| new.r#type());
        class.name == COPY
            || matches!(class.rule, "same" | "to")
                && crate::graph::resolve_views::of_class(class).is_some()
                && (class.rule == "same" || !copies() && !changes())
    };
    operations::collect(function, is_open).first().copied()
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
