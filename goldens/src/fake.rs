//! Whether fake tensors are what eager came to: sizes, strides, offsets, dtypes, flags, storages and objects,
//! without elements.

use crate::{
    case::{Case, Expected, Outcome, View},
    operators::Operators,
    program::{self, Failure, Sizes},
};
use melior::{
    Context,
    ir::{Module, RegionLike, Value, ValueLike},
};
use std::collections::HashMap;
use terrace_dialects::{
    analysis::fake::{Entry, Fake, State},
    ir::{BlockLike, OperationLike, args::KnownValues, arguments, types::is_graph_tensor},
};
use terrace_interpreter::EVALUATOR;
use terrace_layout::Layout;
use terrace_size::{Size, symbols::Symbols};

/// How the arguments' sizes, strides and offsets are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Knows {
    /// They are numbers.
    Numbers,
    /// They are symbols, and what they will be decides what is not proven.
    Hints,
    /// They are symbols of which nothing is known.
    Nothing,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// What eager came to.
    Same,
    /// A guard does not hold of the numbers of the case.
    Guarded,
    /// There is no such program, or eager refuses the call.
    Refused(String),
}

/// Propagates fake tensors through the program of a case and compares.
///
/// # Errors
/// The first difference, in words.
pub fn check(context: &Context, operators: &Operators, case: &Case, knows: Knows) -> Result<Verdict, String> {
    let Outcome::Results(expected, _) = &case.outcome else {
        return Ok(Verdict::Refused("eager refuses".into()));
    };
    let sizes = if knows == Knows::Numbers { Sizes::Static } else { Sizes::Dynamic };
    let module = match program::module(context, operators, case, sizes) {
        Ok(module) => module,
        Err(Failure::Case(message)) => return Err(message),
        Err(Failure::Refused) => return Ok(Verdict::Refused("its types are refused".into())),
    };
    let mut symbols = Symbols::new();
    let ran = symbols.enter(|| propagate(&module, case, knows));
    let (state, arguments, results) = match ran {
        Ok(ran) => ran,
        Err(message) if knows == Knows::Nothing => return Ok(Verdict::Refused(message)),
        Err(message) => return Err(format!("refused: {message}")),
    };
    let mut run =
        Run { symbols, numbers: vec![], storages: HashMap::new(), known: case.storages.len(), torn: false };
    run.bind(&state, case, &results, expected);
    if run.torn {
        return Ok(Verdict::Guarded);
    }
    if let Some(guard) = run.symbols.broken(&run.numbers) {
        // What depends on elements has no hint.
        let by_elements = |(_, entry): &(_, Entry)| matches!(entry, Entry::Elements { .. });
        let hinted = run.numbers.iter().zip(&state.entries);
        let hinted: Vec<_> = hinted.map(|(number, entry)| number.filter(|_| !by_elements(entry))).collect();
        if knows == Knows::Nothing || run.symbols.guard_holds(guard, &hinted).is_none() {
            return Ok(Verdict::Guarded);
        }
        return Err(format!(
            "the guard {} does not hold of what it was made for",
            run.symbols.guard_text(guard)
        ));
    }
    for (fake, view) in arguments.iter().zip(&case.tensors) {
        run.storages.insert(fake.storages[0], view.storage);
    }
    // An object that changes is what it was, and has other sizes.
    let changes = case
        .calls
        .iter()
        .any(|call| operators.operation(&call.schema).is_some_and(|operation| operation.metadata()));
    let mut all = arguments;
    for (number, (known, expected)) in results.into_iter().zip(expected).enumerate() {
        let fake = match known {
            Came::Tensor(fake) => fake,
            Came::Number(size) => {
                run.number(case, size, expected)
                    .map_err(|difference| format!("result {number}: {difference}"))?;
                continue;
            }
        };
        let is = |known: &Fake| known.identity == fake.identity;
        let same = match expected {
            Expected::Same(number) => all.get(*number).is_some_and(is).then_some(*number),
            Expected::View(..) => all.iter().position(is),
        };
        run.result(&fake, same, changes, expected)
            .map_err(|difference| format!("result {number}: {difference}"))?;
        all.push(fake);
    }
    Ok(Verdict::Same)
}

/// Differences that are known: the operator, a word of the difference, and the reason.
const KNOWN: [(&str, &str, &str); 2] = [
    ("copy/", "offset", "how many elements the storage of an argument has is not declared"),
    ("conv_transpose2d.input/complex", "strides", "complex convolutions are convolutions of parts"),
];

/// The reason of a difference that is known.
pub fn known(case: &Case, failure: &str) -> Option<&'static str> {
    let row = KNOWN.iter().find(|(name, word, _)| case.name.contains(name) && failure.contains(word));
    row.map(|row| row.2).or_else(|| crate::known::reason(case, failure))
}

/// The operators that read an element.
const READS: [&str; 2] = ["item", "_local_scalar_dense"];

/// What is known of a result: a tensor, or a number, of which perhaps nothing is.
pub(crate) enum Came<'c> {
    Tensor(Fake<'c>),
    Number(Option<Size>),
}

type Ran<'c> = (State<'c>, Vec<Fake<'c>>, Vec<Came<'c>>);

/// Propagates fake tensors through the program of a case: what is known of its arguments and of its results.
pub(crate) fn propagate<'c>(module: &Module<'c>, case: &Case, knows: Knows) -> Result<Ran<'c>, String> {
    let function = module.body().first_operation().ok_or("no function")?;
    let block = function.region(0).ok().and_then(|region| region.first_block()).ok_or("no block")?;
    let mut state = State::default();
    state.evaluate_with(EVALUATOR);
    let mut arguments = vec![];
    for (number, view) in case.tensors.iter().enumerate() {
        let value: Value = block.argument(number).map_err(|e| e.to_string())?.into();
        let hints = Layout { sizes: view.sizes.clone(), strides: view.strides.clone(), offset: view.offset };
        let hints = (knows == Knows::Hints).then_some(&hints);
        state.argument(number, value, &arguments::declared(function, number)?, hints);
        arguments.push(state.fake(value).cloned().ok_or("an argument is no tensor")?);
    }
    let mut next = block.first_operation();
    let mut results = vec![];
    while let Some(op) = next {
        next = op.next_in_block();
        if next.is_some() {
            state.visit(op).map_err(|wrong| wrong.message)?;
            continue;
        }
        for value in op.operands() {
            results.push(match state.fake(value) {
                Some(fake) => Came::Tensor(fake.clone()),
                None if is_graph_tensor(value.r#type()) => return Err("a result is not known".into()),
                None => Came::Number(state.number(value)),
            });
        }
    }
    Ok((state, arguments, results))
}

/// What the symbols of a case's tensors are.
pub(crate) fn numbers(state: &State, case: &Case) -> Vec<Option<i64>> {
    let number = |(_, entry): &(_, Entry)| match *entry {
        Entry::Size { argument, dim } => Some(case.tensors[argument].sizes[dim]),
        Entry::Stride { argument, dim } => Some(case.tensors[argument].strides[dim]),
        Entry::Offset { argument } => Some(case.tensors[argument].offset),
        _ => None,
    };
    state.entries.iter().map(number).collect()
}

/// Fake tensors beside what eager came to.
struct Run {
    symbols: Symbols,
    /// What the symbols are.
    numbers: Vec<Option<i64>>,
    /// The case's numbers of the storages.
    storages: HashMap<usize, usize>,
    /// How many storages the case has so far.
    known: usize,
    /// Whether a size that elements decide was taken for one that it is not.
    torn: bool,
}

impl Run {
    /// Symbols are what the case says.
    fn bind(&mut self, state: &State, case: &Case, results: &[Came], expected: &[Expected]) {
        self.numbers = numbers(state, case);
        // What depends on elements is what it came to.
        for (number, (symbol, entry)) in state.entries.iter().enumerate() {
            if !matches!(entry, Entry::Elements { .. }) {
                continue;
            }
            let own = self.symbols.size(*symbol);
            for (fake, expected) in results.iter().zip(expected) {
                let (Expected::View(view, _), Came::Tensor(fake)) = (expected, fake) else { continue };
                for (size, actual) in fake.known.layout.sizes.iter().zip(&view.sizes) {
                    let (name, own) = (self.symbols.text(*size), self.symbols.text(own));
                    let same = name == own || name == format!("s{number}");
                    if same {
                        // Taken for equal, and it is not: a guard that nobody can test before.
                        let taken = own.parse().ok().or(self.numbers[number]);
                        self.torn |= taken.is_some_and(|taken: i64| taken != *actual);
                        self.numbers[number] = Some(*actual);
                    }
                }
            }
        }
    }

    /// A number, as far as it is known, and the tensor that the case has in its place.
    fn number(&self, case: &Case, size: Option<Size>, expected: &Expected) -> Result<(), String> {
        let Expected::View(_, Some(elements)) = expected else { return Err("expected a tensor".into()) };
        let number = size.and_then(|size| self.symbols.value(size, &self.numbers));
        match (number, elements.first()) {
            (Some(number), Some(element)) if element.to_i64() != number => {
                Err(format!("expected {element}, got {number}"))
            }
            // Elements are not known, sizes and strides are.
            (None, _) if !case.calls.iter().all(|call| READS.contains(&call.operator())) => {
                Err("expected a number, got one of which nothing is known".into())
            }
            _ => Ok(()),
        }
    }

    fn values(&self, sizes: &[Size]) -> Vec<Option<i64>> {
        sizes.iter().map(|size| self.symbols.value(*size, &self.numbers)).collect()
    }

    fn result(
        &mut self,
        fake: &Fake,
        same: Option<usize>,
        changes: bool,
        expected: &Expected,
    ) -> Result<(), String> {
        let view: &View = match expected {
            Expected::Same(number) if same == Some(*number) => return Ok(()),
            Expected::Same(number) => return Err(format!("expected %{number} itself, got another tensor")),
            Expected::View(view, _) => view,
        };
        if let Some(number) = same.filter(|_| !changes) {
            return Err(format!("expected another tensor, got %{number} itself"));
        }
        let known = &fake.known;
        let some = |numbers: &[i64]| numbers.iter().copied().map(Some).collect::<Vec<_>>();
        // Of sizes of the run strides along one index, and of no elements, lead to nothing.
        let open = !self.numbers.is_empty();
        let leads = |d: usize| !open || view.sizes[d] != 1 && !view.sizes.contains(&0);
        let leading = |strides: Vec<Option<i64>>| -> Vec<Option<i64>> {
            let all = strides.into_iter().enumerate();
            all.map(|(d, stride)| stride.filter(|_| d >= view.sizes.len() || leads(d))).collect()
        };
        for (what, expected, actual) in [
            ("sizes", some(&view.sizes), self.values(&known.layout.sizes)),
            ("strides", leading(some(&view.strides)), leading(self.values(&known.layout.strides))),
            ("offset", some(&[view.offset]), self.values(&[known.layout.offset])),
        ] {
            if expected != actual {
                return Err(format!("expected {what} {expected:?}, got {actual:?}"));
            }
        }
        let name = |dtype: &dyn std::fmt::Debug| format!("{dtype:?}").to_uppercase();
        let (dtype, flags) = (name(&view.dtype), (view.flags.conj, view.flags.neg));
        if dtype != name(&known.dtype) {
            return Err(format!("expected {dtype}, got {:?}", known.dtype));
        }
        if flags != (known.conj, known.neg) {
            return Err(format!("expected conj and neg {flags:?}, got {:?}", (known.conj, known.neg)));
        }
        let next = self.known;
        let storage = *self.storages.entry(fake.storages[0]).or_insert(next);
        self.known += usize::from(storage == next);
        if storage != view.storage {
            return Err(format!("expected a view of storage {}, got {storage}", view.storage));
        }
        Ok(())
    }
}
