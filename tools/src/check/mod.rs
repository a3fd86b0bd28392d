//! The checker: whether functions do the same before and after a pipeline of passes, or as a session compiles
//! them.
//!
//! Both are called on the same inputs, drawn as the functions declare them, with every way in which arguments
//! that declare no storage may share one; results, their layouts, which of them alias, and all storages after
//! the call are compared. Where both refuse, they agree. What differs is told with inputs made as plain as
//! they get.
//!
//! A view at an index out of range, where that is known at run time only, is refused on storages when it is
//! made, and among values when it is read or written: where nobody looks at it the functions do differ.

pub mod inputs;
pub mod smaller;

use crate::{module::Messages, outcome::Outcome, random::Random};
use inputs::{Draw, Pattern};
use melior::{Context, ir::Module, pass::PassManager, utility::parse_pass_pipeline};
use terrace_dialects::{
    definitions::verifiers::{CHANGED, GUARD},
    ir::{pass::run_passes, refusal::INTERNAL},
};
use terrace_interpreter::{Interpreter, semantics::random::manual_seed};
use terrace_lowering::pipeline;
use terrace_session::{Error, Program, Session, entry::Entry};
use terrace_tensor::io::{Inputs, inputs_to_json};

/// The passes that make functions on storages pure.
pub fn functionalize() -> String {
    terrace_lowering::pipeline::values().to_string()
}

/// How functions are checked.
#[derive(Clone, Debug)]
pub struct Options {
    /// The passes, on a `builtin.module`.
    pub pipeline: String,
    /// How often each way of sharing storages is drawn.
    pub runs: u64,
    /// The seed of the inputs.
    pub seed: u64,
}

/// What came of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Calls that came to the same results.
    pub same: u64,
    /// Calls that both refused.
    pub refused: u64,
    /// Calls that were refused behind the passes only, by a guard or because they ask for what is not
    /// declared: why the first one was.
    pub left: (u64, String),
}

/// What came of a call.
enum Call {
    Same,
    Refused,
    Left(String),
}

impl Checked {
    fn add(&mut self, call: Call) {
        match call {
            Call::Same => self.same += 1,
            Call::Refused => self.refused += 1,
            Call::Left(why) => {
                if self.left.0 == 0 {
                    self.left.1 = why;
                }
                self.left.0 += 1;
            }
        }
    }
}

/// What is compared with the program as it was written.
pub enum Other<'a, 'c, 's> {
    /// What passes made of it, interpreted.
    Passes(&'a Module<'c>),
    /// What a session makes of it, which never takes the reference.
    Session(&'s Session<'c, 's>, Program<'c, 's>),
}

/// Why a call of the other one has no results.
enum Failed {
    /// It may be right to refuse it.
    Refused(String),
    /// It is an error.
    Error(String),
}

impl Other<'_, '_, '_> {
    fn call(&self, name: &str, inputs: Inputs, said: &Messages) -> Result<Outcome, Failed> {
        match self {
            Other::Passes(module) => call(module, name, inputs, said).map_err(|why| {
                // Whoever called may go another way: nothing has been written.
                if why.contains(GUARD) { Failed::Refused(why) } else { Failed::Error(why) }
            }),
            Other::Session(session, program) => {
                session.manual_seed(1);
                match program.call(name, &inputs.args) {
                    Ok(results) => Ok(Outcome::compiled(inputs, results, session.generator_state())),
                    Err(Error::Refused(why)) => {
                        let said = why.first().map(|why| why.message.clone());
                        Err(Failed::Refused(said.unwrap_or_default()))
                    }
                    Err(Error::Guard { text, .. }) => Err(Failed::Refused(text)),
                    Err(error) => Err(Failed::Error(error.to_string())),
                }
            }
        }
    }
}

/// Why nothing was found to be the same.
#[derive(Clone, Debug)]
pub enum Wrong {
    /// The pipeline refuses the module, or can't be run: why.
    Refused(String),
    /// The function does something else.
    Different {
        /// What is different.
        what: String,
        /// The inputs, as `terrace-run --inputs` reads them.
        inputs: String,
    },
}

/// Runs a pipeline on a module.
///
/// # Errors
/// What is wrong with the pipeline; empty where diagnostics have said what is wrong with the module.
pub fn transform(context: &Context, module: &mut Module, pipeline: &str) -> Result<(), String> {
    let manager = PassManager::new(context);
    let text = format!("builtin.module({pipeline})");
    parse_pass_pipeline(manager.as_operation_pass_manager(), &text).map_err(|e| e.to_string())?;
    run_passes(manager, module).map_err(|_| String::new())
}

/// Makes of a module what the interpreter reads: linalg for tosa, by upstream's passes.
///
/// # Errors
/// They refuse it.
pub fn make_readable<'c>(context: &'c Context, module: &mut Module<'c>) -> Result<(), String> {
    pipeline::lower_tosa(context, module)
        .map_err(|_| "the program has tosa that upstream's passes refuse".into())
}

fn call(module: &Module, name: &str, inputs: Inputs, said: &Messages) -> Result<Outcome, String> {
    said.borrow_mut().clear();
    manual_seed(1);
    match Interpreter::new(module).call(name, inputs.args.clone()) {
        Ok(results) => Ok(Outcome::new(inputs, results)),
        Err(_) => Err(said.borrow().join("; ")),
    }
}

/// What is different of a call on inputs, one set for each of the two.
fn difference(
    before: &Module,
    after: &Other,
    name: &str,
    [first, second]: [Inputs; 2],
    said: &Messages,
) -> Result<Call, String> {
    match (call(before, name, first, said), after.call(name, second, said)) {
        (Ok(expected), Ok(found)) => expected.agrees_with(&found).map(|()| Call::Same),
        (Err(_), Err(Failed::Error(why))) if why.contains(INTERNAL) => Err(why),
        (Err(_), Err(_)) => Ok(Call::Refused),
        // One object as several arguments, of which one changes it: what is made of values has no objects.
        (Err(why), Ok(_)) if why.contains(CHANGED) => Ok(Call::Refused),
        (Err(why), Ok(_)) => Err(format!("is refused before the passes only: {why}")),
        (Ok(_), Err(Failed::Refused(why))) => Ok(Call::Left(why)),
        (Ok(_), Err(Failed::Error(why))) => Err(format!("is refused after the passes only: {why}")),
    }
}

/// Checks one function of a module.
///
/// # Errors
/// What is different, with inputs that show it.
pub fn function(
    before: &Module,
    after: &Other,
    entry: Entry,
    options: &Options,
    said: &Messages,
) -> Result<Checked, Wrong> {
    let (name, mut checked) = (entry.name(), Checked::default());
    let mut random = Random::new(options.seed);
    for pattern in Pattern::all(entry).map_err(Wrong::Refused)? {
        for _ in 0..options.runs {
            let draw = Draw::new(entry, &pattern, &mut random).map_err(Wrong::Refused)?;
            let run = |draw: &Draw| difference(before, after, &name, [draw.inputs(), draw.inputs()], said);
            match run(&draw) {
                Ok(call) => checked.add(call),
                Err(_) => {
                    let plain = draw.plainer(|draw| run(draw).is_err());
                    let what = run(&plain).err().unwrap_or_default();
                    return Err(Wrong::Different { what, inputs: inputs_to_json(&plain.inputs()) });
                }
            }
        }
    }
    Ok(checked)
}

/// Checks one function on inputs that are given, twice the same on storages of their own.
///
/// # Errors
/// What is different.
pub fn on(
    before: &Module,
    after: &Other,
    name: &str,
    inputs: [Inputs; 2],
    said: &Messages,
) -> Result<Checked, Wrong> {
    let mut checked = Checked::default();
    match difference(before, after, name, inputs, said) {
        Ok(call) => checked.add(call),
        Err(what) => return Err(Wrong::Different { what, inputs: String::new() }),
    }
    Ok(checked)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(before: &str, after: &str) -> Result<Checked, Wrong> {
        let (context, said) = crate::module::listening();
        let parse = |text: &str| Module::parse(&context, text).unwrap();
        let (before, after) = (parse(before), parse(after));
        let options = Options { pipeline: String::new(), runs: 4, seed: 1 };
        function(&before, &Other::Passes(&after), Entry::find(&before, None).unwrap(), &options, &said)
    }

    fn program(body: &str) -> String {
        format!(
            "func.func @f(%x: !graph.tensor<2xf32>, %y: !graph.tensor<2xf32>) -> !graph.tensor<2xf32> {{ {body} }}"
        )
    }

    const NEGATED: &str = "%0 = graph.neg_ %x : !graph.tensor<2xf32> return %y : !graph.tensor<2xf32>";

    fn differs(body: &str) -> String {
        match checked(&program(NEGATED), &program(body)) {
            Err(Wrong::Different { what, .. }) => what,
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn what_is_the_same_is_said_to_be() {
        assert_eq!(
            checked(&program(NEGATED), &program(NEGATED)).unwrap(),
            Checked { same: 8, ..Checked::default() }
        );
    }

    #[test]
    fn a_dropped_write_is_found() {
        assert!(differs("return %y : !graph.tensor<2xf32>").contains("after the call"));
    }

    #[test]
    fn a_result_that_aliases_nothing_is_found() {
        let copied = "%0 = graph.neg_ %x : !graph.tensor<2xf32> %1 = graph.clone %y : !graph.tensor<2xf32> \
                      return %1 : !graph.tensor<2xf32>";
        assert!(differs(copied).contains("a view of storage"));
    }

    #[test]
    fn what_goes_wrong_only_where_arguments_share_a_storage_is_found() {
        let stale = "%1 = graph.clone %y : !graph.tensor<2xf32> %0 = graph.neg_ %x : !graph.tensor<2xf32> \
                     %2 = graph.copy_ %y, %1 : !graph.tensor<2xf32>, !graph.tensor<2xf32> return %y : !graph.tensor<2xf32>";
        assert!(!differs(stale).contains("Ok"));
    }

    #[test]
    fn what_is_refused_on_one_side_only_is_found() {
        let refused = "%n = arith.constant 5 : i64 %0 = graph.neg_ %x : !graph.tensor<2xf32> \
                       %1 = graph.select %x index [%n] : !graph.tensor<2xf32> return %y : !graph.tensor<2xf32>";
        assert!(differs(refused).contains("refused after the passes only"));
    }
}
