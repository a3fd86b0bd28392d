//! Elements chosen by indices, and joining.

use super::*;

pub fn cat(bench: &mut Workbench) -> Option<Candidate> {
    let x = pick(bench, |tensor| tensor.rank() > 0)?;
    let dim = dim(bench, x);
    let own = sizes(bench, x);
    let along = if dim < 0 { dim + own.len() as i64 } else { dim } as usize;
    let y = pick(bench, |tensor| {
        tensor.rank() == own.len() && (0..own.len()).all(|d| d == along || tensor.sizes()[d] == own[d])
    })?;
    let mut operands = vec![x, y];
    if bench.random.percent(30) {
        operands.push(x);
    }
    let names: Vec<_> = operands.iter().map(|&n| name(bench, n)).collect();
    let types: Vec<_> = operands.iter().map(|&n| ty(bench, n)).collect();
    op(format!("graph.cat {} {{dim = {dim} : i64}} : {}", names.join(", "), types.join(", ")), &operands)
}

/// An argument of indices into a dimension of some size.
pub fn indices(bench: &mut Workbench, dtype: Dtype, sizes: &[i64], low: i64, high: i64) -> usize {
    let count: i64 = sizes.iter().product();
    let elements = (0..count).map(|_| Scalar::Int(bench.random.between(low, high))).collect();
    bench.fresh(dtype, sizes, elements)
}

pub fn embedding(bench: &mut Workbench) -> Option<Candidate> {
    let x = pick(bench, |tensor| tensor.rank() == 2 && tensor.sizes()[0] > 0)?;
    let rows = sizes(bench, x)[0];
    let shape: Vec<i64> = (0..bench.random.between(0, 2)).map(|_| bench.random.between(1, 3)).collect();
    let dtype = bench.random.choose(&[Dtype::I64, Dtype::I32]);
    let i = indices(bench, dtype, &shape, 0, rows - 1);
    op(
        format!(
            "graph.embedding {}, {} : {}, {}",
            name(bench, x),
            name(bench, i),
            ty(bench, x),
            ty(bench, i)
        ),
        &[x, i],
    )
}

pub fn index(bench: &mut Workbench) -> Option<Candidate> {
    let x = pick(bench, |tensor| tensor.rank() > 0 && !tensor.is_empty())?;
    let own = sizes(bench, x);
    let shape: Vec<i64> = (0..bench.random.between(1, 2)).map(|_| bench.random.between(1, 3)).collect();
    let mut present: Vec<bool> = own.iter().map(|_| bench.random.percent(50)).collect();
    present[0] |= !present.contains(&true);
    let mut operands = vec![x];
    for (dim, _) in present.iter().enumerate().filter(|(_, present)| **present) {
        let dtype = bench.random.choose(&[Dtype::I64, Dtype::I32]);
        let number = indices(bench, dtype, &shape, -own[dim], own[dim] - 1);
        operands.push(number);
    }
    let names: Vec<_> = operands[1..].iter().map(|&n| name(bench, n)).collect();
    let types: Vec<_> = operands[1..].iter().map(|&n| ty(bench, n)).collect();
    let present: Vec<_> = present.iter().map(bool::to_string).collect();
    op(
        format!(
            "graph.index {}[{}] {{present = array<i1: {}>}} : {}[{}]",
            name(bench, x),
            names.join(", "),
            present.join(", "),
            ty(bench, x),
            types.join(", ")
        ),
        &operands,
    )
}
