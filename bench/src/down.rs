//! `passes`: what each pass of the way down to x86 costs per operation, and LLVM, over programs of growing size.
//!
//! The passes are those of the pipeline (`terrace_lowering::pipeline`), each alone on what the one before it left: whatever is added there
//! is measured here. A pass is on one thread and timed by the processor; LLVM by the clock, on the threads that it has.
//! `growth` is what an operation of the largest program costs, over what one of the smallest does: about 1 is linear.

use std::time::{Duration, Instant};

use melior::Context;
use melior::ir::Module;
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;
use terrace_lowering::pipeline::{self, Level};
use terrace_session::{Code, Cpu, OptLevel, Signature};

use crate::memory;
use crate::programs::{Layers, layers};

/// What is measured, in order, and how long it took; a pass that stands twice is two.
type Times = Vec<(String, Duration)>;

/// Prints a line per program and pass.
///
/// # Errors
/// A program that is refused, with the pass that did.
pub fn run(context: &Context, counts: &[usize], runs: usize, only: Option<&str>) -> Result<(), String> {
    context.enable_multi_threading(false);
    pipeline::register();
    let (Some(first), Some(last)) = (counts.first(), counts.last()) else {
        return Err("--counts needs a number of operations".into());
    };
    for kind in [Layers::Pointwise, Layers::Mixed] {
        let columns = counts.iter().map(|count| format!(" {count:>10}")).collect::<String>();
        println!("{:<44}{columns} {:>8}   ns/operation", format!("{kind}, operations:"), "growth");
        let measured =
            counts.iter().map(|&count| least(context, kind, count, runs)).collect::<Result<Vec<_>, _>>()?;
        let names = measured[0].iter().map(|(name, _)| name);
        for (at, name) in names.enumerate().filter(|(_, name)| only.is_none_or(|only| name.contains(only))) {
            let each: Vec<f64> = measured
                .iter()
                .zip(counts)
                .map(|(times, count)| times[at].1.as_nanos() as f64 / *count as f64)
                .collect();
            let columns = each.iter().map(|each| format!(" {each:>10.0}")).collect::<String>();
            let growth = if first == last { 1.0 } else { each[each.len() - 1] / each[0].max(1.0) };
            println!("{name:<44}{columns} {growth:>8.2}");
        }
        println!();
    }
    Ok(())
}

/// The least times of several runs.
fn least(context: &Context, kind: Layers, count: usize, runs: usize) -> Result<Times, String> {
    let mut least = down(context, kind, count)?;
    for _ in 1..runs {
        for (known, (_, time)) in least.iter_mut().zip(down(context, kind, count)?) {
            known.1 = known.1.min(time);
        }
    }
    Ok(least)
}

/// Takes a program down to machine code.
fn down(context: &Context, kind: Layers, count: usize) -> Result<Times, String> {
    let cpu: Cpu = "host".parse().map_err(|error| format!("{error}"))?;
    let target = terrace_tools::run::target(&cpu);
    let mut module =
        Module::parse(context, &layers(kind, count)).ok_or("a program of the benchmark is refused")?;
    let (mut times, mut signatures) = (vec![], vec![]);
    for level in Level::ALL {
        if level == Level::Llvm {
            signatures = Signature::export(&module).map_err(|error| error.to_string())?;
        }
        let passes = level.passes(&target);
        for pass in single(&passes) {
            let time = apply(context, &mut module, pass)?;
            let name = pass.split_once('{').map_or(pass, |(name, _)| name).trim_start_matches("func.func(");
            times.push((format!("{level}: {}", name.trim_end_matches(')')), time));
        }
    }
    let start = Instant::now();
    let code = Code::x86(&module, signatures, &cpu, OptLevel::Fast).map_err(|error| error.to_string())?;
    times.push(("LLVM: translation, optimizer".into(), start.elapsed()));
    let start = Instant::now();
    code.object().map_err(|error| error.to_string())?;
    times.push(("LLVM: code generator".into(), start.elapsed()));
    Ok(times)
}

fn apply(context: &Context, module: &mut Module, pass: &str) -> Result<Duration, String> {
    let manager = PassManager::new(context);
    manager.enable_verifier(false);
    parse_pass_pipeline(manager.as_operation_pass_manager(), &format!("builtin.module({pass})"))
        .map_err(|error| error.to_string())?;
    let start = memory::processor_time();
    manager.run(module).map_err(|_| format!("a program of the benchmark is refused by {pass}"))?;
    Ok(memory::processor_time() - start)
}

/// The passes of a pipeline in MLIR's notation: what stands between commas that are in no bracket.
fn single(pipeline: &str) -> Vec<&str> {
    let mut depth = 0;
    let between = |c: char| {
        depth += i32::from("({".contains(c)) - i32::from(")}".contains(c));
        c == ',' && depth == 0
    };
    pipeline.split(between).map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_are_split_at_outer_commas() {
        assert_eq!(single("a,func.func(b,c), d{x=1 y=2,3},e"), ["a", "func.func(b,c)", "d{x=1 y=2,3}", "e"]);
    }
}
