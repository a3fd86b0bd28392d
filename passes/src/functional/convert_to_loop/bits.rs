//! Functions of bits: the next float, common divisors and multiples.

use crate::emit::{Compare, Emitter, Number};
use melior::ir::{OperationRef, ValueLike};
use terrace_dialects::ir::{
    OperationLike,
    cursor::V,
    dtype::{Dtype, ElementType},
    extent::Extent,
    types::TensorType,
};

/// How the numbers of a float dtype lie among those that they are computed in.
struct Grid {
    /// What is added to the bits of a number for the next one.
    step: i64,
    /// The least positive number.
    least: f64,
    /// Numbers of this size and less are multiples of the least, where the dtype that is computed in has more
    /// between them.
    even: Option<f64>,
}

impl Grid {
    fn of(dtype: Dtype) -> Grid {
        let tiny = |power: i32| 2f64.powi(power);
        match dtype {
            Dtype::F64 => Grid { step: 1, least: f64::from_bits(1), even: None },
            Dtype::F16 => Grid { step: 1 << 13, least: tiny(-24), even: Some(tiny(-14)) },
            Dtype::BF16 => Grid { step: 1 << 16, least: tiny(-133), even: None },
            _ => Grid { step: 1, least: tiny(-149), even: None },
        }
    }
}

/// The next number of the elements' dtype from one towards another.
pub fn nextafter<'c, 'a>(e: &Emitter<'c, 'a>, v: &[V<'c, 'a>], op: OperationRef<'c, 'a>) -> V<'c, 'a> {
    let own = op.operand(0).ok().and_then(|value| TensorType::<i64>::of(value.r#type())).map(|ty| ty.dtype);
    let own = own.unwrap_or(Dtype::F32);
    let (x, to) = (e.cast(v[0], own.computed()), e.cast(v[1], own.computed()));
    let grid = Grid::of(own);
    let word = if own == Dtype::F64 { Dtype::I64 } else { Dtype::I32 }.to_type(e.context);
    let number = |value| e.like(x, value);
    let zero = number(0.0);
    let size = e.same("math.absf", &[x]);
    let up = e.compare(Compare::Gt, to, x);
    let grows = e.compare(Compare::Eq, up, e.compare(Compare::Gt, x, zero));

    let bits = e.op("arith.bitcast", &[size], word, &[]);
    let step = e.constant(word, Number::Int(grid.step));
    let moved = e.select(grows, e.add(bits, step), e.sub(bits, step));
    let mut moved = e.op("arith.bitcast", &[moved], x.r#type(), &[]);
    if let Some(limit) = grid.even {
        let least = number(grid.least);
        let moved_evenly = e.select(grows, e.add(size, least), e.sub(size, least));
        let inside = e.select(
            grows,
            e.compare(Compare::Lt, size, number(limit)),
            e.compare(Compare::Le, size, number(limit)),
        );
        moved = e.select(inside, moved_evenly, moved);
    }
    if let Some(largest) = own.largest() {
        let infinite = e.compare(Compare::Eq, size, number(f64::INFINITY));
        moved = e.select(infinite, number(largest), moved);
    }
    let moved = e.same("math.copysign", &[moved, x]);
    let first = e.same("math.copysign", &[number(grid.least), to]);
    let moved = e.select(e.compare(Compare::Eq, x, zero), first, moved);
    let moved = e.select(e.compare(Compare::Eq, x, to), to, moved);
    let sum = e.add(x, to);
    let ordered = e.and(e.compare(Compare::Eq, x, x), e.compare(Compare::Eq, to, to));
    e.cast(e.select(ordered, moved, sum), own)
}

fn int<'c, 'a>(e: &Emitter<'c, 'a>, value: i64) -> V<'c, 'a> {
    e.constant(Dtype::I64.to_type(e.context), Number::Int(value))
}

/// A number without the zeros that its bits end with, and how many these are; 0 of 0.
fn odd<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> (V<'c, 'a>, V<'c, 'a>) {
    let zero = int(e, 0);
    let some = e.compare(Compare::Ne, x, zero);
    let zeros = e.select(some, e.same("math.cttz", &[x]), zero);
    (e.same("arith.shrui", &[x, zeros]), zeros)
}

/// The greatest common divisor of two i64 as numbers without a sign, by J. Stein's algorithm: differences of
/// odd numbers lose bits. `bits` is how many the dtype of the operands has: of both together each round takes
/// one at least.
fn divisor<'c, 'a>(e: &Emitter<'c, 'a>, a: V<'c, 'a>, b: V<'c, 'a>, bits: i64) -> V<'c, 'a> {
    let zero = int(e, 0);
    let size = |x| e.select(e.compare(Compare::Lt, x, zero), e.sub(zero, x), x);
    let (a, b) = (size(a), size(b));
    let (_, twos) = odd(e, e.same("arith.ori", &[a, b]));
    let none = e.compare(Compare::Eq, a, zero);
    let (first, _) = odd(e, e.select(none, b, a));
    let second = e.select(none, zero, b);
    let results = e.repeat(Extent::Number(2 * bits), &[first, second], |e, _, v| {
        let (u, v) = (v[0], odd(e, v[1]).0);
        let (less, more) = (e.same("arith.minui", &[u, v]), e.same("arith.maxui", &[u, v]));
        let done = e.compare(Compare::Eq, v, zero);
        Ok(vec![e.select(done, u, less), e.select(done, zero, e.sub(more, less))])
    });
    e.same("arith.shli", &[results.expect("numbers are compared and shifted")[0], twos])
}

/// Two operands as i64, and the bits of their dtype.
fn both<'c, 'a>(e: &Emitter<'c, 'a>, v: &[V<'c, 'a>]) -> ([V<'c, 'a>; 2], Dtype) {
    let own = Dtype::of(v[0].r#type()).unwrap_or(Dtype::I64);
    ([0, 1].map(|i| e.cast(v[i], Dtype::I64)), own)
}

/// The greatest common divisor; 0 of zeros.
pub fn gcd<'c, 'a>(e: &Emitter<'c, 'a>, v: &[V<'c, 'a>]) -> V<'c, 'a> {
    let ([a, b], own) = both(e, v);
    e.cast(divisor(e, a, b, 8 * own.bytes() as i64), own)
}

/// The least common multiple, which wraps; 0 where an operand is.
pub fn lcm<'c, 'a>(e: &Emitter<'c, 'a>, v: &[V<'c, 'a>]) -> V<'c, 'a> {
    let ([a, b], own) = both(e, v);
    let (zero, one) = (int(e, 0), int(e, 1));
    let divisor = divisor(e, a, b, 8 * own.bytes() as i64);
    // 0 where both are.
    let divisor = e.select(e.compare(Compare::Eq, divisor, zero), one, divisor);
    let product = e.mul(e.same("arith.divsi", &[a, divisor]), b);
    let size = e.select(e.compare(Compare::Lt, product, zero), e.sub(zero, product), product);
    e.cast(size, own)
}
