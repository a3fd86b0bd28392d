//! Runs of many programs: one loop for all levels. What goes wrong is made smaller, told, and kept.

use crate::{program::Program, shrink::shrink};
use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use terrace_dialects::definitions::verifiers::GUARD;
use terrace_tools::say;

/// What came of a program that did nothing wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checked {
    /// All agrees.
    Agrees,
    /// It was not compared to the end: why.
    Left(String),
}

/// What came of a program that should not have.
#[derive(Debug, Clone, Default)]
pub struct Wrong {
    /// Which kind of wrong it is: a smaller program has to be wrong in this way too.
    pub kind: String,
    /// What is wrong.
    pub what: String,
    /// The program that ran, as MLIR, and what else it was given.
    pub text: String,
    /// The inputs, where they are not those of the program, as JSON.
    pub inputs: Option<String>,
}

/// A way to run programs and to say whether they are right.
pub trait Level {
    /// Its name, as options have it.
    fn name(&self) -> &'static str;

    /// The program of a seed.
    fn program(&self, seed: u64) -> Program;

    /// The text of a program.
    fn text(&self, program: &Program, seed: u64) -> String;

    /// Runs a program, in ways that the seed decides, and counts what came of it.
    ///
    /// # Errors
    /// What is wrong.
    fn check(&self, program: &Program, seed: u64) -> Result<Checked, Wrong>;

    /// What was counted of the programs, after what agreed.
    fn summary(&self) -> String;

    /// The passes of a program, for `terrace-check`, where that runs the level too.
    fn pipeline(&self, _program: &Program, _seed: u64) -> Option<String> {
        None
    }
}

/// How long a campaign goes on.
#[derive(Debug, Clone, Copy)]
pub enum Length {
    /// For so many programs.
    Programs(u64),
    /// For a time.
    Time(Duration),
}

/// Many programs at some levels.
#[derive(Debug, Clone)]
pub struct Campaign {
    /// How long it goes on.
    pub length: Length,
    /// The first seed.
    pub seed: u64,
    /// Whether each seed is printed before it runs, and what is left aside.
    pub verbose: bool,
    /// It ends after so many programs that are wrong.
    pub failures: usize,
    /// Where what is wrong is kept.
    pub folder: PathBuf,
}

/// What was counted of a level.
#[derive(Default)]
pub(crate) struct Counts {
    pub programs: u64,
    pub left: BTreeMap<String, u64>,
}

/// So many reasons are named.
const REASONS: usize = 12;

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let left: u64 = self.left.values().sum();
        write!(f, "{} programs agree, {left} are left aside", self.programs - left)?;
        let mut reasons: Vec<_> = self.left.iter().collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (why, count) in reasons.iter().take(REASONS) {
            write!(f, "\n  {count}: {why}")?;
        }
        if reasons.len() > REASONS {
            write!(f, "\n  and for {} other reasons", reasons.len() - REASONS)?;
        }
        Ok(())
    }
}

impl Campaign {
    /// Runs programs at levels in turn, each of which `make` makes. Prints seeds, and what was counted.
    ///
    /// # Errors
    /// How many programs are wrong.
    pub fn run<K: Copy>(&self, kinds: &[K], make: impl Fn(K) -> Box<dyn Level>) -> Result<(), String> {
        let levels: Vec<Box<dyn Level>> = kinds.iter().map(|kind| make(*kind)).collect();
        let mut counts: Vec<Counts> = kinds.iter().map(|_| Counts::default()).collect();
        let start = Instant::now();
        let (mut seed, mut wrong, mut said) = (self.seed, 0, start);
        while self.goes_on(start, seed) && wrong < self.failures {
            let turn = (seed - self.seed) as usize % levels.len();
            let level = &levels[turn];
            if self.verbose {
                eprintln!("seed {seed}, {}", level.name());
            } else if matches!(self.length, Length::Time(_)) && said.elapsed() > Duration::from_secs(60) {
                eprintln!("{} s: seed {seed}", start.elapsed().as_secs());
                said = Instant::now();
            }
            let program = level.program(seed);
            match checked(level.as_ref(), &program, seed) {
                Ok(Checked::Agrees) => counts[turn].programs += 1,
                Ok(Checked::Left(why)) => {
                    if self.verbose {
                        eprintln!("left aside: {why}");
                    }
                    counts[turn].programs += 1;
                    *counts[turn].left.entry(why).or_default() += 1;
                }
                Err(found) => {
                    wrong += 1;
                    self.found(make(kinds[turn]).as_ref(), program, seed, &found);
                }
            }
            seed += 1;
        }
        for (level, counts) in levels.iter().zip(&counts) {
            say!("{}: {counts}\n{}", level.name(), level.summary());
        }
        say!("seeds {} to {}, {} s", self.seed, seed - 1, start.elapsed().as_secs());
        if wrong == 0 { Ok(()) } else { Err(format!("{wrong} programs do not agree")) }
    }

    /// Whether there is another program behind those up to a seed.
    pub(crate) fn goes_on(&self, start: Instant, seed: u64) -> bool {
        match self.length {
            Length::Programs(count) => seed - self.seed < count,
            Length::Time(time) => start.elapsed() < time,
        }
    }

    /// Makes a program smaller, tells of it and keeps it.
    fn found(&self, level: &dyn Level, program: Program, seed: u64, found: &Wrong) {
        let smaller = shrink(program, |program| {
            checked(level, program, seed).err().is_some_and(|again| again.kind == found.kind)
        });
        let again = checked(level, &smaller, seed).err().unwrap_or_else(|| found.clone());
        let inputs =
            again.inputs.clone().unwrap_or_else(|| terrace_tensor::io::inputs_to_json(&smaller.inputs()));
        eprintln!(
            "{} does not agree, seed {seed}: {}\n{}\n// inputs: {inputs}",
            level.name(),
            again.what,
            again.text
        );
        let file = self.folder.join(format!("{}-{seed}.mlir", level.name()));
        let pipeline = level.pipeline(&smaller, seed);
        let how = match &pipeline {
            Some(pipeline) => format!(
                "// RUN: terrace-check %s --entry main --inputs %S/{} --pipeline={pipeline:?}\n",
                file.with_extension("json").file_name().unwrap_or_default().display()
            ),
            None => String::new(),
        };
        let text = format!("{how}// {}\n{}\n", again.what.replace('\n', "\n// "), again.text);
        match keep(&file, &text, &inputs) {
            Ok(()) if pipeline.is_some() => eprintln!(
                "kept as {}, with inputs beside it: both are a lit test as they are, under lit-tests/functionalization",
                file.display()
            ),
            Ok(()) => eprintln!("kept as {}, with inputs beside it, for terrace-run", file.display()),
            Err(error) => eprintln!("terrace-fuzz: {}: {error}", file.display()),
        }
    }
}

/// Writes a program, and its inputs beside it.
pub(crate) fn keep(file: &Path, text: &str, inputs: &str) -> std::io::Result<()> {
    std::fs::create_dir_all(file.parent().unwrap_or(Path::new(".")))?;
    std::fs::write(file, text)?;
    std::fs::write(file.with_extension("json"), inputs)
}

/// Runs a program at a level, and leaves aside what is documented not to be eager's: values that lie beyond
/// the tensors of a storage in a functional copy of it, which `resize_` or a view by strides shows, or which
/// are not there for it.
fn checked(level: &dyn Level, program: &Program, seed: u64) -> Result<Checked, Wrong> {
    let checked = level.check(program, seed);
    let has = |wrong: &Wrong, names: &[&str]| names.iter().any(|name| wrong.text.contains(name));
    match checked {
        Err(wrong)
            if (!wrong.kind.contains("refuses") || wrong.what.contains("are out of bounds for storage"))
                && has(&wrong, &["graph.copy ", "_scatter "])
                && has(&wrong, &["graph.resize_", "graph.as_strided", "graph.set_"]) =>
        {
            Ok(Checked::Left("what lies beyond the tensors of a storage in a copy of it".into()))
        }
        Err(wrong) if wrong.what.contains(GUARD) => Ok(Checked::Left("a guard refuses the call".into())),
        checked => checked,
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::program::Step;

    /// Programs of five steps, of which those of seed 3 are wrong as long as they have the third step.
    struct Steps(Cell<u64>);

    impl Level for Steps {
        fn name(&self) -> &'static str {
            "steps"
        }

        fn program(&self, _seed: u64) -> Program {
            let step = |n: usize| Step { text: format!("step {n}"), ..Step::default() };
            Program { steps: (0..5).map(step).collect(), ..Program::default() }
        }

        fn text(&self, program: &Program, _seed: u64) -> String {
            program.to_string()
        }

        fn check(&self, program: &Program, seed: u64) -> Result<Checked, Wrong> {
            self.0.set(self.0.get() + 1);
            let wrong = seed == 3 && program.steps.iter().any(|step| step.text == "step 2");
            let text = program.to_string();
            if wrong {
                Err(Wrong { what: "it steps".into(), text, ..Wrong::default() })
            } else {
                Ok(Checked::Agrees)
            }
        }

        fn summary(&self) -> String {
            String::new()
        }

        fn pipeline(&self, _program: &Program, _seed: u64) -> Option<String> {
            Some("cse".into())
        }
    }

    #[test]
    fn what_is_wrong_is_made_smaller_and_kept() {
        let folder = std::env::temp_dir().join(format!("terrace-campaign-{}", std::process::id()));
        let length = Length::Programs(10);
        let campaign = Campaign { length, seed: 1, verbose: false, failures: 1, folder: folder.clone() };
        let ran = campaign.run(&[()], |()| Box::new(Steps(Cell::new(0))));
        assert_eq!(ran, Err("1 programs do not agree".into()));
        let kept = std::fs::read_to_string(folder.join("steps-3.mlir")).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(kept.starts_with(
            "// RUN: terrace-check %s --entry main --inputs %S/steps-3.json --pipeline=\"cse\""
        ));
        assert!(kept.contains("step 2") && !kept.contains("step 1") && !kept.contains("step 3"));
    }
}
