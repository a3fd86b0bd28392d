//! Stages: what a command does, one line each with counts and time, and one sum at the end.
//!
//! A stage's output is shown only when it fails. Test counts are read from the closing lines of libtest, `test result: ok. 3
//! passed; 0 failed; ...`, which the lit suite's runner prints as well.

use std::{
    io::{Read, Write},
    process::{Command, ExitCode},
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

/// The sum over the stages so far.
#[derive(Default)]
pub struct Stages {
    passed: u64,
    failed: u64,
}

impl Stages {
    /// Runs one stage and prints its line; whether it succeeded. A failure that no test reports counts as one.
    pub fn run(&mut self, name: &str, counts: Counts, work: impl FnOnce() -> Outcome) -> bool {
        print!("{name:<34}");
        let _ = std::io::stdout().flush();
        let start = Instant::now();
        let outcome = work();
        let seconds = start.elapsed().as_secs_f64();
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
        outcome.is_ok()
    }

    /// Whether nothing has failed so far.
    pub fn ok(&self) -> bool {
        self.failed == 0
    }

    /// Prints the sum, alone on the last line; success when nothing failed.
    pub fn finish(self) -> ExitCode {
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
    fn output_and_status_of_a_program_are_kept() {
        let shell = |script: &str| capture(Command::new("sh").args(["-c", script]));
        assert_eq!(shell("echo a; echo b >&2; echo c"), Ok("a\nb\nc\n".into()));
        assert_eq!(shell("cat; echo wrong; exit 3"), Err("wrong\n".into()));
        assert!(capture(&mut Command::new("no-such-program")).unwrap_err().contains("no-such-program"));
    }
}
