//! Stages: what a command does, one line each with counts and time, and one sum at the end.
//!
//! A stage's output is shown only when it fails. Test counts are read from the closing lines of libtest,
//! `test result: ok. 3 passed; 0 failed; ...`, which the lit suite's runner prints as well.

use std::{
    collections::BTreeMap,
    io::{Read, Write},
    process::{Command, ExitCode},
    sync::{Mutex, mpsc},
    time::Instant,
};

/// The output of a stage, when it succeeded and when it failed.
pub type Outcome = Result<String, String>;

/// What a stage adds to the sum when it succeeds.
#[derive(Clone, Copy, PartialEq)]
pub enum Counts {
    /// Nothing: it prepares others.
    Nothing,
    /// One check.
    Check,
    /// The tests that its output reports.
    Tests,
}

/// The sum over the stages so far, and what took how long.
pub struct Stages {
    passed: u64,
    failed: u64,
    took: Vec<(String, f64)>,
    start: Instant,
}

impl Default for Stages {
    fn default() -> Self {
        Self { passed: 0, failed: 0, took: vec![], start: Instant::now() }
    }
}

impl Stages {
    /// Runs one stage and prints its line; whether it succeeded. A failure that no test reports counts as
    /// one.
    pub fn run(&mut self, name: &str, counts: Counts, work: impl FnOnce() -> Outcome) -> bool {
        print!("{name:<64}");
        let _ = std::io::stdout().flush();
        let start = Instant::now();
        let outcome = work();
        self.ends(name, counts, outcome, start.elapsed().as_secs_f64())
    }

    /// Runs checks that are programs on one thread each, as many at a time as there are processors; prints
    /// their lines in order.
    pub fn run_together(&mut self, checks: Vec<(String, Command)>) {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let next = Mutex::new(checks.into_iter().enumerate());
        let (sender, done) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..processors {
                let (next, sender) = (&next, sender.clone());
                scope.spawn(move || {
                    while let Some((number, (name, mut command))) =
                        { next.lock().expect("no panic holds the lock").next() }
                    {
                        let start = Instant::now();
                        let outcome = capture(&mut command);
                        let _ = sender.send((number, name, outcome, start.elapsed().as_secs_f64()));
                    }
                });
            }
            drop(sender);
            let mut waiting = BTreeMap::new();
            let mut shown = 0;
            for (number, name, outcome, seconds) in done {
                waiting.insert(number, (name, outcome, seconds));
                while let Some((name, outcome, seconds)) = waiting.remove(&shown) {
                    print!("{name:<64}");
                    self.ends(&name, Counts::Check, outcome, seconds);
                    shown += 1;
                }
            }
        });
    }

    /// Ends the line of a stage.
    fn ends(&mut self, name: &str, counts: Counts, outcome: Outcome, seconds: f64) -> bool {
        let (Ok(output) | Err(output)) = &outcome;
        let (passed, mut failed) = match counts {
            Counts::Tests => tests(output),
            Counts::Check => (outcome.is_ok() as u64, 0),
            Counts::Nothing => (0, 0),
        };
        if outcome.is_err() && failed == 0 {
            failed = 1;
        }
        let verdict = match (counts, failed) {
            (Counts::Tests, _) => format!("{passed} passed, {failed} failed"),
            (_, 0) => "ok".to_string(),
            _ => "failed".to_string(),
        };
        println!("{verdict:<26} {seconds:>7.1} s");
        if outcome.is_err() {
            println!("---- {name}\n{}\n----", output.trim_end());
        }
        self.passed += passed;
        self.failed += failed;
        self.took.push((name.to_string(), seconds));
        outcome.is_ok()
    }

    /// Whether nothing has failed so far.
    pub fn ok(&self) -> bool {
        self.failed == 0
    }

    /// Prints what took how long, the longest first, and the sum, alone on the last line; success when
    /// nothing failed.
    pub fn finish(mut self) -> ExitCode {
        self.took.sort_by(|a, b| b.1.total_cmp(&a.1));
        println!("\nwhat took how long, in {:.0} s:", self.start.elapsed().as_secs_f64());
        for (name, seconds) in self.took.iter().filter(|(_, seconds)| *seconds >= 1.0) {
            println!("{seconds:>7.1} s  {name}");
        }
        println!("{} passed, {} failed", self.passed, self.failed);
        if self.ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// Runs a program to its end, without input; both of its streams, in the order of writing.
pub fn capture(command: &mut Command) -> Outcome {
    let line = format!("{command:?}");
    let mut run = || -> std::io::Result<(bool, String)> {
        let (mut reader, writer) = std::io::pipe()?;
        command.stdin(std::process::Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
        let mut child = command.spawn()?;
        // The command holds the writing ends; the reading one sees the end only when they are closed.
        *command = Command::new("");
        let mut output = Vec::new();
        reader.read_to_end(&mut output)?;
        Ok((child.wait()?.success(), String::from_utf8_lossy(&output).into_owned()))
    };
    match run() {
        Ok((true, output)) => Ok(output),
        Ok((false, output)) => Err(output),
        Err(error) => Err(format!("{line}: {error}")),
    }
}

/// Tests passed and failed, summed over the closing lines in `output`.
fn tests(output: &str) -> (u64, u64) {
    let number = |line: &str, what: &str| -> u64 {
        let before = line.split(what).next().unwrap_or("");
        before.rsplit(' ').next().and_then(|word| word.parse().ok()).unwrap_or(0)
    };
    let lines = output.lines().filter(|line| line.starts_with("test result: "));
    lines.fold((0, 0), |(p, f), line| (p + number(line, " passed;"), f + number(line, " failed;")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_are_summed() {
        let output = "running 3 tests\n...\n\
            test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
            test result: FAILED. 12 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
        assert_eq!(tests(output), (15, 2));
    }

    #[test]
    fn a_failure_without_tests_counts_once() {
        let mut stages = Stages::default();
        assert!(!stages.run("does not compile", Counts::Tests, || Err("error: no such crate".into())));
        assert_eq!((stages.passed, stages.failed), (0, 1));
    }

    #[test]
    fn checks_that_run_together_are_counted_one_by_one() {
        let mut stages = Stages::default();
        let shell = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            (script.to_string(), command)
        };
        stages.run_together(vec![shell("sleep 0.1"), shell("exit 1"), shell("true")]);
        assert_eq!((stages.passed, stages.failed), (2, 1));
        assert_eq!(
            stages.took.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
            ["sleep 0.1", "exit 1", "true"]
        );
    }

    #[test]
    fn output_and_status_of_a_program_are_kept() {
        let shell = |script: &str| capture(Command::new("sh").args(["-c", script]));
        assert_eq!(shell("echo a; echo b >&2; echo c"), Ok("a\nb\nc\n".into()));
        assert_eq!(shell("cat; echo wrong; exit 3"), Err("wrong\n".into()));
        assert!(capture(&mut Command::new("no-such-program")).unwrap_err().contains("no-such-program"));
    }
}
