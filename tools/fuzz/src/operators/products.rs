//! Matrix products and convolution.

use super::*;

/// A tensor of a rank in a dtype that products have.
fn matrix(bench: &mut Workbench, rank: usize) -> Option<usize> {
    pick(bench, |tensor| tensor.rank() == rank && tensor.dtype() != Dtype::Bool)
}

pub fn matrix_product(bench: &mut Workbench) -> Option<Candidate> {
    let a = matrix(bench, 2)?;
    let (dtype, own) = (dtype(bench, a), sizes(bench, a));
    let columns = bench.random.between(1, 4);
    let b = need(bench, dtype, &[own[1], columns]);
    if bench.random.percent(50) {
        return op(
            format!("graph.mm {}, {} : {}, {}", name(bench, a), name(bench, b), ty(bench, a), ty(bench, b)),
            &[a, b],
        );
    }
    let c = need(bench, dtype, &[columns]);
    let floats = dtype.is_float();
    let ((beta, beta_type, first), (alpha, alpha_type, second)) =
        (number(bench, floats), number(bench, floats));
    let [c_name, a_name, b_name] = [c, a, b].map(|n| name(bench, n));
    let [c_type, a_type, b_type] = [c, a, b].map(|n| ty(bench, n));
    let text = format!(
        "graph.addmm {c_name}, {a_name}, {b_name} beta {beta} : {beta_type} alpha {alpha} : {alpha_type} : {c_type}, {a_type}, {b_type}"
    );
    Some(Candidate { constants: vec![first, second], ..op(text, &[c, a, b])? })
}

pub fn batch_product(bench: &mut Workbench) -> Option<Candidate> {
    let a = matrix(bench, 3)?;
    let (dtype, own) = (dtype(bench, a), sizes(bench, a));
    let columns = bench.random.between(1, 3);
    let b = need(bench, dtype, &[own[0], own[2], columns]);
    op(
        format!("graph.bmm {}, {} : {}, {}", name(bench, a), name(bench, b), ty(bench, a), ty(bench, b)),
        &[a, b],
    )
}

pub fn linear(bench: &mut Workbench) -> Option<Candidate> {
    let x = pick(bench, |tensor| tensor.rank() > 0 && tensor.dtype() != Dtype::Bool)?;
    let (dtype, own) = (dtype(bench, x), sizes(bench, x));
    let outputs = bench.random.between(1, 4);
    let weight = need(bench, dtype, &[outputs, own[own.len() - 1]]);
    let mut operands = vec![x, weight];
    let (mut bias, mut bias_type) = (String::new(), String::new());
    if bench.random.percent(60) {
        let number = need(bench, dtype, &[outputs]);
        operands.push(number);
        (bias, bias_type) = (format!(" bias {}", name(bench, number)), format!(", {}", ty(bench, number)));
    }
    let (x_name, w_name, x_type, w_type) =
        (name(bench, x), name(bench, weight), ty(bench, x), ty(bench, weight));
    op(format!("graph.linear {x_name}, {w_name}{bias} : {x_type}, {w_type}{bias_type}"), &operands)
}

pub fn convolution(bench: &mut Workbench) -> Option<Candidate> {
    let dtype =
        bench.random.choose(&[Dtype::F32, Dtype::F32, Dtype::F64, Dtype::BF16, Dtype::F16, Dtype::I64]);
    let dims = bench.random.between(1, 2) as usize;
    let random = &mut bench.random;
    let (groups, transposed) = (random.choose(&[1, 1, 2]), random.percent(25));
    let (inputs, outputs) = (groups * random.between(1, 2), groups * random.between(1, 2));
    let mut input = vec![random.between(1, 2), inputs];
    let mut weight = if transposed { vec![inputs, outputs / groups] } else { vec![outputs, inputs / groups] };
    input.extend((0..dims).map(|_| random.between(3, 5)));
    weight.extend((0..dims).map(|_| random.between(1, 3)));
    let mut list =
        |low: i64, high: i64| array(&(0..dims).map(|_| random.between(low, high)).collect::<Vec<_>>());
    let (stride, padding, dilation) = (list(1, 2), list(0, 1), list(1, 2));
    let (x, w, b) = (need(bench, dtype, &input), need(bench, dtype, &weight), need(bench, dtype, &[outputs]));
    let [x_name, w_name, b_name] = [x, w, b].map(|n| name(bench, n));
    let [x_type, w_type, b_type] = [x, w, b].map(|n| ty(bench, n));
    op(
        format!(
            "graph.convolution {x_name}, {w_name} bias {b_name} {{stride = {stride}, padding = {padding}, dilation = {dilation}, transposed = {transposed}, output_padding = {}, groups = {groups} : i64}} : {x_type}, {w_type}, {b_type}",
            array(&vec![0; dims])
        ),
        &[x, w, b],
    )
}
