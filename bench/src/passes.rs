//! `functionalize`: what the passes around graph-functionalize cost per operation, over programs of 1,000,
//! 10,000 and 100,000 operations.
//!
//! Each pass alone is timed, on one thread, by the time that this has a processor: programs are parsed before
//! it, and nothing is verified after it. Memory is by how much more a process that does just this holds at
//! its peak than before the pass.

use crate::{
    memory,
    programs::{Form, SHAPES, Shape, functional, graph, joint},
};
use melior::{
    Context,
    ir::{
        Module,
        operation::{WalkOrder, WalkResult},
    },
    pass::PassManager,
    utility::parse_pass_pipeline,
};
use std::{process::Command, time::Duration};
use terrace_dialects::ir::OperationLike;

const COUNTS: [usize; 3] = [1_000, 10_000, 100_000];

/// A pass that is measured.
struct Subject {
    name: &'static str,
    pass: &'static str,
    program: fn(Shape, usize) -> String,
}

const TRANSPOSE: (&str, &str) = ("graph.t", "");
const RESHAPE: (&str, &str) = ("graph.reshape", " shape [8, 8]");

const SUBJECTS: [Subject; 7] = [
    Subject {
        name: "graph-specialize-aliases",
        pass: "graph-specialize-aliases",
        program: |shape, count| graph(shape, Form::Arguments, TRANSPOSE, count),
    },
    Subject {
        name: "graph-structure",
        pass: "graph-structure",
        program: |shape, count| graph(shape, Form::Called, TRANSPOSE, count),
    },
    Subject {
        name: "graph-resolve-views",
        pass: "func.func(graph-resolve-views)",
        program: |shape, count| graph(shape, Form::Own, RESHAPE, count),
    },
    Subject {
        name: "graph-functionalize",
        pass: "graph-functionalize",
        program: |shape, count| graph(shape, Form::Own, TRANSPOSE, count),
    },
    Subject { name: "functional-view-to-copy", pass: "functional-view-to-copy", program: functional },
    Subject { name: "functional-reinplace", pass: "functional-reinplace", program: functional },
    Subject { name: "functional-partition", pass: "functional-partition", program: joint },
];

/// Prints a line per pass, program and count.
///
/// # Errors
/// A pass that is not there; a program that is refused.
pub fn run(context: &Context, runs: usize, pass: Option<&str>) -> Result<(), String> {
    context.enable_multi_threading(false);
    let wanted = |subject: &&Subject| pass.is_none_or(|pass| pass == subject.name);
    if !SUBJECTS.iter().any(|subject| wanted(&subject)) {
        let names: Vec<_> = SUBJECTS.iter().map(|subject| subject.name).collect();
        return Err(format!("no such pass is measured: these are: {}", names.join(", ")));
    }
    println!(
        "{:<24} {:<20} {:>10} {:>12} {:>15}",
        "pass", "program", "operations", "ns/operation", "bytes/operation"
    );
    for subject in SUBJECTS.iter().filter(wanted) {
        for (shape, name) in SHAPES {
            for count in COUNTS {
                let least = (0..runs)
                    .map(|_| measured(context, subject, shape, count))
                    .try_fold((Duration::MAX, 0), |least, own| own.map(|own| least.min(own)))?;
                let (time, operations) = least;
                let each = time.as_nanos() as f64 / operations as f64;
                let bytes = grown(subject, shape, count)? / operations as u64;
                println!("{:<24} {name:<20} {operations:>10} {each:>12.0} {bytes:>15}", subject.name);
            }
        }
    }
    Ok(())
}

fn apply(context: &Context, module: &mut Module, passes: &str) -> Result<(), String> {
    let manager = PassManager::new(context);
    manager.enable_verifier(false);
    parse_pass_pipeline(manager.as_operation_pass_manager(), &format!("builtin.module({passes})"))
        .map_err(|e| e.to_string())?;
    manager.run(module).map_err(|_| "a program of the benchmark is refused".to_owned())
}

fn parsed<'c>(
    context: &'c Context,
    subject: &Subject,
    shape: Shape,
    count: usize,
) -> Result<Module<'c>, String> {
    let text = (subject.program)(shape, count);
    Module::parse(context, &text).ok_or_else(|| "a program of the benchmark is refused".to_owned())
}

/// How long a pass takes, and on how many operations: those that it is given, or that it makes of calls.
fn measured(
    context: &Context,
    subject: &Subject,
    shape: Shape,
    count: usize,
) -> Result<(Duration, usize), String> {
    let mut module = parsed(context, subject, shape, count)?;
    let given = operations(&module);
    let start = memory::processor_time();
    apply(context, &mut module, subject.pass)?;
    let time = memory::processor_time() - start;
    Ok((time, if subject.name == "graph-structure" { operations(&module) } else { given }))
}

fn operations(module: &Module) -> usize {
    let mut count = 0;
    module.as_operation().walk(WalkOrder::PreOrder, |_| {
        count += 1;
        WalkResult::Advance
    });
    count
}

/// By how many bytes a process grows at most while a pass runs.
fn grown(subject: &Subject, shape: Shape, count: usize) -> Result<u64, String> {
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let place = SHAPES.iter().position(|(own, _)| *own == shape).unwrap_or(0);
    let output = Command::new(own)
        .args(["peak", subject.name, &place.to_string(), &count.to_string()])
        .output()
        .map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.trim().parse().map_err(|_| format!("{text}{}", String::from_utf8_lossy(&output.stderr)))
}

/// Prints by how many bytes this process grows at most while a pass runs on the program of a shape, by its
/// place.
///
/// # Errors
/// A pass or a shape that is not there; a program that is refused.
pub fn peak(context: &Context, pass: &str, shape: usize, count: usize) -> Result<(), String> {
    let subject = SUBJECTS.iter().find(|subject| subject.name == pass).ok_or("no such pass is measured")?;
    let (shape, _) = SHAPES.get(shape).ok_or("there is no such shape")?;
    let mut module = parsed(context, subject, *shape, count)?;
    memory::forget_peak()?;
    let before = memory::resident("VmRSS")?;
    apply(context, &mut module, subject.pass)?;
    println!("{}", memory::resident("VmHWM")?.saturating_sub(before));
    Ok(())
}
