//! Reductions and normalization.

use super::*;

pub fn reduction(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    let rank = sizes(bench, x).len() as i64;
    let mut dims: Vec<i64> = (0..rank).filter(|_| bench.random.percent(50)).collect();
    dims.iter_mut().for_each(|dim| *dim -= if bench.random.percent(30) { rank } else { 0 });
    let operator = bench.random.choose(&["sum", "mean", "amax", "amin", "any", "all", "prod"]);
    if operator == "prod" {
        dims.truncate(1);
    }
    let keepdim = bench.random.percent(50);
    let dim = if dims.is_empty() { String::new() } else { format!("dim = {}, ", array(&dims)) };
    op(format!("graph.{operator} {} {{{dim}keepdim = {keepdim}}} : {}", name(bench, x), ty(bench, x)), &[x])
}

pub fn normalization(bench: &mut Workbench) -> Option<Candidate> {
    let x = float(bench)?;
    let (x_name, x_type) = (name(bench, x), ty(bench, x));
    let operator =
        bench.random.choose(&["softmax", "_softmax", "log_softmax", "layer_norm", "native_layer_norm"]);
    if operator.ends_with("softmax") {
        let dim = dim(bench, x);
        return op(format!("graph.{operator} {x_name} {{dim = {dim} : i64}} : {x_type}"), &[x]);
    }
    let own = sizes(bench, x);
    let last = bench.random.between(1, own.len().checked_sub(1)?.max(1) as i64) as usize;
    let shape = own[own.len() - last..].to_vec();
    let (dtype, mut operands, mut parameters) = (dtype(bench, x), vec![x], String::new());
    for parameter in ["weight", "bias"] {
        if bench.random.percent(50) {
            let number = need(bench, dtype, &shape);
            operands.push(number);
            parameters.push_str(&format!(" {parameter} {} : {}", name(bench, number), ty(bench, number)));
        }
    }
    let attributes = format!("{{normalized_shape = {}, eps = 1.0e-3 : f64}}", array(&shape));
    let results = (operator == "native_layer_norm").then_some(3);
    let text = format!("graph.{operator} {x_name}{parameters} {attributes} : {x_type}");
    Some(Candidate { results, ..op(text, &operands)? })
}

pub fn cumulative(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    let (dim, form) = (dim(bench, x), form(bench));
    let operator = bench.random.choose(&["cumsum", "cumsum", "cumprod"]);
    op(format!("graph.{operator}{form} {} {{dim = {dim} : i64}} : {}", name(bench, x), ty(bench, x)), &[x])
}
