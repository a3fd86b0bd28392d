//! Whether fake tensors are what the interpreter comes to, at every value each time that it is made.
//!
//! A program is analysed with its sizes as numbers, as symbols that have them for hints, and as symbols of
//! which nothing is known. Then it is called with other inputs: where all guards hold it has to do what was
//! said, and where it does not, one has to be broken.

mod analysis;
mod calls;
mod compare;
mod trace;

use crate::{
    campaign::{Checked, Level, Wrong},
    program::Program,
    rich,
    typing::{Sizes, Typing},
};
use analysis::{Analysis, Refused};
use compare::{Verdict, compare};
use melior::{Context, ir::Module};
use std::{cell::RefCell, fmt};
use terrace_tools::{
    module::{self, Messages},
    random::Random,
};
use trace::Trace;

/// How sizes, strides and offsets of arguments are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Knows {
    /// They are numbers.
    Numbers,
    /// They are symbols, with what they are for hints.
    Hints,
    /// They are symbols of which nothing is known.
    Nothing,
}

const WAYS: [Knows; 3] = [Knows::Numbers, Knows::Hints, Knows::Nothing];

/// How many of what.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counts {
    /// Programs.
    pub programs: u64,
    /// Runs of them that were compared, value by value; by how sizes are known.
    pub compared: [u64; 3],
    /// Those of which a guard does not hold.
    pub guarded: [u64; 3],
    /// Those that are refused, because something is not known before they run.
    pub refused: [u64; 3],
    /// Calls with other inputs.
    pub calls: u64,
    /// Those that break a guard.
    pub broken: u64,
    /// Those that break one alone.
    pub broken_one: u64,
    /// Those that do not do what was said, or are refused: a guard is broken by each.
    pub different: u64,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} programs", self.programs)?;
        for (way, name) in ["numbers", "hints", "nothing"].into_iter().enumerate() {
            let (compared, guarded, refused) = (self.compared[way], self.guarded[way], self.refused[way]);
            write!(f, "; {name}: {compared} as said, {guarded} kept out by a guard, {refused} refused")?;
        }
        write!(
            f,
            "; {} calls with other inputs: {} with a broken guard, {} with exactly one; {} of them refused by the interpreter",
            self.calls, self.broken, self.broken_one, self.different
        )
    }
}

/// The kind of a disagreement: its words without numbers.
pub fn kind(what: &str) -> String {
    let what = what.split("said to be").next().unwrap_or_default();
    what.split([' ', ':', ','])
        .filter(|word| !word.contains(|c: char| c.is_ascii_digit()))
        .collect::<Vec<_>>()
        .join(" ")
}

/// What was not as it was said.
#[derive(Debug, Clone)]
struct Disagreement {
    /// How sizes were known.
    pub knows: Knows,
    /// What is wrong.
    pub what: String,
    /// The program that ran, with its inputs.
    pub text: String,
}

/// Analyses and runs programs, and keeps diagnostics to itself.
pub struct Checker {
    context: Context,
    messages: Messages,
    counts: RefCell<Counts>,
    /// Calls of each program with other inputs.
    calls: u64,
    verbose: bool,
}

impl Checker {
    /// A checker that calls each program so often with other inputs.
    pub fn new(calls: u64, verbose: bool) -> Checker {
        let (context, messages) = module::listening();
        Checker { context, messages, counts: RefCell::default(), calls, verbose }
    }

    /// The text of a program; the step that is refused where there is none.
    fn text_with(&self, program: &Program, sizes: Sizes) -> Result<String, String> {
        let mut typing = Typing::new(&self.context);
        typing.program(program, sizes).ok_or(typing.refused)
    }

    /// Compares what is said of a program with what it does while all guards hold. The seed draws other
    /// inputs.
    fn compare(&self, program: &Program, seed: u64) -> Result<(), Disagreement> {
        self.counts.borrow_mut().programs += 1;
        for sizes in [Sizes::Numbers, Sizes::Open] {
            self.messages.borrow_mut().clear();
            let wrong = |what: String, text: String| Disagreement { knows: Knows::Numbers, what, text };
            let text = self.text_with(program, sizes);
            let text = text.map_err(|step| wrong("has no types: ".to_owned() + &step, String::new()))?;
            let Some(module) = Module::parse(&self.context, &text) else {
                return Err(wrong(self.messages.borrow().join("; "), text));
            };
            self.other_inputs(&module, program, sizes, seed, &text)?;
        }
        Ok(())
    }

    fn other_inputs(
        &self,
        module: &Module,
        program: &Program,
        sizes: Sizes,
        seed: u64,
        text: &str,
    ) -> Result<(), Disagreement> {
        let inputs = program.inputs();
        let trace = Trace::of(module, inputs.args.clone());
        let mut analyses = vec![];
        for (way, knows) in WAYS.into_iter().enumerate() {
            if (knows == Knows::Numbers) != (sizes == Sizes::Numbers) {
                continue;
            }
            let wrong = |what: String| Disagreement { knows, what, text: text.to_owned() };
            let mut analysis = match Analysis::of(module, program, knows == Knows::Hints) {
                Ok(analysis) => analysis,
                Err(Refused { message, at: Some(at) }) if trace.has_run(at) && !is_unknowable(&message) => {
                    return Err(wrong(format!("the analysis refuses: {message}")));
                }
                Err(Refused { message, .. }) => {
                    if self.verbose {
                        eprintln!("  {knows:?} refused: {message}");
                    }
                    self.counts.borrow_mut().refused[way] += 1;
                    continue;
                }
            };
            match compare(&analysis, &inputs, &trace) {
                Verdict::Same => self.counts.borrow_mut().compared[way] += 1,
                Verdict::Broken(guards) => {
                    let text = analysis.guard_text(guards[0]);
                    if self.verbose {
                        eprintln!("  {knows:?} guarded: {text}");
                    }
                    if knows == Knows::Hints && analysis.is_hinted(guards[0]) {
                        return Err(wrong(format!("the guard {text} does not hold of what it was made for")));
                    }
                    self.counts.borrow_mut().guarded[way] += 1;
                }
                Verdict::Different(what) => return Err(wrong(what)),
            }
            analyses.push((knows, analysis));
        }
        if sizes == Sizes::Open { self.calls(module, program, analyses, seed, text) } else { Ok(()) }
    }

    /// Calls a program with other inputs.
    fn calls(
        &self,
        module: &Module,
        program: &Program,
        mut analyses: Vec<(Knows, Analysis)>,
        seed: u64,
        text: &str,
    ) -> Result<(), Disagreement> {
        let mut random = Random::new(seed);
        for _ in 0..self.calls {
            let other = calls::other(program, &mut random);
            let inputs = other.inputs();
            let trace = Trace::of(module, inputs.args.clone());
            for (knows, analysis) in &mut analyses {
                let seen = compare(analysis, &inputs, &trace);
                let wrong = |what: String| {
                    let inputs = terrace_tensor::io::inputs_to_json(&other.inputs());
                    Disagreement { knows: *knows, what, text: format!("{text}// {inputs}\n") }
                };
                let mut counts = self.counts.borrow_mut();
                counts.calls += 1;
                match seen {
                    Verdict::Same => {}
                    Verdict::Different(what) => {
                        return Err(wrong(format!("called with other inputs: {what}")));
                    }
                    Verdict::Broken(guards) => {
                        counts.broken += 1;
                        counts.broken_one += u64::from(guards.len() == 1);
                        counts.different += u64::from(trace.refused.is_some());
                        let text = analysis.guard_text(guards[0]);
                        if text.ends_with("of no operation") {
                            return Err(wrong(format!("nobody asked for the guard {text}")));
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

impl Level for Checker {
    fn name(&self) -> &'static str {
        "fake"
    }

    fn program(&self, seed: u64) -> Program {
        rich::program(&self.context, seed, false)
    }

    fn text(&self, program: &Program, _seed: u64) -> String {
        let text = |sizes| self.text_with(program, sizes).unwrap_or_default();
        format!("{}\n// -----\n\n{}", text(Sizes::Numbers), text(Sizes::Open))
    }

    fn check(&self, program: &Program, seed: u64) -> Result<Checked, Wrong> {
        self.compare(program, seed).map(|()| Checked::Agrees).map_err(|found| Wrong {
            kind: format!("{:?} {}", found.knows, kind(&found.what)),
            what: format!("{:?}: {}", found.knows, found.what),
            text: found.text,
            ..Wrong::default()
        })
    }

    fn summary(&self) -> String {
        self.counts.borrow().to_string()
    }
}

/// What the analysis refuses because of what is not known before the program runs.
fn is_unknowable(message: &str) -> bool {
    message.contains("joins a tensor with one that is a conjugate or a negative")
}

#[cfg(test)]
mod tests {
    use terrace_tensor::{Dtype, Scalar};

    use super::*;
    use crate::flow::{Body, Flow, Kind};
    use crate::program::{Argument, Contents, Declared, Step};

    fn step(text: &str, operands: &[&str], result: &str) -> Step {
        let operands = operands.iter().map(|name| name.to_string()).collect();
        Step { text: text.into(), operands, results: vec![result.into()], flow: None }
    }

    /// A program of one argument, of these elements of i64.
    fn program(sizes: &[i64], elements: &[i64], steps: Vec<Step>) -> Program {
        let strides = terrace_tensor::layout::contiguous_strides(sizes);
        let argument = Argument::new(0, Dtype::I64, sizes.to_vec(), strides, 0);
        let elements = elements.iter().map(|number| Scalar::Int(*number)).collect();
        Program {
            storages: vec![Contents { dtype: Dtype::I64, elements }],
            arguments: vec![Argument { declared: Declared::Nothing, ..argument }],
            steps,
            ..Program::default()
        }
    }

    fn compared(program: &Program, called: &Program) -> (Verdict, String) {
        let checker = Checker::new(0, false);
        let text = checker.text_with(program, Sizes::Open).unwrap();
        let module = Module::parse(&checker.context, &text).unwrap();
        let mut analysis = Analysis::of(&module, program, true).ok().unwrap();
        let inputs = called.inputs();
        let trace = Trace::of(&module, inputs.args.clone());
        let seen = compare(&analysis, &inputs, &trace);
        let text = match &seen {
            Verdict::Broken(guards) => analysis.guard_text(guards[0]),
            _ => String::new(),
        };
        (seen, text)
    }

    fn rows(count: i64) -> Program {
        let view = step("%v1 = graph.view %a0 size [-1, 4] : !a0", &["%a0"], "%v1");
        program(&[count, 2], &vec![1; 2 * count as usize], vec![view])
    }

    #[test]
    fn a_guard_that_does_not_hold_is_named_with_its_operation() {
        assert_eq!(compared(&rows(4), &rows(4)).0, Verdict::Same);
        assert_eq!(compared(&rows(4), &rows(6)).0, Verdict::Same);
        let (seen, guard) = compared(&rows(4), &rows(5));
        assert!(matches!(seen, Verdict::Broken(_)));
        assert_eq!(guard, "s0*s1 == 4*(s0*s1 floordiv 4), of graph.view");
    }

    #[test]
    fn sizes_by_elements_are_those_of_each_iteration() {
        let of = |start: &str| vec![start.to_owned()];
        let body = vec![
            step("%v2 = graph.nonzero %a0 : !a0", &["%a0"], "%v2"),
            step("%v3 = graph.logical_not_ %a0 : !a0", &["%a0"], "%v3"),
        ];
        let body = Body { arguments: of("%p1"), steps: body, yields: vec![] };
        let kind = Kind::For(["%v4", "%v5", "%v6"].map(String::from));
        let flow = Flow { kind, blocks: false, inits: vec![], bodies: vec![body] };
        let steps = vec![
            step("%v1 = graph.nonzero %a0 : !a0", &["%a0"], "%v1"),
            step("%v4 = arith.constant 0 : index", &[], "%v4"),
            step("%v5 = arith.constant 3 : index", &[], "%v5"),
            step("%v6 = arith.constant 1 : index", &[], "%v6"),
            Step { flow: Some(Box::new(flow)), ..Step::default() },
        ];
        let program = program(&[3], &[1, 0, 2], steps);
        assert_eq!(compared(&program, &program).0, Verdict::Same);
    }

    #[test]
    fn what_programs_come_to_is_what_is_said() {
        let checker = Checker::new(1, false);
        for seed in 1..20 {
            let program = rich::program(&checker.context, seed, false);
            assert!(checker.check(&program, seed).is_ok(), "seed {seed}");
        }
        assert!(checker.counts.borrow().compared[0] > 10);
    }
}
