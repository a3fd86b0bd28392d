//! What random programs had: operations, tensors that share a storage, views and mutations one before the
//! other.
//!
//! What a program has is watched while it runs. A view and a mutation are a pair where the view was made, the
//! storage was written after that, and the view was used from then on; a mutation and a view where the
//! storage was written, the view was made after that, and was used. Each counts once in a program.

use crate::{
    decisions::{Floats, decides, is_read_by_bits},
    elements::extent,
    operators::{
        mutations::{is_in_place, kind_of, kinds},
        views::VIEWS,
    },
    program::{Argument, Program},
};
use melior::ir::{BlockRef, operation::OperationRef};
use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap, HashSet},
    fmt,
};
use terrace_dialects::ir::{BlockLike, OperationLike, operations::key};
use terrace_interpreter::Observer;
use terrace_tensor::{Storage, Tensor, Value};

/// Whether the view came first, and the places of view and mutation in their lists.
type Pair = (bool, usize, usize);

/// A tensor object of a run.
struct Object {
    tensor: Tensor,
    born: usize,
    last: usize,
}

/// What is watched of a run.
#[derive(Default)]
struct State {
    time: usize,
    values: HashMap<usize, Value>,
    objects: Vec<Object>,
    numbers: HashMap<u64, usize>,
    views: Vec<(usize, usize, usize)>,
    mutations: Vec<(usize, Storage, usize)>,
    operands: Option<(Vec<Tensor>, Floats)>,
    decides: bool,
}

/// Watches a run.
#[derive(Default)]
pub struct Watch(RefCell<State>);

/// What a run had.
pub struct Observed {
    aliases: usize,
    pairs: HashSet<Pair>,
}

/// The name of an operation of graph, without the dialect.
fn graph_name(operation: &OperationRef) -> Option<String> {
    let name = operation.name();
    name.as_string_ref().as_str().ok()?.strip_prefix("graph.").map(str::to_owned)
}

impl State {
    fn bind(&mut self, name: usize, value: &Value) {
        if let Value::Tensor(tensor) = value {
            self.object(tensor);
        }
        self.values.insert(name, value.clone());
    }

    /// The number of a tensor's object.
    fn object(&mut self, tensor: &Tensor) -> usize {
        let (time, count) = (self.time, self.objects.len());
        let number = *self.numbers.entry(tensor.id()).or_insert(count);
        if number == count {
            self.objects.push(Object { tensor: tensor.clone(), born: time, last: time });
        }
        number
    }

    fn uses(&mut self, tensor: &Tensor, time: usize) {
        let number = self.object(tensor);
        self.objects[number].last = self.objects[number].last.max(time);
    }
}

impl Observer for Watch {
    fn entered(&self, block: BlockRef, arguments: &[Value]) {
        let mut state = self.0.borrow_mut();
        for (number, value) in arguments.iter().enumerate() {
            if let Ok(name) = block.argument(number) {
                state.bind(key(name), value);
            }
        }
    }

    fn before(&self, operation: OperationRef) {
        let mut state = self.0.borrow_mut();
        state.time += 1;
        let time = state.time;
        let operands: Vec<Tensor> = operation
            .operands()
            .filter_map(|operand| state.values.get(&key(operand))?.as_tensor().cloned())
            .collect();
        operands.iter().for_each(|tensor| state.uses(tensor, time));
        state.operands = None;
        let Some(name) = graph_name(&operation) else { return };
        let floats = Floats::of(operands.iter());
        if let (true, Some(number)) = (is_in_place(&name), kind_of(&name)) {
            let written = if name.starts_with("_foreach_") { &operands[..] } else { &operands[..1] };
            for tensor in written {
                state.mutations.push((number, tensor.storage().clone(), time));
            }
        }
        state.operands = Some((operands, floats));
    }

    fn after(&self, operation: OperationRef, results: &[Value]) {
        let mut state = self.0.borrow_mut();
        state.time += 1;
        let time = state.time;
        for (number, value) in results.iter().enumerate() {
            if let Ok(name) = operation.result_at(number) {
                state.bind(key(name), value);
            }
        }
        let (Some((operands, floats)), Some(name)) = (state.operands.take(), graph_name(&operation)) else {
            return;
        };
        let tensors: Vec<&Tensor> = results.iter().filter_map(Value::as_tensor).collect();
        let rounds = operation.attribute("rounding_mode").is_ok();
        state.decides |= decides(&name, rounds, &floats, &tensors);
        let by_bits = |own: &Tensor| is_read_by_bits(own, state.objects.iter().map(|own| &own.tensor));
        let seen = is_in_place(&name) && operands.iter().any(by_bits);
        state.decides |= seen;
        let view = VIEWS.iter().position(|view| *view == name);
        let (Some(view), Some(operand)) = (view, operands.first()) else { return };
        for tensor in tensors {
            if tensor.storage().is_same(operand.storage()) {
                let object = state.object(tensor);
                state.views.push((view, object, time));
            }
        }
    }
}

impl Watch {
    /// Whether something was decided by elements that only come near the true ones.
    pub fn decides(&self) -> bool {
        self.0.borrow().decides
    }

    /// What the run had, which came to these results.
    pub fn observed(&self, results: &[Value]) -> Observed {
        let mut state = self.0.borrow_mut();
        results.iter().filter_map(Value::as_tensor).for_each(|tensor| state.uses(tensor, usize::MAX));
        let state = &*state;
        let mut pairs = HashSet::new();
        for (view, object, made) in &state.views {
            let Object { tensor, last, .. } = &state.objects[*object];
            for (mutation, storage, written) in &state.mutations {
                let first = made < written;
                if tensor.storage().is_same(storage) && last >= written && last > made {
                    pairs.insert((first, *view, *mutation));
                }
            }
        }
        let alive = |own: &Object| {
            let at = |other: &&Object| {
                other.born <= own.born
                    && other.last > own.born
                    && other.tensor.storage().is_same(own.tensor.storage())
            };
            state.objects.iter().filter(at).count()
        };
        Observed { aliases: state.objects.iter().map(alive).max().unwrap_or(0), pairs }
    }
}

/// What many programs had.
#[derive(Debug, Clone, Default)]
pub struct Statistics {
    operations: BTreeMap<usize, u64>,
    aliases: BTreeMap<usize, u64>,
    inputs: u64,
    control: u64,
    pairs: HashMap<Pair, u64>,
}

/// As often as this each pair is to be met.
const ENOUGH: u64 = 20;

/// So many pairs that were not are named.
const NAMED: usize = 40;

impl Statistics {
    /// Adds a program.
    pub fn add(&mut self, program: &Program, text: &str, seen: &Observed) {
        let is_operation = |line: &&str| {
            let line = line.trim_start();
            line.starts_with("graph.") || line.contains("= graph.") || line.contains("= \"graph.")
        };
        let operations = text.lines().filter(|line| !line.starts_with("func")).filter(is_operation).count();
        *self.operations.entry(operations).or_default() += 1;
        *self.aliases.entry(seen.aliases).or_default() += 1;
        self.inputs += u64::from(overlap(&program.arguments));
        self.control += u64::from(program.steps.iter().any(|step| step.flow.is_some()));
        for pair in &seen.pairs {
            *self.pairs.entry(*pair).or_default() += 1;
        }
    }

    /// All pairs: a line for each view, a column for each mutation, first with the view before the mutation
    /// and then after it.
    pub fn table(&self) -> String {
        let mut text = String::new();
        for (first, order) in [(true, "the view first"), (false, "the mutation first")] {
            text += &format!(
                "{order}\t{}\n",
                kinds().iter().map(|kind| kind.name).collect::<Vec<_>>().join("\t")
            );
            for (view, name) in VIEWS.iter().enumerate() {
                let count = |mutation| self.pairs.get(&(first, view, mutation)).copied().unwrap_or(0);
                let counts: Vec<String> =
                    (0..kinds().len()).map(|mutation| count(mutation).to_string()).collect();
                text += &format!("{name}\t{}\n", counts.join("\t"));
            }
        }
        text
    }
}

/// Whether two arguments share memory.
fn overlap(arguments: &[Argument]) -> bool {
    let bytes = |own: &Argument| {
        let count = if own.sizes.contains(&0) { 0 } else { extent(&own.sizes, &own.strides) };
        let size = own.dtype.bytes() as i64;
        (own.offset * size, (own.offset + count) * size)
    };
    arguments.iter().enumerate().any(|(number, own)| {
        let (low, high) = bytes(own);
        arguments[..number].iter().any(|other| {
            let (other_low, other_high) = bytes(other);
            own.storage == other.storage && low < other_high && other_low < high
        })
    })
}

/// The least number that half of all do not exceed.
fn median(counts: &BTreeMap<usize, u64>) -> usize {
    let half = counts.values().sum::<u64>().div_ceil(2);
    let mut passed = 0;
    let reaches = |(number, count): (&usize, &u64)| {
        passed += count;
        (passed >= half).then_some(*number)
    };
    counts.iter().find_map(reaches).unwrap_or(0)
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let programs = self.operations.values().sum::<u64>().max(1);
        let percent = |count: u64| 100 * count / programs;
        writeln!(
            f,
            "median: {} operations, {} tensors alive over one storage; inputs overlap in {}%, control flow in {}%",
            median(&self.operations),
            median(&self.aliases),
            percent(self.inputs),
            percent(self.control)
        )?;
        let (mut rare, mut least, mut met) = (vec![], u64::MAX, 0);
        writeln!(f, "pairs: how often the rarest and the median mutation came after / before each view")?;
        for (view, name) in VIEWS.iter().enumerate() {
            write!(f, "  {name:<24}")?;
            for first in [true, false] {
                let count = |mutation| self.pairs.get(&(first, view, mutation)).copied().unwrap_or(0);
                let mut counts: Vec<u64> = (0..kinds().len()).map(count).collect();
                for (mutation, count) in counts.iter().enumerate().filter(|(_, count)| **count < ENOUGH) {
                    let (view, mutation) = (*name, kinds()[mutation].name);
                    let pair = if first { [view, mutation] } else { [mutation, view] };
                    rare.push((*count, pair));
                }
                met += counts.iter().filter(|count| **count > 0).count();
                counts.sort_unstable();
                least = least.min(counts[0]);
                write!(f, "  {:>6} {:>6}", counts[0], counts[counts.len() / 2])?;
            }
            writeln!(f)?;
        }
        let pairs = 2 * VIEWS.len() * kinds().len();
        write!(
            f,
            "{met} of {pairs} ordered pairs were met, the rarest {least} times; {} fewer than {ENOUGH} times",
            rare.len()
        )?;
        rare.sort_unstable();
        // Where most are rare, there were few programs.
        if 2 * rare.len() > pairs {
            return Ok(());
        }
        for (count, [one, other]) in rare.iter().take(NAMED) {
            write!(f, "\n  {count}: {one}, {other}")?;
        }
        if rare.len() > NAMED { write!(f, "\n  and {} more", rare.len() - NAMED) } else { Ok(()) }
    }
}
