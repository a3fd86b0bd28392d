//! `graph-propagate-fake`: what every graph tensor is, written beside it.
//!
//! Contract: a module. Arguments and operations with graph tensors get `graph.fake`, operations that needed
//! guards `graph.guards`, functions `graph.symbols`. The analysis is [`terrace_dialects::analysis::fake`];
//! each function is followed by itself, with what it calls.

use melior::{
    Context,
    ir::{
        Attribute, OperationRef, RegionLike, Value, ValueLike,
        attribute::{ArrayAttribute, StringAttribute},
    },
};
use std::collections::HashMap;
use terrace_dialects::{
    analysis::fake::{Entry, Fake, State},
    ir::{
        BlockLike, OperationLike,
        args::KnownValues,
        arguments::{self, FAKE},
        context, diagnostics,
        pass::Failure,
        rewrite::set_discardable,
        types::is_graph_tensor,
    },
};
use terrace_size::symbols::Symbols;

use terrace_interpreter::EVALUATOR;

/// Runs the pass on a module.
pub fn run(top: OperationRef, _options: &crate::options::GraphPropagateFake) -> Result<(), Failure> {
    module(top)
}

fn module(module: OperationRef) -> Result<(), Failure> {
    let mut failed = false;
    let mut next = module.region(0)?.first_block().and_then(|block| block.first_operation());
    while let Some(op) = next {
        next = op.next_in_block();
        match op.name().as_string_ref().as_str() {
            Ok("builtin.module") => failed |= self::module(op).is_err(),
            Ok("func.func") => failed |= function(op).is_err(),
            _ => {}
        }
    }
    if failed { Err(Failure::Reported) } else { Ok(()) }
}

fn function(function: OperationRef) -> Result<(), Failure> {
    let Some(block) = function.region(0).ok().and_then(|region| region.first_block()) else {
        return Ok(());
    };
    let context = context::of(function.context());
    let (mut symbols, mut state) = (Symbols::new(), State::default());
    state.evaluate_with(EVALUATOR);
    let mut arguments = vec![];
    for number in 0..block.argument_count() {
        let value: Value = block.argument(number)?.into();
        let declared = arguments::declared(function, number)?;
        symbols.enter(|| state.argument(number, value, &declared, None));
        arguments.push(value);
    }
    if let Err(wrong) = symbols.enter(|| state.body(function)) {
        diagnostics::emit_op_error(&wrong.op, &wrong.message);
        return Err(Failure::Reported);
    }
    // After the last guard: expressions are as simple as they get.
    let mut fakes: Vec<(usize, &str, Attribute)> = vec![];
    for (number, value) in arguments.into_iter().enumerate() {
        if let Some(fake) = state.fake(value) {
            fakes.push((number, FAKE, StringAttribute::new(context, &text(fake, &mut symbols)).into()));
        }
    }
    arguments::set_attributes(function, &fakes);
    let mut operations = vec![];
    inside(function, &mut operations);
    let mut guards: HashMap<usize, Vec<String>> = HashMap::new();
    for guard in symbols.guards() {
        guards.entry(guard.by).or_default().push(symbols.guard_text(guard));
    }
    let mut numbers = HashMap::new();
    for (number, op) in operations.into_iter().enumerate() {
        let address = op.to_raw().ptr as usize;
        numbers.insert(address, number);
        let texts: Vec<String> =
            op.results().filter_map(|result| result_text(&state, result.into(), &mut symbols)).collect();
        if !texts.is_empty() && is_graph(op) {
            set_discardable(op, FAKE, list(context, &texts));
        }
        if let Some(guards) = guards.get(&address) {
            set_discardable(op, "graph.guards", list(context, guards));
        }
    }
    if !state.entries.is_empty() {
        let entries = state.entries.iter().enumerate();
        let entries: Vec<String> =
            entries.map(|(number, (_, entry))| entry_text(number, *entry, &numbers)).collect();
        set_discardable(function, "graph.symbols", list(context, &entries));
    }
    Ok(())
}

/// Whether there are graph tensors among what an operation takes or makes.
fn is_graph(op: OperationRef) -> bool {
    op.operands().chain(op.results().map(Value::from)).any(|value| is_graph_tensor(value.r#type()))
}

/// The operations inside of one, in the order of the text.
fn inside<'c, 'a>(op: OperationRef<'c, 'a>, out: &mut Vec<OperationRef<'c, 'a>>) {
    for region in op.regions() {
        let mut block = region.first_block();
        while let Some(current) = block {
            let mut next = current.first_operation();
            while let Some(op) = next {
                out.push(op);
                inside(op, out);
                next = op.next_in_block();
            }
            block = current.next_in_region();
        }
    }
}

/// A tensor, or a number that is known.
fn result_text(state: &State, result: Value, symbols: &mut Symbols) -> Option<String> {
    if let Some(fake) = state.fake(result) {
        return Some(text(fake, symbols));
    }
    let number = symbols.simplified(state.number(result)?);
    Some(symbols.text(number))
}

fn text(fake: &Fake, symbols: &mut Symbols) -> String {
    let layout = fake.text(symbols);
    let dtype = format!("{:?}", fake.known.dtype).to_lowercase();
    let storages: Vec<String> = fake.storages.iter().map(usize::to_string).collect();
    let device = fake.device.map(|device| format!(" on {device}")).unwrap_or_default();
    format!("{dtype}{layout}{device} storage {} object {}", storages.join(" or "), fake.identity)
}

fn entry_text(number: usize, entry: Entry, numbers: &HashMap<usize, usize>) -> String {
    let place = |by| numbers.get(&by).copied().unwrap_or_default();
    let what = match entry {
        Entry::Size { argument, dim } => format!("size {dim} of argument {argument}"),
        Entry::Stride { argument, dim } => format!("stride {dim} of argument {argument}"),
        Entry::Offset { argument } => format!("offset of argument {argument}"),
        Entry::Number { argument } => format!("argument {argument}"),
        Entry::Elements { by, result, dim } => {
            format!("size {dim} of result {result} of operation {}, by its elements", place(by))
        }
        Entry::Computed { by } => format!("computed by operation {}", place(by)),
        Entry::Joined { by } => format!("by the way taken at operation {}", place(by)),
    };
    format!("s{number}: {what}")
}

fn list<'c>(context: &'c Context, texts: &[String]) -> Attribute<'c> {
    let texts: Vec<Attribute> = texts.iter().map(|text| StringAttribute::new(context, text).into()).collect();
    ArrayAttribute::new(context, &texts).into()
}
