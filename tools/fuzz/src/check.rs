//! Whether a program means the same at every level.

use std::cell::RefCell;
use std::rc::Rc;

use melior::Context;
use melior::ir::Module;
use terrace_interpreter::Interpreter;
use terrace_lowering::pipeline::{Level, Target, lower};
use terrace_tensor::Value;
use terrace_tensor::io::Inputs;

use crate::outcome::Outcome;
use crate::program::Program;

/// What came of a program at some level that should not have.
#[derive(Debug, Clone)]
pub struct Disagreement {
    /// The level: `graph`, `functional`, `loop`, `kernel`, or the name of a CPU.
    pub level: String,
    /// What is wrong.
    pub what: String,
}

/// Runs programs, and keeps diagnostics to itself.
pub struct Checker {
    context: Context,
    said: Rc<RefCell<Vec<String>>>,
    deepest: Level,
}

impl Checker {
    /// A checker that takes programs down to a level.
    pub fn new(deepest: Level) -> Checker {
        let context = terrace_tools::module::context();
        let said = Rc::new(RefCell::new(Vec::new()));
        let sink = said.clone();
        context.attach_diagnostic_handler(move |diagnostic| {
            sink.borrow_mut().push(diagnostic.to_string());
            true
        });
        context.enable_multi_threading(false);
        Checker { context, said, deepest }
    }

    /// The context in which programs are generated and run.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Runs a program at each level and compares.
    ///
    /// # Errors
    /// The first level that does not agree with the interpreter on the program itself.
    pub fn check(&self, program: &Program, target: &Target) -> Result<(), Disagreement> {
        self.said.borrow_mut().clear();
        let text = program.to_string();
        let mut module = Module::parse(&self.context, &text).ok_or_else(|| self.refused("graph"))?;
        let expected = self.interpret(&module, program, "graph")?;
        for level in Level::ALL {
            lower(&self.context, &mut module, target, level).map_err(|_| self.refused(&level.to_string()))?;
            self.compare(&expected, &module, program, level)?;
            if level == self.deepest {
                break;
            }
        }
        Ok(())
    }

    fn compare(
        &self,
        expected: &Outcome,
        module: &Module,
        program: &Program,
        level: Level,
    ) -> Result<(), Disagreement> {
        let level = level.to_string();
        let actual = self.interpret(module, program, &level)?;
        expected.agrees_with(&actual).map_err(|what| Disagreement { level, what })
    }

    fn interpret(&self, module: &Module, program: &Program, level: &str) -> Result<Outcome, Disagreement> {
        let inputs: Inputs = program.inputs();
        let args: Vec<Value> = inputs.args.clone();
        let results = Interpreter::new(module).call("main", args).map_err(|_| self.refused(level))?;
        Ok(Outcome { inputs, results })
    }

    /// What the diagnostics say.
    fn refused(&self, level: &str) -> Disagreement {
        let said = self.said.borrow_mut().drain(..).collect::<Vec<_>>().join("; ");
        Disagreement { level: level.to_owned(), what: format!("refused: {said}") }
    }
}
