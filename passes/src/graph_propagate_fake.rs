//! `graph-propagate-fake`: what every graph tensor is, written beside it.
//!
//! Contract: a function of one block. Arguments and operations with graph tensors get `graph.fake`, operations that needed
//! guards `graph.guards`, the function `graph.symbols`. The analysis is [`terrace_dialects::fake`].

use melior::{
    Context,
    ir::{
        Attribute, AttributeLike, BlockLike, OperationRef, RegionLike, Value,
        attribute::{ArrayAttribute, StringAttribute},
        operation::OperationLike,
    },
};
use terrace_dialects::{
    arguments::{self, FAKE},
    bridge, context,
    fake::{Entry, Fake, State},
    pass::Failure,
    size::symbols::Symbols,
};

/// Runs the pass on a function.
pub fn run(function: OperationRef, _: &crate::options::GraphPropagateFake) -> Result<(), Failure> {
    let Some(block) = function.region(0).ok().and_then(|region| region.first_block()) else {
        return Ok(());
    };
    if block.next_in_region().is_some() {
        return Err("has several blocks: fake tensors pass through functions of one block".into());
    }
    let context = context::of(function.context());
    let (mut symbols, mut state) = (Symbols::new(), State::default());
    let mut arguments = vec![];
    for number in 0..block.argument_count() {
        let value: Value = block.argument(number)?.into();
        let declared = arguments::declared(function, number)?;
        symbols.enter(|| state.argument(number, value, &declared, None));
        arguments.push(value);
    }
    let mut operations = vec![];
    let mut next = block.first_operation();
    while let Some(op) = next {
        next = op.next_in_block();
        if let Err(message) = symbols.enter(|| state.visit(op)) {
            bridge::emit_op_error(&op, &message);
            return Err(Failure::Reported);
        }
        operations.push(op);
    }
    // After the last guard: expressions are as simple as they get.
    for (number, value) in arguments.into_iter().enumerate() {
        if let Some(fake) = state.fake(value) {
            let text = StringAttribute::new(context, &text(fake, &mut symbols)).into();
            set_argument_attribute(function, number, FAKE, text);
        }
    }
    for (number, op) in operations.into_iter().enumerate() {
        let fakes: Vec<&Fake> = op.results().filter_map(|result| state.fake(result.into())).collect();
        if !fakes.is_empty() {
            let texts: Vec<String> = fakes.into_iter().map(|fake| text(fake, &mut symbols)).collect();
            set_attribute(op, FAKE, list(context, &texts));
        }
        let guards = symbols.guards().iter().filter(|guard| guard.by == number);
        let guards: Vec<String> = guards.map(|guard| symbols.guard_text(guard)).collect();
        if !guards.is_empty() {
            set_attribute(op, "graph.guards", list(context, &guards));
        }
    }
    if !state.entries.is_empty() {
        let entries: Vec<String> =
            state.entries.iter().enumerate().map(|(number, (_, entry))| entry_text(number, *entry)).collect();
        set_attribute(function, "graph.symbols", list(context, &entries));
    }
    Ok(())
}

fn text(fake: &Fake, symbols: &mut Symbols) -> String {
    let layout = fake.text(symbols);
    let dtype = format!("{:?}", fake.known.dtype).to_lowercase();
    format!("{dtype}{layout} storage {} object {}", fake.storage, fake.identity)
}

fn entry_text(number: usize, entry: Entry) -> String {
    let what = match entry {
        Entry::Size { argument, dim } => format!("size {dim} of argument {argument}"),
        Entry::Stride { argument, dim } => format!("stride {dim} of argument {argument}"),
        Entry::Offset { argument } => format!("offset of argument {argument}"),
        Entry::Number { argument } => format!("argument {argument}"),
        Entry::Elements { by, result, dim } => {
            format!("size {dim} of result {result} of operation {by}, by its elements")
        }
    };
    format!("s{number}: {what}")
}

fn list<'c>(context: &'c Context, texts: &[String]) -> Attribute<'c> {
    let texts: Vec<Attribute> = texts.iter().map(|text| StringAttribute::new(context, text).into()).collect();
    ArrayAttribute::new(context, &texts).into()
}

fn set_attribute(op: OperationRef, name: &str, value: Attribute) {
    let name = melior::StringRef::new(name);
    // SAFETY: the attribute is of the operation's context.
    unsafe {
        mlir_sys::mlirOperationSetDiscardableAttributeByName(op.to_raw(), name.to_raw(), value.to_raw())
    }
}

fn set_argument_attribute(function: OperationRef, argument: usize, name: &str, value: Attribute) {
    let name = melior::StringRef::new(name);
    // SAFETY: the function has this argument, and the attribute is of its context.
    unsafe {
        mlir_sys::mlirFuncSetArgAttr(function.to_raw(), argument as isize, name.to_raw(), value.to_raw())
    }
}
