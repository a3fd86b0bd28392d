//! `terrace-goldens`: runs golden cases and says which differ from eager.

use clap::Parser;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::ExitCode,
};
use terrace_emulator::Order;
use terrace_goldens::{
    bundles,
    case::{self, Case},
    check::{Checker, How},
    devices,
    fake::{self, Knows, Verdict},
    known, loops,
    models::{self, Model},
    reference,
};
use terrace_native::Cpu;
use terrace_tools::{random::Random, say};

/// Runs the golden cases and compares with what eager PyTorch computed.
#[derive(Parser)]
#[command(name = "terrace-goldens", version)]
struct Cli {
    /// Only cases whose name contains this, such as `add_.Tensor/` or `view`.
    #[arg(default_value = "")]
    filter: String,
    /// Compiles what eager accepts and calls it, instead of interpreting.
    #[arg(long)]
    compiled: bool,
    /// The CPU to generate code for: `x86-64-v4-bf16`, `x86-64-v4`, `x86-64-v3`, `x86-64`, or `host`.
    #[arg(long, default_value = "host", requires = "compiled")]
    cpu: String,
    /// Compiles what eager accepts, its kernels for a GPU, and calls it on the emulator of one; only cases of
    /// at most 4,096 elements.
    #[arg(long, conflicts_with_all = ["compiled", "functional", "fake", "models"])]
    gpu: bool,
    /// Interprets the pure cores and boundaries that mutation removal makes of the cases.
    #[arg(long, conflicts_with = "compiled")]
    functional: bool,
    /// Propagates fake tensors through the cases: of arguments whose sizes are numbers, symbols with hints,
    /// or symbols; or on devices, as records of PyTorch's fake tensors have it, of numbers and of symbols
    /// with hints.
    #[arg(long, value_enum, conflicts_with_all = ["compiled", "functional"])]
    fake: Option<Fake>,
    /// Programs that do not know the sizes of what comes in.
    #[arg(long)]
    dynamic: bool,
    /// The folder of the cases, where it is not `goldens/data`.
    #[arg(long, default_value_os_t = case::folder(), hide_default_value = true)]
    data: PathBuf,
    /// Only every Nth case.
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// Only so many cases, by a seed.
    #[arg(long)]
    sample: Option<usize>,
    /// The seed of `--sample`.
    #[arg(long, default_value_t = 1, requires = "sample")]
    seed: u64,
    /// Stops at the first case that differs.
    #[arg(long)]
    stop: bool,
    /// Runs the imported models instead of the cases.
    #[arg(long)]
    models: bool,
    /// Writes a bundle of each case, or model, into this folder, and runs nothing; with --emulate for the
    /// stand-in for a GPU's driver
    #[arg(long)]
    bundles: Option<PathBuf>,
    /// What `--bundles` writes runs by the stand-in for a GPU's driver
    #[arg(long)]
    emulate: bool,
    /// Writes docs/operators.md and docs/loops.md, the tables of the operators, and runs nothing.
    #[arg(long)]
    table: bool,
    /// Prints the programs of the cases and runs nothing.
    #[arg(long)]
    print: bool,
}

/// How sizes are known.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Fake {
    Numbers,
    Hints,
    Nothing,
    Devices,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    if let Some(folder) = &cli.bundles {
        return write_bundles(&cli, folder);
    }
    if cli.models {
        return models(&cli);
    }
    if cli.table {
        return write_tables();
    }
    if let Some(Fake::Devices) = cli.fake {
        return on_devices(&cli);
    }
    let cases = match case::read_from(&cli.data, &cli.filter) {
        Ok(cases) => cases,
        Err(message) => {
            eprintln!("terrace-goldens: {message}");
            return ExitCode::FAILURE;
        }
    };
    let cases = chosen(&cli, cases);
    let checker = match cli.cpu.parse::<Cpu>().and_then(|cpu| cpu.runs_here().map(|()| cpu)) {
        Ok(cpu) => Checker::new().on(cpu),
        Err(error) => {
            eprintln!("terrace-goldens: {error}");
            return ExitCode::FAILURE;
        }
    };
    if let Some(fake) = cli.fake {
        return fakes(&cli, &cases, &checker, fake);
    }
    let how = match (cli.compiled || cli.gpu, cli.functional, cli.dynamic) {
        (true, _, true) => How::CompiledUnsized,
        (true, ..) => How::Compiled,
        (_, true, true) => How::FunctionalUnsized,
        (_, true, _) => How::Functional,
        (_, _, true) => How::Unsized,
        _ => How::Interpreted,
    };
    let (mut count, mut wrong, mut reasons) = (0, 0, BTreeMap::<&str, usize>::new());
    for case in cases.iter().step_by(cli.every.max(1)) {
        if cli.print {
            say!("// {}\n{}", case.name, checker.text(case).unwrap_or("// refused\n".to_owned()));
            continue;
        }
        count += 1;
        let order = [Order::Forward, Order::Backward][count % 2];
        let how = match how {
            How::Compiled if cli.gpu => How::Emulated(order),
            How::CompiledUnsized if cli.gpu => How::EmulatedUnsized(order),
            how => how,
        };
        let Err(failure) = checker.check(case, how) else { continue };
        match known::reason(case, &failure) {
            Some(reason) => *reasons.entry(reason).or_default() += 1,
            None => {
                wrong += 1;
                say!("{}: {failure}", case.name);
                if cli.stop {
                    return ExitCode::FAILURE;
                }
            }
        }
    }
    for (reason, count) in reasons {
        say!("known: {count} cases: {reason}");
    }
    for (reason, cases) in checker.refused() {
        say!("{} {reason}: {}", cases.len(), cases[..cases.len().min(3)].join(", "));
    }
    say!("{count} cases, {wrong} differ");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Writes the tables of the operators.
fn write_tables() -> ExitCode {
    let write = |file: PathBuf, text: String| std::fs::write(file, text).map_err(|e| e.to_string());
    let operators = || reference::text().and_then(|text| write(reference::file(), text));
    let loops = || loops::text().and_then(|text| write(loops::file(), text));
    match operators().and_then(|()| loops()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("terrace-goldens: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Writes bundles of cases, or of models.
fn write_bundles(cli: &Cli, folder: &Path) -> ExitCode {
    let fail = |message: String| {
        eprintln!("terrace-goldens: {message}");
        ExitCode::FAILURE
    };
    let checker = Checker::new();
    let (mut written, mut refused) = (0, 0);
    let mut count = |name: &str, done: Result<(), String>| match done {
        Ok(()) => written += 1,
        Err(why) => {
            refused += 1;
            eprintln!("{name}: {why}");
        }
    };
    if cli.models {
        let names = match models::names() {
            Ok(names) => names,
            Err(message) => return fail(message),
        };
        for name in names.iter().filter(|name| name.contains(&cli.filter)) {
            count(name, checker.bundle_of_model(name, (&folder.join(name), cli.emulate)));
        }
    } else {
        let cases = match case::read_from(&cli.data, &cli.filter) {
            Ok(cases) => chosen(cli, cases),
            Err(message) => return fail(message),
        };
        for (number, case) in cases.iter().enumerate().step_by(cli.every.max(1)) {
            let own = folder.join(format!("case{number}"));
            count(&case.name, checker.bundle(case, (&own, cli.emulate)));
        }
    }
    say!("{written} bundles, {refused} have no form on a GPU");
    ExitCode::SUCCESS
}

/// Elements of a case that the emulator runs, at most.
const SMALL: usize = 4096;

/// The cases that are asked for.
fn chosen(cli: &Cli, mut cases: Vec<Case>) -> Vec<Case> {
    let small =
        |case: &Case| case.storages.iter().map(|storage| storage.elements.len()).sum::<usize>() <= SMALL;
    cases.retain(|case| !(cli.gpu || cli.bundles.is_some()) || small(case));
    cases.retain(|case| cli.bundles.is_none() || bundles::has_one(case));
    if let Some(count) = cli.sample {
        Random::new(cli.seed).shuffle(&mut cases);
        cases.truncate(count);
    }
    cases
}

fn fakes(cli: &Cli, cases: &[case::Case], checker: &Checker, fake: Fake) -> ExitCode {
    let knows = match fake {
        Fake::Numbers => Knows::Numbers,
        Fake::Hints => Knows::Hints,
        Fake::Nothing | Fake::Devices => Knows::Nothing,
    };
    let (mut wrong, mut counts) = (0, BTreeMap::<String, usize>::new());
    for case in cases.iter().step_by(cli.every.max(1)) {
        let seen = match checker.fake(case, knows) {
            Ok(Verdict::Same) => "agree".to_owned(),
            Ok(Verdict::Guarded) => "are kept out by a guard".to_owned(),
            Ok(Verdict::Refused(_)) => "are refused".to_owned(),
            Err(failure) => match fake::known(case, &failure) {
                Some(reason) => format!("differ: {reason}"),
                None => {
                    wrong += 1;
                    say!("{}: {failure}", case.name);
                    continue;
                }
            },
        };
        *counts.entry(seen).or_default() += 1;
    }
    for (what, count) in counts {
        say!("{count} cases {what}");
    }
    say!("{wrong} differ");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn on_devices(cli: &Cli) -> ExitCode {
    let records = match devices::read(&cli.filter) {
        Ok(records) => records,
        Err(message) => {
            eprintln!("terrace-goldens: {message}");
            return ExitCode::FAILURE;
        }
    };
    let checker = Checker::new();
    let (mut agree, mut wrong, mut reasons) = (0, 0, BTreeMap::<&str, usize>::new());
    let sampled = records.iter().step_by(cli.every.max(1));
    let known = [("", Knows::Numbers), (" of symbols", Knows::Hints)];
    for (record, (of, knows)) in sampled.flat_map(|record| known.map(|known| (record, known))) {
        match checker.on_devices(record, knows) {
            Ok(Verdict::Refused(_)) => {}
            Ok(_) => agree += 1,
            Err(failure) => match devices::known(record, &failure) {
                Some(reason) => *reasons.entry(reason).or_default() += 1,
                None => {
                    wrong += 1;
                    say!("{}{of}: {failure}", record.case.name);
                }
            },
        }
    }
    say!("{agree} records agree, of sizes that are numbers or symbols with hints");
    for (reason, count) in reasons {
        say!("{count} records differ: {reason}");
    }
    say!("{wrong} differ");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn models(cli: &Cli) -> ExitCode {
    let (checker, how) = (Checker::new(), if cli.compiled { How::Compiled } else { How::Interpreted });
    let names = match models::names() {
        Ok(names) => names,
        Err(message) => {
            eprintln!("terrace-goldens: {message}");
            return ExitCode::FAILURE;
        }
    };
    let (mut count, mut wrong) = (0, 0);
    for name in names.iter().filter(|name| name.contains(&cli.filter)) {
        count += 1;
        if let Err(failure) = Model::read(name).and_then(|model| checker.model(&model, how)) {
            wrong += 1;
            say!("{name}: {failure}");
        }
    }
    say!("{count} models, {wrong} differ");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
