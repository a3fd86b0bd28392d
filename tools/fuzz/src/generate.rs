//! Programs out of seeds.

use crate::{
    dtypes::DTYPES,
    elements::{elements, extent},
    operators::{OPERATIONS, Propose},
    program::{Argument, Contents, Declared, Program},
    workbench::Workbench,
};
use melior::Context;
use terrace_tensor::{Dtype, layout::contiguous_strides};
use terrace_tools::random::Random;

/// The program of a seed.
pub fn program(context: &Context, seed: u64) -> Program {
    grown(context, seed, |bench| {
        for _ in 0..bench.random.between(1, 3) {
            sized(bench, seed % 25 == 24);
        }
    })
}

/// The program of a seed that begins with some arguments.
pub fn grown(context: &Context, seed: u64, arguments: impl FnOnce(&mut Workbench)) -> Program {
    let mut bench = Workbench::new(context, Random::new(seed));
    arguments(&mut bench);
    let steps = bench.random.between(3, 14) as usize;
    // Most proposals are legal; a bound keeps a pool that allows little from going on for ever.
    for _ in 0..10 * steps {
        if bench.program.steps.len() == steps {
            break;
        }
        propose(&mut bench, OPERATIONS);
    }
    forget_layouts(&mut bench);
    let mut program = bench.program;
    let names: Vec<(String, String)> =
        bench.pool.iter().map(|entry| (entry.name.clone(), entry.ty())).collect();
    let mut random = bench.random;
    // The last results, which depend on most, and some others: views of inputs, inputs, the same one twice.
    let last = names.len().saturating_sub(2);
    program.returned = names[last..].to_vec();
    for _ in 0..random.between(0, 2) {
        let extra = random.between(0, names.len() as i64 - 1) as usize;
        program.returned.push(names[extra].clone());
    }
    program
}

/// Tries one of some operations.
pub fn propose(bench: &mut Workbench, operations: &[(Propose, i64)]) {
    let total = operations.iter().map(|(_, weight)| weight).sum::<i64>();
    let mut ticket = bench.random.between(0, total - 1);
    for (propose, weight) in operations {
        ticket -= weight;
        if ticket < 0 {
            if let Some(candidate) = propose(bench) {
                bench.take(candidate);
            }
            return;
        }
    }
}

/// Some arguments do not declare what their strides or their offset are. Of those that repeat elements only
/// those that no step writes: a storage that is written through any of its views has to be distinct in all of
/// them.
fn forget_layouts(bench: &mut Workbench) {
    for number in 0..bench.program.arguments.len() {
        let argument = &bench.program.arguments[number];
        let repeats =
            argument.sizes.iter().zip(&argument.strides).any(|(size, stride)| *size > 1 && *stride == 0);
        let fixed = repeats && bench.is_written(argument.storage);
        let numbers = argument.strides.len() + 1;
        let random = &mut bench.random;
        let declared = match random.between(0, 9) {
            _ if fixed => Declared::Numbers,
            0..=2 => Declared::Any,
            3 => Declared::Some((0..numbers).map(|_| random.percent(50)).collect()),
            _ => Declared::Numbers,
        };
        bench.program.arguments[number].declared = declared;
    }
}

/// A new argument: contiguous, or with its dimensions in another order, with gaps, or at an offset; on a
/// storage of its own, or on one that is there. Some repeat their elements along a dimension.
pub fn argument(bench: &mut Workbench) {
    sized(bench, false);
}

/// The same; a long one has as many elements as a reduction or a scan takes several blocks, lanes or threads
/// for.
fn sized(bench: &mut Workbench, long: bool) {
    let random = &mut bench.random;
    let rank = random.choose(&[0, 1, 1, 2, 2, 2, 3, 3, 4]);
    let mut sizes: Vec<i64> =
        (0..rank).map(|_| if random.percent(3) { 0 } else { random.between(1, 4) }).collect();
    if rank > 0 && long {
        let size = random.between(5, 150);
        sizes[random.between(0, rank as i64 - 1) as usize] = size;
        sizes[random.between(0, rank as i64 - 1) as usize] = random.between(1, 40);
    }
    let mut strides = contiguous_strides(&sizes);
    let mut offset = 0;
    if random.percent(40) {
        let mut order: Vec<usize> = (0..rank).collect();
        random.shuffle(&mut order);
        let mut next = random.choose(&[1, 1, 2]);
        for dim in order {
            strides[dim] = next;
            next *= sizes[dim].max(1);
            next += if random.percent(25) { 1 } else { 0 };
        }
        offset = random.between(0, 3);
    }
    if rank > 0 && random.percent(8) {
        strides[random.between(0, rank as i64 - 1) as usize] = 0;
    }
    let needed = offset + if sizes.contains(&0) { 0 } else { extent(&sizes, &strides) };
    let shared = random.percent(30);
    let fitting: Vec<usize> = (0..bench.program.storages.len())
        .filter(|&number| bench.program.storages[number].elements.len() as i64 >= needed)
        .collect();
    if shared && !fitting.is_empty() {
        let storage = bench.random.choose(&fitting);
        let dtype = bench.program.storages[storage].dtype;
        bench.argument(Argument::new(storage, dtype, sizes, strides, offset), None);
        return;
    }
    let dtype = if bench.random.percent(50) { Dtype::F32 } else { bench.random.choose(&DTYPES) };
    let storage = bench.program.storages.len();
    let extra = bench.random.choose(&[0, 0, 2, 5]);
    let contents = Contents { dtype, elements: elements(&mut bench.random, dtype, needed + extra) };
    bench.argument(Argument::new(storage, dtype, sizes, strides, offset), Some(contents));
}
