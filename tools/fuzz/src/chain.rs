//! Programs through the passes that make them pure, one after another: interpreted and compared after each.
//!
//! Programs have control flow, inputs that share storages, and views and mutations by turns (see
//! `rich::steered`); those that are compiled, too, have operators of all kinds instead. Where some arguments
//! name no storage the first pass is `graph-specialize-aliases`. A program is left aside where a pass asks
//! for what is known at run time only, or refuses a way that is not taken.

use crate::{
    campaign::{Checked, Level, Wrong},
    check::{Runner, compare, cpu},
    program::Program,
    rich,
    statistics::{Statistics, Watch},
    straight::{UNBOUNDED, checks_accesses, compiled, stress, threads},
    typing::{Sizes, Typing},
};
use std::{
    cell::{Cell, RefCell},
    path::PathBuf,
    rc::Rc,
};
use terrace_dialects::{
    definitions::verifiers::{CHANGED, GUARD},
    ir::refusal::{INTERNAL, Reason},
};
use terrace_interpreter::Interpreter;
use terrace_lowering::pipeline::{
    self,
    pass::{Pipeline, nested, pass},
};
use terrace_native::Cpu;
use terrace_tools::{outcome::Outcome, random::Random};

/// What eager says too, of a way that is not taken, or where a pass has to know it before.
const EAGER: [&str; 12] = [
    "is invalid for input of size",
    "Dimension out of range",
    "out of range for tensor of size",
    "Given normalized_shape",
    "must match the existing size",
    "storage_offset divisible",
    "are out of bounds for storage of size",
    "view size is not compatible",
    "Please clone() the tensor",
    "Expected scalars to be contiguous",
    "must have a last dimension with stride 1",
    "must match the size of tensor b",
];

/// What is said of a view by another dtype of what is one of several tensors, and of the parts of one that
/// may be conjugated.
const FLAGGED: [&str; 3] = [
    "bit set when converting to a different dtype",
    "doesn't work on unresolved conjugated tensors",
    "not supported for conjugate view tensors",
];

/// Why a pass may refuse a program: for a reason, but not because an operator has no form; or in eager's
/// words.
fn limit(what: &str) -> Option<String> {
    if what.contains(INTERNAL) {
        return None;
    }
    let own = ["depends on the order of evaluation", "too large to be addressed", CHANGED];
    let words = EAGER
        .iter()
        .chain(&FLAGGED)
        .chain(&own)
        .find(|words| what.contains(**words))
        .map(|words| words.to_string());
    let reason = Reason::of(what).filter(|reason| *reason != Reason::Form);
    reason.map(|reason| reason.to_string()).or(words)
}

/// The level of these passes, and of compiled code behind them.
pub struct Chain {
    runner: Runner,
    /// Whether what has a form as machine code is compiled and called too, and for which CPU.
    compiles: bool,
    cpu: Option<Cpu>,
    statistics: RefCell<Statistics>,
    declared: Cell<u64>,
    table: Option<PathBuf>,
}

impl Chain {
    /// Whether arguments may have sizes that are not static.
    fn is_open(&self, seed: u64) -> bool {
        seed % 3 == 2
    }

    /// Programs that are only interpreted, or compiled too: for a CPU, or for one by the seed.
    pub fn new(compiles: bool, cpu: Option<Cpu>) -> Chain {
        let (runner, statistics) = (Runner::default(), RefCell::default());
        Chain { runner, compiles, cpu, statistics, declared: Cell::new(0), table: None }
    }

    /// Writes into a file, at the end, how often each view came before and after each mutation.
    pub fn writing(self, table: Option<PathBuf>) -> Chain {
        Chain { table, ..self }
    }
}

/// The passes of a program, each with what it leads to.
fn stages(program: &Program, seed: u64) -> Vec<(&'static str, Pipeline)> {
    let mut stages: Vec<(_, Pipeline)> = vec![("structured", "graph-structure".into())];
    if program.arguments.iter().any(|argument| !argument.named) {
        stages.push(("specialized", "graph-specialize-aliases".into()));
    }
    stages.push(("resolved", nested("func.func", "graph-resolve-views").into()));
    if seed.is_multiple_of(8) {
        let all = pass("graph-functionalize").with("remove", "mutations-and-views");
        stages.push(("functional", Pipeline::from(all).then("functional-verify-contiguous")));
    } else {
        stages.push(("functional", "graph-functionalize".into()));
        stages.push(("copies", ["functional-view-to-copy", "functional-verify-contiguous"].into()));
    }
    if seed % 2 == 1 {
        stages.push(("canonical", pipeline::canonicalize()));
    }
    stages.push(("in place", "functional-reinplace".into()));
    stages
}

impl Chain {
    /// Compares with machine code where that is wanted; why it is left aside: there is nothing that it has no
    /// form for.
    fn compiled(
        &self,
        program: &Program,
        seed: u64,
        text: &str,
        expected: &Outcome,
    ) -> Result<Option<String>, Wrong> {
        if !self.compiles {
            return Ok(None);
        }
        let (runner, cpu) = (&self.runner, cpu(self.cpu.as_ref(), seed));
        let how = (threads(seed), stress(seed), checks_accesses(seed));
        match compiled(runner, runner.parse(text)?, program, &cpu, expected, text, how) {
            Err(found) if found.what.contains(UNBOUNDED) => Ok(Some("elements without a bound".into())),
            Ok(Checked::Left(why)) => Ok(Some(why)),
            compared => compared.map(|_| None),
        }
    }

    /// Leaves aside what a pass refuses, or a guard behind it. A session makes machine code for the call at
    /// hand, which may answer it all the same: that is compared then.
    fn only_compiled(
        &self,
        program: &Program,
        seed: u64,
        text: &str,
        expected: &Outcome,
        why: &str,
    ) -> Result<Checked, Wrong> {
        let answer = self.compiled(program, seed, text, expected)?;
        let agrees = if self.compiles { "agrees when compiled for the call; " } else { "" };
        Ok(Checked::Left(answer.unwrap_or(format!("{agrees}{why}"))))
    }

    fn check_as_it_is(&self, program: &Program, seed: u64) -> Result<Checked, Wrong> {
        let (runner, text) = (&self.runner, self.text(program, seed));
        let left = |why: &str| Ok(Checked::Left(why.to_owned()));
        let mut module = runner.parse(&text)?;
        let watch = Rc::new(Watch::default());
        let mut interpreter = Interpreter::new(&module);
        interpreter.observe(watch.clone());
        // Other types than those with which it grew may make it refuse what it did.
        let Ok(expected) = runner.interpret("graph", &interpreter, program, &text) else {
            return left("the interpreter refuses it");
        };
        drop(interpreter);
        if watch.decides() {
            return left("decides by elements that are not exact");
        }
        let stages = stages(program, seed);
        for (level, passes) in &stages {
            if let Err(refused) = runner.run(level, &passes.to_string(), &mut module, &text) {
                let why = match limit(&refused.what) {
                    Some(limit) => limit,
                    None if refused.what.contains(INTERNAL) => return Err(refused),
                    // What the analysis of fake tensors can't know.
                    None if *level == "specialized" => "is not specialized".into(),
                    // What holds for the sizes of this call may not hold for the usual ones, nor what guards
                    // say together.
                    None if *level == "functional" && self.is_open(seed) => {
                        "refused for the usual sizes".into()
                    }
                    None => return Err(refused),
                };
                return self.only_compiled(program, seed, &text, &expected, &format!("{level}: {why}"));
            }
            let actual = match runner.interpret(level, &Interpreter::new(&module), program, &text) {
                Err(refused) if refused.what.contains(GUARD) => {
                    return self.only_compiled(program, seed, &text, &expected, "a guard refuses the call");
                }
                actual => actual?,
            };
            match compare(&expected, &actual, level, &text) {
                Err(found) if found.what.contains(UNBOUNDED) => {
                    return left("elements without a bound");
                }
                compared => compared?,
            }
        }
        self.statistics.borrow_mut().add(program, &text, &watch.observed(&expected.results));
        match self.compiled(program, seed, &text, &expected)? {
            Some(why) => left(&why),
            None => Ok(Checked::Agrees),
        }
    }
}

impl Level for Chain {
    fn name(&self) -> &'static str {
        if self.compiles { "flow" } else { "pure" }
    }

    fn program(&self, seed: u64) -> Program {
        if self.compiles {
            return rich::program(&self.runner.context, seed, true);
        }
        let mut program = rich::steered(&self.runner.context, seed);
        // What is called declares nothing of how its arguments lie.
        if Random::new(seed).percent(15) && program.functions.is_empty() {
            program.arguments.iter_mut().for_each(|argument| argument.named = false);
        }
        program
    }

    fn text(&self, program: &Program, seed: u64) -> String {
        let sizes = if self.is_open(seed) { Sizes::Open } else { Sizes::Numbers };
        Typing::new(&self.runner.context).program(program, sizes).unwrap_or_default()
    }

    /// Where a pass asks for strides that the program does not declare, it does.
    fn check(&self, program: &Program, seed: u64) -> Result<Checked, Wrong> {
        match (self.check_as_it_is(program, seed)?, program.with_numbers()) {
            (Checked::Left(why), Some(program)) if why.ends_with(&Reason::Layout.to_string()) => {
                self.declared.set(self.declared.get() + 1);
                self.check_as_it_is(&program, seed)
            }
            (checked, _) => Ok(checked),
        }
    }

    fn summary(&self) -> String {
        let statistics = self.statistics.borrow();
        let written = self.table.as_ref().map(|file| match std::fs::write(file, statistics.table()) {
            Ok(()) => format!("\nall pairs: {}", file.display()),
            Err(error) => format!("\n{}: {error}", file.display()),
        });
        let declared = self.declared.get();
        format!("{declared} of them had to declare strides\n{statistics}{}", written.unwrap_or_default())
    }

    fn pipeline(&self, program: &Program, seed: u64) -> Option<String> {
        let stages = stages(program, seed);
        Some(stages.into_iter().map(|(_, passes)| passes).collect::<Pipeline>().to_string())
    }
}
