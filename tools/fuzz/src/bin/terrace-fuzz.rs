//! `terrace-fuzz`: random programs, the interpreter against every level below and compiled code.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use terrace_fuzz::check::{Checked, Checker, Depth, Disagreement};
use terrace_fuzz::program::Program;
use terrace_fuzz::shrink::shrink;
use terrace_fuzz::typing::{Sizes, Typing};
use terrace_fuzz::{deferred, fake, generate, rich, specialize};
use terrace_session::Cpu;

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
    /// How far down they are taken.
    #[arg(long, value_enum, default_value = "compiled")]
    level: Level,
    /// Passes to run at the functional level, as in `functional-view-to-copy,functional-verify-contiguous`.
    #[arg(long)]
    passes: Option<String>,
    /// The only CPU to compile for; without it each program has one of x86-64-v4, x86-64-v3 and x86-64 by its seed, or the
    /// next lower one that this machine runs.
    #[arg(long)]
    cpu: Option<String>,
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
    /// Where programs that do not agree go, as seedN.mlir and seedN.json for terrace-run.
    #[arg(long)]
    save: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Level {
    /// The functional dialect, interpreted.
    Functional,
    /// Machine code, called.
    Compiled,
    /// Kernels for a GPU, run on an emulator.
    Gpu,
    /// The functional dialect, interpreted; programs have control flow.
    Flow,
    /// Fake tensors beside what the interpreter comes to; programs have control flow.
    Fake,
    /// Functions that test how their arguments lie, beside the function as it was written.
    Specialize,
    /// Deferred initialization beside the program itself; programs have control flow, and every other one draws.
    Deferred,
}

fn main() -> ExitCode {
    terrace_tools::main("terrace-fuzz", |cli: &Cli| match cli.level {
        Level::Fake => fake(cli),
        Level::Flow => flow(cli),
        Level::Specialize => specialize(cli),
        Level::Deferred => deferred(cli),
        Level::Functional => levels(cli, Depth::Functional),
        Level::Compiled => levels(cli, Depth::Compiled),
        Level::Gpu => levels(cli, Depth::Gpu),
    })
}

/// Compares what programs come to at each level.
fn levels(cli: &Cli, depth: Depth) -> Result<(), String> {
    let checker = Checker::new(depth).with(cli.passes.clone());
    if cli.print {
        print!("{}", generate::program(checker.context(), cli.seed));
        return Ok(());
    }
    let (mut wrong, mut left) = (0, 0);
    for seed in cli.seed..cli.seed.saturating_add(cli.programs) {
        let program = generate::program(checker.context(), seed);
        let cpu = cpu(cli, seed)?;
        if cli.verbose {
            eprintln!("seed {seed}");
        }
        match checker.check(&program, &cpu) {
            Ok(Checked::Agrees) => {}
            Ok(Checked::Left(why)) => {
                left += 1;
                if cli.verbose {
                    eprintln!("left aside: {why}");
                }
            }
            Err(found) => {
                wrong += 1;
                report(cli, &checker, seed, program, &cpu, &found);
                if wrong == cli.failures {
                    break;
                }
            }
        }
    }
    none_wrong(wrong)?;
    let how = match depth {
        Depth::Functional => "interpreted at the functional level".into(),
        Depth::Compiled => "interpreted at the functional level and compiled".into(),
        Depth::Gpu => format!("on the emulator of a GPU, {left} left aside"),
    };
    let (programs, seed, declared) = (cli.programs, cli.seed, checker.declared());
    println!("{programs} programs from seed {seed} agree, {how}; {declared} of them had to declare strides");
    Ok(())
}

fn none_wrong(wrong: usize) -> Result<(), String> {
    if wrong == 0 { Ok(()) } else { Err(format!("{wrong} programs do not agree")) }
}

/// Compares what programs with control flow come to before and after they are made pure.
fn flow(cli: &Cli) -> Result<(), String> {
    let checker = Checker::new(Depth::Functional);
    let text = |program: &Program| Typing::new(checker.context()).program(program, Sizes::Numbers);
    let (mut wrong, mut left) = (0, BTreeMap::<String, u64>::new());
    for seed in cli.seed..cli.seed.saturating_add(cli.programs) {
        if cli.verbose {
            eprintln!("seed {seed}");
        }
        let program = rich::program(checker.context(), seed, true);
        if cli.print {
            println!("{}", text(&program).unwrap_or_default());
            return Ok(());
        }
        let cpu = cpu(cli, seed)?;
        match checker.check_flow(&program, &cpu) {
            Ok(Checked::Agrees) => {}
            Ok(Checked::Left(why)) => *left.entry(why).or_default() += 1,
            Err(found) => {
                wrong += 1;
                let kind = |what: &str| what.starts_with("refused");
                let smaller = shrink(program, |program| {
                    let again = checker.check_flow(program, &cpu).err();
                    again.is_some_and(|again| {
                        again.level == found.level && kind(&again.what) == kind(&found.what)
                    })
                });
                let what = checker.check_flow(&smaller, &cpu).err().unwrap_or(found);
                let inputs = terrace_tensor::io::inputs_to_json(&smaller.inputs());
                eprintln!(
                    "seed {seed}: {} does not agree: {}\n{}",
                    what.level,
                    what.what,
                    text(&smaller).unwrap_or_default()
                );
                eprintln!("// {inputs}");
                if wrong == cli.failures {
                    break;
                }
            }
        }
    }
    none_wrong(wrong)?;
    println!(
        "{} programs with control flow from seed {} agree; left aside: {left:?}",
        cli.programs, cli.seed
    );
    Ok(())
}

/// Compares fake tensors with what the interpreter comes to.
fn fake(cli: &Cli) -> Result<(), String> {
    let checker = fake::Checker::new(cli.calls.unwrap_or(2), cli.verbose);
    let mut wrong = 0;
    for seed in cli.seed..cli.seed.saturating_add(cli.programs) {
        let program = rich::program(checker.context(), seed, false);
        if cli.print {
            for sizes in [Sizes::Numbers, Sizes::Open] {
                println!("{}", checker.text(&program, sizes).unwrap_or_default());
            }
            return Ok(());
        }
        if cli.verbose {
            eprintln!("seed {seed}");
        }
        let Err(found) = checker.check(&program, seed) else { continue };
        wrong += 1;
        let quiet = fake::Checker::new(cli.calls.unwrap_or(2), false);
        let kind = |found: &fake::Disagreement| (found.knows, fake::kind(&found.what));
        let smaller = shrink(program, |program| {
            quiet.check(program, seed).err().is_some_and(|again| kind(&again) == kind(&found))
        });
        let again = quiet.check(&smaller, seed).err().unwrap_or(found);
        eprintln!("seed {seed}: {:?}: {}\n{}", again.knows, again.what, again.text);
        if wrong == cli.failures {
            break;
        }
    }
    let counts = *checker.counts.borrow();
    println!("{counts}");
    none_wrong(wrong)
}

/// Compares programs before and after `graph-specialize-aliases`.
fn specialize(cli: &Cli) -> Result<(), String> {
    let checker = specialize::Checker::new(cli.calls.unwrap_or(16));
    let mut wrong = 0;
    for seed in cli.seed..cli.seed.saturating_add(cli.programs) {
        let program = checker.program(seed);
        if cli.print {
            println!("{}", checker.text(&program, seed).unwrap_or_default());
            return Ok(());
        }
        if cli.verbose {
            eprintln!("seed {seed}");
        }
        let Err(found) = checker.check(&program, seed) else { continue };
        wrong += 1;
        let counts = *checker.counts.borrow();
        let smaller = shrink(program, |program| checker.check(program, seed).is_err());
        let again = checker.check(&smaller, seed).err().unwrap_or(found);
        *checker.counts.borrow_mut() = counts;
        eprintln!("seed {seed}: {}\n{}", again.what, again.text);
        if wrong == cli.failures {
            break;
        }
    }
    let counts = *checker.counts.borrow();
    println!("{counts}");
    none_wrong(wrong)
}

/// Compares what is materialized with what programs make.
fn deferred(cli: &Cli) -> Result<(), String> {
    let checker = deferred::Checker::default();
    let mut wrong = 0;
    for seed in cli.seed..cli.seed.saturating_add(cli.programs) {
        let program = match seed % 2 {
            0 => rich::program(checker.context(), seed, false),
            _ => rich::initialization(checker.context(), seed),
        };
        if cli.print {
            for sizes in [Sizes::Numbers, Sizes::Open] {
                println!("{}", checker.text(&program, sizes)?);
            }
            return Ok(());
        }
        if cli.verbose {
            eprintln!("seed {seed}");
        }
        let Err(found) = checker.check(&program, seed) else { continue };
        wrong += 1;
        let quiet = deferred::Checker::default();
        let smaller = shrink(program, |program| {
            quiet.check(program, seed).err().is_some_and(|again| fake::kind(&again) == fake::kind(&found))
        });
        let again = quiet.check(&smaller, seed).err().unwrap_or(found);
        eprintln!("seed {seed}: {again}\n{}", quiet.text(&smaller, Sizes::Numbers).unwrap_or_default());
        if wrong == cli.failures {
            break;
        }
    }
    let counts = *checker.counts.borrow();
    println!("{counts}");
    none_wrong(wrong)
}

/// The CPU of a seed.
fn cpu(cli: &Cli, seed: u64) -> Result<Cpu, String> {
    if let Some(name) = &cli.cpu {
        return name.parse().map_err(|error: terrace_session::Error| error.to_string());
    }
    let names = ["x86-64-v4", "x86-64-v3", "x86-64"];
    let lower = names[(seed % 3) as usize..].iter().filter_map(|name| name.parse::<Cpu>().ok());
    lower
        .into_iter()
        .find(|cpu| cpu.runs_here().is_ok())
        .ok_or_else(|| "this machine is not an x86-64".to_owned())
}

fn report(cli: &Cli, checker: &Checker, seed: u64, program: Program, cpu: &Cpu, found: &Disagreement) {
    let kind = |what: &str| what.starts_with("refused");
    let same = |program: &Program| {
        let again = checker.check(program, cpu).err();
        again.is_some_and(|again| again.level == found.level && kind(&again.what) == kind(&found.what))
    };
    let smaller = shrink(program, same);
    let what = checker.check(&smaller, cpu).err().map_or_else(|| found.what.clone(), |again| again.what);
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
