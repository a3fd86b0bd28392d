//! `graph-specialize-aliases`: functions test how their arguments lie to each other, and rely on what they
//! have tested.
//!
//! Contract: a module. A function with a body that is not private, in which an argument is written that may
//! share elements with another one that is read or written, gets a guard that they are disjoint, in front of
//! everything, and declares it. Every other function stays what it is.
//!
//! Two arguments are a pair to be tested where one of them is written, the other one is read or written, and
//! declarations do not say whether they share a storage. [`usage`] asks the analysis of fake tensors what is
//! done to each argument: one walk per function.

mod usage;

use melior::ir::{
    Attribute, OperationRef, RegionLike, Value, attribute::StringAttribute, r#type::IntegerType,
};
use std::collections::HashSet;
use terrace_dialects::{
    internal,
    ir::{
        BlockLike, OperationLike,
        arguments::{STORAGE, set_attributes},
        context,
        cursor::Cursor,
        operations::{arguments, name_of},
        pass::Failure,
    },
    ops::graph,
};
use usage::Argument;

/// Runs the pass on a module.
pub fn run(module: OperationRef, _: &crate::options::GraphSpecializeAliases) -> Result<(), Failure> {
    guard_all(module)
}

/// Guards the functions of a module, and of modules inside.
fn guard_all(module: OperationRef) -> Result<(), Failure> {
    let mut next = module.region(0)?.first_block().and_then(|block| block.first_operation());
    while let Some(op) = next {
        next = op.next_in_block();
        match name_of(op) {
            "builtin.module" => guard_all(op)?,
            "func.func" if is_entry(op) => guard(op, usage::of(op)?)?,
            _ => {}
        }
    }
    Ok(())
}

/// Whether callers that are not in the module may call a function, with arguments of which nothing is known.
fn is_entry(function: OperationRef) -> bool {
    let body = function.region(0).is_ok_and(|region| region.first_block().is_some());
    body && !crate::functions::is_private(function)
}

/// Whether two arguments are a pair to be tested.
fn is_open(a: &Argument, b: &Argument) -> bool {
    let declared = a.storage.is_some() && b.storage.is_some();
    !declared && (a.uses.written || b.uses.written)
}

/// Tests what is open between arguments, and declares it.
fn guard(function: OperationRef, all: Vec<Argument>) -> Result<(), Failure> {
    let taken: HashSet<String> = all.iter().filter_map(|argument| argument.storage.clone()).collect();
    let used: Vec<Argument> = all.into_iter().filter(|argument| argument.uses.touched).collect();
    let tested = |own: &&Argument| used.iter().any(|other| other.number != own.number && is_open(own, other));
    let tested: Vec<&Argument> = used.iter().filter(tested).collect();
    if tested.is_empty() {
        return Ok(());
    }
    let block = function.region(0)?.first_block().ok_or(internal!("has no body"))?;
    let values: Vec<Value> = arguments(block).collect();
    let at = Cursor::start(block, function.location());
    // Those that declare a storage may share memory with each other.
    let (declared, alone): (Vec<&Argument>, Vec<&Argument>) =
        tested.iter().partition(|argument| argument.storage.is_some());
    let ordered: Vec<&Argument> = declared.iter().chain(&alone).copied().collect();
    let tensors: Vec<Value> = ordered.iter().map(|argument| values[argument.number]).collect();
    let sets: Vec<i64> = (!declared.is_empty())
        .then_some(declared.len() as i64)
        .into_iter()
        .chain(alone.iter().map(|_| 1))
        .collect();
    let written: Vec<bool> = ordered.iter().map(|argument| argument.uses.written).collect();
    // Left out where they say what holds without them.
    let sets = sets.iter().any(|size| *size > 1).then_some(&sets[..]);
    let reads = (written.iter().filter(|written| !**written).count() > 1).then_some(&written[..]);
    let storages = tested.iter().any(|argument| argument.uses.beyond).then(|| Attribute::unit(at.context));
    let truth = [IntegerType::new(at.context, 1).into()];
    let check = graph::check_disjoint(at.location, &truth, &tensors, sets, reads, storages)?;
    let holds = at.insert(check).result_at(0)?.into();
    at.insert(graph::guard(at.location, &[], holds, &text(&tested))?);
    let names = used.iter().filter(|argument| argument.storage.is_none()).map(|argument| {
        let name = format!("arg{}", argument.number);
        let numbered = (0..).map(|i| format!("{name}_{i}"));
        let name = std::iter::once(name.clone()).chain(numbered).find(|name| !taken.contains(name));
        let name: Attribute =
            StringAttribute::new(context::of(function.context()), &name.unwrap_or_default()).into();
        (argument.number, STORAGE, name)
    });
    set_attributes(function, &names.collect::<Vec<_>>());
    Ok(())
}

/// What has to hold, in words.
fn text(tested: &[&Argument]) -> String {
    let list = |wanted: bool| {
        let numbers = tested.iter().filter(|argument| argument.uses.written == wanted);
        numbers.map(|argument| argument.number.to_string()).collect::<Vec<_>>()
    };
    let named = |numbers: &[String]| match numbers {
        [one] => format!("argument {one}"),
        several => format!("arguments {}", several.join(", ")),
    };
    match (&list(true)[..], &list(false)[..]) {
        (written, []) => format!("{}, which are written, share no memory", named(written)),
        (written @ [_], read) => {
            format!("{}, which is written, shares no memory with {}", named(written), named(read))
        }
        (written, read) => {
            format!(
                "{}, which are written, share no memory with each other or {}",
                named(written),
                named(read)
            )
        }
    }
}
