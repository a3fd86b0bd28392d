//! Runs of programs: by the interpreter, and through passes.

use crate::{campaign::Wrong, program::Program};
use melior::{Context, ir::Module};
use terrace_dialects::ir::refusal::INTERNAL;
use terrace_interpreter::{Interpreter, semantics::random::manual_seed};
use terrace_lowering::pipeline;
use terrace_native::Cpu;
use terrace_tools::{
    check::transform,
    module::{self, Messages},
    outcome::Outcome,
};

/// Runs programs, and keeps diagnostics to itself.
pub struct Runner {
    /// The context in which programs are generated and run.
    pub context: Context,
    messages: Messages,
}

impl Default for Runner {
    fn default() -> Runner {
        let (context, messages) = module::listening();
        pipeline::register();
        Runner { context, messages }
    }
}

impl Runner {
    /// Parses a program.
    ///
    /// # Errors
    /// What the parser says.
    pub fn parse(&self, text: &str) -> Result<Module<'_>, Wrong> {
        self.messages.borrow_mut().clear();
        Module::parse(&self.context, text).ok_or_else(|| self.refused("graph", "", text))
    }

    /// Runs passes of a level on a module.
    ///
    /// # Errors
    /// What they say.
    pub fn run(&self, level: &str, passes: &str, module: &mut Module, text: &str) -> Result<(), Wrong> {
        transform(&self.context, module, passes).map_err(|why| self.refused(level, &why, text))
    }

    /// Interprets a program at a level.
    ///
    /// # Errors
    /// What it is refused for.
    pub fn interpret(
        &self,
        level: &str,
        interpreter: &Interpreter,
        program: &Program,
        text: &str,
    ) -> Result<Outcome, Wrong> {
        manual_seed(1);
        let inputs = program.inputs();
        let results = interpreter.call("main", inputs.args.clone());
        let results = results.map_err(|_| self.refused(level, "", text))?;
        Ok(Outcome::new(inputs, results))
    }

    /// What the diagnostics say since they were asked for last.
    pub fn words(&self) -> String {
        self.messages.borrow_mut().drain(..).collect::<Vec<_>>().join("; ")
    }

    /// What the diagnostics say, and what was said beside them.
    pub fn refused(&self, level: &str, why: &str, text: &str) -> Wrong {
        let mut said: Vec<String> = self.messages.borrow_mut().drain(..).collect();
        said.extend((!why.is_empty()).then(|| why.to_owned()));
        let what = format!("{level} refuses: {}", said.join("; "));
        let kind = format!("{level} {}", if what.contains(INTERNAL) { "is wrong inside" } else { "refuses" });
        Wrong { kind, what, text: text.to_owned(), ..Wrong::default() }
    }
}

/// Whether a program leaves anything open that a call says: it is compiled for any size then.
pub fn is_open(text: &str) -> bool {
    text.contains('?')
}

/// Whether a program came to the same at a level; one that leaves sizes open, as code for any size.
///
/// # Errors
/// The first difference.
pub fn compare(expected: &Outcome, actual: &Outcome, level: &str, text: &str) -> Result<(), Wrong> {
    let wrong = |what: String| Wrong {
        kind: level.to_owned(),
        what: format!("{level}: {what}"),
        text: text.to_owned(),
        ..Wrong::default()
    };
    if is_open(text) { expected.agrees_for_any_size(actual) } else { expected.agrees_with(actual) }
        .map_err(wrong)
}

/// The CPU of a seed: the one that is asked for, or one of four, or the next lower one that this machine
/// runs.
///
/// # Panics
/// On a machine that is not an x86-64.
pub fn cpu(wanted: Option<&Cpu>, seed: u64) -> Cpu {
    wanted.cloned().unwrap_or_else(|| {
        let names = ["x86-64-v4-bf16", "x86-64-v4", "x86-64-v3", "x86-64"];
        let mut lower = names[(seed % 4) as usize..].iter().filter_map(|name| name.parse::<Cpu>().ok());
        lower.find(|cpu| cpu.runs_here().is_ok()).expect("this machine is an x86-64")
    })
}
