//! What a function does to the storages of its arguments, as the analysis of fake tensors finds it.

use melior::ir::{OperationRef, RegionLike, Type, Value, ValueLike};
use std::collections::HashSet;
use terrace_dialects::{
    arguments::{self, Declared, Layout as DeclaredLayout},
    bridge,
    dtype::Dtype,
    fake::{State, Uses},
    ir::OperationLike,
    operations::{self, collect, collect_within, definition, name_of},
    pass::Failure,
    registry,
    size::symbols::Symbols,
    strided::Layout,
    types::{DYNAMIC, TensorType},
};
use terrace_interpreter::EVALUATOR;

/// A graph tensor among the arguments.
pub struct Argument<'c> {
    /// Its number.
    pub number: usize,
    /// Its type.
    pub ty: Type<'c>,
    /// Its element type.
    pub dtype: Dtype,
    /// The storage that it declares.
    pub storage: Option<String>,
    /// Its layout, where all of it is declared.
    pub layout: Option<Layout>,
    /// What is done to elements of its storage, on any way.
    pub uses: Uses,
    /// Whether an operation changes the sizes, strides or storage of the tensor object that it is.
    pub changes: bool,
    /// Whether it may be a result: the tensor itself, no view of it.
    pub returned: bool,
}

/// The graph tensors among the arguments of a function; none where there are not two of which one declares no storage, so that
/// nothing is to be asked.
pub fn of<'c, 'a>(function: OperationRef<'c, 'a>) -> Result<Vec<Argument<'c>>, Failure> {
    let block = function.region(0)?.first_block().ok_or("has no body")?;
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
    // They are views of these as long as no operation has changed them.
    let entry: Vec<(usize, usize)> = declared
        .iter()
        .filter_map(|(number, _)| state.fake(values[*number]).map(|fake| (fake.storages[0], fake.identity)))
        .collect();
    if let Err(wrong) = symbols.enter(|| state.body(function)) {
        bridge::emit_op_error(&wrong.op, &wrong.message);
        return Err(Failure::Reported);
    }
    let open = undecided(function, &symbols, &state);
    let ends = collect_within(function, |op| op == function, |op| name_of(op) == "func.return");
    let returned: Vec<Value> = ends.iter().flat_map(|end| end.operands()).collect();
    // One value of each object that is changed; within functions that are called they are arguments.
    let mut objects = HashSet::new();
    let mut is_changed = |value: &Value| {
        let identity = state.fake(*value).map(|fake| fake.identity);
        identity.is_some_and(|own| state.changed.contains_key(&own) && objects.insert(own))
    };
    let inside = collect(function, |_| !state.changed.is_empty());
    let changed: Vec<Value> =
        inside.iter().flat_map(|op| op.operands()).filter(|own| is_changed(own)).collect();
    let argument = |((number, declared), (storage, identity)): ((usize, Declared), (usize, usize))| {
        let ty = values[number].r#type();
        let tensor = TensorType::of(ty)?;
        let uses = state.uses_of(storage);
        Some(Argument {
            number,
            ty,
            dtype: tensor.dtype,
            layout: layout(&tensor.shape, &declared.layout),
            storage: declared.storage,
            uses: if open.contains(&storage) { uses.with(WRITTEN) } else { uses },
            changes: changed.iter().any(|value| may_be(&state, *value, storage, identity)),
            returned: returned.iter().any(|value| may_be(&state, *value, storage, identity)),
        })
    };
    Ok(declared.into_iter().zip(entry).filter_map(argument).collect())
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

/// Storages that may be written, through what the analysis took for a copy where it could not know that it is no view: once
/// it has taken something for granted, all that follows may stand on it.
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

/// Whether a value may be a tensor object that came in. What one way of several gives is told by its storages alone.
fn may_be<'c>(state: &State<'c>, value: Value<'c, '_>, storage: usize, object: usize) -> bool {
    let Some(fake) = state.fake(value) else { return false };
    if fake.identity == object {
        return true;
    }
    // In-place operations give back what they were given, and so may those that strides decide.
    let mut root = value;
    while let Some(op) = definition(root)
        && let Some(class) = registry::of(op)
    {
        let here = state.fake(root).map(|fake| fake.identity);
        let same = |operand: &Value<'c, '_>| state.fake(*operand).map(|operand| operand.identity) == here;
        let own = match VIEWS_OR_COPIES.contains(&class.name) {
            true => op.operand(0).ok(),
            false => op.operands().find(same),
        };
        let Some(own) = own else { return false };
        root = own;
    }
    let Some(fake) = state.fake(root) else { return false };
    fake.identity == object || fake.storages.contains(&storage)
}

/// A layout that is declared in numbers.
fn layout(shape: &[i64], declared: &DeclaredLayout) -> Option<Layout> {
    let known = |numbers: &[i64]| !numbers.contains(&DYNAMIC);
    match declared {
        DeclaredLayout::Contiguous if known(shape) => Some(Layout::contiguous(shape)),
        DeclaredLayout::Strided { strides, offset }
            if known(shape) && known(strides) && known(&[*offset]) =>
        {
            Layout { sizes: shape.to_vec(), strides: strides.clone(), offset: *offset }.check().ok()
        }
        _ => None,
    }
}
