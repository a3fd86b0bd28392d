//! The analysis of a program.

use crate::program::Program;
use melior::ir::{Module, RegionLike, Value, operation::OperationRef};
use std::collections::{HashMap, HashSet};
use terrace_dialects::{
    analysis::fake::{Entry, State},
    ir::{BlockLike, OperationLike, arguments, attributes, operations::key},
};
use terrace_interpreter::EVALUATOR;
use terrace_layout::Layout;
use terrace_size::symbols::Symbols;

/// What is known of the program before it runs.
pub struct Analysis<'m> {
    /// What the values are.
    pub state: State<'m>,
    /// What is known of sizes, and the guards.
    pub symbols: Symbols,
    /// Symbols by the path and the value that they were made with.
    pub homes: HashMap<(usize, usize), Vec<usize>>,
    /// The values that are defined in each block, those inside too.
    pub inside: HashMap<usize, Vec<usize>>,
    /// All operations, by their addresses.
    pub operations: HashSet<usize>,
}

/// What the analysis refuses.
pub struct Refused {
    /// Why.
    pub message: String,
    /// The operation, where it is one of `@main` and all symbols have hints.
    pub at: Option<usize>,
}

impl From<&str> for Refused {
    fn from(message: &str) -> Refused {
        Refused { message: message.to_owned(), at: None }
    }
}

/// Whether a symbol has a hint where the caller has hints.
fn of_argument(entry: &Entry) -> bool {
    matches!(entry, Entry::Size { .. } | Entry::Stride { .. } | Entry::Offset { .. })
}

/// The function `@main`.
pub fn main<'c, 'a>(module: &'a Module<'c>) -> Option<OperationRef<'c, 'a>> {
    let operations = std::iter::successors(module.body().first_operation(), |op| op.next_in_block());
    let name = |op: &OperationRef| op.attribute("sym_name").ok().map(attributes::string);
    operations.into_iter().find(|op| name(op).as_deref() == Some("main"))
}

impl<'m> Analysis<'m> {
    /// Follows `@main`, its open sizes, strides and offsets as symbols, with those of the program for hints
    /// if so wanted.
    ///
    /// # Errors
    /// What is refused.
    pub fn of(module: &'m Module<'m>, program: &Program, hinted: bool) -> Result<Analysis<'m>, Refused> {
        let function = main(module).ok_or("no @main")?;
        let block = function.region(0).ok().and_then(|region| region.first_block()).ok_or("no block")?;
        let (mut symbols, mut state) = (Symbols::new(), State::default());
        state.evaluate_with(EVALUATOR);
        let mut refused = None;
        let followed = symbols.enter(|| {
            for number in 0..block.argument_count() {
                let value: Value = block.argument(number).map_err(|e| e.to_string())?.into();
                let hints = program.arguments.get(number).filter(|_| hinted).map(|argument| Layout {
                    sizes: argument.sizes.clone(),
                    strides: argument.strides.clone(),
                    offset: argument.offset,
                });
                state.argument(number, value, &arguments::declared(function, number)?, hints.as_ref());
            }
            state.body(function).map_err(|wrong| {
                let in_main = std::iter::successors(Some(wrong.op), |op| op.parent_operation())
                    .any(|op| op.to_raw().ptr == function.to_raw().ptr);
                refused = in_main.then_some(wrong.op.to_raw().ptr as usize);
                wrong.message
            })
        });
        if let Err(message) = followed {
            let known = state.entries.iter().all(|(_, entry)| hinted && of_argument(entry));
            return Err(Refused { message, at: refused.filter(|_| known) });
        }
        let mut homes: HashMap<_, Vec<usize>> = HashMap::new();
        for ((symbol, _), home) in state.entries.iter().zip(&state.homes) {
            homes.entry(*home).or_default().push(symbol.place());
        }
        let mut analysis =
            Analysis { state, symbols, homes, inside: HashMap::new(), operations: HashSet::new() };
        let operations = std::iter::successors(module.body().first_operation(), |op| op.next_in_block());
        for function in operations {
            analysis.enter(function);
        }
        Ok(analysis)
    }

    /// Takes in what is defined inside of an operation; all of it.
    fn enter(&mut self, op: OperationRef) -> Vec<usize> {
        self.operations.insert(op.to_raw().ptr as usize);
        let mut all = vec![];
        for region in op.regions() {
            for block in std::iter::successors(region.first_block(), |block| block.next_in_region()) {
                let mut own: Vec<usize> =
                    (0..block.argument_count()).filter_map(|i| block.argument(i).ok()).map(key).collect();
                for op in std::iter::successors(block.first_operation(), |op| op.next_in_block()) {
                    own.extend(op.results().map(key));
                    own.extend(self.enter(op));
                }
                all.extend(&own);
                self.inside.insert(block.to_raw().ptr as usize, own);
            }
        }
        all
    }

    /// Whether a guard is about symbols that have hints alone.
    pub fn is_hinted(&self, number: usize) -> bool {
        let of_argument =
            |entry: &Entry| matches!(entry, Entry::Size { .. } | Entry::Stride { .. } | Entry::Offset { .. });
        let guard = &self.symbols.guards()[number];
        let text = self.symbols.guard_text(guard);
        let symbols =
            text.split(|c: char| !c.is_ascii_alphanumeric()).filter_map(|word| word.strip_prefix('s'));
        symbols
            .filter_map(|digits| digits.parse::<usize>().ok())
            .all(|place| of_argument(&self.state.entries[place].1))
    }

    /// A guard in words, with the operation that asked for it.
    pub fn guard_text(&mut self, number: usize) -> String {
        let guard = self.symbols.guards()[number];
        let text = self.symbols.guard_text(&guard);
        if !self.operations.contains(&guard.by) {
            return format!("{text}, of no operation");
        }
        // SAFETY: an operation of the module, which is borrowed.
        let op = unsafe { OperationRef::from_raw(mlir_sys::MlirOperation { ptr: guard.by as *mut _ }) };
        format!("{text}, of {}", op.name().as_string_ref().as_str().unwrap_or_default())
    }
}
