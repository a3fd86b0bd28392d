//! What belongs to the backward part: arguments marked `functional.tangent` and results marked
//! `functional.gradient`.
//!
//! A function on builtin tensors has its own marks. Those of a boundary on graph tensors are its core's: of
//! the arguments that it reads a marked tensor for, and of the results that a marked tensor is made of.

use melior::ir::{BlockRef, OperationRef, RegionLike, Value, ValueLike};
use std::collections::HashMap;
use terrace_dialects::ir::{
    BlockLike, OperationLike,
    annotations::{self, Place},
    attributes as convert,
    operations::{self, argument, arguments, collect, definition, name_of},
    pass::Failure,
    registry,
    types::is_graph_tensor,
};

/// For each argument whether it is a tangent, for each result whether it is a gradient.
pub struct Marks {
    pub tangents: Vec<bool>,
    pub gradients: Vec<bool>,
}

/// A function of builtin tensors with marks, in the order of the module; or a function whose marks are no
/// core's, and why.
type Marked<'c, 'a> = (OperationRef<'c, 'a>, Result<Marks, Failure>);

/// The joint graphs of a module.
pub fn all<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Vec<Marked<'c, 'a>> {
    let functions = collect(module, |op| name_of(op) == "func.func");
    let named = |op: &OperationRef<'c, 'a>| op.attribute("sym_name").ok().map(convert::string);
    let by_name: HashMap<String, OperationRef> =
        functions.iter().filter_map(|op| Some((named(op)?, *op))).collect();
    let marked = |function: OperationRef<'c, 'a>| -> Option<Marked<'c, 'a>> {
        let block = function.region(0).ok()?.first_block()?;
        let end = block.terminator()?;
        let has = |place, name| annotations::of(function, place, name).is_some();
        let marks = Marks {
            tangents: (0..block.argument_count())
                .map(|i| has(Place::Argument(i), annotations::TANGENT))
                .collect(),
            gradients: (0..end.operand_count())
                .map(|i| has(Place::Result(i), annotations::GRADIENT))
                .collect(),
        };
        if !marks.tangents.contains(&true) && !marks.gradients.contains(&true) {
            return None;
        }
        let tensors = arguments(block).chain(end.operands());
        if !tensors.into_iter().any(|value| is_graph_tensor(value.r#type())) {
            return Some((function, Ok(marks)));
        }
        let core = block_calls(block).find_map(|call| {
            let name = call.attribute("callee").ok().map(convert::symbol)?;
            Some((call, *by_name.get(&name).filter(|core| crate::functions::is_private(**core))?))
        });
        Some(match core {
            Some((call, core)) => (core, Ok(marks.of_core(call, end))),
            None => {
                let why = "is marked and has no core yet: run graph-functionalize before this pass";
                (function, Err(why.into()))
            }
        })
    };
    functions.iter().filter_map(|function| marked(*function)).collect()
}

fn block_calls<'c, 'a>(block: BlockRef<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    let all = std::iter::successors(block.first_operation(), |op| op.next_in_block());
    all.filter(|op| name_of(*op) == "func.call")
}

impl Marks {
    /// Those of the function that a boundary calls.
    fn of_core<'c: 'a, 'a>(&self, call: OperationRef<'c, 'a>, end: OperationRef<'c, 'a>) -> Marks {
        let tangent = |operand: Value<'c, 'a>| {
            let argument = argument(source(operand));
            argument.is_some_and(|own| self.tangents.get(own.argument_number()) == Some(&true))
        };
        let mut gradients = vec![false; call.result_count()];
        for (returned, _) in end.operands().zip(&self.gradients).filter(|(_, marked)| **marked) {
            if let Some(result) = operations::result(source(returned))
                && definition(source(returned)) == Some(call)
            {
                gradients[result.result_number()] = true;
            }
        }
        Marks { tangents: call.operands().map(tangent).collect(), gradients }
    }
}

/// What a value of a boundary has its elements from: an argument, or a result of the core.
fn source<'c: 'a, 'a>(mut value: Value<'c, 'a>) -> Value<'c, 'a> {
    while let Some(op) = definition(value) {
        let passes = ["graph.fresh", "graph.value"].contains(&name_of(op));
        let view = registry::of(op).is_some_and(|class| class.dialect == "graph" && class.view);
        match op.operand(0) {
            Ok(operand) if passes || view => value = operand,
            _ => break,
        }
    }
    value
}
