//! New tensors out of numbers.

use super::*;
use crate::dtypes::{DTYPES, element_type};

pub fn factory(bench: &mut Workbench) -> Option<Candidate> {
    let dtype = element_type(bench.random.choose(&DTYPES));
    let target: Vec<i64> = (0..bench.random.between(0, 3)).map(|_| bench.random.between(1, 4)).collect();
    let kind = bench.random.between(0, 3);
    if kind < 2 {
        let operator = ["zeros", "ones"][kind as usize];
        return op(format!("graph.{operator} {target:?} {{dtype = {dtype}}}"), &[]);
    }
    let floats = dtype.starts_with('f');
    let (number, number_type, line) = number(bench, floats);
    let text = match kind {
        2 => format!("graph.full {target:?}, {number} {{dtype = {dtype}}} : {number_type}"),
        _ => format!("graph.scalar_tensor {number} {{dtype = {dtype}}} : {number_type}"),
    };
    Some(Candidate { constants: vec![line], ..op(text, &[])? })
}

pub fn arange(bench: &mut Workbench) -> Option<Candidate> {
    let start = bench.random.between(-3, 3);
    let step = bench.random.choose(&[1, 2, -1]);
    let end = start + step * bench.random.between(0, 5);
    let (mut constants, mut text) = (vec![], String::from("graph.arange"));
    for (word, value, given) in [("start", start, start != 0), ("end", end, true), ("step", step, step != 1)]
    {
        if given || bench.random.between(0, 1) == 0 {
            let name = bench.constant_name();
            text += &format!(" {word} {name} : i64");
            constants.push(format!("{name} = arith.constant {value} : i64"));
        }
    }
    let dtype = element_type(bench.random.choose(&DTYPES[..4]));
    Some(Candidate { constants, ..op(format!("{text} {{dtype = {dtype}}}"), &[])? })
}

pub fn like(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    let floats = dtype(bench, x).is_float();
    let (number, number_type, line) = number(bench, floats);
    let text = format!("graph.full_like {}, {number} : {}, {number_type}", name(bench, x), ty(bench, x));
    Some(Candidate { constants: vec![line], ..op(text, &[x])? })
}
