//! `passes`: how the time of each pass on the way down to x86, and of LLVM, grows with the program.
//!
//! The passes are those of the pipeline (`terrace_lowering::pipeline`), each alone on what the one before it
//! left: whatever is added there is measured here. A pass is timed by the processor, on one thread, without
//! the verifier, which is a line of its own behind each level; LLVM on one thread, too. Of several runs the
//! least time counts.
//!
//! A program of a size goes down in a process of its own. It ends in front of the first pass before which
//! more than [`TOGETHER`] have gone by, and is stopped where a single pass takes longer than [`ALONE`].
//!
//! *Exponent*: the slope of log time over log operations between the two largest sizes at which a pass is
//! measured; 1 is linear. It is only given where the larger one takes at least [`SIGNIFICANT`]: what is less
//! is noise.

use crate::{
    memory,
    programs::{FAMILIES, nest},
};
use melior::{Context, ir::Module, pass::PassManager, utility::parse_pass_pipeline};
use std::{
    collections::BTreeMap,
    fmt::Write,
    io::{BufRead, BufReader, Write as _},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::mpsc,
    time::Duration,
};
use terrace_dialects::ir::{OperationLike, pass::is_registered};
use terrace_lowering::pipeline::{self, Level, pass::Pass};
use terrace_native::{Code, Cpu, OptLevel, export};

/// No pass is begun after this time of the passes before it.
const TOGETHER: Duration = Duration::from_secs(60);
/// A pass that takes longer is stopped.
const ALONE: Duration = Duration::from_secs(60);
/// What takes less has no exponent.
const SIGNIFICANT: Duration = Duration::from_millis(20);
/// The exponent that no pass of ours is above.
const BOUND: f64 = 1.2;
/// Loops in each other, and the depth at which `growth` begins.
const DEPTHS: [usize; 4] = [4, 8, 12, 16];

/// What is measured, in order, by how long it took; a pass that stands twice is two.
type Times = Vec<(String, Duration)>;

/// What to measure.
pub struct Asked<'a> {
    /// Operations of the programs, rising.
    pub counts: &'a [usize],
    /// Runs of which the least counts.
    pub runs: usize,
    /// The only passes to print: those whose names contain this.
    pub only: Option<&'a str>,
    /// The only program: a family, or `nest`.
    pub family: Option<&'a str>,
    /// Programs of files, measured whole.
    pub files: &'a [PathBuf],
    /// Whether bench/results/passes.md is written.
    pub record: bool,
}

/// Prints tables, and writes them down where asked.
///
/// # Errors
/// A program that is refused, with the pass that did; no such family.
pub fn run(asked: &Asked) -> Result<(), String> {
    // For what is ours.
    pipeline::register();
    let mut text = String::new();
    let mut worst: Vec<(f64, String)> = vec![];
    // Programs that are named are all that is measured.
    let all = asked.family.is_none() && asked.files.is_empty();
    let wanted = |name: &str| all || asked.family == Some(name);
    let known = |family: &str| family == "nest" || FAMILIES.iter().any(|(name, _)| *name == family);
    if let Some(unknown) = asked.family.filter(|family| !known(family)) {
        let names: Vec<&str> = FAMILIES.iter().map(|(name, _)| *name).collect();
        return Err(format!("no family '{unknown}': these are nest, {}", names.join(", ")));
    }
    for (name, _) in FAMILIES.iter().filter(|(name, _)| wanted(name)) {
        let table = family(asked, name, &mut worst)?;
        print!("{table}");
        text += &table;
    }
    if wanted("nest") {
        let table = nests(asked.runs)?;
        print!("{table}");
        text += &table;
    }
    let models = if all { models()? } else { asked.files.to_vec() };
    if !models.is_empty() {
        let table = files(asked, &models)?;
        print!("{table}");
        text += &table;
    }
    worst.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut summary = format!("The largest exponents of our own passes (bound: {BOUND}):\n\n");
    for (exponent, what) in worst.iter().take(12) {
        let _ = writeln!(summary, "* {exponent:.2} {what}");
    }
    println!("{summary}");
    if asked.record {
        let head = format!(
            "# Time of the passes by the size of the program\n\n`./x bench passes --record` makes this file. Milliseconds of \
             processor time, one thread, release, the least of {} runs; passes of ours are set in `code`. What is not there was \
             stopped after {} s, or comes behind passes that take more than {} s. The exponent is the slope between the two largest sizes, where the larger takes at least {} ms.\n\n",
            asked.runs,
            ALONE.as_secs(),
            TOGETHER.as_secs(),
            SIGNIFICANT.as_millis()
        );
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/passes.md");
        std::fs::write(&file, head + &summary + "\n" + text.trim_end() + "\n")
            .map_err(|e| format!("{}: {e}", file.display()))?;
    }
    Ok(())
}

/// The table of a family of programs.
fn family(asked: &Asked, name: &str, worst: &mut Vec<(f64, String)>) -> Result<String, String> {
    let columns: Vec<(usize, Times)> = asked
        .counts
        .iter()
        .map(|&count| Ok((count, least(&[name, &count.to_string()], asked.runs)?)))
        .collect::<Result<_, String>>()?;
    let mut text = format!("## {name}\n\n| pass |");
    for count in asked.counts {
        let _ = write!(text, " {count} |");
    }
    let _ = writeln!(text, " exponent |\n| --- |{} ---: |", " ---: |".repeat(asked.counts.len()));
    let longest = columns.iter().map(|(_, times)| times).max_by_key(|times| times.len());
    for (pass, _) in
        longest.into_iter().flatten().filter(|(pass, _)| asked.only.is_none_or(|o| pass.contains(o)))
    {
        let measured: Vec<(usize, Option<Duration>)> = columns
            .iter()
            .map(|(count, times)| (*count, times.iter().find(|(own, _)| own == pass).map(|(_, time)| *time)))
            .collect();
        let cells: String =
            measured.iter().map(|(_, time)| format!(" {} |", time.map_or(String::new(), ms))).collect();
        let there: Vec<(usize, Duration)> =
            measured.iter().filter_map(|(count, time)| Some((*count, (*time)?))).collect();
        let exponent = exponent(&there);
        let is_ours = is_ours(pass);
        if let Some(exponent) = exponent.filter(|_| is_ours) {
            worst.push((exponent, format!("`{pass}` of {name}")));
        }
        let shown = exponent.map_or(String::new(), |exponent| format!("{exponent:.2}"));
        let pass = if is_ours { format!("`{pass}`") } else { pass.clone() };
        let _ = writeln!(text, "| {pass} |{cells} {shown} |");
    }
    Ok(text + "\n")
}

/// The slope between the two largest sizes; None where it is noise.
fn exponent(measured: &[(usize, Duration)]) -> Option<f64> {
    let [.., (small, short), (large, long)] = measured else { return None };
    let grown = long.as_secs_f64() / short.as_secs_f64().max(1e-9);
    (*long >= SIGNIFICANT).then(|| grown.ln() / (*large as f64 / *small as f64).ln())
}

/// Loops in loops: the whole way to the functional dialect, by depth.
fn nests(runs: usize) -> Result<String, String> {
    let mut text = "## nest: loops in loops that carry a tensor, to the functional dialect\n\n| depth | ms | times, for each loop more |\n| ---: | ---: | ---: |\n".to_owned();
    let mut before: Option<(usize, f64)> = None;
    for depth in DEPTHS {
        let times = least(&["nest", &depth.to_string()], runs)?;
        let total: Duration = times.iter().map(|(_, time)| *time).sum();
        let seconds = total.as_secs_f64();
        let growth = before.map(|(shallow, own)| (seconds / own).powf(1.0 / (depth - shallow) as f64));
        let _ = writeln!(
            text,
            "| {depth} | {} | {} |",
            ms(total),
            growth.map_or(String::new(), |g| format!("{g:.2}"))
        );
        before = Some((depth, seconds));
    }
    Ok(text + "\n")
}

/// Whole programs, by their time in our passes, upstream's, and LLVM.
fn files(asked: &Asked, files: &[PathBuf]) -> Result<String, String> {
    let mut text = "## Whole programs\n\n| program | our passes | other passes | verifier | LLVM | all | longest of ours |\n| --- | ---: | ---: | ---: | ---: | ---: | --- |\n".to_owned();
    for file in files {
        let times = least(&["file", &file.to_string_lossy()], asked.runs)?;
        let sum = |wanted: &dyn Fn(&str) -> bool| -> Duration {
            times.iter().filter(|(name, _)| wanted(name)).map(|(_, time)| *time).sum()
        };
        let (verifies, llvm) = (|n: &str| n.ends_with(": verifier"), |n: &str| n.starts_with("LLVM"));
        let longest = times.iter().filter(|(name, _)| is_ours(name)).max_by_key(|(_, time)| *time);
        let longest = longest.map(|(name, time)| format!("`{name}` {}", ms(*time)));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} |",
            file.file_stem().unwrap_or_default().to_string_lossy(),
            ms(sum(&|n| is_ours(n))),
            ms(sum(&|n| !is_ours(n) && !verifies(n) && !llvm(n))),
            ms(sum(&verifies)),
            ms(sum(&llvm)),
            ms(sum(&|_| true)),
            longest.unwrap_or_default()
        );
    }
    Ok(text + "\n")
}

/// The models of the tests.
fn models() -> Result<Vec<PathBuf>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../goldens/models");
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "mlir"));
    files.sort();
    Ok(files)
}

fn ms(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1e3;
    if ms < 10.0 { format!("{ms:.2}") } else { format!("{ms:.0}") }
}

/// Whether a pass is ours: those of `level: name` that the dialects know.
fn is_ours(pass: &str) -> bool {
    let name = pass.split_once(": ").map_or(pass, |(_, name)| name);
    is_registered(name.split(" (").next().unwrap_or(name))
}

/// The least times of several runs, each in a process of its own.
fn least(program: &[&str], runs: usize) -> Result<Times, String> {
    let mut least = once(program, usize::MAX)?;
    for _ in 1..runs {
        // Not on to what was stopped.
        let again: BTreeMap<String, Duration> = once(program, least.len())?.into_iter().collect();
        for (name, time) in &mut least {
            *time = again.get(name).map_or(*time, |other| (*time).min(*other));
        }
    }
    Ok(least)
}

/// Takes a program down in a process of its own, by as many passes at most.
fn once(program: &[&str], most: usize) -> Result<Times, String> {
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut command = Command::new(own);
    command.arg("down").args(program).arg(most.to_string()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|e| e.to_string())?;
    let lines = BufReader::new(child.stdout.take().ok_or("no output")?).lines();
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
    let mut times = Times::new();
    loop {
        match receiver.recv_timeout(ALONE) {
            Ok(line) => {
                let (name, nanoseconds) = line.rsplit_once('\t').ok_or("a line without a time")?;
                let time = nanoseconds.parse().map_err(|_| format!("no time: {nanoseconds}"))?;
                times.push((name.into(), Duration::from_nanos(time)));
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {
                eprintln!(
                    "{}: what comes behind {:?} was stopped",
                    program.join(" "),
                    times.last().map(|(n, _)| n)
                );
                let _ = child.kill();
                let _ = child.wait();
                return Ok(times);
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
    }
    let status = child.wait().map_err(|e| e.to_string())?;
    if status.success() { Ok(times) } else { Err(format!("{}: {status}", program.join(" "))) }
}

/// Takes one program down, by as many passes at most, and prints a line for each, its name and nanoseconds.
///
/// # Errors
/// It is refused.
pub fn down(context: &Context, family: &str, what: &str, most: usize) -> Result<(), String> {
    context.enable_multi_threading(false);
    pipeline::register();
    let count = || what.parse().map_err(|_| format!("no number of operations: {what}"));
    let (program, levels) = match family {
        "file" => (std::fs::read_to_string(what).map_err(|e| format!("{what}: {e}"))?, &Level::ALL[..]),
        "nest" => (nest(count()?), &Level::ALL[..1]),
        _ => {
            let (_, program) =
                FAMILIES.iter().find(|(name, _)| *name == family).ok_or("there is no such family")?;
            (program(count()?), &Level::ALL[..])
        }
    };
    let cpu: Cpu = "host".parse().map_err(|error| format!("{error}"))?;
    let target = terrace_session::lower::target(&cpu);
    let mut module = Module::parse(context, &program).ok_or("a program of the benchmark is refused")?;
    let mut meter = Meter { all: Duration::ZERO, numbers: BTreeMap::new(), left: most };
    let mut signatures = vec![];
    for level in levels {
        if *level == Level::Llvm {
            signatures = export(&module).map_err(|error| error.to_string())?;
        }
        for pass in level.passes(&target).iter() {
            let name = format!("{level}: {}", pass.name());
            if !meter.measure(&name, || apply(context, &mut module, pass))? {
                return Ok(());
            }
        }
        let verify = || module.as_operation().verify().then_some(()).ok_or("invalid IR".to_owned());
        if !meter.measure(&format!("{level}: verifier"), verify)? {
            return Ok(());
        }
    }
    if levels.len() < Level::ALL.len() {
        return Ok(());
    }
    let mut code = None;
    let translate = || {
        code = Some(Code::x86(&module, signatures, &cpu, OptLevel::O2).map_err(|error| error.to_string())?);
        Ok(())
    };
    if meter.measure("LLVM: translation, optimizer", translate)? {
        let code = code.ok_or("no code")?;
        meter
            .measure("LLVM: code generator", || code.object().map(drop).map_err(|error| error.to_string()))?;
    }
    Ok(())
}

/// Prints what takes how long, as long as there is time.
struct Meter {
    all: Duration,
    numbers: BTreeMap<String, usize>,
    /// How many things are still done.
    left: usize,
}

impl Meter {
    /// Does one thing and prints its time; false, and it is not done, where too much time has gone by before,
    /// or enough is done.
    fn measure(&mut self, name: &str, work: impl FnOnce() -> Result<(), String>) -> Result<bool, String> {
        if self.all > TOGETHER || self.left == 0 {
            return Ok(false);
        }
        self.left -= 1;
        let start = memory::processor_time();
        work()?;
        let time = memory::processor_time() - start;
        self.all += time;
        let number = self.numbers.entry(name.to_owned()).or_default();
        *number += 1;
        let name = if *number == 1 { name.to_owned() } else { format!("{name} ({number})") };
        println!("{name}\t{}", time.as_nanos());
        std::io::stdout().flush().map_err(|e| e.to_string())?;
        Ok(true)
    }
}

fn apply(context: &Context, module: &mut Module, pass: &Pass) -> Result<(), String> {
    let manager = PassManager::new(context);
    manager.enable_verifier(false);
    parse_pass_pipeline(manager.as_operation_pass_manager(), &format!("builtin.module({pass})"))
        .map_err(|error| error.to_string())?;
    manager.run(module).map_err(|_| format!("a program of the benchmark is refused by {pass}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exponent_is_the_slope_between_the_largest_sizes() {
        let ms = Duration::from_millis;
        let slope = exponent(&[(10, ms(900)), (100, ms(10)), (1000, ms(1000))]).unwrap();
        assert!((slope - 2.0).abs() < 1e-9);
        assert_eq!(exponent(&[(100, ms(1)), (1000, ms(10))]), None);
    }
}
