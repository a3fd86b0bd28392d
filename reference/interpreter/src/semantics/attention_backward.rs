//! The gradient of attention, from the output and the logarithms of the sums that the forward pass left.
//!
//! With the weights `P = exp(scores - logsumexp)`: `dV = P^T dO`, and the scores get `dS = P * (dO V^T -
//! rowsum(dO * O))`, from which `dQ = dS K * scale` and `dK = dS^T Q * scale`.

use super::{
    attention::Attention,
    elements::{reals, store_reals},
    error::Result,
    real::Real,
    shape::broadcast_view,
    term::Term,
};
use terrace_tensor::{Dtype, Tensor};

/// Matrices [B, H, rows, columns], one after another.
struct Matrices {
    terms: Vec<Term>,
    rows: usize,
    columns: usize,
}

impl Matrices {
    fn of(tensor: &Tensor, dtype: Dtype) -> Matrices {
        let terms = reals(tensor, dtype).into_iter().map(|real| Term::of(real, dtype)).collect();
        let [rows, columns] = [2, 3].map(|d| tensor.sizes()[d] as usize);
        Matrices { terms, rows, columns }
    }

    fn row(&self, matrix: usize, row: usize) -> &[Term] {
        &self.terms[(matrix * self.rows + row) * self.columns..][..self.columns]
    }
}

fn dot(a: &[Term], b: &[Term], dtype: Dtype) -> Term {
    Term::sum(&a.iter().zip(b).map(|(&a, &b)| a * b).collect::<Vec<_>>(), dtype)
}

/// `_scaled_dot_product_flash_attention_for_cpu_backward`: the gradients of query, key and value, each with
/// its heads inside of its rows.
///
/// # Errors
/// When the mask does not broadcast.
pub fn flash_attention_backward(
    grad: &Tensor,
    [query, key, value]: [&Tensor; 3],
    out: &Tensor,
    logsumexp: &Tensor,
    how: Attention,
) -> Result<[Tensor; 3]> {
    let dtype = query.dtype();
    let [g, q, k, v, o] = [grad, query, key, value, out].map(|t| Matrices::of(t, dtype));
    let sums: Vec<Term> =
        reals(logsumexp, dtype.opmath()).into_iter().map(|real| Term::of(real, dtype)).collect();
    let scale = Term::number(how.scale.unwrap_or(1.0 / (q.columns as f64).sqrt()), dtype);
    let zero = Term::number(0.0, dtype);
    let (count, width) = ((query.sizes()[0] * query.sizes()[1]) as usize, q.columns);
    let mask = match how.mask {
        Some(mask) => {
            let sizes = [query.sizes()[0], query.sizes()[1], q.rows as i64, k.rows as i64];
            Some(Matrices::of(&broadcast_view(mask, &sizes)?, dtype))
        }
        None => None,
    };
    let [mut by_query, mut by_key, mut by_value] = [&q, &k, &v].map(|m| vec![zero; m.terms.len()]);
    for matrix in 0..count {
        let (mut weights, mut scores) = (vec![zero; q.rows * k.rows], vec![zero; q.rows * k.rows]);
        for row in 0..q.rows {
            let delta = dot(g.row(matrix, row), o.row(matrix, row), dtype);
            for column in 0..k.rows {
                if how.causal && column > row {
                    continue;
                }
                let mut score = dot(q.row(matrix, row), k.row(matrix, column), dtype) * scale;
                if let Some(mask) = &mask {
                    score = score + mask.row(matrix, row)[column];
                }
                let weight = (score - sums[matrix * q.rows + row]).exp();
                let back = dot(g.row(matrix, row), v.row(matrix, column), dtype) - delta;
                weights[row * k.rows + column] = weight;
                scores[row * k.rows + column] = weight * back;
            }
        }
        let column =
            |of: &[Term], at: usize| (0..q.rows).map(|row| of[row * k.rows + at]).collect::<Vec<_>>();
        for at in 0..width {
            let along = |m: &Matrices| (0..m.rows).map(|row| m.row(matrix, row)[at]).collect::<Vec<_>>();
            let (queries, keys, grads) = (along(&q), along(&k), along(&g));
            for row in 0..q.rows {
                let own = dot(&scores[row * k.rows..][..k.rows], &keys, dtype) * scale;
                by_query[(matrix * q.rows + row) * width + at] = own;
            }
            for row in 0..k.rows {
                by_key[(matrix * k.rows + row) * width + at] =
                    dot(&column(&scores, row), &queries, dtype) * scale;
                by_value[(matrix * k.rows + row) * width + at] = dot(&column(&weights, row), &grads, dtype);
            }
        }
    }
    let stored = |like: &Tensor, terms: Vec<Term>| -> Result<Tensor> {
        let [batch, heads, rows, width] = [0, 1, 2, 3].map(|d| like.sizes()[d]);
        let strides = [heads * rows * width, width, heads * width, 1];
        let out = Tensor::zeros_strided(dtype, &[batch, heads, rows, width], &strides)?;
        store_reals(&out, &terms.into_iter().map(Term::finish).collect::<Vec<Real>>(), dtype);
        Ok(out)
    };
    Ok([stored(query, by_query)?, stored(key, by_key)?, stored(value, by_value)?])
}
