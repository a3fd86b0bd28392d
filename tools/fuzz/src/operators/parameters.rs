//! Pointwise operators with numbers for parameters, and of three tensors.

use super::*;

pub fn activation(bench: &mut Workbench) -> Option<Candidate> {
    let x = float(bench)?;
    let (number, number_type, line) = number(bench, true);
    let operator = bench.random.choose(&["leaky_relu", "elu", "softplus"]);
    let form = if operator == "softplus" { "" } else { form(bench) };
    let parameter = match operator {
        "leaky_relu" => "negative_slope",
        "elu" => "alpha",
        _ => "threshold",
    };
    let (parameter, constants) = if bench.random.percent(50) {
        (format!(" {parameter} {number} : {number_type}"), vec![line])
    } else {
        (String::new(), vec![])
    };
    let text = format!("graph.{operator}{form} {}{parameter} : {}", name(bench, x), ty(bench, x));
    Some(Candidate { constants, text, operands: vec![x], ..Candidate::default() })
}

/// Operators of three tensors of one size.
pub fn of_three(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    let (own, dtype) = (sizes(bench, x), dtype(bench, x));
    let alike = |tensor: &Tensor| tensor.sizes() == own && tensor.dtype() == dtype;
    let (y, z, form) = (pick(bench, alike)?, pick(bench, alike)?, form(bench));
    let (number, number_type, line) = number(bench, true);
    let [x_name, y_name, z_name] = [x, y, z].map(|n| name(bench, n));
    let types = [x, y, z].map(|n| ty(bench, n)).join(", ");
    let operator = bench.random.choose(&["addcmul", "addcdiv"]);
    let (value, constants) = if bench.random.percent(50) {
        (format!(" value {number} : {number_type}"), vec![line])
    } else {
        (String::new(), vec![])
    };
    let operands = vec![x, y, z];
    let text = format!("{x_name}, {y_name}, {z_name}{value} : {types}");
    let text = format!("graph.{operator}{form} {text}");
    Some(Candidate { constants, text, operands, ..Candidate::default() })
}

pub fn masked_fill(bench: &mut Workbench) -> Option<Candidate> {
    let (x, form, floats) = (any(bench)?, form(bench), bench.random.percent(50));
    let own = sizes(bench, x);
    let mask = need(bench, Dtype::Bool, &own);
    let (number, number_type, line) = number(bench, floats);
    let text = format!(
        "graph.masked_fill{form} {}, {}, {number} : {}, {}, {number_type}",
        name(bench, x),
        name(bench, mask),
        ty(bench, x),
        ty(bench, mask)
    );
    Some(Candidate { constants: vec![line], text, operands: vec![x, mask], ..Candidate::default() })
}
