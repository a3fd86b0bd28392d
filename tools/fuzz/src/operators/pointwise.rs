//! Operators that work element by element, copies and fills.

use super::*;
use crate::dtypes::{DTYPES, element_type};

pub fn unary(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    let names = [
        "neg",
        "abs",
        "relu",
        "exp",
        "sqrt",
        "rsqrt",
        "sigmoid",
        "tanh",
        "cos",
        "sin",
        "bitwise_not",
        "gelu",
        "log1p",
        "expm1",
        "erf",
        "atan",
        "reciprocal",
        "square",
        "silu",
        "mish",
        "hardsigmoid",
        "hardswish",
    ];
    let (operator, form) = (bench.random.choose(&names), form(bench));
    let attributes = match (operator, bench.random.percent(50)) {
        ("gelu", true) => " {approximate = \"tanh\"}",
        _ => "",
    };
    op(format!("graph.{operator}{form} {}{attributes} : {}", name(bench, x), ty(bench, x)), &[x])
}

pub fn binary(bench: &mut Workbench) -> Option<Candidate> {
    let (x, operator) = (
        any(bench)?,
        bench.random.choose(&[
            "add",
            "sub",
            "mul",
            "div",
            "maximum",
            "minimum",
            "bitwise_and",
            "bitwise_or",
            "bitwise_xor",
            "rsub",
            "atan2",
        ]),
    );
    // Mostly something that broadcasts with it.
    let own = sizes(bench, x);
    let y = pick(bench, |tensor| {
        own.iter().rev().zip(tensor.sizes().iter().rev()).all(|(a, b)| a == b || *a == 1 || *b == 1)
    })?;
    let form = if matches!(operator, "rsub" | "maximum" | "minimum") { "" } else { form(bench) };
    let mut candidate = Candidate { operands: vec![x, y], ..Candidate::default() };
    let (mut alpha, mut alpha_type) = (String::new(), String::new());
    if matches!(operator, "add" | "sub" | "rsub") && bench.random.percent(30) {
        let floats = dtype(bench, x).is_float() && bench.random.percent(50);
        let (name, ty, line) = number(bench, floats);
        candidate.constants.push(line);
        (alpha, alpha_type) = (format!(" alpha {name}"), format!(", {ty}"));
    }
    candidate.text = format!(
        "graph.{operator}{form} {}, {}{alpha} : {}, {}{alpha_type}",
        name(bench, x),
        name(bench, y),
        ty(bench, x),
        ty(bench, y)
    );
    Some(candidate)
}

pub fn with_number(bench: &mut Workbench) -> Option<Candidate> {
    let (x, operator) = (any(bench)?, bench.random.choose(&["add", "sub", "mul", "div", "pow"]));
    let form = form(bench);
    let floats = bench.random.percent(50);
    let (number, number_type, line) = number(bench, floats);
    let text =
        format!("graph.{operator}{form} {}, {number} : {}, {number_type}", name(bench, x), ty(bench, x));
    Some(Candidate { constants: vec![line], text, operands: vec![x], ..Candidate::default() })
}

pub fn comparison(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    let form = form(bench);
    if bench.random.percent(30) {
        return decision(bench);
    }
    let operator = bench.random.choose(&["eq", "ne", "lt", "le", "gt", "ge", "logical_not"]);
    let mut candidate = Candidate { operands: vec![x], ..Candidate::default() };
    let (mut other, mut other_type) = (String::new(), String::new());
    if operator != "logical_not" && bench.random.percent(50) {
        let own = sizes(bench, x);
        let y = pick(bench, |tensor| tensor.sizes() == own)?;
        candidate.operands.push(y);
        (other, other_type) = (format!(", {}", name(bench, y)), format!(", {}", ty(bench, y)));
    } else if operator != "logical_not" {
        let floats = bench.random.percent(50);
        let (number, ty, line) = number(bench, floats);
        candidate.constants.push(line);
        (other, other_type) = (format!(", {number}"), format!(", {ty}"));
    }
    candidate.text =
        format!("graph.{operator}{form} {}{other} : {}{other_type}", name(bench, x), ty(bench, x));
    Some(candidate)
}

/// What jumps: rounding, and what looks at the kind of a number.
fn decision(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    if bench.random.percent(40) {
        let own = sizes(bench, x);
        let y = pick(bench, |tensor| tensor.sizes() == own)?;
        let form = form(bench);
        let (operator, attributes) = bench.random.choose(&[
            ("div", " {rounding_mode = \"floor\"}"),
            ("div", " {rounding_mode = \"trunc\"}"),
            ("floor_divide", ""),
            ("remainder", ""),
            ("fmod", ""),
            ("logical_and", ""),
            ("logical_or", ""),
            ("logical_xor", ""),
        ]);
        let text = format!(
            "graph.{operator}{form} {}, {}{attributes} : {}, {}",
            name(bench, x),
            name(bench, y),
            ty(bench, x),
            ty(bench, y)
        );
        return op(text, &[x, y]);
    }
    let operator = bench
        .random
        .choose(&["floor", "ceil", "round", "trunc", "frac", "sign", "isnan", "isinf", "isfinite"]);
    let form = if operator.starts_with("is") { "" } else { form(bench) };
    let text = format!("graph.{operator}{form} {} : {}", name(bench, x), ty(bench, x));
    op(text, &[x])
}

pub fn where_(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    let own = sizes(bench, x);
    let (condition, y) = (need(bench, Dtype::Bool, &own), pick(bench, |tensor| tensor.sizes() == own)?);
    let operands = [condition, x, y];
    let names: Vec<_> = operands.iter().map(|&n| name(bench, n)).collect();
    let types: Vec<_> = operands.iter().map(|&n| ty(bench, n)).collect();
    op(format!("graph.where {} : {}", names.join(", "), types.join(", ")), &operands)
}

pub fn conversion(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    let to = bench.random.choose(&DTYPES);
    let text =
        format!("graph._to_copy {} {{dtype = {}}} : {}", name(bench, x), element_type(to), ty(bench, x));
    op(text, &[x])
}

pub fn copy_in_place(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    let own = sizes(bench, x);
    let y = pick(bench, |tensor| {
        tensor.rank() <= own.len()
            && own.iter().rev().zip(tensor.sizes().iter().rev()).all(|(a, b)| a == b || *b == 1)
    })?;
    let text =
        format!("graph.copy_ {}, {} : {}, {}", name(bench, x), name(bench, y), ty(bench, x), ty(bench, y));
    op(text, &[x, y])
}

pub fn fill_in_place(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    if bench.random.percent(30) {
        return op(format!("graph.zero_ {} : {}", name(bench, x), ty(bench, x)), &[x]);
    }
    if let Some(y) = pick(bench, |tensor| tensor.rank() == 0).filter(|_| bench.random.percent(40)) {
        let text = format!(
            "graph.fill_ {}, {} : {}, {}",
            name(bench, x),
            name(bench, y),
            ty(bench, x),
            ty(bench, y)
        );
        return op(text, &[x, y]);
    }
    let floats = bench.random.percent(50);
    let (number, number_type, line) = number(bench, floats);
    let text = format!("graph.fill_ {}, {number} : {}, {number_type}", name(bench, x), ty(bench, x));
    Some(Candidate { constants: vec![line], ..op(text, &[x])? })
}
