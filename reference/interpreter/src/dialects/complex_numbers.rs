//! Upstream's complex dialect, as far as loops are made of it: numbers, their parts, sums and products.

use terrace_dialects::ops::Combiner;
use terrace_tensor::Scalar;

use super::{combine::combine, elementwise::scalars};
use crate::machine::Table;

pub(super) fn register(table: &mut Table) {
    table.add("complex.create", |op| scalars(op, |v| Ok(Scalar::Complex(v[0].to_f64(), v[1].to_f64()))));
    table.add("complex.re", |op| scalars(op, |v| Ok(Scalar::Float(v[0].to_complex().0))));
    table.add("complex.im", |op| scalars(op, |v| Ok(Scalar::Float(v[0].to_complex().1))));
    for (name, combiner) in [("complex.add", Combiner::Add), ("complex.mul", Combiner::Mul)] {
        table.add(name, move |op| {
            let dtype = op.result_kind(0)?.dtype;
            scalars(op, move |v| Ok(combine(combiner, dtype, v.iter().copied())))
        });
    }
}
