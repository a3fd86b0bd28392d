//! Whether everything was what the analysis said, each time that it was made.
//!
//! Symbols that depend on elements, or on the way that was taken, are what they turn out to be where they are
//! met first since the block that makes them was entered. From then on everything else has to agree, guards
//! too: where one does not hold, nothing was said about the run.

use super::{
    analysis::Analysis,
    trace::{Event, Trace},
};
use crate::rich::CHANGES;
use melior::ir::{BlockRef, RegionLike, Value as Name, ValueLike, operation::OperationRef};
use mlir_sys::MlirOperation;
use std::collections::{BTreeSet, HashSet};
use terrace_dialects::{
    analysis::fake::{Entry, Fake, Origin},
    definitions::verifiers::CHANGED,
    ir::{BlockLike, OperationLike, operations::key, types::is_graph_tensor},
};
use terrace_size::Size;
use terrace_tensor::{Storage, Tensor, Value, io::Inputs};

/// What came of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Everything was as said.
    Same,
    /// These guards do not hold.
    Broken(Vec<usize>),
    /// Something was not, while all guards hold.
    Different(String),
}

/// The path of a call that was not followed.
const NOWHERE: usize = usize::MAX;

/// A run beside what was said of it.
pub struct Comparison<'a, 'm> {
    analysis: &'a Analysis<'m>,
    /// What the symbols are now.
    numbers: Vec<Option<i64>>,
    broken: BTreeSet<usize>,
    different: Option<String>,
    /// Real storages, and what they are said to be.
    storages: Vec<(Storage, HashSet<usize>)>,
    /// Real tensor objects, and what they are said to be.
    objects: Vec<(Tensor, HashSet<usize>)>,
    /// Objects that are one of several.
    joined: HashSet<usize>,
    path: usize,
    /// The calls that are being made, each with the path that it was made from.
    calls: Vec<(usize, usize)>,
    last: Option<MlirOperation>,
}

/// Compares a run with what was said. Symbols of arguments are what the inputs say.
pub fn compare(analysis: &Analysis, inputs: &Inputs, trace: &Trace) -> Verdict {
    let mut comparison = Comparison {
        analysis,
        numbers: vec![],
        broken: BTreeSet::new(),
        different: None,
        storages: vec![],
        objects: vec![],
        joined: HashSet::new(),
        path: 0,
        calls: vec![],
        last: None,
    };
    comparison.start(inputs);
    for event in &trace.events {
        comparison.event(event);
    }
    // Behind a way that changes a tensor, and is taken, that is used no longer.
    let is_asked = |message: &str| !by_elements(message) && !message.contains(CHANGED);
    if let Some(error) = trace.refused.as_ref().filter(|error| is_asked(&error.message)) {
        comparison.differs(|| format!("refused: {}", error.message));
    }
    if !comparison.broken.is_empty() {
        return Verdict::Broken(comparison.broken.into_iter().collect());
    }
    comparison.different.map_or(Verdict::Same, Verdict::Different)
}

/// What is refused for its elements or for where they lie, which is not asked of fake tensors.
fn by_elements(message: &str) -> bool {
    [
        "to a single memory location",
        "ZeroDivisionError",
        "Expected p_in >= 0 && p_in <= 1",
        "probability tensor contains",
        "invalid multinomial distribution",
        "the order of evaluation",
        "out of bounds for storage",
        "out of range",
        "out of bounds for dimension",
        "is out of bounds",
    ]
    .iter()
    .any(|part| message.contains(part))
}

impl Comparison<'_, '_> {
    fn start(&mut self, inputs: &Inputs) {
        let tensor = |number: usize| inputs.args.get(number).and_then(Value::as_tensor);
        self.numbers = self
            .analysis
            .state
            .entries
            .iter()
            .map(|(_, entry)| match *entry {
                Entry::Size { argument, dim } => Some(tensor(argument)?.sizes()[dim]),
                Entry::Stride { argument, dim } => Some(tensor(argument)?.strides()[dim]),
                Entry::Offset { argument } => Some(tensor(argument)?.offset()),
                Entry::Number { argument } => Some(inputs.args.get(argument)?.as_scalar()?.to_i64()),
                _ => None,
            })
            .collect();
        self.guards();
    }

    /// Notes the guards that do not hold of what the symbols are now.
    fn guards(&mut self) {
        let symbols = &self.analysis.symbols;
        for (number, guard) in symbols.guards().iter().enumerate() {
            if symbols.guard_holds(guard, &self.numbers) == Some(false) {
                self.broken.insert(number);
            }
        }
    }

    fn differs(&mut self, what: impl FnOnce() -> String) {
        if self.different.is_none() {
            self.different = Some(what());
        }
    }

    fn event(&mut self, event: &Event) {
        match event {
            Event::Entered(block, arguments) => {
                // SAFETY: a block of the module, which is borrowed.
                let block = unsafe { BlockRef::from_raw(*block) };
                self.entered(block, arguments);
            }
            Event::Before(op) => self.last = Some(*op),
            Event::After(op, results) => {
                // SAFETY: an operation of the module, which is borrowed.
                let op = unsafe { OperationRef::from_raw(*op) };
                self.after(op, results);
            }
        }
    }

    fn entered(&mut self, block: BlockRef, arguments: &[Value]) {
        let parent = block.parent_operation();
        let of_function = parent.is_some_and(|op| is(op, "func.func"));
        let first = parent.and_then(|op| op.region(0).ok()?.first_block()) == Some(block);
        let mut given = false;
        if let (true, true, Some(call)) = (of_function, first, self.last) {
            // SAFETY: as above.
            let call = unsafe { OperationRef::from_raw(call) };
            if is(call, "func.call") {
                given = true;
                self.calls.push((call.to_raw().ptr as usize, self.path));
                // A call without tensors is not followed.
                self.path = self.analysis.state.path(self.path, call).unwrap_or(NOWHERE);
            }
        }
        let start = of_function && first && !given;
        if !start {
            self.forget(&self.analysis.inside[&(block.to_raw().ptr as usize)]);
        }
        for (number, value) in arguments.iter().enumerate() {
            let Ok(name) = block.argument(number) else { continue };
            let name: Name = name.into();
            if start {
                self.input(name, value);
            }
            self.value(name, value, None, || format!("argument {number} of a block"));
        }
    }

    /// Symbols that are made again.
    fn forget(&mut self, values: &[usize]) {
        for value in values {
            for symbol in self.analysis.homes.get(&(self.path, *value)).into_iter().flatten() {
                self.numbers[*symbol] = None;
            }
        }
    }

    /// An argument's storage and object are what they are said to be, and may be said to be several.
    fn input(&mut self, name: Name, value: &Value) {
        let fake = self.analysis.state.fake_on(self.path, name);
        let (Some(fake), Some(tensor)) = (fake, value.as_tensor()) else { return };
        let ids = fake.storages.iter().copied();
        match self.storages.iter_mut().find(|(storage, _)| storage.is_same(tensor.storage())) {
            Some((_, known)) => known.extend(ids),
            None => self.storages.push((tensor.storage().clone(), ids.collect())),
        }
        match self.objects.iter_mut().find(|(object, _)| object.is_same(tensor)) {
            Some((_, known)) => drop(known.insert(fake.identity)),
            None => self.objects.push((tensor.clone(), HashSet::from([fake.identity]))),
        }
    }

    fn after(&mut self, op: OperationRef, results: &[Value]) {
        let address = op.to_raw().ptr as usize;
        if let Some((_, path)) = self.calls.pop_if(|(call, _)| *call == address) {
            self.path = path;
        }
        if is(op, "scf.for")
            && let Some(body) = op.region(0).ok().and_then(|region| region.first_block())
        {
            // They have the symbols of what goes round.
            let arguments: Vec<Name> =
                (0..body.argument_count()).filter_map(|i| body.argument(i).ok()).map(Name::from).collect();
            self.forget(&arguments.iter().copied().map(key).collect::<Vec<_>>());
            arguments.iter().for_each(|name| self.join(*name));
        }
        for (number, value) in results.iter().enumerate() {
            let Ok(name) = op.result_at(number) else { continue };
            self.value(name.into(), value, Some(op), || format!("result {number} of {}", text(op)));
        }
    }

    /// An object that is one of several, if a value is.
    fn join(&mut self, name: Name) {
        self.joined.extend(self.analysis.state.object_of(self.path, name));
    }

    fn value(&mut self, name: Name, value: &Value, op: Option<OperationRef>, what: impl Fn() -> String) {
        let state = &self.analysis.state;
        match value {
            Value::Scalar(number) => {
                if let Some(size) = state.number_on(self.path, name) {
                    let number = number.to_i64();
                    self.list("number", &[size], &[number], &what);
                }
            }
            Value::Tensor(tensor) => {
                if self.path == NOWHERE || !is_graph_tensor(name.r#type()) {
                    return;
                }
                match state.fake_on(self.path, name) {
                    Some(fake) => self.tensor(name, fake, tensor, op, &what),
                    None => self.differs(|| format!("{}: nothing is known of it", what())),
                }
            }
        }
    }

    /// A symbol that was made and not met becomes its number.
    fn meet(&mut self, said: &[Size], actual: &[i64]) {
        let symbols = &self.analysis.symbols;
        let mut met = false;
        for (size, actual) in said.iter().zip(actual) {
            if let Some(symbol) = symbols.symbol_of(*size)
                && self.numbers[symbol.place()].is_none()
            {
                self.numbers[symbol.place()] = Some(*actual);
                met = true;
            }
        }
        if met {
            self.guards();
        }
    }

    /// Numbers beside what they are said to be.
    fn list(&mut self, kind: &str, said: &[Size], actual: &[i64], what: &dyn Fn() -> String) {
        self.meet(said, actual);
        let symbols = &self.analysis.symbols;
        let said_numbers: Vec<Option<i64>> =
            said.iter().map(|size| symbols.value(*size, &self.numbers)).collect();
        let same = said.len() == actual.len()
            && said_numbers.iter().zip(actual).all(|(said, actual)| *said == Some(*actual));
        if !same {
            let texts: Vec<String> = said.iter().map(|size| symbols.text(*size)).collect();
            self.differs(|| {
                format!("{}: {kind} {actual:?}, said to be {said_numbers:?} ({})", what(), texts.join(", "))
            });
        }
    }

    fn tensor(
        &mut self,
        name: Name,
        fake: &Fake,
        tensor: &Tensor,
        op: Option<OperationRef>,
        what: &dyn Fn() -> String,
    ) {
        let layout = &fake.known.layout;
        self.list("sizes", &layout.sizes, tensor.sizes(), what);
        self.meet(&layout.strides, tensor.strides());
        // Of sizes of the run strides along one index, and of no elements, lead to nothing; nor do offsets of
        // no elements, which come of such strides.
        let open = !self.numbers.is_empty();
        let leads = |d: &usize| !open || tensor.sizes().get(*d) != Some(&1) && !tensor.is_empty();
        let dims: Vec<usize> = (0..tensor.strides().len().min(layout.rank())).filter(leads).collect();
        let said: Vec<Size> = dims.iter().map(|d| layout.strides[*d]).collect();
        let actual: Vec<i64> = dims.iter().map(|d| tensor.strides()[*d]).collect();
        self.list("strides", &said, &actual, what);
        if !open || !tensor.is_empty() {
            self.list("offset", &[layout.offset], &[tensor.offset()], what);
        }
        let spelled = |dtype: &dyn std::fmt::Debug| format!("{dtype:?}").to_uppercase();
        let (said, actual) = (spelled(&fake.known.dtype), spelled(&tensor.dtype()));
        if said != actual {
            self.differs(|| format!("{}: {actual}, said to be {said}", what()));
        }
        let (said, flags) = ((fake.known.conj, fake.known.neg), tensor.flags());
        if said != (flags.conj, flags.neg) {
            self.differs(|| format!("{}: {flags:?}, said to be {said:?}", what()));
        }
        if let Some(device) = fake.device {
            self.differs(|| format!("{}: on the CPU, said to be on {device}", what()));
        }
        self.storage(name, fake, tensor, what);
        self.object(name, fake, tensor, op, what);
    }

    fn storage(&mut self, name: Name, fake: &Fake, tensor: &Tensor, what: &dyn Fn() -> String) {
        let state = &self.analysis.state;
        let own = state.storage_of(self.path, name);
        let is_new = own.filter(|own| fake.storages[..] == [*own]);
        let known = self.storages.iter().find(|(storage, _)| storage.is_same(tensor.storage()));
        match (known, is_new) {
            (Some((_, ids)), None) => {
                if !fake.storages.iter().any(|storage| ids.contains(storage)) {
                    let (ids, said) = (ids.clone(), fake.storages.clone());
                    self.differs(|| format!("{}: in storage {ids:?}, said to be in {said:?}", what()));
                }
            }
            (Some((_, ids)), Some(own)) => {
                let ids = ids.clone();
                self.differs(|| format!("{}: in storage {ids:?}, said to be in a new one, {own}", what()));
            }
            (None, Some(own)) => {
                let made = matches!(state.storages[own].origin, Origin::New(by) if self.analysis.operations.contains(&by));
                if !made {
                    self.differs(|| format!("{}: storage {own} was made by no operation", what()));
                }
                self.storages.push((tensor.storage().clone(), HashSet::from([own])));
            }
            (None, None) => {
                let said = fake.storages.clone();
                self.differs(|| format!("{}: in a new storage, said to be in {said:?}", what()));
                self.storages.push((tensor.storage().clone(), said.iter().copied().collect()));
            }
        }
    }

    fn object(
        &mut self,
        name: Name,
        fake: &Fake,
        tensor: &Tensor,
        op: Option<OperationRef>,
        what: &dyn Fn() -> String,
    ) {
        let state = &self.analysis.state;
        let said = fake.identity;
        let of_ways =
            op.is_none_or(|op| is(op, "arith.select") || is(op, "func.call") || op.region_count() > 0);
        if of_ways {
            self.join(name);
        }
        let own = state.object_of(self.path, name) == Some(said) && !self.joined.contains(&said);
        let changes = op.is_some_and(|op| CHANGES.contains(&text(op).as_str()));
        let known = self.objects.iter().find(|(object, _)| object.is_same(tensor));
        let known = known.map(|(_, ids)| ids.clone());
        match &known {
            _ if self.joined.contains(&said) => {}
            Some(ids) if own || !ids.contains(&said) => {
                self.differs(|| format!("{}: object {ids:?}, said to be {said}", what()));
            }
            None if !own && !changes => {
                self.differs(|| format!("{}: a new object, said to be {said}", what()));
            }
            Some(_) => return,
            None => {}
        }
        if known.is_none() {
            self.objects.push((tensor.clone(), HashSet::from([said])));
        }
    }
}

fn is(op: OperationRef, name: &str) -> bool {
    op.name().as_string_ref().as_str() == Ok(name)
}

fn text(op: OperationRef) -> String {
    op.name().as_string_ref().as_str().unwrap_or_default().to_owned()
}
