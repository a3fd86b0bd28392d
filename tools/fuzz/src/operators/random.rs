//! What initializations do: new tensors, and draws into them.

use super::*;

/// What there is, and how often it is tried.
pub const OPERATIONS: &[(Propose, i64)] =
    &[(new, 5), (fill, 12), (part, 5), (reorder, 2), (as_strided, 2), (drawn_like, 3), (dropout, 2)];

/// A tensor out of nothing; what is not defined is zeros in the interpreter.
pub fn new(bench: &mut Workbench) -> Option<Candidate> {
    let target: Vec<i64> = (0..bench.random.between(0, 3)).map(|_| bench.random.between(1, 4)).collect();
    let dtype = bench.random.choose(&["f32", "f32", "f64", "bf16"]);
    op(
        match bench.random.between(0, 6) {
            0..=2 => format!("graph.empty {target:?} {{dtype = {dtype}}}"),
            3 => format!("graph.rand {target:?} {{dtype = {dtype}}}"),
            4 => format!("graph.randn {target:?} {{dtype = {dtype}}}"),
            5 => format!("graph.randint {target:?} {{high = 5 : i64}}"),
            _ => format!("graph.randperm {{n = {} : i64}}", bench.random.between(0, 5)),
        },
        &[],
    )
}

fn fill(bench: &mut Workbench) -> Option<Candidate> {
    let x = float(bench)?;
    let (x_name, x_type) = (name(bench, x), ty(bench, x));
    op(
        match bench.random.between(0, 5) {
            0 | 1 => format!("graph.normal_ {x_name} {{std = 2.0 : f64}} : {x_type}"),
            2 | 3 => format!("graph.uniform_ {x_name} {{from = -1.0 : f64}} : {x_type}"),
            4 => format!("graph.zero_ {x_name} : {x_type}"),
            _ => format!("graph.bernoulli_ {x_name} : {x_type}"),
        },
        &[x],
    )
}

fn drawn_like(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    let operator = bench.random.choose(&["rand_like", "randn_like", "empty_like", "zeros_like"]);
    op(format!("graph.{operator} {} {{dtype = f32}} : {}", name(bench, x), ty(bench, x)), &[x])
}

fn dropout(bench: &mut Workbench) -> Option<Candidate> {
    let x = float(bench)?;
    let operator = bench.random.choose(&["dropout", "dropout_"]);
    let (p, train) = (bench.random.choose(&[0.0, 0.5, 0.5, 1.0]), bench.random.percent(80));
    let (x_name, x_type) = (name(bench, x), ty(bench, x));
    op(format!("graph.{operator} {x_name} {{p = {p:?} : f64, train = {train}}} : {x_type}"), &[x])
}
