//! Scaled dot-product attention: `softmax(query x key^T * scale + mask) x value`.
//!
//! A row whose keys are all masked, or that has none, gives zeros. Each row is computed on its own; the
//! strides tell which of its kernels eager would have taken.

use super::{
    elements::{reals, store_reals},
    error::Result,
    real::Real,
    shape::{broadcast, broadcast_view},
    strides::preserved,
    term::Term,
    views,
};
use terrace_tensor::{Dtype, Tensor, layout::positions};

/// How attention weighs its keys.
#[derive(Clone, Copy)]
pub struct Attention<'a> {
    /// What is added to the scores, or which of them count.
    pub mask: Option<&'a Tensor>,
    /// Whether a query sees the keys up to its own place only.
    pub causal: bool,
    /// The factor of the scores, `1 / sqrt(E)` where absent.
    pub scale: Option<f64>,
    /// Whether the heads of keys and values are repeated.
    pub grouped: bool,
}

/// `scaled_dot_product_attention`.
///
/// # Errors
/// When sizes do not broadcast.
pub fn attention(query: &Tensor, key: &Tensor, value: &Tensor, how: Attention) -> Result<Tensor> {
    let (out, _) = rows(query, key, value, how)?;
    if !is_flash(query, key, value, how) {
        return Ok(out);
    }
    like(query, &out)
}

/// `_scaled_dot_product_flash_attention_for_cpu`: attention, and the logarithm of the sum of the exponentials
/// of each row.
///
/// # Errors
/// When sizes do not broadcast.
pub fn flash_attention(query: &Tensor, key: &Tensor, value: &Tensor, how: Attention) -> Result<[Tensor; 2]> {
    let (out, sums) = rows(query, key, value, how)?;
    let sizes = sums.sizes();
    let (heads, length) = (sizes[1], sizes[2]);
    let turned = Tensor::zeros_strided(sums.dtype(), sizes, &[heads * length, 1, heads])?;
    super::elements::copy(&turned, &sums);
    Ok([like(query, &out)?, turned])
}

/// The same elements in the layout of a copy of another tensor.
fn like(layout: &Tensor, elements: &Tensor) -> Result<Tensor> {
    let out = Tensor::zeros_strided(elements.dtype(), elements.sizes(), &preserved(layout))?;
    super::elements::copy(&out, elements);
    Ok(out)
}

/// Whether eager takes the kernel that lays its result out like the query.
fn is_flash(query: &Tensor, key: &Tensor, value: &Tensor, how: Attention) -> bool {
    let all = [query, key, value];
    let size = |t: &Tensor, d: usize| t.sizes()[d];
    let rank = query.rank();
    if !(3..=4).contains(&rank) || all.iter().any(|t| t.rank() != rank) {
        return false;
    }
    let batches = [key, value].iter().all(|t| t.sizes()[..rank - 3] == query.sizes()[..rank - 3]);
    let heads = |t: &Tensor| size(t, rank - 3);
    let heads = heads(key) == heads(value) && (how.grouped || heads(key) == heads(query));
    let widths = all.iter().all(|t| size(t, rank - 1) == size(query, rank - 1));
    let lengths = all.iter().all(|t| size(t, rank - 2) != 0);
    let dense = all.iter().all(|t| t.strides()[rank - 1] == 1);
    let mask = how.mask.is_none_or(|mask| {
        let lead = mask.rank().checked_sub(2).unwrap_or(1);
        let fits = |d: usize| mask.sizes()[d] == 1 || mask.sizes()[d] == size(query, d);
        lead == 0 || lead == rank - 2 && (0..lead).all(fits)
    });
    batches && heads && widths && lengths && dense && mask
}

/// The results, row-major, and the logarithms of the sums.
fn rows(query: &Tensor, key: &Tensor, value: &Tensor, how: Attention) -> Result<(Tensor, Tensor)> {
    let dtype = query.dtype();
    let width = query.sizes()[query.rank() - 1];
    let (key, value) = match how.grouped {
        true => (repeated(key, query)?, repeated(value, query)?),
        false => (key.clone(), value.clone()),
    };
    let lead = |t: &Tensor| t.sizes()[..t.rank() - 2].to_vec();
    let batch = broadcast([&lead(query)[..], &lead(&key), &lead(&value)])?;
    let scored = broadcast([&lead(query)[..], &lead(&key)])?;
    let (length, keys) = (query.sizes()[query.rank() - 2], key.sizes()[key.rank() - 2]);
    let columns = value.sizes()[value.rank() - 1];
    let wide = |t: &Tensor| {
        let matrix = &t.sizes()[t.rank() - 2..];
        Ok::<_, super::Error>(reals(&broadcast_view(t, &[&batch[..], matrix].concat())?, dtype))
    };
    let (q, k, v) = (wide(query)?, wide(&key)?, wide(&value)?);
    let sizes = [&batch[..], &[length, keys]].concat();
    let mask = how.mask.map(|mask| Mask::of(mask, &[&scored[..], &[length, keys]].concat(), &sizes, dtype));
    let mask = mask.transpose()?;
    let scale = Term::number(how.scale.unwrap_or(1.0 / (width as f64).sqrt()), dtype);
    let [width, length, keys, columns] = [width, length, keys, columns].map(|n| n as usize);
    let causal = how.causal;
    let given =
        Given { query: q, key: k, value: v, mask, scale, causal, dtype, length, keys, width, columns };
    let (mut results, mut sums) = (Vec::new(), Vec::new());
    for (number, _) in positions(&batch).enumerate() {
        for row in 0..length {
            sums.push(given.row(number, row, &mut results));
        }
    }
    let out = Tensor::zeros(dtype, &[&batch[..], &[length as i64, columns as i64]].concat())?;
    store_reals(&out, &results, dtype);
    let kept = dtype.opmath();
    let logarithms = Tensor::zeros(kept, &[&batch[..], &[length as i64]].concat())?;
    store_reals(&logarithms, &sums, kept);
    Ok((out, logarithms))
}

/// What is done to the scores.
enum Mask {
    /// The scores that are false here count for nothing.
    Kept(Vec<Real>),
    /// This is added to them.
    Added(Vec<Real>),
}

impl Mask {
    /// A mask broadcast to the sizes of the scores, and these to those of the batch.
    fn of(mask: &Tensor, scored: &[i64], all: &[i64], dtype: Dtype) -> Result<Mask> {
        let mask = broadcast_view(&broadcast_view(mask, scored)?, all)?;
        Ok(match mask.dtype() {
            Dtype::Bool => Mask::Kept(reals(&mask, Dtype::F64)),
            _ => Mask::Added(reals(&mask, dtype)),
        })
    }
}

/// What rows are computed from: each list row-major, for one matrix of the batch after the other.
struct Given {
    query: Vec<Real>,
    key: Vec<Real>,
    value: Vec<Real>,
    mask: Option<Mask>,
    /// The factor of the scores.
    scale: Term,
    causal: bool,
    dtype: Dtype,
    /// How many queries a matrix has.
    length: usize,
    /// How many keys.
    keys: usize,
    /// How many elements a query and a key have.
    width: usize,
    /// How many a value has.
    columns: usize,
}

impl Given {
    /// The score of each key for query `row` of matrix `number`.
    fn scores(&self, number: usize, row: usize) -> Vec<Term> {
        let Given { length, keys, width, dtype, .. } = *self;
        let term = |real: Real| Term::of(real, dtype);
        let own = &self.query[(number * length + row) * width..][..width];
        let mut scores = Vec::new();
        for at in 0..keys {
            let other = &self.key[(number * keys + at) * width..][..width];
            let products: Vec<Term> = own.iter().zip(other).map(|(&a, &b)| term(a) * term(b)).collect();
            let mut score = Term::sum(&products, dtype) * self.scale;
            if self.causal && at > row {
                score = Term::number(f64::NEG_INFINITY, dtype);
            }
            let place = (number * length + row) * keys + at;
            score = match &self.mask {
                Some(Mask::Kept(mask)) if mask[place].value == 0.0 => Term::number(f64::NEG_INFINITY, dtype),
                Some(Mask::Added(mask)) => score + term(mask[place]),
                Some(Mask::Kept(_)) | None => score,
            };
            scores.push(score);
        }
        scores
    }

    /// Adds the results of query `row` of matrix `number`; the logarithm of the sum of its exponentials.
    fn row(&self, number: usize, row: usize, results: &mut Vec<Real>) -> Real {
        let Given { keys, columns, dtype, .. } = *self;
        let scores = self.scores(number, row);
        let largest = scores.iter().copied().reduce(Term::max);
        let nothing = largest.is_none_or(|largest| largest.value == f64::NEG_INFINITY);
        let zero = Term::number(0.0, dtype);
        let shifted: Vec<Term> = match largest {
            Some(largest) if !nothing => scores.iter().map(|&score| (score - largest).exp()).collect(),
            _ => vec![zero; keys],
        };
        let sum = Term::sum(&shifted, dtype);
        for column in 0..columns {
            let value = |at: usize| Term::of(self.value[(number * keys + at) * columns + column], dtype);
            let products: Vec<Term> =
                shifted.iter().enumerate().map(|(at, &weight)| weight * value(at)).collect();
            let total = Term::sum(&products, dtype);
            results.push(if nothing { zero } else { total / sum }.finish());
        }
        largest.filter(|_| !nothing).map_or(zero, |largest| largest + sum.log()).finish_as(dtype.opmath())
    }
}

/// Each head repeated until there are as many as the query has.
fn repeated(tensor: &Tensor, query: &Tensor) -> Result<Tensor> {
    let at = tensor.rank() - 3;
    let (own, wanted) = (tensor.sizes()[at], query.sizes()[query.rank() - 3]);
    if own == wanted || own == 0 {
        return Ok(tensor.clone());
    }
    let spread = views::unsqueeze(tensor, at as i64 + 1)?;
    let mut sizes = spread.sizes().to_vec();
    sizes[at + 1] = wanted / own;
    let spread = super::copy::packed(&broadcast_view(&spread, &sizes)?)?;
    let mut sizes = tensor.sizes().to_vec();
    sizes[at] = wanted;
    views::view(&spread, &sizes)
}
