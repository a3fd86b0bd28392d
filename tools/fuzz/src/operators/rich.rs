//! Operators that change a tensor object, whose results have sizes by elements, that copy or not, and of
//! complex numbers.

use super::{described::any_described, *};

/// What there is, and how often it is tried.
pub const OPERATIONS: &[(Propose, i64)] =
    &[(change, 6), (storage, 3), (by_elements, 4), (either, 5), (complex, 4), (any_described, 120)];

fn change(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    let (a, b) = (dim(bench, x), dim(bench, x));
    let (x_name, x_type) = (name(bench, x), ty(bench, x));
    op(
        match bench.random.between(0, 6) {
            0 => format!("graph.t_ {x_name} : {x_type}"),
            1 => format!("graph.transpose_ {x_name} {{dim0 = {a} : i64, dim1 = {b} : i64}} : {x_type}"),
            2 => format!("graph.swapaxes_ {x_name} {{axis0 = {a} : i64, axis1 = {b} : i64}} : {x_type}"),
            3 => format!("graph.squeeze_ {x_name} : {x_type}"),
            4 => format!("graph.squeeze_ {x_name} {{dim = {}}} : {x_type}", array(&[a])),
            5 => format!("graph.unsqueeze_ {x_name} {{dim = {a} : i64}} : {x_type}"),
            _ => format!("graph.detach_ {x_name} : {x_type}"),
        },
        &[x],
    )
}

fn storage(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    let (x_name, x_type) = (name(bench, x), ty(bench, x));
    let rank = bench.random.between(0, 2);
    let target: Vec<i64> = (0..rank).map(|_| bench.random.between(1, 3)).collect();
    match bench.random.between(0, 5) {
        0 => {
            let layout = views::strided(bench, x);
            op(format!("graph.as_strided_ {x_name}{layout} : {x_type}"), &[x])
        }
        1 | 2 => op(format!("graph.resize_ {x_name} size {target:?} : {x_type}"), &[x]),
        3 => {
            let y = any(bench)?;
            let text = format!("{x_name}, {} : {x_type}, {}", name(bench, y), ty(bench, y));
            op(format!("graph.resize_as_ {text}"), &[x, y])
        }
        kind => {
            let own = dtype(bench, x);
            let y = pick(bench, |tensor| tensor.dtype() == own)?;
            let source = format!("source {} : {}", name(bench, y), ty(bench, y));
            let part = match kind {
                4 => String::new(),
                _ => format!(" {{size = {}, storage_offset = {} : i64}}", array(&target), rank),
            };
            op(format!("graph.set_ {x_name} {source}{part} : {x_type}"), &[x, y])
        }
    }
}

fn by_elements(bench: &mut Workbench) -> Option<Candidate> {
    if bench.rich.as_ref().is_some_and(|rich| rich.fixed) {
        return None;
    }
    let x = any(bench)?;
    let own = sizes(bench, x);
    if bench.random.percent(40) {
        return op(format!("graph.nonzero {} : {}", name(bench, x), ty(bench, x)), &[x]);
    }
    let mask = need(bench, Dtype::Bool, &own);
    let [x_name, mask_name] = [x, mask].map(|n| name(bench, n));
    let [x_type, mask_type] = [x, mask].map(|n| ty(bench, n));
    if own.is_empty() || bench.random.percent(50) {
        return op(format!("graph.masked_select {x_name}, {mask_name} : {x_type}, {mask_type}"), &[x, mask]);
    }
    let present = "present = array<i1: true>";
    op(format!("graph.index {x_name}[{mask_name}] {{{present}}} : {x_type}[{mask_type}]"), &[x, mask])
}

/// What is a view, a copy or the tensor itself, by its strides.
fn either(bench: &mut Workbench) -> Option<Candidate> {
    views::one_of(bench, &["contiguous", "ravel", "flatten.using_ints", "reshape", "reshape"])
}

fn complex(bench: &mut Workbench) -> Option<Candidate> {
    if let Some(x) = pick(bench, |tensor| tensor.dtype().is_complex()).filter(|_| bench.random.percent(75)) {
        let operator = bench.random.choose(&[
            "_conj",
            "_conj",
            "conj",
            "real",
            "imag",
            "imag",
            "view_as_real",
            "resolve_conj",
            "adjoint",
        ]);
        return op(format!("graph.{operator} {} : {}", name(bench, x), ty(bench, x)), &[x]);
    }
    let x = pick(bench, |tensor| tensor.dtype() == Dtype::F32)?;
    if bench.random.percent(30) {
        let operator = bench.random.choose(&["_neg_view", "resolve_neg", "view_as_complex"]);
        return op(format!("graph.{operator} {} : {}", name(bench, x), ty(bench, x)), &[x]);
    }
    let own = sizes(bench, x);
    let y = pick(bench, |tensor| tensor.dtype() == Dtype::F32 && tensor.sizes() == own)?;
    let [x_name, y_name] = [x, y].map(|n| name(bench, n));
    let [x_type, y_type] = [x, y].map(|n| ty(bench, n));
    op(format!("graph.complex {x_name}, {y_name} : {x_type}, {y_type}"), &[x, y])
}
