//! Whether what is made of a function by `graph-deferred-init` is what the function makes.
//!
//! A program runs as it is. Then `@main.fake` runs: its results have to be laid out and shared as those of
//! the program, what the caller sees of arguments and of the generator has to be the same. The arguments are
//! overwritten and the generator is set to something else, and each result is materialized, in some order,
//! some again: every byte of each storage has to be that of the program, and storages and tensors have to be
//! shared as there.

use crate::{
    campaign::{Checked, Level, Wrong},
    check::Runner,
    fake::kind,
    program::Program,
    rich,
    typing::{Sizes, Typing},
};
use melior::ir::Module;
use std::{cell::RefCell, fmt};
use terrace_fake::DeferredInit;
use terrace_interpreter::{Interpreter, semantics::random as generator};
use terrace_tensor::{Tensor, Value, io::Inputs};
use terrace_tools::random::Random;

/// How many of what.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counts {
    /// Programs.
    pub programs: u64,
    /// Those that the pass refuses.
    pub refused: u64,
    /// Those for whose inputs a guard does not hold.
    pub guarded: u64,
    /// Results that were materialized.
    pub deferred: u64,
    /// Results that were made at once.
    pub at_once: u64,
    /// Programs that draw.
    pub drawing: u64,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { programs, refused, guarded, deferred, at_once, drawing } = self;
        write!(
            f,
            "{programs} programs, {drawing} of which draw; {refused} refused, {guarded} kept out by a guard; {deferred} results materialized, {at_once} made at once"
        )
    }
}

/// Runs programs, and keeps diagnostics to itself.
#[derive(Default)]
pub struct Checker {
    runner: Runner,
    counts: RefCell<Counts>,
}

/// What came of a run.
struct Ran {
    inputs: Inputs,
    results: Vec<Value>,
    state: (u64, u64),
}

impl Checker {
    fn check_with(&self, program: &Program, seed: u64, sizes: Sizes) -> Result<(), String> {
        let text = self.text_with(program, sizes)?;
        let parse = || self.runner.parse(&text).map_err(|refused| refused.what);
        let (module, mut deferred) = (parse()?, parse()?);
        let expected = {
            let inputs = program.inputs();
            generator::manual_seed(seed);
            let results = Interpreter::new(&module).call("main", inputs.args.clone());
            let Ok(results) = results else { return Ok(()) };
            Ran { inputs, results, state: generator::state() }
        };
        let mut counts = self.counts.borrow_mut();
        counts.programs += 1;
        counts.drawing += u64::from(expected.state.1 > 0);
        if let Err(said) = self.run("graph-deferred-init{functions=main}", &mut deferred) {
            counts.refused += 1;
            // What fake tensors are refused for, or known of under a guard alone.
            let known = said.contains("which is not known when the function is called")
                || self.run("graph-propagate-fake", &mut parse()?).is_err();
            return if known { Ok(()) } else { Err(said) };
        }
        let inputs = program.inputs();
        generator::manual_seed(seed);
        let init = DeferredInit::new(&deferred, Interpreter::new(&deferred), "main", inputs.args.clone());
        let mut init = match init {
            Err(error) if error.message.contains("was deferred for calls where") => {
                counts.guarded += 1;
                return Ok(());
            }
            init => init.map_err(|error| format!("@main.fake: {error}"))?,
        };
        let state = generator::state();
        if state != expected.state {
            return Err(format!("expected the generator at {:?}, got {state:?}", expected.state));
        }
        let results = init.results().to_vec();
        shared(&expected, &inputs, &results, sizes)?;
        for (number, storage) in inputs.storages.iter().enumerate() {
            if storage.storage.to_bytes() != expected.inputs.storages[number].storage.to_bytes() {
                return Err(format!("storage {} is another one after @main.fake", storage.name));
            }
        }
        let mut random = Random::new(seed);
        let mut order: Vec<usize> =
            (0..results.len()).filter(|n| results[*n].as_tensor().is_some()).collect();
        order.extend(order.clone());
        for at in (1..order.len()).rev() {
            order.swap(at, random.between(0, at as i64) as usize);
        }
        let mut made = results.clone();
        for (number, own) in results.iter().enumerate() {
            if !init.is_deferred(number) {
                same(&expected.results[number], own)
                    .map_err(|what| format!("result {number}, at once: {what}"))?;
                counts.at_once += u64::from(own.as_tensor().is_some());
            }
        }
        for storage in &inputs.storages {
            storage.storage.write_bytes(0, &vec![0xa5; storage.storage.len()]);
        }
        order.retain(|number| init.is_deferred(*number));
        for number in order {
            generator::set_state((seed ^ 7, random.between(0, 9) as u64));
            let before = generator::state();
            let tensor = init.materialize(number).map_err(|error| format!("result {number}: {error}"))?;
            if generator::state() != before {
                return Err(format!("result {number} moves the generator"));
            }
            if tensor.storage().is_fake() {
                return Err(format!("result {number} is still fake"));
            }
            made[number] = tensor.into();
            same(&expected.results[number], &made[number])
                .map_err(|what| format!("result {number}: {what}"))?;
            counts.deferred += 1;
        }
        shared(&expected, &inputs, &made, sizes).map_err(|what| format!("materialized: {what}"))
    }

    /// Runs a pass on a module; what it says where it is refused.
    fn run(&self, pass: &str, module: &mut Module) -> Result<(), String> {
        self.runner.run("the pass", pass, module, "").map_err(|refused| refused.what)
    }

    /// The text of a program; the step that is refused where there is none.
    fn text_with(&self, program: &Program, sizes: Sizes) -> Result<String, String> {
        let mut typing = Typing::new(&self.runner.context);
        typing.program(program, sizes).ok_or(typing.refused)
    }
}

impl Level for Checker {
    fn name(&self) -> &'static str {
        "deferred"
    }

    /// Every other one makes tensors and draws into them.
    fn program(&self, seed: u64) -> Program {
        match seed % 2 {
            0 => rich::program(&self.runner.context, seed, false),
            _ => rich::initialization(&self.runner.context, seed),
        }
    }

    fn text(&self, program: &Program, _seed: u64) -> String {
        let text = |sizes| self.text_with(program, sizes).unwrap_or_default();
        format!("{}\n// -----\n\n{}", text(Sizes::Numbers), text(Sizes::Open))
    }

    /// Compares a program with what is made of it, with its sizes as numbers and as `?`; the seed decides
    /// order and draws.
    fn check(&self, program: &Program, seed: u64) -> Result<Checked, Wrong> {
        for (sizes, with) in [(Sizes::Numbers, ""), (Sizes::Open, "with ?: ")] {
            let wrong = |what: String| {
                let text = self.text_with(program, sizes).unwrap_or_default();
                Wrong { kind: kind(&what), what: format!("{with}{what}"), text, ..Wrong::default() }
            };
            self.check_with(program, seed, sizes).map_err(wrong)?;
        }
        Ok(Checked::Agrees)
    }

    fn summary(&self) -> String {
        self.counts.borrow().to_string()
    }
}

/// Whether two results are the same, bit by bit, with all of their storages.
fn same(expected: &Value, actual: &Value) -> Result<(), String> {
    let (Value::Tensor(a), Value::Tensor(b)) = (expected, actual) else {
        let equal = format!("{expected:?}") == format!("{actual:?}");
        return if equal { Ok(()) } else { Err(format!("expected {expected:?}, got {actual:?}")) };
    };
    let (wanted, found) = (a.storage().to_bytes(), b.storage().to_bytes());
    match wanted.iter().zip(&found).position(|(a, b)| a != b) {
        Some(byte) => Err(format!("byte {byte} of its storage is {}, not {}", found[byte], wanted[byte])),
        None if wanted.len() != found.len() => {
            Err(format!("its storage has {} bytes, not {}", found.len(), wanted.len()))
        }
        None => Ok(()),
    }
}

/// Whether results are laid out, and shared with each other and with arguments, as they should be. Strides
/// that lead to nothing, along sizes of 1 and of what has no elements, are not eager's where sizes are open
/// (`pointwise` of dialects/layout says so).
fn shared(expected: &Ran, inputs: &Inputs, results: &[Value], sizes: Sizes) -> Result<(), String> {
    let tensors = |inputs: &Inputs, results: &[Value]| -> Vec<Option<Tensor>> {
        inputs.args.iter().chain(results).map(|value| value.as_tensor().cloned()).collect()
    };
    let (wanted, found) = (tensors(&expected.inputs, &expected.results), tensors(inputs, results));
    let arguments = inputs.args.len();
    for number in arguments..wanted.len() {
        let (Some(a), Some(b)) = (&wanted[number], &found[number]) else { continue };
        let place = |tensor: &Tensor| {
            let open = matches!(sizes, Sizes::Open);
            let leads = |size: i64| !open || size != 1 && !tensor.is_empty();
            let along = tensor.strides().iter().zip(tensor.sizes());
            let strides: Vec<_> = along.map(|(stride, size)| leads(*size).then_some(*stride)).collect();
            (
                tensor.dtype(),
                tensor.sizes().to_vec(),
                strides,
                tensor.offset(),
                tensor.flags(),
                tensor.storage().len(),
            )
        };
        let number = number - arguments;
        if place(a) != place(b) {
            return Err(format!("result {number} is {:?}, not {:?}", place(b), place(a)));
        }
        for other in 0..number + arguments {
            let (Some(x), Some(y)) = (&wanted[other], &found[other]) else { continue };
            if a.storage().is_same(x.storage()) != b.storage().is_same(y.storage()) {
                return Err(format!(
                    "result {number} shares its storage with {other} of arguments and results otherwise"
                ));
            }
            if a.is_same(x) && !b.is_same(y) {
                return Err(format!(
                    "result {number} is {other} of arguments and results, but another tensor"
                ));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_materialized_is_what_the_function_makes() {
        let checker = Checker::default();
        for seed in 1..30 {
            let program = rich::initialization(&checker.runner.context, seed);
            assert!(checker.check(&program, seed).is_ok(), "seed {seed}");
        }
        let counts = *checker.counts.borrow();
        assert!(counts.deferred > 50 && counts.refused < 10, "{counts}");
    }
}
