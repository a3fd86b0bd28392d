//! Scaled dot-product attention.

use super::{Size, TensorType, Types, broadcast, may_equal, one};
use crate::ir::{args::Args, dtype::Dtype, types::Shape};
use terrace_size::Number;

/// A part of a tensor's sizes: all but the last `n`.
fn lead<'t>(t: &'t TensorType, n: usize) -> &'t [Size] {
    &t.shape[..t.rank() - n]
}

fn last(t: &TensorType, n: usize) -> Size {
    t.shape[t.rank() - n]
}

/// The heads of keys or values repeated as often as it takes to have those of the query.
fn repeated<'c>(t: &TensorType<'c>, heads: Size) -> TensorType<'c> {
    let mut shape = t.shape.clone();
    let at = shape.len() - 3;
    shape[at] = heads;
    t.with_shape(&shape)
}

/// query [.., L, E], key [.., S, E], value [.., S, V]: [.., L, V]. The mask, of bools or the query's dtype,
/// broadcasts to [.., L, S].
pub fn attention<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let [query, mut key, mut value] = [args.tensor(0)?, args.tensor(1)?, args.tensor(2)?];
    let mask = args.optional_tensor(3)?;
    if query.dtype != key.dtype || query.dtype != value.dtype {
        let [query, key, value] = [&query, &key, &value].map(|t| t.dtype.c_name());
        return Err(format!(
            "Expected query, key, and value to have the same dtype, but got query.dtype: {query} key.dtype: {key} and value.dtype: {value} instead."
        ));
    }
    if [&query, &key, &value].iter().any(|t| t.rank() < 2) {
        let [query, key, value] = [&query, &key, &value].map(TensorType::rank);
        return Err(format!(
            "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: {query} key.dim: {key} and value.dim: {value} instead."
        ));
    }
    if let Some(mask) = &mask {
        if mask.dtype != Dtype::Bool && mask.dtype != query.dtype && mask.dtype != Dtype::F32 {
            return Err(format!(
                "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: {} and  query.dtype: {} instead.",
                mask.dtype.c_name(),
                query.dtype.c_name()
            ));
        }
        if args.flag("is_causal") {
            return Err(
                "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True"
                    .into(),
            );
        }
    }
    dropout(args)?;
    if args.flag("enable_gqa") {
        if let Some(t) = [&query, &key, &value].into_iter().find(|t| t.rank() < 3) {
            let n = t.rank() as i64;
            return Err(format!(
                "Dimension out of range (expected to be in range of [{}, {}], but got -3)",
                -n,
                n - 1
            ));
        }
        let heads = last(&query, 3);
        for t in [&mut key, &mut value] {
            let own = last(t, 3);
            if !own.is_unknown()
                && !heads.is_unknown()
                && (own.assume_eq(0) && heads.assume_ne(0) || own.assume_ne(0) && (heads % own).assume_ne(0))
            {
                return Err(
                    "Number of heads in key and value must divide the number of heads in query".into()
                );
            }
            *t = repeated(t, heads);
        }
    }
    let batch = product(&query, last(&query, 1), &key, last(&key, 1), last(&key, 2))?;
    let scores = [&batch[..], &[last(&query, 2), last(&key, 2)]].concat();
    if let Some(mask) = &mask {
        let joined = broadcast(&scores, &mask.shape)?;
        if !Size::assume_same(&joined, &scores) {
            return Err(format!(
                "output with shape {} doesn't match the broadcast shape {}",
                Shape(&scores),
                Shape(&joined)
            ));
        }
    }
    let scores = query.with_shape(&scores);
    let of_scores = batch;
    let batch = product(&scores, last(&key, 2), &value, last(&value, 2), last(&value, 1))?;
    if !query.dtype.is_float() {
        // The scale has made floats of the queries.
        let (own, name) = (query.dtype.aten_name(), query.dtype.c_name());
        return Err(match of_scores.is_empty() {
            true => format!("expected m1 and m2 to have the same dtype, but got: float != {name}"),
            false => format!("expected scalar type Float but found {own}"),
        });
    }
    one(&query.with_shape(&[&batch[..], &[last(&query, 2), last(&value, 1)]].concat()))
}

/// No element is dropped: there are no random numbers here.
fn dropout(args: &Args) -> Result<(), String> {
    let p = args.attribute("dropout_p").map_or(0.0, crate::ir::attributes::f64);
    if p > 1.0 {
        return Err(format!("dropout probability has to be between 0 and 1, but got {p}"));
    }
    if p > 0.0 {
        return Err(format!("expects a dropout_p of 0, got {p}: attention has no random form here"));
    }
    Ok(())
}

/// The batches of a product of matrices with these inner sizes and columns.
fn product(
    a: &TensorType,
    inner: Size,
    b: &TensorType,
    other: Size,
    columns: Size,
) -> Result<Vec<Size>, String> {
    let batch = broadcast(lead(a, 2), lead(b, 2))?;
    if !may_equal(inner, other) {
        if batch.is_empty() {
            let rows = last(a, 2);
            return Err(format!(
                "mm: mat1 and mat2 shapes cannot be multiplied ({rows}x{inner} and {other}x{columns})"
            ));
        }
        let count: Size = batch.iter().product();
        return Err(format!(
            "Expected size for first two dimensions of batch2 tensor to be: [{count}, {inner}] but got: [{count}, {other}]."
        ));
    }
    Ok(batch)
}

const FLASH: &str = "scaled_dot_product_attention_flash_attention";

/// [`attention`] of [B, H, L, E] with heads of one size, and the logarithms [B, H, L].
pub fn flash_attention<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let [query, key, value] = [args.tensor(0)?, args.tensor(1)?, args.tensor(2)?];
    let made = flash(args, [&query, &key, &value], args.optional_tensor(3)?.as_ref())?;
    Ok(made.map(|t| t.into()).to_vec())
}

/// The output and the logarithms.
fn flash<'c>(
    args: &Args<'c, '_>,
    [query, key, value]: [&TensorType<'c>; 3],
    mask: Option<&TensorType>,
) -> Result<[TensorType<'c>; 2], String> {
    if !query.dtype.is_float() {
        return Err(format!(
            "{FLASH}: Expected data type in FP32, FP64, BF16, FP16, but got {} instead.",
            query.dtype.aten_name()
        ));
    }
    if [query, key, value].iter().any(|t| t.rank() != 4) {
        return Err(format!("{FLASH}: Accept only 4 dims inputs shape of {{B, H, T, K}}"));
    }
    if args.attribute("dropout_p").map_or(0.0, crate::ir::attributes::f64) != 0.0 {
        return Err(format!("{FLASH}: Currently do not support dropout > 0"));
    }
    if [key, value].iter().any(|t| !may_equal(last(t, 1), last(query, 1))) {
        return Err(format!("{FLASH}: Q/K/V should have the same head size"));
    }
    if let Some(mask) = mask {
        if mask.dtype != query.dtype && mask.dtype != Dtype::F32 {
            return Err(format!("{FLASH}: Attention mask is the same data type as query"));
        }
        if mask.rank() != 2 && mask.rank() != 4 {
            return Err(format!("{FLASH}: Attention mask dim in {{2, 4}}"));
        }
    }
    if let Some(t) = [key, value].into_iter().find(|t| t.dtype != query.dtype) {
        return Err(format!(
            "expected scalar type {} but found {}",
            query.dtype.aten_name(),
            t.dtype.aten_name()
        ));
    }
    // Eager's kernel trusts the rest.
    let batches =
        |t: &TensorType| may_equal(t.shape[0], query.shape[0]) && may_equal(t.shape[1], query.shape[1]);
    if ![key, value].into_iter().all(batches) || !may_equal(key.shape[2], value.shape[2]) {
        return Err(format!(
            "expects a query, key and value of equal batches and heads, and as many keys as values, got {}, {} and {}",
            Shape(&query.shape),
            Shape(&key.shape),
            Shape(&value.shape)
        ));
    }
    let scores = [&query.shape[..3], &key.shape[2..3]].concat();
    if let Some(mask) = mask
        && !broadcast(&scores, &mask.shape).is_ok_and(|both| Size::assume_same(&both, &scores))
    {
        return Err(format!(
            "expects a mask that broadcasts to {}, got {}",
            Shape(&scores),
            Shape(&mask.shape)
        ));
    }
    let statistics = query.with_shape(&query.shape[..3]).with_dtype(query.dtype.opmath());
    Ok([query.clone(), statistics])
}

/// The types of query, key and value.
pub fn flash_attention_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let [grad, query, key, value] = [args.tensor(0)?, args.tensor(1)?, args.tensor(2)?, args.tensor(3)?];
    let (out, logsumexp, mask) = (args.tensor(4)?, args.tensor(5)?, args.optional_tensor(6)?);
    if !query.dtype.is_float() {
        return Err(super::not_implemented("flash_attention_backward", query.dtype));
    }
    let made = flash(args, [&query, &key, &value], mask.as_ref())?;
    for (t, wanted, name) in
        [(&grad, &made[0], "grad_out"), (&out, &made[0], "out"), (&logsumexp, &made[1], "logsumexp")]
    {
        let fits =
            t.rank() == wanted.rank() && t.shape.iter().zip(&wanted.shape).all(|(a, b)| may_equal(*a, *b));
        if !fits || t.dtype != wanted.dtype {
            return Err(format!(
                "expects {name} of the type {}, got {}",
                wanted.to_type(args.context()),
                t.to_type(args.context())
            ));
        }
    }
    Ok([query, key, value].map(|t| t.into()).to_vec())
}
