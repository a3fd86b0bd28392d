//! Attention by two products and a softmax whose rows may have nothing to attend to.

use crate::functional::writer::{Writer, Written};
use melior::ir::{OperationRef, Value};
use terrace_dialects::{
    internal,
    ir::{cursor::Results, dtype::Dtype},
    ops::functional as f,
};
use terrace_size::Size;

/// What both operators have.
struct Attention<'c, 'a> {
    query: Value<'c, 'a>,
    key: Value<'c, 'a>,
    value: Value<'c, 'a>,
    mask: Option<Value<'c, 'a>>,
    causal: bool,
    scale: Option<f64>,
}

/// `scaled_dot_product_attention`.
pub fn scaled_dot_product_attention<'c, 'a>(op: OperationRef<'c, 'a>, w: Writer<'c, 'a>) -> Results<'c, 'a> {
    let view = f::ScaledDotProductAttentionOp::try_from(op).map_err(|_| "is no attention")?;
    let (mut key, mut value) = (view.key(), view.value());
    if view.enable_gqa().unwrap_or(false) {
        let query = w.sizes(view.query())?;
        let heads = query[query.len() - 3];
        (key, value) = (repeated(&w, key, heads)?, repeated(&w, value, heads)?);
    }
    let attention = Attention {
        query: view.query(),
        key,
        value,
        mask: view.attn_mask(),
        causal: view.is_causal().unwrap_or(false),
        scale: view.scale(),
    };
    Ok(attention.write(&w)?[..1].to_vec())
}

/// `_scaled_dot_product_flash_attention_for_cpu`.
pub fn flash_attention<'c, 'a>(op: OperationRef<'c, 'a>, w: Writer<'c, 'a>) -> Results<'c, 'a> {
    let view =
        f::InternalScaledDotProductFlashAttentionForCpuOp::try_from(op).map_err(|_| "is no attention")?;
    let attention = Attention {
        query: view.query(),
        key: view.key(),
        value: view.value(),
        mask: view.attn_mask(),
        causal: view.is_causal().unwrap_or(false),
        scale: view.scale(),
    };
    attention.write(&w)
}

/// Each head repeated until there are `heads`.
fn repeated<'c, 'a>(w: &Writer<'c, 'a>, tensor: Value<'c, 'a>, heads: Size) -> Written<'c, 'a> {
    let sizes = w.sizes(tensor)?;
    let at = sizes.len() - 3;
    let own = sizes[at];
    if own.is_same(heads) || own.known() == Some(0) {
        return Ok(tensor);
    }
    let (times, lead, matrix) = (heads / own, &sizes[..at], &sizes[at + 1..]);
    let spread = w.view(tensor, &[lead, &[own, Size::ONE], matrix].concat())?;
    let spread = w.expand(spread, &[lead, &[own, times], matrix].concat())?;
    // The heads are as many as that, where it is not known.
    let joined = w.view(spread, &[lead, &[own * times], matrix].concat())?;
    w.expand(joined, &[lead, &[heads], matrix].concat())
}

impl<'c, 'a> Attention<'c, 'a> {
    /// The output, and the logarithms of the rows' sums.
    fn write(&self, w: &Writer<'c, 'a>) -> Results<'c, 'a> {
        let query = w.ty(self.query)?;
        let scores = self.scores(w)?;
        let sizes = w.sizes(scores)?;
        let last = sizes.len() - 1;
        let lead = &sizes[..last];
        // Of a size of the run, sums and products of nothing are these too.
        if sizes[last].known() == Some(0) {
            let value = w.sizes(self.value)?;
            let output = w.filled(0.0, query.dtype, &[lead, &value[value.len() - 1..]].concat())?;
            return Ok(vec![output, w.filled(0.0, query.dtype.opmath(), lead)?]);
        }
        // A row without keys, whose largest score is -inf, is zeros.
        let largest = w.value(f::amax(w.location(), scores, Some(&[-1]), Some(true)))?;
        let nothing = w.binary(f::eq, largest, w.like(largest, f64::NEG_INFINITY)?)?;
        let largest = w.choose(nothing, w.like(largest, 0.0)?, largest)?;
        let powers = w.unary(f::exp, w.joined(f::sub, scores, largest)?)?;
        let sum = w.sum(powers, &[last], true)?;
        let sum = w.choose(nothing, w.like(sum, 1.0)?, sum)?;
        let logarithm = w.binary(f::add, largest, w.unary(f::log, sum)?)?;
        // One division a row.
        let weights = w.joined(f::mul, powers, w.unary(f::reciprocal, sum)?)?;
        Ok(vec![w.matmul(weights, self.value)?, w.cast(w.view(logarithm, lead)?, query.dtype.opmath())?])
    }

    /// What the keys are weighed by: the scaled products with the query, masked by -inf or by what is added.
    fn scores(&self, w: &Writer<'c, 'a>) -> Written<'c, 'a> {
        let query = w.ty(self.query)?;
        let rank = w.sizes(self.key)?.len();
        let mut order: Vec<usize> = (0..rank).collect();
        order.swap(rank - 2, rank - 1);
        let scores = w.matmul(self.query, w.permute(self.key, &order)?)?;
        let mut scores = self.times_scale(w, scores)?;
        let sizes = w.sizes(scores)?;
        let last = sizes.len() - 1;
        let (rows, columns) = (query.shape[query.rank() - 2], sizes[last]);
        let never = w.like(scores, f64::NEG_INFINITY)?;
        if self.causal {
            let place = |count: Size, dim: usize| -> Written<'c, 'a> {
                w.along(w.counted(count, 0, 1)?, dim, &[rows, columns])
            };
            let seen = w.binary(f::le, place(columns, 1)?, place(rows, 0)?)?;
            scores = w.choose(w.expand(seen, &sizes)?, scores, never)?;
        }
        if let Some(mask) = self.mask {
            let own = w.ty(mask)?.dtype;
            scores = match own {
                Dtype::Bool => w.choose(w.expand(mask, &sizes)?, scores, never)?,
                _ => w.joined(f::add, scores, w.cast(mask, query.dtype)?)?,
            };
        }
        Ok(scores)
    }

    /// A tensor times the scale, which is one over the root of the query's width where none is given.
    fn times_scale(&self, w: &Writer<'c, 'a>, x: Value<'c, 'a>) -> Written<'c, 'a> {
        let width = *w.sizes(self.query)?.last().ok_or(internal!("has a query without dimensions"))?;
        match (self.scale, width.known()) {
            (Some(scale), _) => w.scaled(x, scale),
            (None, Some(width)) => w.scaled(x, 1.0 / (width as f64).sqrt()),
            (None, None) => w.binary(f::mul, x, w.unary(f::rsqrt, w.like_size(x, width)?)?),
        }
    }
}

/// `_scaled_dot_product_flash_attention_for_cpu_backward`: with the weights `P = exp(scores - logsumexp)`,
/// `dV = P^T dO`, and the scores get `dS = P * (dO V^T - rowsum(dO * O))`, from which `dQ = dS K * scale` and
/// `dK = dS^T Q * scale`.
pub fn flash_attention_backward<'c, 'a>(op: OperationRef<'c, 'a>, w: Writer<'c, 'a>) -> Results<'c, 'a> {
    let view = f::InternalScaledDotProductFlashAttentionForCpuBackwardOp::try_from(op)
        .map_err(|_| "is no gradient of attention")?;
    let dtype = w.ty(view.query())?.dtype;
    let wide = |x| w.cast(x, dtype.opmath());
    let attention = Attention {
        query: wide(view.query())?,
        key: wide(view.key())?,
        value: wide(view.value())?,
        mask: view.attn_mask().map(wide).transpose()?,
        causal: view.is_causal(),
        scale: view.scale(),
    };
    let (grad, out) = (wide(view.grad_out())?, wide(view.out())?);
    let scores = attention.scores(&w)?;
    let sizes = w.sizes(scores)?;
    let along =
        |x| -> Written<'c, 'a> { w.expand(w.view(x, &[&sizes[..3], &[Size::ONE]].concat())?, &sizes) };
    let weights = w.unary(f::exp, w.binary(f::sub, scores, along(wide(view.logsumexp())?)?)?)?;
    let turned = |x| w.permute(x, &[0, 1, 3, 2]);
    let delta = w.sum(w.binary(f::mul, grad, out)?, &[3], false)?;
    let products = w.matmul(grad, turned(attention.value)?)?;
    let by_scores = w.binary(f::mul, weights, w.binary(f::sub, products, along(delta)?)?)?;
    let by_query = attention.times_scale(&w, w.matmul(by_scores, attention.key)?)?;
    let by_key = attention.times_scale(&w, w.matmul(turned(by_scores)?, attention.query)?)?;
    let by_value = w.matmul(turned(weights)?, grad)?;
    [by_query, by_key, by_value].map(|x| w.cast(x, dtype)).into_iter().collect()
}
