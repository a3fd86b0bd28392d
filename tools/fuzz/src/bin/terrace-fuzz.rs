//! `terrace-fuzz`: random programs, the interpreter against every level below and compiled code.

use clap::{Parser, ValueEnum};
use std::{path::PathBuf, process::ExitCode, time::Duration};
use terrace_fuzz::{
    campaign::{Campaign, Length, Level},
    chain::Chain,
    damaged::Damaged,
    deferred, fake,
    foreign::{self, Dialect},
    hostile::Hostile,
    specialize,
    straight::{Depth, Straight},
};
use terrace_native::Cpu;

/// Runs random programs at one level or several and compares with the interpreter.
#[derive(Parser)]
#[command(name = "terrace-fuzz", version)]
struct Cli {
    /// How many programs; 200 without it.
    #[arg(long, conflicts_with = "minutes")]
    programs: Option<u64>,
    /// Goes on for so many minutes instead.
    #[arg(long)]
    minutes: Option<f64>,
    /// The seed of the first; the others follow.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// What is compared; without it compiled code, or for some minutes functional, pure, flow and specialize
    /// by turns.
    #[arg(long, value_enum)]
    level: Option<Kind>,
    /// Passes to run at the functional level, as in `functional-view-to-copy,functional-verify-contiguous`.
    #[arg(long)]
    passes: Option<String>,
    /// The only CPU to compile for; without it each program has one of x86-64-v4-bf16, x86-64-v4, x86-64-v3
    /// and x86-64 by its seed, or the next lower one that this machine runs.
    #[arg(long)]
    cpu: Option<Cpu>,
    /// Prints each seed before its program runs, so that one that ends the process is known.
    #[arg(long)]
    verbose: bool,
    /// Goes on after a program that does not agree, up to this many.
    #[arg(long, default_value_t = 1)]
    failures: usize,
    /// Prints the program of the seed and does not run it.
    #[arg(long)]
    print: bool,
    /// How often each program of the levels `fake` and `specialize` is called; 2 and 16 without it.
    #[arg(long)]
    calls: Option<u64>,
    /// Where programs that do not agree go, with their inputs.
    #[arg(long, default_value = "target/fuzz")]
    save: PathBuf,
    /// Writes how often each view came before and after each mutation at the level `pure`, separated by tabs.
    #[arg(long)]
    table: Option<PathBuf>,
    /// Only operators whose name has this in it, at the level `hostile`; only files of this kind (mlir, json,
    /// npy), at the level `damaged`.
    #[arg(long, default_value = "")]
    filter: String,
    /// Runs in this process, for another one that looks on: how `hostile` and `damaged` call themselves.
    #[arg(long, hide = true)]
    worker: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// The functional dialect, interpreted.
    Functional,
    /// Machine code, called.
    Compiled,
    /// Kernels for a GPU, run on an emulator.
    Gpu,
    /// The passes that make programs pure, each interpreted; programs have control flow, and views and
    /// mutations by turns.
    Pure,
    /// The same passes, and machine code, called; programs have control flow.
    Flow,
    /// Fake tensors beside what the interpreter comes to; programs have control flow.
    Fake,
    /// Functions that test how their arguments lie, beside the function as it was written.
    Specialize,
    /// Deferred initialization beside the program itself; programs have control flow, and every other one
    /// draws.
    Deferred,
    /// Sizes, numbers and indices that do not fit, of every operator of the golden cases.
    Hostile,
    /// Files with bytes changed, taken away, doubled and put elsewhere.
    Damaged,
    /// Loops of affine, beside what upstream's passes make of them.
    Affine,
    /// Operations of linalg on tensors and memrefs, in the same way.
    Linalg,
}

/// The levels of the passes that make programs pure.
const LONG: [Kind; 4] = [Kind::Pure, Kind::Flow, Kind::Specialize, Kind::Functional];

fn main() -> ExitCode {
    terrace_tools::main("terrace-fuzz", run)
}

fn run(cli: &Cli) -> Result<(), String> {
    let kinds = match (cli.level, cli.minutes) {
        (Some(kind), _) => vec![kind],
        (None, Some(_)) => LONG.to_vec(),
        (None, None) => vec![Kind::Compiled],
    };
    let (seed, programs) = (cli.seed, cli.programs.unwrap_or(200));
    match kinds[..] {
        [Kind::Hostile] => {
            let hostile = Hostile::new(seed, programs, &cli.filter, &cli.save);
            return if cli.worker { hostile.work() } else { hostile.run() };
        }
        [Kind::Damaged] => {
            let damaged = Damaged::new(seed, programs, &cli.filter, &cli.save);
            return if cli.worker { damaged.work() } else { damaged.run() };
        }
        _ => {}
    }
    let length = match cli.minutes {
        Some(minutes) => Length::Time(Duration::from_secs_f64(60.0 * minutes.max(0.0))),
        None => Length::Programs(programs),
    };
    let (verbose, failures) = (cli.verbose, cli.failures.max(1));
    let campaign = Campaign { length, seed, verbose, failures, folder: cli.save.clone() };
    let foreign = match kinds[..] {
        [Kind::Affine] => Some(Dialect::Affine),
        [Kind::Linalg] => Some(Dialect::Linalg),
        _ => None,
    };
    if let Some(dialect) = foreign {
        if cli.print {
            terrace_tools::print(format_args!("{}", dialect.text(seed)));
            return Ok(());
        }
        return foreign::run(dialect, &campaign, cli.cpu.clone());
    }
    if cli.print {
        let level = level(cli, kinds[0]);
        terrace_tools::print(format_args!("{}", level.text(&level.program(cli.seed), cli.seed)));
        return Ok(());
    }
    campaign.run(&kinds, |kind| level(cli, kind))
}

fn level(cli: &Cli, kind: Kind) -> Box<dyn Level> {
    let straight = |depth| Box::new(Straight::new(depth, cli.passes.clone(), cli.cpu.clone()));
    match kind {
        Kind::Functional => straight(Depth::Functional),
        Kind::Compiled => straight(Depth::Compiled),
        Kind::Gpu => straight(Depth::Gpu),
        Kind::Pure => Box::new(Chain::new(false, None).writing(cli.table.clone())),
        Kind::Flow => Box::new(Chain::new(true, cli.cpu.clone())),
        Kind::Fake => Box::new(fake::Checker::new(cli.calls.unwrap_or(2), cli.verbose)),
        Kind::Specialize => Box::new(specialize::Checker::new(cli.calls.unwrap_or(16))),
        Kind::Deferred => Box::new(deferred::Checker::default()),
        Kind::Hostile | Kind::Damaged | Kind::Affine | Kind::Linalg => {
            unreachable!("it has no program to generate")
        }
    }
}
