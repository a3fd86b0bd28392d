//! Calls of a program with other inputs: likely such for which it would be another program.

use crate::{
    elements::{elements, extent},
    program::{Argument, Contents, Declared, Program},
};
use terrace_tensor::{Scalar, layout::contiguous_strides};
use terrace_tools::random::Random;

/// The program with other inputs, of the same types and declarations.
pub fn other(program: &Program, random: &mut Random) -> Program {
    let mut other = program.clone();
    match random.between(0, 9) {
        0..=3 => one_size(&mut other, random),
        4..=6 => alike(&mut other, random),
        7 => strides(&mut other, random),
        _ => {
            number(&mut other, random);
            if random.percent(50) {
                one_size(&mut other, random);
            }
        }
    }
    for number in 0..other.arguments.len() {
        if let Some(same) = other.arguments[number].same {
            let Argument { sizes, strides, offset, .. } = other.arguments[same].clone();
            let argument = &mut other.arguments[number];
            (argument.sizes, argument.strides, argument.offset) = (sizes, strides, offset);
        }
    }
    // Storages are large enough.
    for argument in &other.arguments {
        let needed = argument.offset
            + if argument.sizes.contains(&0) { 0 } else { extent(&argument.sizes, &argument.strides) };
        let Contents { dtype, elements: own } = &mut other.storages[argument.storage];
        let bytes = needed as usize * argument.dtype.bytes();
        let missing = bytes.div_ceil(dtype.bytes()).saturating_sub(own.len());
        own.extend(elements(random, *dtype, missing as i64));
    }
    other
}

/// Another size: 0, 1, that of another dimension, twice as large, or one more.
fn size(program: &Program, random: &mut Random, old: i64) -> i64 {
    let all: Vec<i64> = program.arguments.iter().flat_map(|argument| argument.sizes.clone()).collect();
    match random.between(0, 6) {
        0 => 1,
        1 => 0,
        2 if !all.is_empty() => random.choose(&all),
        3 => 2 * old.clamp(1, 8),
        4 => (old - 1).max(0),
        _ => (old + random.between(1, 3)).min(16),
    }
}

/// The dimensions that may have another size.
fn open(program: &Program) -> Vec<(usize, usize)> {
    let all = program.arguments.iter().enumerate().filter(|(_, argument)| argument.same.is_none());
    all.flat_map(|(number, argument)| {
        let open = argument.open.iter().enumerate().filter(|(_, open)| **open);
        open.map(move |(dim, _)| (number, dim)).collect::<Vec<_>>()
    })
    .collect()
}

/// One of the dimensions that may have another size, the size that it has, and another one.
fn another(
    program: &Program,
    random: &mut Random,
    open: &[(usize, usize)],
) -> Option<((usize, usize), i64, i64)> {
    let place = if open.is_empty() { None } else { Some(random.choose(open)) };
    let (number, dim) = place?;
    let old = program.arguments[number].sizes[dim];
    Some(((number, dim), old, size(program, random, old)))
}

fn one_size(program: &mut Program, random: &mut Random) {
    let Some(((number, dim), _, new)) = another(program, random, &open(program)) else { return };
    resize(&mut program.arguments[number], &[(dim, new)], random);
}

/// All sizes that are equal get another one.
fn alike(program: &mut Program, random: &mut Random) {
    let open = open(program);
    let Some((_, old, new)) = another(program, random, &open) else { return };
    for number in 0..program.arguments.len() {
        let own: Vec<(usize, i64)> = open
            .iter()
            .filter(|(other, dim)| *other == number && program.arguments[number].sizes[*dim] == old)
            .map(|(_, dim)| (*dim, new))
            .collect();
        resize(&mut program.arguments[number], &own, random);
    }
}

/// Other sizes, and strides that are in the same order with them, as far as they are not declared.
fn resize(argument: &mut Argument, sizes: &[(usize, i64)], random: &mut Random) {
    let packed = argument.offset == 0 && argument.strides == contiguous_strides(&argument.sizes);
    let mut order: Vec<usize> = (0..argument.sizes.len()).collect();
    order.sort_by_key(|dim| argument.strides[*dim]);
    sizes.iter().for_each(|(dim, size)| argument.sizes[*dim] = *size);
    let new = if packed && random.percent(90) {
        contiguous_strides(&argument.sizes)
    } else {
        ordered(&argument.sizes, &order, 1)
    };
    relayout(argument, &new, argument.offset);
}

fn ordered(sizes: &[i64], order: &[usize], first: i64) -> Vec<i64> {
    let (mut strides, mut next) = (vec![0; sizes.len()], first);
    for dim in order {
        strides[*dim] = next;
        next *= sizes[*dim].max(1);
    }
    strides
}

/// Other strides and another offset, where they are not declared.
fn relayout(argument: &mut Argument, strides: &[i64], offset: i64) {
    match &argument.declared {
        Declared::Nothing => {
            argument.strides = contiguous_strides(&argument.sizes);
            argument.offset = 0;
        }
        Declared::Numbers => {}
        Declared::Any => {
            argument.strides = strides.to_vec();
            argument.offset = offset;
        }
        Declared::Some(unknown) => {
            for (dim, stride) in strides.iter().enumerate() {
                if unknown[dim] {
                    argument.strides[dim] = *stride;
                }
            }
            if unknown[strides.len()] {
                argument.offset = offset;
            }
        }
    }
}

fn strides(program: &mut Program, random: &mut Random) {
    let number = random.between(0, program.arguments.len() as i64 - 1) as usize;
    let argument = &mut program.arguments[number];
    let mut order: Vec<usize> = (0..argument.sizes.len()).collect();
    random.shuffle(&mut order);
    let mut strides = ordered(&argument.sizes, &order, random.choose(&[1, 1, 2]));
    if !strides.is_empty() && random.percent(20) {
        strides[random.between(0, order.len() as i64 - 1) as usize] = 0;
    }
    let offset = random.choose(&[0, argument.offset, 3]);
    relayout(argument, &strides, offset);
}

fn number(program: &mut Program, random: &mut Random) {
    if program.numbers.is_empty() {
        return one_size(program, random);
    }
    let at = random.between(0, program.numbers.len() as i64 - 1) as usize;
    program.numbers[at] = match program.numbers[at] {
        Scalar::Bool(truth) => Scalar::Bool(!truth),
        _ => Scalar::Int(random.between(-1, 6)),
    };
}
