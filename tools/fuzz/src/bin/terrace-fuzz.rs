//! `terrace-fuzz`: random programs, the interpreter against every level below and compiled code.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use terrace_fuzz::check::{Checker, Disagreement};
use terrace_fuzz::generate;
use terrace_fuzz::program::Program;
use terrace_fuzz::shrink::shrink;
use terrace_lowering::pipeline::{Level, Target};

/// Runs random programs at every level and compares with the interpreter.
#[derive(Parser)]
#[command(name = "terrace-fuzz", version)]
struct Cli {
    /// How many programs.
    #[arg(long, default_value_t = 200)]
    programs: u64,
    /// The seed of the first; the others follow.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The deepest level.
    #[arg(long, default_value = "functional", value_parser = level)]
    level: Level,
    /// Goes on after a program that does not agree, up to this many.
    #[arg(long, default_value_t = 1)]
    failures: usize,
    /// Prints the program of the seed and does not run it.
    #[arg(long)]
    print: bool,
    /// Where programs that do not agree go, as seedN.mlir and seedN.json for terrace-run.
    #[arg(long)]
    save: Option<PathBuf>,
}

fn level(name: &str) -> Result<Level, String> {
    let found = Level::ALL.into_iter().find(|level| level.to_string() == name);
    found.ok_or_else(|| format!("expected one of {}", Level::ALL.map(|level| level.to_string()).join(", ")))
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() { ExitCode::FAILURE } else { ExitCode::SUCCESS };
        }
    };
    let checker = Checker::new(cli.level);
    if cli.print {
        print!("{}", generate::program(checker.context(), cli.seed));
        return ExitCode::SUCCESS;
    }
    let mut wrong = 0;
    for seed in cli.seed..cli.seed.saturating_add(cli.programs) {
        let program = generate::program(checker.context(), seed);
        let target = target(seed);
        if let Err(found) = checker.check(&program, &target) {
            wrong += 1;
            report(&cli, &checker, seed, program, &target, &found);
            if wrong == cli.failures {
                break;
            }
        }
    }
    match wrong {
        0 => println!("{} programs from seed {} agree down to {}", cli.programs, cli.seed, cli.level),
        _ => eprintln!("terrace-fuzz: {wrong} programs do not agree"),
    }
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The CPU of a seed.
fn target(seed: u64) -> Target {
    Target { cpu: ["x86-64-v4", "x86-64-v3", "x86-64"][(seed % 3) as usize].into() }
}

fn report(cli: &Cli, checker: &Checker, seed: u64, program: Program, target: &Target, found: &Disagreement) {
    let kind = |what: &str| what.starts_with("refused");
    let same = |program: &Program| {
        let again = checker.check(program, target).err();
        again.is_some_and(|again| again.level == found.level && kind(&again.what) == kind(&found.what))
    };
    let smaller = shrink(program, same);
    let what = checker.check(&smaller, target).err().map_or_else(|| found.what.clone(), |again| again.what);
    eprintln!("seed {seed}: {} does not agree: {what}\n{smaller}", found.level);
    if let Some(folder) = &cli.save {
        let saved = std::fs::create_dir_all(folder).and_then(|()| {
            std::fs::write(folder.join(format!("seed{seed}.mlir")), smaller.to_string())?;
            let inputs = terrace_tensor::io::inputs_to_json(&smaller.inputs());
            std::fs::write(folder.join(format!("seed{seed}.json")), inputs)
        });
        if let Err(error) = saved {
            eprintln!("terrace-fuzz: {}: {error}", folder.display());
        }
    }
}
