//! What a function does to the storages of its arguments, as the analysis of fake tensors finds it.

use melior::ir::{OperationRef, RegionLike, Value, ValueLike};
use std::collections::HashSet;
use terrace_dialects::{
    analysis::fake::{State, Uses},
    internal,
    ir::{
        OperationLike,
        arguments::{self, Declared},
        operations::{self, collect, name_of},
        pass::Failure,
        registry,
        types::TensorType,
    },
};
use terrace_interpreter::EVALUATOR;
use terrace_size::symbols::Symbols;

/// A graph tensor among the arguments.
pub struct Argument {
    /// Its number.
    pub number: usize,
    /// The storage that it declares.
    pub storage: Option<String>,
    /// What is done to elements of its storage, on any way.
    pub uses: Uses,
}

/// The graph tensors among the arguments of a function; none where there are not two of which one declares no
/// storage, so that nothing is to be asked. Where the analysis refuses the function anything may be done to
/// each of them.
pub fn of(function: OperationRef) -> Result<Vec<Argument>, Failure> {
    let block = function.region(0)?.first_block().ok_or(internal!("has no body"))?;
    let values: Vec<Value> = operations::arguments(block).collect();
    let mut declared = vec![];
    for (number, value) in values.iter().enumerate() {
        if TensorType::of(value.r#type()).is_some_and(|ty| ty.graph) {
            declared.push((number, arguments::declared(function, number)?));
        }
    }
    if declared.len() < 2 || declared.iter().all(|(_, declared)| declared.storage.is_some()) {
        return Ok(vec![]);
    }
    let (mut symbols, mut state) = (Symbols::new(), State::default());
    state.evaluate_with(EVALUATOR);
    state.note_uses();
    for (number, value) in values.iter().enumerate() {
        let declared = arguments::declared(function, number)?;
        symbols.enter(|| state.argument(number, *value, &declared, None));
    }
    let entry: Vec<usize> = declared
        .iter()
        .filter_map(|(number, _)| state.fake(values[*number]).map(|fake| fake.storages[0]))
        .collect();
    let known = symbols.enter(|| state.body(function)).is_ok();
    let open = undecided(function, &symbols, &state);
    let argument = |((number, declared), storage): ((usize, Declared), usize)| {
        let uses = if known { state.uses_of(storage) } else { Uses::ANY };
        let uses = if open.contains(&storage) { uses.with(WRITTEN) } else { uses };
        Argument { number, storage: declared.storage, uses }
    };
    Ok(declared.into_iter().zip(entry).map(argument).collect())
}

const WRITTEN: Uses = Uses { touched: true, written: true, beyond: false };

/// Operators whose result is the operand, a view of it or a copy, as sizes and strides decide.
const VIEWS_OR_COPIES: &[&str] = &[
    "graph.contiguous",
    "graph.flatten.using_ints",
    "graph.ravel",
    "graph.reshape",
    "graph.reshape_as",
    "graph.to",
    "graph.to.device",
    "graph.to.other",
    "graph.type_as",
];

/// Storages that may be written, through what the analysis took for a copy where it could not know that it is
/// no view: once it has taken something for granted, all that follows may stand on it.
fn undecided(function: OperationRef, symbols: &Symbols, state: &State) -> HashSet<usize> {
    if symbols.guards().is_empty() {
        return HashSet::new();
    }
    let asked = collect(function, |op| match registry::of(op) {
        Some(class) => VIEWS_OR_COPIES.contains(&class.name),
        None => name_of(op) == "func.call",
    });
    let storages = |values: Vec<Value>| -> Vec<usize> {
        values.iter().filter_map(|value| state.fake(*value)).flat_map(|fake| fake.storages.to_vec()).collect()
    };
    let mut written = HashSet::new();
    // One may be a copy of another one: later ones first, and again as long as there are more.
    loop {
        let before = written.len();
        for op in asked.iter().rev() {
            let is_written = |storage: &usize| state.uses_of(*storage).written || written.contains(storage);
            // What is inside of a call is not known here.
            let through = match registry::of(*op) {
                Some(_) => storages(op.results().map(Value::from).collect()).iter().any(is_written),
                None => state.writes_anything(),
            };
            if through {
                written.extend(storages(op.operands().collect()));
            }
        }
        if written.len() == before {
            return written;
        }
    }
}
