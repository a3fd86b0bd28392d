//! `view.dtype`: the bytes of a tensor's elements, in row-major order, as elements of another dtype.
//!
//! An element is words of bits: one, or two of complex numbers. Shorter elements are pieces of a word, the
//! lowest first; longer ones are put together of as many neighbours in the last dimension.

use super::{
    sizes::{self, tensor},
    source::Source,
};
use crate::emit::{Compare, Emitter, complex::Complex};
use melior::ir::{AffineExpr, OperationRef, Type, Value, ValueLike, r#type::IntegerType};
use terrace_dialects::{
    internal,
    ir::{
        OperationLike,
        cursor::{Results, V},
        dtype::{Dtype, ElementType},
    },
};

/// `view.dtype` and its copy.
pub fn view_dtype<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let (operand, result) = (op.operand(0)?, Value::from(op.result_at(0)?));
    let (from, to) = (tensor(operand)?.dtype, tensor(result)?.dtype);
    let source = Source::of(operand, e)?;
    let made = e.pointwise(sizes::typed(result, e)?, |e, i| {
        if from == to {
            return source.load(e, i);
        }
        let (a, b) = (from.bytes(), to.bytes());
        let mut place: Vec<AffineExpr> = (0..i.len()).map(|d| e.dim(d)).collect();
        if a == b {
            let bits = words(e, source.load_at(e, &place, i, None)?, from);
            return Ok(number(e, &bits, to));
        }
        let last = place.pop().ok_or(internal!("has no dimension to be another one"))?;
        let ratio = (a.max(b) / a.min(b)) as i64;
        if a > b {
            place.push(AffineExpr::floor_div(last, e.number(ratio)));
            let bits = words(e, source.load_at(e, &place, i, None)?, from);
            let which = e.same("arith.remsi", &[i[i.len() - 1], e.index(ratio)]);
            return Ok(number(e, &[piece(e, &bits, which, b)], to));
        }
        let mut bits = vec![];
        for k in 0..ratio {
            let at = [&place[..], &[last * e.number(ratio) + e.number(k)]].concat();
            bits.extend(words(e, source.load_at(e, &at, i, None)?, from));
        }
        Ok(number(e, &bits, to))
    })?;
    Ok(vec![made])
}

fn word<'c>(e: &Emitter<'c, '_>, bytes: usize) -> Type<'c> {
    IntegerType::new(e.context, 8 * bytes as u32).into()
}

fn width(word: V) -> usize {
    Dtype::of(word.r#type()).map_or(8, Dtype::bytes)
}

/// The bits of an element, a word for each part.
fn words<'c, 'a>(e: &Emitter<'c, 'a>, value: V<'c, 'a>, dtype: Dtype) -> Vec<V<'c, 'a>> {
    let of = |value| match dtype.part() {
        Dtype::Bool => e.op("arith.extui", &[value], word(e, 1), &[]),
        part if part.is_float() => e.op("arith.bitcast", &[value], word(e, part.bytes()), &[]),
        _ => value,
    };
    if dtype.is_complex() {
        let Complex { re, im } = e.parts(value);
        return vec![of(re), of(im)];
    }
    vec![of(value)]
}

/// The piece of `bytes` bytes of words with this number.
fn piece<'c, 'a>(e: &Emitter<'c, 'a>, words: &[V<'c, 'a>], which: V<'c, 'a>, bytes: usize) -> V<'c, 'a> {
    let own = words[0].r#type();
    let each = (width(words[0]) / bytes) as i64;
    let mut chosen = words[0];
    if let [low, high] = words {
        chosen = e.select(e.compare(Compare::Lt, which, e.index(each)), *low, *high);
    }
    if each == 1 {
        return chosen;
    }
    let which = e.same("arith.remsi", &[which, e.index(each)]);
    let by = e.mul(e.op("arith.index_cast", &[which], own, &[]), e.like(chosen, 8.0 * bytes as f64));
    e.op("arith.trunci", &[e.same("arith.shrui", &[chosen, by])], word(e, bytes), &[])
}

/// The element of a dtype that words, the lowest first, are the bits of.
fn number<'c, 'a>(e: &Emitter<'c, 'a>, words: &[V<'c, 'a>], dtype: Dtype) -> V<'c, 'a> {
    let part = dtype.part();
    if dtype.is_complex() {
        let [re, im] = match words {
            // Both parts in one word.
            [both] => {
                let high = e.same("arith.shrui", &[*both, e.like(*both, 8.0 * part.bytes() as f64)]);
                [*both, high]
                    .map(|word_of| vec![e.op("arith.trunci", &[word_of], word(e, part.bytes()), &[])])
            }
            all => [0, 1].map(|half| all[half * all.len() / 2..][..all.len() / 2].to_vec()),
        };
        return e.join(Complex { re: number(e, &re, part), im: number(e, &im, part) });
    }
    let mut bits = words[0];
    if words.len() > 1 {
        let (whole, step) = (word(e, part.bytes()), 8 * width(bits));
        let wide = |value| e.op("arith.extui", &[value], whole, &[]);
        bits = wide(bits);
        for (k, word) in words.iter().enumerate().skip(1) {
            let high = wide(*word);
            bits =
                e.same("arith.ori", &[bits, e.same("arith.shli", &[high, e.like(high, (k * step) as f64)])]);
        }
    }
    match part {
        Dtype::Bool => e.compare(Compare::Ne, bits, e.like(bits, 0.0)),
        part if part.is_float() => e.op("arith.bitcast", &[bits], part.to_type(e.context), &[]),
        _ => bits,
    }
}
