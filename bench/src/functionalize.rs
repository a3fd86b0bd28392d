//! `functionalize`: what graph-functionalize costs per operation, over programs of 1,000, 10,000 and 100,000 operations.
//!
//! The pass alone is timed: programs are parsed before, and nothing is verified after it. The programs have as many views and as many
//! mutations, in chains of two or of forty views, with one or with fifty live aliases of a storage that is written.

use std::time::{Duration, Instant};

use melior::Context;
use melior::ir::Module;
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;

use crate::memory::held;

const COUNTS: [usize; 3] = [1_000, 10_000, 100_000];

const TYPE: &str = "!graph.tensor<8x8xf32>";

/// Programs of one kind: how deep views are, and how many aliases of what is written are alive.
struct Kind {
    name: &'static str,
    depth: usize,
    aliases: usize,
}

const KINDS: [Kind; 4] = [
    Kind { name: "chains of 2 views", depth: 2, aliases: 1 },
    Kind { name: "chains of 40 views", depth: 40, aliases: 1 },
    Kind { name: "1 live alias", depth: 1, aliases: 1 },
    Kind { name: "50 live aliases", depth: 1, aliases: 50 },
];

/// Prints a line per kind and count.
///
/// # Errors
/// A program that is refused.
pub fn run(context: &Context, runs: usize) -> Result<(), String> {
    println!("{:<28} {:>10} {:>12} {:>15}", "program", "operations", "ns/operation", "bytes/operation");
    for kind in KINDS {
        for count in COUNTS {
            let text = if kind.aliases == 1 && kind.depth > 1 {
                chains(kind.depth, count)
            } else {
                aliases(kind.aliases, count)
            };
            let (mut least, mut grown) = (Duration::MAX, 0);
            for _ in 0..runs {
                let mut module =
                    Module::parse(context, &text).ok_or("a program of the benchmark is refused")?;
                let manager = PassManager::new(context);
                manager.enable_verifier(false);
                parse_pass_pipeline(
                    manager.as_operation_pass_manager(),
                    "builtin.module(graph-functionalize)",
                )
                .map_err(|e| e.to_string())?;
                let (before, start) = (held(), Instant::now());
                manager.run(&mut module).map_err(|_| "a program of the benchmark is refused")?;
                least = least.min(start.elapsed());
                grown = held() as i64 - before as i64;
            }
            let each = least.as_nanos() as f64 / count as f64;
            println!("{:<28} {count:>10} {each:>12.0} {:>15}", kind.name, grown / count as i64);
        }
    }
    Ok(())
}

/// Forty views in chains of a depth from one storage, then a mutation through the last: again and again.
fn chains(depth: usize, count: usize) -> String {
    let mut text = format!("func.func @main(%x: {TYPE}) -> {TYPE} {{\n%s = graph.exp %x : {TYPE}\n");
    let mut number = 0;
    while number + 41 <= count {
        for view in 0..40 {
            let from = if view % depth == 0 { "%s".to_owned() } else { format!("%v{}", number + view - 1) };
            text += &format!("%v{} = graph.t {from} : {TYPE}\n", number + view);
        }
        text += &format!("%v{} = graph.neg_ %v{} : {TYPE}\n", number + 40, number + 39);
        number += 41;
    }
    text + &format!("return %s : {TYPE}\n}}\n")
}

/// Fifty views, each of a storage of its own or all of one, then ten times a mutation of the last storage and a read of one of its views:
/// again and again.
fn aliases(aliases: usize, count: usize) -> String {
    let mut text = format!("func.func @main(%x: {TYPE}) -> {TYPE} {{\n");
    for storage in 0..50 {
        text += &format!("%s{storage} = graph.exp %x : {TYPE}\n");
    }
    let mut number = 0;
    while number + 70 <= count {
        for view in 0..50 {
            let storage = if aliases == 1 { view } else { 49 };
            text += &format!("%v{} = graph.t %s{storage} : {TYPE}\n", number + view);
        }
        for step in 0..10 {
            let read = if aliases == 1 { 49 } else { step * 5 };
            text += &format!("%v{} = graph.neg_ %s49 : {TYPE}\n", number + 50 + 2 * step);
            text += &format!("%v{} = graph.sin %v{} : {TYPE}\n", number + 51 + 2 * step, number + read);
        }
        number += 70;
    }
    text + &format!("return %s49 : {TYPE}\n}}\n")
}
