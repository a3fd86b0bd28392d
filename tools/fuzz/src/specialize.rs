//! Whether `graph-specialize-aliases` changes what a program does, however its inputs lie.
//!
//! A program whose arguments mostly declare no storage is run as it is, specialized, and specialized and
//! functionalized, each time on the same inputs: as they were made, and laid out anew in other ways, on
//! storages of their own, in those of other arguments, as the same tensor. Results, what they alias, and all
//! storages must agree, unless a guard refuses the call; where eager refuses the inputs so does what the pass
//! made, in the same words. A session runs each program too, compiled for each call. Each third program
//! leaves sizes of its arguments open.

mod layouts;

use crate::{
    campaign::{Checked, Level, Wrong},
    check::{Runner, cpu},
    elements::{elements, extent},
    generate,
    program::{Argument, Program},
    rich,
    statistics::Watch,
    straight::{UNBOUNDED, threads},
    typing::{Sizes, Typing},
    workbench::Workbench,
};
use layouts::{bytes, distinguishable, laid_out, places};
use melior::ir::Module;
use std::{cell::RefCell, collections::BTreeMap, fmt, rc::Rc};
use terrace_dialects::{
    definitions::verifiers::{CHANGED, GUARD},
    ir::refusal::Reason,
};
use terrace_interpreter::{Interpreter, semantics::random::manual_seed};
use terrace_lowering::pipeline;
use terrace_session::{Error, Fallback, OpenSizes, Options, Program as Compiled, Session};
use terrace_tensor::io::{Inputs, inputs_to_json};
use terrace_tools::{outcome::Outcome, random::Random};

/// How many of what.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    /// Programs.
    pub programs: u64,
    /// Those that the pass gave guards to.
    pub specialized: u64,
    /// Of these, those that were functionalized too.
    pub functionalized: u64,
    /// Calls of specialized programs.
    pub calls: u64,
    /// Those that eager refuses.
    pub refused: u64,
    /// Those of specialized programs that guards refuse.
    pub guarded: u64,
    /// Variants that were compiled.
    pub compiled: u64,
    /// Calls of which no code could be compiled, by what was said.
    pub not_compiled: BTreeMap<String, u64>,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { programs, specialized, functionalized, calls, refused, guarded, compiled, not_compiled } =
            self;
        write!(
            f,
            "{specialized} of {programs} with guards, {functionalized} of them functionalized; {calls} calls with inputs that lie in \
             different ways, {refused} refused as by eager, {guarded} by guards; {compiled} variants compiled, {} calls refused",
            not_compiled.values().sum::<u64>()
        )?;
        not_compiled.iter().try_for_each(|(why, count)| write!(f, "\n  {count}: {why}"))
    }
}

/// Runs programs before and after the pass, and keeps diagnostics to itself.
pub struct Checker {
    runner: Runner,
    counts: RefCell<Counts>,
    calls: u64,
}

/// So many calls of each program are compiled, too, each for what it brings.
const COMPILED: u64 = 4;

/// What eager says of operands that overlap.
const MEMORY: [&str; 2] = ["memory location", "order of evaluation"];

/// Whether the program of a seed is without control flow.
fn is_flat(seed: u64) -> bool {
    !seed.is_multiple_of(4)
}

/// Whether the program of a seed leaves sizes of its arguments open.
fn is_open(seed: u64) -> bool {
    seed.is_multiple_of(3)
}

/// What is said of storages that change their size in rounds.
const ROUNDS: &str = "comes from outside of the control flow around it: do so outside";

/// What the interpreter says of a size that elements decide where a type takes it for another, in front of
/// the assertion.
const UNTYPED: &str = "'tensor.cast' op computes what its type does not say";

/// A result, or what was said against it.
type Came = Result<Outcome, String>;

/// A call of a program.
struct Call<'p> {
    program: &'p Program,
    /// The seed of the program.
    seed: u64,
    /// The program as MLIR.
    text: &'p str,
    /// Which of its calls it is.
    number: u64,
}

impl Call<'_> {
    /// Its inputs, made anew: the first call has those that the program was made with.
    fn inputs(&self) -> Inputs {
        let mut random = Random::new(self.seed.wrapping_mul(1000).wrapping_add(self.number));
        match self.number {
            0 => self.program.inputs(),
            _ => laid_out(self.program, is_flat(self.seed) || is_open(self.seed), &mut random),
        }
    }

    /// What is wrong with it at a level, by how its inputs lie.
    fn wrong(&self, level: &str, what: &str, places: &str) -> Wrong {
        let what = format!("{level}, call {}: {what}; {places}", self.number);
        Wrong { what, text: self.text.to_owned(), ..Wrong::default() }
    }
}

impl Checker {
    /// A checker that calls each program so often.
    pub fn new(calls: u64) -> Checker {
        Checker { runner: Runner::default(), counts: RefCell::default(), calls }
    }

    /// Compares what a program does before and after the pass.
    fn compare(&self, program: &Program, seed: u64) -> Result<(), Wrong> {
        self.counts.borrow_mut().programs += 1;
        let text = self.text(program, seed);
        let parse = || self.runner.parse(&text);
        let (before, specialized, functionalized) = (parse()?, parse()?, parse()?);
        let after = self.transformed(specialized, functionalized);
        let open_sizes = if is_open(seed) { OpenSizes::All } else { OpenSizes::Differing };
        let options = Options {
            cpu: cpu(None, seed),
            threads: threads(seed),
            fallback: Fallback::Never,
            open_sizes,
            ..Options::default()
        };
        let session = Session::new(&self.runner.context, options);
        let compiled = session.program(parse()?);
        _ = self.runner.words();
        for number in 0..self.calls {
            let call = Call { program, seed, text: &text, number };
            let watch = Rc::new(Watch::default());
            let expected = self.call(&before, call.inputs(), Some(&watch));
            self.counts.borrow_mut().calls += 1;
            self.counts.borrow_mut().refused += u64::from(expected.is_err());
            // One object as several arguments, of which one changes it: what is made of values has no
            // objects.
            if says(&expected, CHANGED) {
                continue;
            }
            self.agrees_after(&call, &expected, &after)?;
            if number >= COMPILED {
                continue;
            }
            // What upstream leaves undefined may do anything; machine code only comes near elements that are
            // not exact.
            if says(&expected, "'tensor.extract' op index") || watch.decides() {
                continue;
            }
            self.agrees_compiled(&call, &expected, &session, &compiled)?;
        }
        self.counts.borrow_mut().compiled += compiled.variants("main") as u64;
        Ok(())
    }

    /// A program after the pass, and functionalized then, as far as there is something to test.
    fn transformed<'c>(
        &'c self,
        mut specialized: Module<'c>,
        mut functionalized: Module<'c>,
    ) -> Vec<Module<'c>> {
        // Else there is nothing to test.
        let is_specialized = self.run(&mut specialized, "graph-structure,graph-specialize-aliases")
            && specialized.as_operation().to_string().contains("graph.guard");
        self.counts.borrow_mut().specialized += u64::from(is_specialized);
        let mut after = if is_specialized { vec![specialized] } else { vec![] };
        if is_specialized && self.run(&mut functionalized, &pipeline::values().to_string()) {
            self.counts.borrow_mut().functionalized += 1;
            after.push(functionalized);
        }
        after
    }

    /// Compares what is expected of a call with what the program does after each pass.
    fn agrees_after(&self, call: &Call, expected: &Came, after: &[Module]) -> Result<(), Wrong> {
        for (module, level) in after.iter().zip(["specialized", "functionalized"]) {
            let came = self.call(module, call.inputs(), None);
            if says(&came, GUARD) {
                self.counts.borrow_mut().guarded += 1;
                continue;
            }
            // What nobody needs is not computed in values, and does not look at its indices; others say it
            // otherwise.
            let elements = |words: &String| !MEMORY.iter().any(|memory| words.contains(memory));
            let late = |words: &String| Reason::of(words) == Some(Reason::RunTime) || words.contains(UNTYPED);
            if level == "functionalized"
                && (expected.as_ref().is_err_and(elements)
                    || says(&came, ROUNDS)
                    || came.as_ref().is_err_and(late))
            {
                continue;
            }
            agree(expected, &came, is_open(call.seed))
                .or_else(unbounded)
                .map_err(|what| call.wrong(level, &what, &places(&call.inputs())))?;
        }
        Ok(())
    }

    /// Compares what is expected of a call with what the compiled program does, where it is compiled.
    fn agrees_compiled(
        &self,
        call: &Call,
        expected: &Came,
        session: &Session,
        compiled: &Compiled,
    ) -> Result<(), Wrong> {
        let inputs = distinguishable(call.inputs());
        let place = places(&inputs);
        session.manual_seed(0);
        let came = match compiled.call("main", &inputs.args) {
            Ok(results) => Ok(Outcome::compiled(inputs, results, session.generator_state())),
            Err(Error::Refused(why)) => {
                let first = why.first().map(|why| why.message.clone()).unwrap_or_default();
                let reason = Reason::of(&first);
                // What the program asks for is looked at before how a call's arguments lie.
                if expected.is_ok() || reason.is_some() {
                    self.not_compiled(reason.map_or(first, |reason| reason.to_string()));
                    return Ok(());
                }
                Err(first)
            }
            // What is asserted when elements are known.
            Err(error) if let Some(reason) = Reason::of(&error.to_string()) => {
                self.not_compiled(reason.to_string());
                return Ok(());
            }
            Err(error) => Err(error.to_string()),
        };
        agree_in_kind(expected, &came, is_open(call.seed)).or_else(unbounded).map_err(|what| Wrong {
            inputs: Some(inputs_to_json(&distinguishable(call.inputs()))),
            ..call.wrong("compiled", &what, &place)
        })
    }

    /// Counts a call of which no code could be compiled.
    fn not_compiled(&self, why: String) {
        *self.counts.borrow_mut().not_compiled.entry(why).or_default() += 1;
    }

    fn run(&self, module: &mut Module, passes: &str) -> bool {
        self.runner.run("specialized", passes, module, "").is_ok()
    }

    fn call(&self, module: &Module, inputs: Inputs, watch: Option<&Rc<Watch>>) -> Came {
        manual_seed(0);
        let mut interpreter = Interpreter::new(module);
        if let Some(watch) = watch {
            interpreter.observe(watch.clone());
        }
        match interpreter.call("main", inputs.args.clone()) {
            Ok(results) => Ok(Outcome::new(inputs, results)),
            Err(_) => Err(self.runner.words()),
        }
    }
}

impl Level for Checker {
    fn name(&self) -> &'static str {
        "specialize"
    }

    /// Each fourth one has control flow and calls. Most arguments name no storage.
    fn program(&self, seed: u64) -> Program {
        let mut program = match is_flat(seed) {
            true => generate::grown(&self.runner.context, seed, arguments),
            false => rich::program(&self.runner.context, seed, false),
        };
        let mut random = Random::new(seed);
        for argument in &mut program.arguments {
            argument.named = random.percent(20);
        }
        program
    }

    fn text(&self, program: &Program, seed: u64) -> String {
        let typed = |sizes| Typing::new(&self.runner.context).program(program, sizes);
        match (is_open(seed).then(|| typed(Sizes::Open)).flatten(), is_flat(seed)) {
            (Some(open), _) => open,
            (None, true) => program.to_string(),
            (None, false) => typed(Sizes::Numbers).unwrap_or_default(),
        }
    }

    fn check(&self, program: &Program, seed: u64) -> Result<Checked, Wrong> {
        self.compare(program, seed).map(|()| Checked::Agrees)
    }

    fn summary(&self) -> String {
        self.counts.borrow().to_string()
    }
}

/// Whether a program is refused in some words.
fn says(came: &Came, said: &str) -> bool {
    came.as_ref().is_err_and(|words| words.contains(said))
}

/// Leaves aside a difference of which no bound is known.
fn unbounded(what: String) -> Result<(), String> {
    if what.contains(UNBOUNDED) { Ok(()) } else { Err(what) }
}

fn agree(expected: &Came, came: &Came, any_size: bool) -> Result<(), String> {
    match (expected, came) {
        (Ok(expected), Ok(came)) if any_size => expected.agrees_for_any_size(came),
        (Ok(expected), Ok(came)) => expected.agrees_with(came),
        (Err(expected), Err(came)) if expected == came => Ok(()),
        (Err(expected), Err(came)) => Err(format!("refused as {came}, not {expected}")),
        (Ok(_), Err(came)) => Err(format!("refused: {came}")),
        (Err(expected), Ok(_)) => Err(format!("not refused: {expected}")),
    }
}

/// The same of compiled code: where eager refuses how the inputs lie, it does so in the same words; elsewhere
/// it may have others, and where not each operation is computed, not refuse.
fn agree_in_kind(expected: &Came, came: &Came, any_size: bool) -> Result<(), String> {
    let how_they_lie = |words: &str| MEMORY.iter().any(|memory| words.contains(memory));
    match (expected, came) {
        (Err(expected), Ok(_)) if !how_they_lie(expected) => Ok(()),
        (Err(expected), Err(came)) if how_they_lie(expected) => {
            let own = came.split_once(": ").map_or(came.as_str(), |(_, own)| own);
            // For which sizes it was compiled is no word of eager's.
            let own = own.split(" (where ").next().unwrap_or(own);
            if expected.contains(own) { Ok(()) } else { Err(format!("refused as {came}, not {expected}")) }
        }
        (Err(_), Err(_)) => Ok(()),
        _ => agree(expected, came, any_size),
    }
}

/// Two to five arguments. Many are like an earlier one: side by side with it in its storage, or in one of
/// their own.
fn arguments(bench: &mut Workbench) {
    generate::argument(bench);
    for _ in 0..bench.random.between(1, 4) {
        let count = bench.program.arguments.len() as i64;
        let like = bench.program.arguments[bench.random.between(0, count - 1) as usize].clone();
        let behind = if like.sizes.contains(&0) { 0 } else { extent(&like.sizes, &like.strides) };
        let step = bench.random.choose(&[0, 1, 2, behind, behind]);
        let beside = Argument { offset: like.offset + step, ..like.clone() };
        let size = like.dtype.bytes();
        let fits =
            bytes(&beside, beside.offset) <= bench.program.storages[like.storage].elements.len() * size;
        match bench.random.between(0, 3) {
            0 => generate::argument(bench),
            1 if fits => _ = bench.argument(beside, None),
            _ => {
                let storage = bench.program.storages.len();
                let mut contents = bench.program.storages[like.storage].clone();
                contents.elements.extend(elements(&mut bench.random, contents.dtype, step));
                bench.argument(Argument { storage, ..like }, Some(contents));
            }
        }
    }
}
