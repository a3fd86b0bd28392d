//! `terrace-mutants`: whether the golden data notices small mistakes.
//!
//! Comparisons, constants and indices are drawn from the shape rules of the dialects and from the
//! interpreter's semantics. All mutants of the sample are built once, into a copy of the workspace under
//! `target/mutants`, and chosen when the golden data is run: a mutant that turns no case red has *survived*.
//! Results are kept as they come, so that a run goes on where it was stopped. Survivors that are shown to be
//! equivalent to the program stand in `tools/mutants/equivalent.txt`, each with the reason, and do not count.
//! Source of the idea: DeMillo, Lipton, Sayward, "Hints on Test Data Selection", 1978.

mod rules;
mod sites;
mod sources;

use clap::Parser;
use sources::Mutant;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    sync::Mutex,
    time::{Duration, Instant},
};

/// A mutant that runs as long as this never ends.
const LIMIT: Duration = Duration::from_secs(300);

/// What is mutated.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum What {
    /// Shape rules and the interpreter: what the golden data does not notice
    Semantics,
    /// Rules of legality: which of them no lit test notices
    Rules,
}

/// Mutates the program, and says what its tests do not notice.
#[derive(Parser)]
#[command(name = "terrace-mutants", version)]
struct Cli {
    /// What is mutated.
    #[arg(value_enum, default_value = "semantics")]
    what: What,
    /// How many mutants are drawn.
    #[arg(long, default_value_t = 200)]
    sample: usize,
    /// How many run at once.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
}

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("terrace-mutants: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: &Cli) -> Result<bool, String> {
    let root =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().map_err(|e| e.to_string())?;
    if cli.what == What::Rules {
        return rules::run(&root);
    }
    let work = root.join("target/mutants");
    fs::create_dir_all(&work).map_err(|e| e.to_string())?;
    let (sample, program) = build(&root, &work, cli.sample)?;
    let results = work.join("results.txt");
    let known = earlier(&results);
    let file = fs::OpenOptions::new().create(true).append(true).open(&results).map_err(|e| e.to_string())?;
    let (queue, file) = (Mutex::new(sample.iter()), Mutex::new(file));
    let survived = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..cli.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let Some((number, mutant)) = queue.lock().ok().and_then(|mut queue| queue.next()) else {
                        return;
                    };
                    let described = mutant.described();
                    let noticed = known.get(&described).copied().unwrap_or_else(|| {
                        let noticed = notices(&program, *number);
                        if let Ok(mut file) = file.lock() {
                            let word = if noticed { "noticed" } else { "survived" };
                            let _ = writeln!(file, "{word} {described}");
                        }
                        noticed
                    });
                    if !noticed && let Ok(mut survived) = survived.lock() {
                        survived.push(described);
                    }
                }
            });
        }
    });
    Ok(report(&root, sample.len(), survived.into_inner().unwrap_or_default()))
}

/// Builds the golden program with a sample of mutants in it; those that do not compile are replaced by
/// others.
fn build(root: &Path, work: &Path, size: usize) -> Result<(BTreeMap<u32, Mutant>, PathBuf), String> {
    let (source, target) = (work.join("source"), work.join("target"));
    let mut rejected: BTreeSet<String> = BTreeSet::new();
    let all = sources::mutants(root)?;
    loop {
        let mut sample: BTreeMap<u32, Mutant> = BTreeMap::new();
        for mutant in all.iter().filter(|mutant| !rejected.contains(&mutant.described())) {
            let overlaps = |other: &Mutant| {
                let (a, b) = (&mutant.site.range, &other.site.range);
                other.file == mutant.file && a.start < b.end && b.start < a.end
            };
            if sample.len() < size && !sample.values().any(overlaps) {
                sample.insert(sample.len() as u32, mutant.clone());
            }
        }
        sources::copy(root, &source, &sample)?;
        let output = Command::new("cargo")
            .args(["build", "--release", "--package", "terrace-goldens", "--message-format=json"])
            .current_dir(&source)
            .env("CARGO_TARGET_DIR", &target)
            .stderr(Stdio::inherit())
            .output()
            .map_err(|e| format!("cargo: {e}"))?;
        if output.status.success() {
            return Ok((sample, target.join("release/terrace-goldens")));
        }
        let before = rejected.len();
        for number in named(&String::from_utf8_lossy(&output.stdout), &source) {
            rejected.extend(sample.get(&number).map(Mutant::described));
        }
        if rejected.len() == before {
            return Err("the copy under target/mutants does not build, and no mutant is the reason".into());
        }
    }
}

/// The mutants on the lines that the compiler's errors are about.
fn named(messages: &str, source: &Path) -> Vec<u32> {
    let mut numbers = Vec::new();
    for line in messages.lines() {
        let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        if message["message"]["level"] != "error" {
            continue;
        }
        for span in message["message"]["spans"].as_array().into_iter().flatten() {
            let file = source.join(span["file_name"].as_str().unwrap_or_default());
            let text = fs::read_to_string(file).unwrap_or_default();
            let lines = span["line_start"].as_u64().unwrap_or(1)..=span["line_end"].as_u64().unwrap_or(1);
            for line in lines.filter_map(|line| text.lines().nth(line as usize - 1)) {
                let calls = line.split("crate::mutant::on(").skip(1);
                numbers.extend(calls.filter_map(|call| call.split(')').next()?.parse::<u32>().ok()));
            }
        }
    }
    numbers
}

/// Whether some golden case is red with the mutant, where programs know the sizes of what comes in or where
/// they do not.
fn notices(program: &Path, number: u32) -> bool {
    let runs = [&["--stop"][..], &["--stop", "--dynamic"], &["--fake", "devices"]];
    runs.iter().any(|how| is_red(program, how, number))
}

fn is_red(program: &Path, how: &[&str], number: u32) -> bool {
    let child = Command::new(program)
        .args(how)
        .env("MUTANT", number.to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = child else { return false };
    let started = Instant::now();
    while started.elapsed() < LIMIT {
        match child.try_wait() {
            Ok(Some(status)) => return !status.success(),
            Ok(None) => std::thread::sleep(Duration::from_millis(20)),
            Err(_) => break,
        }
    }
    let _ = child.kill();
    let _ = child.wait();
    true
}

/// What an earlier run found, by the mutants' descriptions.
fn earlier(results: &Path) -> BTreeMap<String, bool> {
    let text = fs::read_to_string(results).unwrap_or_default();
    let found = text.lines().filter_map(|line| line.split_once(' '));
    found.map(|(word, described)| (described.to_owned(), word == "noticed")).collect()
}

/// Prints what survived, and whether enough was noticed: 95 of 100.
fn report(root: &Path, sample: usize, mut survived: Vec<String>) -> bool {
    let listed = fs::read_to_string(root.join("tools/mutants/equivalent.txt")).unwrap_or_default();
    // A line is file, function and change, without line and column, which move, then a tab and the reason.
    let change = |described: &str| described.split(": ").skip(1).collect::<Vec<_>>().join(": ");
    let place = |described: &str| described.split(':').next().unwrap_or_default().to_owned();
    let equivalent = |described: &String| {
        let key = format!("{}: {}", place(described), change(described));
        listed.lines().any(|line| line.split('\t').next() == Some(key.as_str()))
    };
    survived.sort_unstable();
    let (same, differ): (Vec<_>, Vec<_>) = survived.into_iter().partition(equivalent);
    for described in &differ {
        println!("survived {described}");
    }
    let counted = sample - same.len();
    let noticed = counted - differ.len();
    let percent = 100.0 * noticed as f64 / counted.max(1) as f64;
    println!("{noticed} of {counted} mutants noticed, {percent:.1}%; {} are equivalent", same.len());
    percent >= 95.0
}
