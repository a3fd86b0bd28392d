//! Programs of other compilers: functions of linalg or affine, run in three ways.
//!
//! A seed makes a [`source::Source`], a function as text with its call ([`affine`], [`linalg`]). It runs by
//! Terrace, by upstream's passes behind `convert-loop-to-scf`, and by upstream's passes alone
//! ([`pipelines`]): results and memrefs that came in must be the same. Numbers are small and whole, so that
//! they are, bit for bit, wherever order may change.
//!
//! Each program runs in a copy of this process ([`mod@forked`]), so that what crashes or hangs is a failure
//! as others are: made smaller ([`shrink`]), told and kept.

mod affine;
mod forked;
mod linalg;
mod pipelines;
mod shrink;
mod source;

use crate::campaign::{Campaign, Checked, Counts, Wrong};
use forked::{Ended, forked};
use pipelines::Pipelines;
use serde_json::{Value, json};
use source::Source;
use std::time::{Duration, Instant};
use terrace_native::Cpu;
use terrace_tools::say;

/// How long a program may take in all ways.
const TIME: Duration = Duration::from_secs(20);

/// How long a program is made smaller.
const SHRINKING: Duration = Duration::from_secs(120);

/// Which dialect programs are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Loops over elements of memrefs.
    Affine,
    /// Structured operations on tensors and memrefs.
    Linalg,
}

impl Dialect {
    fn name(self) -> &'static str {
        match self {
            Dialect::Affine => "affine",
            Dialect::Linalg => "linalg",
        }
    }

    fn source(self, seed: u64) -> Source {
        match self {
            Dialect::Affine => affine::source(seed),
            Dialect::Linalg => linalg::source(seed),
        }
    }

    /// The text of the program of a seed.
    pub fn text(self, seed: u64) -> String {
        self.source(seed).to_string()
    }
}

/// Runs programs as a campaign says.
///
/// # Errors
/// How many are wrong.
pub fn run(dialect: Dialect, campaign: &Campaign, cpu: Option<Cpu>) -> Result<(), String> {
    let pipelines = Pipelines::new(cpu);
    // What is made once is made here, and every copy of the process has it.
    _ = pipelines.check(&Source::default(), 0);
    let (start, mut counts, mut seed, mut wrong) = (Instant::now(), Counts::default(), campaign.seed, 0);
    while campaign.goes_on(start, seed) && wrong < campaign.failures {
        if campaign.verbose {
            eprintln!("seed {seed}, {}", dialect.name());
        }
        let source = dialect.source(seed);
        match checked(&pipelines, &source, seed)? {
            Ok(Checked::Agrees) => counts.programs += 1,
            Ok(Checked::Left(why)) => {
                if campaign.verbose {
                    eprintln!("left aside: {why}");
                }
                counts.programs += 1;
                *counts.left.entry(why).or_default() += 1;
            }
            Err(found) => {
                wrong += 1;
                self::found(campaign, (&pipelines, dialect), &source, seed, &found);
            }
        }
        seed += 1;
    }
    say!("{}: {counts}", dialect.name());
    say!("seeds {} to {}, {} s", campaign.seed, seed - 1, start.elapsed().as_secs());
    if wrong == 0 { Ok(()) } else { Err(format!("{wrong} programs do not agree")) }
}

/// Runs a program in a copy of this process.
fn checked(pipelines: &Pipelines, source: &Source, seed: u64) -> Result<Result<Checked, Wrong>, String> {
    let work = || {
        let came = match pipelines.check(source, seed) {
            Ok(Checked::Agrees) => json!({}),
            Ok(Checked::Left(why)) => json!({"left": why}),
            Err(Wrong { kind, what, .. }) => json!({"kind": kind, "what": what}),
        };
        came.to_string()
    };
    Ok(match forked(TIME, work).map_err(|e| e.to_string())? {
        Ended::Messages(said) => {
            let said: Value = serde_json::from_str(&said).map_err(|e| e.to_string())?;
            let word = |name: &str| said[name].as_str().map(str::to_owned);
            match (word("left"), word("kind").zip(word("what"))) {
                (Some(why), _) => Ok(Checked::Left(why)),
                (None, Some((kind, what))) => Err(source.wrong(kind, what)),
                (None, None) => Ok(Checked::Agrees),
            }
        }
        Ended::Crashed(_) | Ended::Hung if !holds(|| pipelines.has_reference(source)) => {
            Ok(Checked::Left("upstream ends the process".into()))
        }
        Ended::Crashed(how) => Err(source.wrong("a crash", format!("ends the process: {how}"))),
        Ended::Hung => Err(source.wrong("it hangs", format!("takes more than {TIME:?}"))),
    })
}

/// Whether something holds that may end the process.
fn holds(what: impl FnOnce() -> bool) -> bool {
    matches!(forked(TIME, || what().to_string()), Ok(Ended::Messages(said)) if said == "true")
}

/// Makes a program smaller, tells of it and keeps it.
fn found(
    campaign: &Campaign,
    (pipelines, dialect): (&Pipelines, Dialect),
    source: &Source,
    seed: u64,
    found: &Wrong,
) {
    let start = Instant::now();
    let again = |source: &Source| {
        checked(pipelines, source, seed).ok()?.err().filter(|again| again.kind == found.kind)
    };
    let smaller = shrink::shrink(source.clone(), |source| {
        let is_wrong = start.elapsed() < SHRINKING && pipelines.parses(source) && again(source).is_some();
        is_wrong && holds(|| pipelines.has_meaning(source))
    });
    if !holds(|| pipelines.has_meaning(&smaller)) {
        eprintln!("the next program reads or writes where nothing is");
    }
    let Wrong { what, text, .. } = again(&smaller).unwrap_or_else(|| found.clone());
    let inputs = terrace_tensor::io::inputs_to_json(&smaller.inputs());
    let before =
        if smaller.before.is_empty() { String::new() } else { format!("// behind {}\n", smaller.before) };
    let name = dialect.name();
    eprintln!("{name} does not agree, seed {seed}: {what}\n{before}{text}\n// inputs: {inputs}");
    let file = campaign.folder.join(format!("{name}-{seed}.mlir"));
    match crate::campaign::keep(
        &file,
        &format!("// {}\n{before}{text}", what.replace('\n', "\n// ")),
        &inputs,
    ) {
        Ok(()) => eprintln!("kept as {}, with inputs beside it, for terrace-run", file.display()),
        Err(error) => eprintln!("terrace-fuzz: {}: {error}", file.display()),
    }
}
