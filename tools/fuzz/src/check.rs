//! Whether a program means the same at every level.

use std::cell::Cell;

use melior::Context;
use melior::ir::Module;
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;
use terrace_emulator::{Error, Order, call};
use terrace_interpreter::{Interpreter, semantics::random::manual_seed};
use terrace_lowering::pipeline::{self, Level, gpu_kernels, gpu_to_nvvm, lower};
use terrace_session::Cpu;
use terrace_tools::module::{self, Said};
use terrace_tools::run;

use crate::program::Program;
use crate::typing::{Sizes, Typing};
use terrace_tools::outcome::Outcome;

/// How far down a program is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// To the functional level, interpreted.
    Functional,
    /// To machine code, called; the functional level is interpreted on the way.
    Compiled,
    /// To kernels for a GPU, run on the emulator.
    Gpu,
}

/// What came of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checked {
    /// All levels agree.
    Agrees,
    /// It was not taken all the way down: why.
    Left(String),
}

/// What came of a program at some level that should not have.
#[derive(Debug, Clone)]
pub struct Disagreement {
    /// The level: `graph`, `functional`, `passes` or `compiled`.
    pub level: String,
    /// What is wrong.
    pub what: String,
}

/// What is said of programs with control flow that are not made pure.
const LIMITS: [&str; 17] = [
    "storage_offset divisible",
    "sees parts of elements of its storage",
    "are out of bounds for storage of size",
    "which is not known here",
    "gives its operand itself where that has no elements",
    "different ones",
    "view size is not compatible",
    "Please clone() the tensor",
    "depends on the order of evaluation",
    "of which different elements repeat",
    "too large to be addressed",
    "is not known to graph-functionalize",
    "known at run time only",
    "sizes must be static",
    "are known to be there",
    "has changed: use its result",
    ASKS,
];

/// Runs programs, and keeps diagnostics to itself.
pub struct Checker {
    context: Context,
    said: Said,
    depth: Depth,
    passes: Option<String>,
    declared: Cell<u64>,
}

/// What a diagnostic says that asks for strides.
const ASKS: &str = "declare graph.layout";

impl Checker {
    /// A checker that takes programs down to a level.
    pub fn new(depth: Depth) -> Checker {
        let (context, said) = module::listening();
        Checker { context, said, depth, passes: None, declared: Cell::new(0) }
    }

    /// A checker that runs passes, in MLIR's notation, when a program is at the functional level.
    pub fn with(self, passes: Option<String>) -> Checker {
        Checker { passes, ..self }
    }

    /// The context in which programs are generated and run.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// How many programs had to declare strides that they did not want to.
    pub fn declared(&self) -> u64 {
        self.declared.get()
    }

    /// Runs a program at each level and compares. Where a level asks for strides that the program does not declare, it
    /// does.
    ///
    /// # Errors
    /// The first level that does not agree with the interpreter on the program itself.
    pub fn check(&self, program: &Program, cpu: &Cpu) -> Result<Checked, Disagreement> {
        let declared = program.with_numbers();
        if let (Depth::Gpu, Some(program)) = (self.depth, &declared) {
            // A kernel for a GPU takes bare pointers.
            return self.check_as_it_is(program, cpu);
        }
        match (self.check_as_it_is(program, cpu), declared) {
            (Err(found), Some(program)) if found.what.contains(ASKS) => {
                self.declared.set(self.declared.get() + 1);
                self.check_as_it_is(&program, cpu)
            }
            (checked, _) => checked,
        }
    }

    /// Runs a program with control flow, and what the functional level makes of it, and compares. One that is refused for
    /// what is known at run time only, or for a way that it does not go, is left.
    ///
    /// # Errors
    /// As [`Self::check`].
    pub fn check_flow(&self, program: &Program, cpu: &Cpu) -> Result<Checked, Disagreement> {
        self.said.borrow_mut().clear();
        let Some(text) = Typing::new(&self.context).program(program, Sizes::Numbers) else {
            return Ok(Checked::Left("has no types".to_owned()));
        };
        let mut module = Module::parse(&self.context, &text).ok_or_else(|| self.refused("graph", ""))?;
        // Other types than those with which it grew may make it refuse what it did.
        let Ok(expected) = self.interpret(&module, program, "graph") else {
            return Ok(Checked::Left("the interpreter refuses it".to_owned()));
        };
        if lower(&self.context, &mut module, &run::target(cpu), Level::Functional).is_err() {
            let refused = self.refused("functional", "");
            return match LIMITS.iter().find(|limit| refused.what.contains(**limit)) {
                Some(limit) => Ok(Checked::Left((*limit).to_owned())),
                None => Err(refused),
            };
        }
        match compare(&expected, &self.interpret(&module, program, "functional")?, "functional") {
            Err(found) if found.what.contains("allowed difference NaN") => {
                return Ok(Checked::Left("elements without a bound".to_owned()));
            }
            compared => compared,
        }?;
        let Some(module) = Module::parse(&self.context, &text) else { return Ok(Checked::Agrees) };
        // What compiled code has no form for is refused; what it has one for is right.
        let Ok((compiled, _, _)) = run::compile(&self.context, module, "main", cpu, |_, _| {}) else {
            return Ok(Checked::Left("agrees, not compiled".to_owned()));
        };
        let inputs = program.inputs();
        let results = compiled.call(&inputs.args).map_err(|why| self.refused("compiled", &why))?;
        compare(&expected, &Outcome { inputs, results }, "compiled")?;
        Ok(Checked::Agrees)
    }

    fn check_as_it_is(&self, program: &Program, cpu: &Cpu) -> Result<Checked, Disagreement> {
        self.said.borrow_mut().clear();
        let text = program.to_string();
        let parse = || Module::parse(&self.context, &text).ok_or_else(|| self.refused("graph", ""));
        let mut module = parse()?;
        let expected = self.interpret(&module, program, "graph")?;
        if self.depth == Depth::Gpu {
            return self.emulate(module, program, &expected);
        }
        let functional = Level::Functional;
        lower(&self.context, &mut module, &run::target(cpu), functional)
            .map_err(|_| self.refused("functional", ""))?;
        compare(&expected, &self.interpret(&module, program, "functional")?, "functional")?;
        if let Some(passes) = &self.passes {
            self.run(passes, &mut module)?;
            compare(&expected, &self.interpret(&module, program, "passes")?, "passes")?;
        }
        if self.depth == Depth::Functional {
            return Ok(Checked::Agrees);
        }
        let module = if self.passes.is_some() { module } else { parse()? };
        let compiled = run::compile(&self.context, module, "main", cpu, |_, _| {});
        let (compiled, _, _) = compiled.map_err(|why| self.refused("compiled", &why))?;
        let inputs = program.inputs();
        let results = compiled.call(&inputs.args).map_err(|why| self.refused("compiled", &why))?;
        compare(&expected, &Outcome { inputs, results }, "compiled")?;
        Ok(Checked::Agrees)
    }

    /// Runs the kernels of a program on the emulator, threads in both orders. A program that has no way to a GPU, for a
    /// product or a function of f64, is left, and so is one that is not emulated.
    fn emulate<'c>(
        &'c self,
        mut module: Module<'c>,
        program: &Program,
        expected: &Outcome,
    ) -> Result<Checked, Disagreement> {
        pipeline::register();
        let passes = format!("builtin.module({},{})", gpu_kernels("sm_90"), gpu_to_nvvm(true));
        let manager = PassManager::new(&self.context);
        parse_pass_pipeline(manager.as_operation_pass_manager(), &passes)
            .map_err(|e| self.refused("gpu", &e.to_string()))?;
        if manager.run(&mut module).is_err() {
            return Ok(Checked::Left(self.said.borrow_mut().drain(..).collect::<Vec<_>>().join("; ")));
        }
        for order in [Order::Forward, Order::Backward] {
            let inputs = program.inputs();
            match call(&module, "main", &inputs.args, order) {
                Ok(results) => compare(expected, &Outcome { inputs, results }, "gpu")?,
                Err(Error::Unknown(what)) => return Ok(Checked::Left(what)),
                Err(Error::Wrong(why)) => return Err(self.refused("gpu", &why)),
            }
        }
        Ok(Checked::Agrees)
    }

    /// Runs passes on a module.
    fn run(&self, passes: &str, module: &mut Module) -> Result<(), Disagreement> {
        let manager = PassManager::new(&self.context);
        let passes = format!("builtin.module({passes})");
        parse_pass_pipeline(manager.as_operation_pass_manager(), &passes)
            .map_err(|e| self.refused("passes", &e.to_string()))?;
        manager.run(module).map_err(|_| self.refused("passes", ""))
    }

    fn interpret(&self, module: &Module, program: &Program, level: &str) -> Result<Outcome, Disagreement> {
        manual_seed(1);
        let inputs = program.inputs();
        let results = Interpreter::new(module).call("main", inputs.args.clone());
        let results = results.map_err(|_| self.refused(level, ""))?;
        Ok(Outcome { inputs, results })
    }

    /// What the diagnostics say, and what was said beside them.
    fn refused(&self, level: &str, why: &str) -> Disagreement {
        let mut said: Vec<String> = self.said.borrow_mut().drain(..).collect();
        said.extend((!why.is_empty()).then(|| why.to_owned()));
        Disagreement { level: level.to_owned(), what: format!("refused: {}", said.join("; ")) }
    }
}

fn compare(expected: &Outcome, actual: &Outcome, level: &str) -> Result<(), Disagreement> {
    expected.agrees_with(actual).map_err(|what| Disagreement { level: level.to_owned(), what })
}
