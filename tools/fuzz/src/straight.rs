//! Programs without control flow: the functional dialect, interpreted, machine code, and kernels for a GPU on
//! an emulator.

use crate::{
    campaign::{Checked, Level, Wrong},
    check::{Runner, compare, cpu, is_open},
    generate,
    program::Program,
    typing::{Sizes, Typing},
};
use melior::ir::Module;
use std::{cell::Cell, rc::Rc};
use terrace_dialects::ir::refusal::Reason;
use terrace_emulator::Order;
use terrace_interpreter::Interpreter;
use terrace_lowering::pipeline::{self, lower};
use terrace_native::{Cpu, Device, GpuCode};
use terrace_session::{Error, Fallback, OpenSizes, Options, Session, lower::target};
use terrace_tools::{outcome::Outcome, run};

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

/// What is said of an element that differs and has no bound: a computation on infinities or on what is not a
/// number.
pub const UNBOUNDED: &str = "allowed difference NaN";

/// The levels of programs without control flow.
pub struct Straight {
    runner: Runner,
    depth: Depth,
    passes: Option<String>,
    cpu: Option<Cpu>,
    declared: Cell<u64>,
}

impl Straight {
    /// Takes programs down to a level; at the functional one, passes run, in MLIR's notation.
    pub fn new(depth: Depth, passes: Option<String>, cpu: Option<Cpu>) -> Straight {
        Straight { runner: Runner::default(), depth, passes, cpu, declared: Cell::new(0) }
    }

    fn check_as_it_is(&self, program: &Program, cpu: &Cpu, seed: u64) -> Result<Checked, Wrong> {
        let (runner, text) = (&self.runner, program.to_string());
        let mut module = runner.parse(&text)?;
        let expected = runner.interpret("graph", &Interpreter::new(&module), program, &text)?;
        if self.depth == Depth::Gpu {
            return self.emulate(program, &expected, &text);
        }
        lower(&runner.context, &mut module, &target(cpu), pipeline::Level::Functional)
            .map_err(|_| runner.refused("functional", "", &text))?;
        let interpret = |level: &str, module: &Module| {
            let actual = runner.interpret(level, &Interpreter::new(module), program, &text)?;
            compare(&expected, &actual, level, &text)
        };
        interpret("functional", &module)?;
        if let Some(passes) = &self.passes {
            runner.run("passes", passes, &mut module, &text)?;
            interpret("passes", &module)?;
        }
        if self.depth == Depth::Functional {
            return Ok(Checked::Agrees);
        }
        // A third leaves sizes of arguments open.
        let open = || Typing::new(&runner.context).program(program, Sizes::Open);
        let text = (seed % 3 == 2 && self.passes.is_none()).then(open).flatten().unwrap_or(text);
        let module = if self.passes.is_some() { module } else { runner.parse(&text)? };
        compiled(
            runner,
            module,
            program,
            cpu,
            &expected,
            &text,
            (threads(seed), stress(seed), checks_accesses(seed)),
        )
    }

    /// Runs the kernels of a program on the emulator, threads in both orders.
    fn emulate(&self, program: &Program, expected: &Outcome, text: &str) -> Result<Checked, Wrong> {
        let (runner, context) = (&self.runner, &self.runner.context);
        let refused = |why: String| runner.refused("gpu", &why, text);
        for order in [Order::Forward, Order::Backward] {
            let emulator = |code: &GpuCode| {
                let gpu = terrace_emulator::gpu(&code.llvm_ir(), order).map_err(|e| e.to_string())?;
                Ok(Rc::new(gpu) as Rc<dyn Device>)
            };
            let module = runner.parse(text)?;
            let gpu = Some(terrace_session::Gpu { architecture: "sm_90".into(), load: Box::new(emulator) });
            let options = Options { gpu, fallback: Fallback::Never, ..Options::default() };
            let inputs = program.inputs();
            let results = run::compiled(context, module, "main", &inputs.args, options);
            let results = results.map_err(|why| Wrong {
                kind: if let Error::Refused(_) = why {
                    "gpu refuses"
                } else {
                    "the call of kernels for a GPU"
                }
                .into(),
                ..refused(why.to_string())
            })?;
            compare(expected, &Outcome::new(inputs, results), "gpu", text)?;
        }
        Ok(Checked::Agrees)
    }
}

/// Compiles and calls a program on so many threads, and compares; with open sizes where its types leave them
/// open, and with a seed that is not 0 by fusions, orders and tiles that are legal and random.
///
/// # Errors
/// What is wrong.
pub fn compiled(
    runner: &Runner,
    module: Module,
    program: &Program,
    cpu: &Cpu,
    expected: &Outcome,
    text: &str,
    (threads, seed, check_accesses): (usize, i64, bool),
) -> Result<Checked, Wrong> {
    let refused = |why: String| runner.refused("compiled", &why, text);
    let open_sizes = if is_open(text) { OpenSizes::All } else { OpenSizes::Differing };
    let cpu = cpu.clone();
    let options = Options {
        cpu,
        stress: seed,
        threads,
        fallback: Fallback::Never,
        open_sizes,
        check_accesses,
        ..Options::default()
    };
    let inputs = program.inputs();
    let session = Session::new(&runner.context, options);
    // As the interpreter starts.
    session.manual_seed(1);
    let results = match session.program(module).call("main", &inputs.args) {
        Ok(results) => results,
        Err(Error::Refused(why)) => {
            let why = why.first().map(|why| why.message.clone()).unwrap_or_default();
            let why = Reason::of(&why).map_or(why, |reason| reason.to_string());
            return Ok(Checked::Left(format!("refused: {why}")));
        }
        Err(why) if let Some(reason) = Reason::of(&why.to_string()) => {
            return Ok(Checked::Left(format!("refused: {reason}")));
        }
        Err(why) => {
            return Err(Wrong { kind: "the call of what was compiled".into(), ..refused(why.to_string()) });
        }
    };
    compare(expected, &Outcome::compiled(inputs, results, session.generator_state()), "compiled", text)?;
    Ok(Checked::Agrees)
}

/// How many threads a program runs on: one or two, by bits that choose nothing else.
pub fn threads(seed: u64) -> usize {
    1 + (seed / 6 % 2) as usize
}

/// Whether accesses of a program are tested: of one in two, by bits that choose nothing else.
pub fn checks_accesses(seed: u64) -> bool {
    seed / 12 % 2 == 1
}

/// The seed of random schedules: half of the programs have one, by bits that choose nothing else.
pub fn stress(seed: u64) -> i64 {
    if seed / 3 % 2 == 1 { (seed as i64).max(1) } else { 0 }
}

impl Level for Straight {
    fn name(&self) -> &'static str {
        match self.depth {
            Depth::Functional => "functional",
            Depth::Compiled => "compiled",
            Depth::Gpu => "gpu",
        }
    }

    fn program(&self, seed: u64) -> Program {
        generate::program(&self.runner.context, seed)
    }

    fn text(&self, program: &Program, _seed: u64) -> String {
        program.to_string()
    }

    /// Where a level asks for strides that the program does not declare, it does.
    fn check(&self, program: &Program, seed: u64) -> Result<Checked, Wrong> {
        let cpu = cpu(self.cpu.as_ref(), seed);
        let declared = program.with_numbers();
        if let (Depth::Gpu, Some(program)) = (self.depth, &declared) {
            // A kernel for a GPU takes bare pointers.
            return self.check_as_it_is(program, &cpu, seed);
        }
        match (self.check_as_it_is(program, &cpu, seed), declared) {
            (Err(found), Some(program)) if Reason::of(&found.what) == Some(Reason::Layout) => {
                self.declared.set(self.declared.get() + 1);
                self.check_as_it_is(&program, &cpu, seed)
            }
            (checked, _) => checked,
        }
    }

    fn summary(&self) -> String {
        format!("{} of them had to declare strides", self.declared.get())
    }
}
