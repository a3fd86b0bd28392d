//! `fake`: what fake tensors cost per operation, over programs of 1,000, 10,000 and 100,000 operations.
//!
//! Programs are what a traced model is: mostly pointwise operators, some in place, some views, some products
//! and reductions. They are parsed before the clock starts. The time of a size is the least of several runs,
//! each with a new state; memory is what a state holds at the end.

use crate::memory::held;
use melior::{
    Context,
    ir::{Module, RegionLike, Value},
};
use std::{
    path::Path,
    process::Command,
    time::{Duration, Instant},
};
use terrace_dialects::{
    analysis::fake::State,
    ir::{BlockLike, OperationLike, arguments},
};
use terrace_interpreter::EVALUATOR;
use terrace_size::symbols::Symbols;

/// A kind of programs.
#[derive(Clone, Copy, Debug)]
struct Kind {
    name: &'static str,
    /// The sizes of its tensors.
    sizes: &'static str,
    lines: &'static [&'static str],
}

/// Lines that follow one another again and again: `{a}` and `{b}` are the last two tensors, `{n}` is the new
/// one, `{t}` their type.
const POINTWISE: &[&str] = &[
    "%v{n} = graph.add %v{a}, %v{b} : {t}, {t}",
    "%v{n} = graph.mul %v{a}, %v{b} : {t}, {t}",
    "%v{n} = graph.relu %v{a} : {t}",
    "%v{n} = graph.sigmoid %v{a} : {t}",
];

const MIXED: &[&str] = &[
    "%v{n} = graph.add %v{a}, %v{b} : {t}, {t}",
    "%v{n} = graph.mm %v{a}, %v{b} : {t}, {t}",
    "%v{n} = graph.relu_ %v{a} : {t}",
    "%v{n} = graph.transpose %v{a} {dim0 = 0 : i64, dim1 = 1 : i64} : {t}",
    "%v{n} = graph.mul %v{a}, %v{b} : {t}, {t}",
    "%v{n} = graph.softmax %v{a} {dim = -1 : i64} : {t}",
    "%v{n} = graph.cat %v{a}, %v{b} {dim = 0 : i64} : {t}, {t}",
    "%v{n} = graph.slice %v{a} start [0] end [64] step [1] {dim = 0 : i64} : !graph.tensor<128x64xf32>",
    "%v{n} = graph.sigmoid %v{a} : {t}",
    "%v{n} = graph.contiguous %v{a} : {t}",
];

const KINDS: [Kind; 3] = [
    Kind { name: "pointwise", sizes: "64x64", lines: POINTWISE },
    Kind { name: "pointwise, sizes unknown", sizes: "?x64", lines: POINTWISE },
    Kind { name: "mixed", sizes: "64x64", lines: MIXED },
];

/// The counts of operations.
const COUNTS: [usize; 3] = [1_000, 10_000, 100_000];

/// Prints a line per kind and count; with the Python of an environment that has PyTorch, also what its
/// FakeTensorMode takes.
///
/// # Errors
/// A program that is refused; a Python that fails.
pub fn run(context: &Context, runs: usize, peer: Option<&Path>) -> Result<(), String> {
    println!("{:<28} {:>10} {:>12} {:>15}", "program", "operations", "ns/operation", "bytes/operation");
    for kind in KINDS {
        for count in COUNTS {
            let text = program(&kind, count);
            let module = Module::parse(context, &text).ok_or("a program of the benchmark is refused")?;
            let mut least = Duration::MAX;
            let mut grown = 0;
            for _ in 0..runs {
                let (before, start) = (held(), Instant::now());
                let kept = follow(&module)?;
                least = least.min(start.elapsed());
                grown = held() - before;
                drop(kept);
            }
            let each = least.as_nanos() as f64 / count as f64;
            println!("{:<28} {count:>10} {each:>12.0} {:>15}", kind.name, grown / count);
        }
    }
    peer.map_or(Ok(()), measure_peer)
}

fn measure_peer(python: &Path) -> Result<(), String> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/peers/fake_tensor_mode.py");
    // It takes minutes for the largest count, and is linear too.
    let counts = COUNTS[..2].iter().map(usize::to_string);
    let output = Command::new(python).arg(script).args(counts).output();
    let output = output.map_err(|error| format!("{}: {error}", python.display()))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    println!("PyTorch's FakeTensorMode:");
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        if let [kind, count, each] = line.split('\t').collect::<Vec<_>>()[..] {
            println!("{kind:<28} {count:>10} {each:>12}");
        }
    }
    Ok(())
}

fn program(kind: &Kind, count: usize) -> String {
    let ty = format!("!graph.tensor<{}xf32>", kind.sizes);
    let mut text = format!("func.func @main(%v0: {ty}, %v1: {ty}) {{\n");
    for number in 0..count {
        let line = kind.lines[number % kind.lines.len()];
        let (a, b) = (number + 1, number);
        let line = line.replace("{n}", &(number + 2).to_string()).replace("{a}", &a.to_string());
        text += &line.replace("{b}", &b.to_string()).replace("{t}", &ty);
        text.push('\n');
    }
    text + "return\n}\n"
}

fn follow<'c>(module: &Module<'c>) -> Result<(Symbols, State<'c>), String> {
    let function = module.body().first_operation().ok_or("no function")?;
    let block = function.region(0).ok().and_then(|region| region.first_block()).ok_or("no block")?;
    let (mut symbols, mut state) = (Symbols::new(), State::default());
    state.evaluate_with(EVALUATOR);
    let followed = symbols.enter(|| {
        for number in 0..block.argument_count() {
            let value: Value = block.argument(number).map_err(|e| e.to_string())?.into();
            let declared = arguments::declared(function, number).map_err(|e| e.to_string())?;
            state.argument(number, value, &declared, None);
        }
        state.body(function).map_err(|wrong| format!("{}: {}", wrong.op, wrong.message))
    });
    followed.map(|()| (symbols, state))
}
