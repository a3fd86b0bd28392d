//! `graph-deferred-init`: what a function makes without making it, and each of its results made alone.
//!
//! Contract: a module. Each chosen function `@f` stays as it is; beside it come `@f.fake` and
//! `@f.materialize_N`, one for the results of each group of storages that may be one. [`inline`] puts calls
//! in place in a copy, the analysis of fake tensors follows it, [`program`] says what each operation does to
//! storages and to the generator by its [`effects`], [`flow`] how values go through regions and blocks,
//! [`mod@slice`] what is needed for a result, and [`emit`] writes that as a function, with [`regions`] and
//! [`fakes`] in it.
//!
//! A group is *done at once*, in `@f.fake`, where an argument's storage may be among its own, where its slice
//! has an operation that may touch anything, or where `@f.fake` needs its elements for something else.
//!
//! Source: torchdistx's deferred initialization.

mod effects;
mod emit;
mod fakes;
mod flow;
mod inline;
mod outline;
mod program;
mod regions;
mod sizes;
mod slice;

use flow::Form;
use melior::ir::{OperationRef, RegionLike, ValueLike};
use outline::{Outline, results_of};
use program::Program;
use rustc_hash::{FxHashMap, FxHashSet};
use slice::{END, Keep, Need, Slice};
use terrace_dialects::{
    analysis::fake::State,
    ir::{
        BlockLike, OperationLike, arguments, attributes as convert, diagnostics, kept,
        operations::{arguments as of_block, name_of, refuse},
        pass::Failure,
        rewrite::erase,
        types::is_graph_tensor,
    },
};
use terrace_interpreter::EVALUATOR;
use terrace_size::symbols::Symbols;

/// Runs the pass on a module.
pub fn run(module: OperationRef, options: &crate::options::GraphDeferredInit) -> Result<(), Failure> {
    let block = module.region(0)?.first_block().ok_or("has no block")?;
    let all = std::iter::successors(block.first_operation(), |op| op.next_in_block());
    let named = |op: OperationRef| op.attribute("sym_name").map(convert::string).unwrap_or_default();
    let functions: Vec<OperationRef> = all.filter(|op| name_of(*op) == "func.func").collect();
    let by_name: FxHashMap<String, OperationRef> = functions.iter().map(|op| (named(*op), *op)).collect();
    let wanted: Vec<&str> =
        options.functions.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    if let Some(name) = wanted.iter().find(|name| !by_name.contains_key(**name)) {
        return Err(format!("has no function @{name}").into());
    }
    let mut failed = false;
    for function in functions {
        let name = named(function);
        let chosen = if wanted.is_empty() { is_offered(function) } else { wanted.contains(&name.as_str()) };
        if chosen {
            failed |= defer(function, &name, &by_name).is_err();
        }
    }
    if failed { Err(Failure::Reported) } else { Ok(()) }
}

/// Whether a function is public, has a body, and returns a graph tensor.
fn is_offered(function: OperationRef) -> bool {
    let body = function.region(0).is_ok_and(|region| region.first_block().is_some());
    !crate::functions::is_private(function) && body && results_of(function).into_iter().any(is_graph_tensor)
}

/// Results that share storages.
struct Group {
    results: Vec<usize>,
    classes: Vec<usize>,
    /// Why it is done at once.
    at_once: Option<AtOnce>,
}

#[derive(Clone, Copy)]
enum AtOnce {
    /// The storage may be an argument's.
    Argument,
    /// Its elements depend on what may touch anything, or may be touched by it.
    Unknown,
    /// They are needed for what the caller sees else.
    Needed,
}

fn defer<'c, 'a>(
    function: OperationRef<'c, 'a>,
    name: &str,
    functions: &FxHashMap<String, OperationRef<'c, 'a>>,
) -> Result<(), Failure> {
    let reported = |failure: Failure| match failure {
        Failure::Message(message) => refuse(function, &message),
        Failure::Reported => Failure::Reported,
    };
    let block = function.block().ok_or("is in no block")?;
    if function.region(0)?.first_block().is_none() {
        return Err(refuse(function, "is declared but not defined, so nothing of it can be deferred"));
    }
    // As it is, for what the analysis refuses: recursion, and what no graph tensor passes through.
    follow(function, &mut Symbols::new())?;
    let copy = inline::inlined(function, functions).map_err(reported)?;
    // The module has it for as long as it is followed, so that its calls are found.
    let copy = block.insert_operation_after(function, copy);
    let own = kept::operation(copy);
    let made = split(own, name, functions).map_err(reported);
    erase(own);
    let mut after = function;
    for new in made? {
        after = kept::operation(block.insert_operation_after(after, new));
    }
    Ok(())
}

/// The functions that are made of one without calls.
fn split<'c, 'a>(
    own: OperationRef<'c, 'a>,
    name: &str,
    functions: &FxHashMap<String, OperationRef<'c, 'a>>,
) -> Result<Vec<melior::ir::Operation<'c>>, Failure> {
    let mut symbols = Symbols::new();
    let state = follow(own, &mut symbols)?;
    let program = symbols.enter(|| Program::new(own, state, functions));
    let regions = |op: &&program::Op| op.op.region_count() > 0 && !op.form.has_regions();
    if let Some(op) = program.ops.iter().find(regions) {
        return Err(refuse(
            op.op,
            "has a region: deferred initialization follows scf.if, scf.for, scf.while and scf.execute_region",
        ));
    }
    symbols.enter(|| functions_of(&program, name, functions))
}

/// The analysis of a function, its arguments as it declares them.
fn follow<'c>(function: OperationRef<'c, '_>, symbols: &mut Symbols) -> Result<State<'c>, Failure> {
    let block = function.region(0)?.first_block().ok_or("has no block")?;
    let mut state = State::default();
    state.evaluate_with(EVALUATOR);
    for (number, value) in of_block(block).enumerate() {
        let declared = arguments::declared(function, number)?;
        symbols.enter(|| state.argument(number, value, &declared, None));
    }
    match symbols.enter(|| state.body(function)) {
        Ok(()) => Ok(state),
        Err(wrong) => Err(refuse(wrong.op, &wrong.message)),
    }
}

/// The functions that are made of one.
fn functions_of<'c>(
    program: &Program<'c, '_>,
    name: &str,
    functions: &FxHashMap<String, OperationRef>,
) -> Result<Vec<melior::ir::Operation<'c>>, Failure> {
    let mut groups = groups(program);
    let mut slices: Vec<Option<Slice>> = groups
        .iter_mut()
        .map(|group| {
            let slice = if group.at_once.is_none() { Some(alone(program, group)) } else { None };
            let slice = slice.filter(|slice| !slice.blocked);
            if slice.is_none() {
                group.at_once.get_or_insert(AtOnce::Unknown);
            }
            slice
        })
        .collect();
    let fake = fake(program, &mut groups);
    let mut materialized: Vec<Option<String>> = vec![None; results_of(program.function).len()];
    let mut made = vec![];
    for (group, slice) in groups.iter().zip(&mut slices) {
        let Some(slice) = slice.take().filter(|_| group.at_once.is_none()) else { continue };
        let name = free(functions, format!("{name}.materialize_{}", made.len()))?;
        for result in &group.results {
            materialized[*result] = Some(name.clone());
        }
        let outline = Outline { name: &name, results: &group.results, gives_state: false, materialized: &[] };
        made.push(emit::function(&slice, &outline)?);
    }
    let name = free(functions, format!("{name}.fake"))?;
    let results: Vec<usize> = (0..materialized.len()).collect();
    let outline = Outline { name: &name, results: &results, gives_state: true, materialized: &materialized };
    made.insert(0, emit::function(&fake, &outline)?);
    for group in &groups {
        if let Some(why) = group.at_once {
            warn(program, group, why);
        }
    }
    Ok(made)
}

fn free(functions: &FxHashMap<String, OperationRef>, name: String) -> Result<String, Failure> {
    if functions.contains_key(&name) {
        return Err(format!("would make @{name}, which is there already").into());
    }
    Ok(name)
}

/// A warning where a result is made at once though no argument is the reason.
fn warn(program: &Program, group: &Group, why: AtOnce) {
    let results: Vec<String> = group.results.iter().map(usize::to_string).collect();
    let what = match why {
        AtOnce::Argument => return,
        AtOnce::Unknown => "depends on an operation that may touch anything, or may be touched by it",
        AtOnce::Needed => "is needed, or its sizes are not known without it",
    };
    let made = |class: &usize| program.classes[*class].new.map(|(op, _)| program.ops[op].op);
    let op = group.classes.iter().find_map(made).unwrap_or(program.function);
    diagnostics::emit_op_warning(&op, &format!("is not deferred: result {} {what}", results.join(" and ")));
}

/// The groups of results, by their first ones: those that may be in one storage, also through others.
fn groups(program: &Program) -> Vec<Group> {
    let mut parents: Vec<usize> = (0..program.classes.len()).collect();
    fn root(parents: &mut [usize], mut class: usize) -> usize {
        while parents[class] != class {
            parents[class] = parents[parents[class]];
            class = parents[class];
        }
        class
    }
    let count = results_of(program.function).len();
    let mut all: Vec<(usize, Vec<usize>)> = vec![];
    for result in 0..count {
        let values = program.returns().filter_map(|end| end.operand(result).ok());
        let tensors = values.filter(|value| is_graph_tensor(value.r#type()));
        let classes: Vec<usize> = tensors.flat_map(|value| program.classes_of(value)).collect();
        for pair in classes.windows(2) {
            let (one, other) = (root(&mut parents, pair[0]), root(&mut parents, pair[1]));
            parents[one] = other;
        }
        if !classes.is_empty() {
            all.push((result, classes));
        }
    }
    let (mut groups, mut numbers): (Vec<Group>, FxHashMap<usize, usize>) = (vec![], FxHashMap::default());
    for (result, classes) in all {
        let number = *numbers.entry(root(&mut parents, classes[0])).or_insert_with(|| {
            groups.push(Group { results: vec![], classes: vec![], at_once: None });
            groups.len() - 1
        });
        groups[number].results.push(result);
        groups[number].classes.extend(classes);
    }
    for group in &mut groups {
        group.classes.sort_unstable();
        group.classes.dedup();
        if group.classes.iter().any(|class| program.classes[*class].of_argument) {
            group.at_once = Some(AtOnce::Argument);
        }
    }
    groups
}

/// Keeps what a group of results is in the end.
fn keep<'c, 'a>(slice: &mut Slice<'_, 'c, 'a>, group: &Group) {
    for end in slice.program.returns() {
        for value in group.results.iter().filter_map(|result| end.operand(*result).ok()) {
            slice.value(value, Need::Real);
        }
    }
    for class in &group.classes {
        slice.elements(*class, END);
    }
}

/// What a group of results needs.
fn alone<'p, 'c, 'a>(program: &'p Program<'c, 'a>, group: &Group) -> Slice<'p, 'c, 'a> {
    let mut slice = Slice::new(program, false);
    keep(&mut slice, group);
    slice
}

/// What the caller sees but for elements of results that can be put off.
fn fake<'p, 'c, 'a>(program: &'p Program<'c, 'a>, groups: &mut [Group]) -> Slice<'p, 'c, 'a> {
    let mut slice = Slice::new(program, true);
    let arguments: FxHashSet<usize> = program
        .arguments()
        .into_iter()
        .filter_map(|value| program.state.fake(value).map(|fake| fake.identity))
        .collect();
    for (number, op) in program.ops.iter().enumerate() {
        let before_barrier = program.barrier.is_some_and(|barrier| op.top <= barrier) && op.form != Form::End;
        let of_argument = op.changes_object() && {
            let object = op.op.operand(0).ok().and_then(|value| program.state.fake(value));
            object.is_some_and(|fake| arguments.contains(&fake.identity))
        };
        if before_barrier || op.form == Form::Check {
            slice.whole(number);
        } else if of_argument && let Ok(result) = op.op.result_at(0) {
            slice.value(result.into(), Need::Real);
        }
    }
    for (number, class) in program.classes.iter().enumerate() {
        if class.of_argument && !class.writes.is_empty() {
            slice.elements(number, END);
        }
    }
    if program.draws() {
        slice.drawn(END);
    }
    for end in program.returns() {
        for value in end.operands() {
            slice.value(value, Need::Fake);
        }
    }
    // A result that is real for another reason would have the elements of another time.
    let mut kept = vec![false; groups.len()];
    loop {
        let mut changed = false;
        for (group, kept) in groups.iter_mut().zip(&mut kept).filter(|(_, kept)| !**kept) {
            let made = |class: &usize| &program.classes[*class].makers;
            let is_real = |op: &usize| slice.ops.get(op) == Some(&Keep::Whole);
            if group.at_once.is_none() && group.classes.iter().flat_map(made).any(is_real) {
                group.at_once = Some(AtOnce::Needed);
            }
            if group.at_once.is_some() {
                keep(&mut slice, group);
                (*kept, changed) = (true, true);
            }
        }
        if !changed {
            return slice;
        }
    }
}
