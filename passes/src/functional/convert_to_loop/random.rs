//! Draws: each element is computed of the state of the generator and of its own number, in row-major order.
//!
//! A draw is Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011) with the seed
//! as key, and as counter the number of the element and, in the upper half, how many operations have drawn.
//! The rounds are on i64, whose upper halves are zero. What becomes of the four words is the definition of
//! the interpreter, on every target: the same bits, but for normal numbers, which are as exact as the
//! functions that they are computed by.

use super::{
    bounds::assert_all,
    reductions, reshape,
    sizes::{self, tensor},
    source::Source,
};
use crate::emit::{Compare, Emitted, Emitter, Number, Typed};
use melior::ir::{OperationRef, Value, ValueLike};
use std::f64::consts::{FRAC_2_PI, TAU};
use terrace_dialects::{
    ir::{
        OperationLike,
        cursor::{Results, V},
        dtype::{Dtype, ElementType},
        extent::Extent,
        pass::Failure,
        refusal::Reason,
        types::TensorType,
    },
    ops::{Combiner, functional},
};

/// Arithmetic on i64.
fn int<'c, 'a>(e: &Emitter<'c, 'a>, value: i64) -> V<'c, 'a> {
    e.constant(Dtype::I64.to_type(e.context), Number::Int(value))
}

fn low<'c, 'a>(e: &Emitter<'c, 'a>, word: V<'c, 'a>) -> V<'c, 'a> {
    e.and(word, int(e, 0xffff_ffff))
}

fn shift<'c, 'a>(e: &Emitter<'c, 'a>, word: V<'c, 'a>, bits: i64) -> V<'c, 'a> {
    e.same("arith.shrui", &[word, int(e, bits)])
}

fn xor<'c, 'a>(e: &Emitter<'c, 'a>, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
    e.same("arith.xori", &[a, b])
}

/// Two words as one, the first one above.
fn joined<'c, 'a>(e: &Emitter<'c, 'a>, high: V<'c, 'a>, low: V<'c, 'a>) -> V<'c, 'a> {
    e.same("arith.ori", &[e.same("arith.shli", &[high, int(e, 32)]), low])
}

/// Philox4x32 of ten rounds.
fn philox<'c, 'a>(
    e: &Emitter<'c, 'a>,
    mut counter: [V<'c, 'a>; 4],
    mut key: [V<'c, 'a>; 2],
) -> [V<'c, 'a>; 4] {
    for _ in 0..10 {
        let first = e.mul(counter[0], int(e, 0xD251_1F53));
        let second = e.mul(counter[2], int(e, 0xCD9E_8D57));
        let upper = |product, word, key| xor(e, xor(e, shift(e, product, 32), word), key);
        counter = [
            upper(second, counter[1], key[0]),
            low(e, second),
            upper(first, counter[3], key[1]),
            low(e, first),
        ];
        let next = |key, step| low(e, e.add(key, int(e, step)));
        key = [next(key[0], 0x9E37_79B9), next(key[1], 0xBB67_AE85)];
    }
    counter
}

/// The draws of an operation: the state that it finds the generator in.
struct Draws<'c, 'a>(Source<'c, 'a>);

impl<'c, 'a> Draws<'c, 'a> {
    fn of(state: V<'c, 'a>, e: &Emitter<'c, 'a>) -> Result<Self, Failure> {
        Ok(Self(Source::of(state, e)?))
    }

    /// The four words of an element of this number.
    fn words(&self, e: &Emitter<'c, 'a>, number: V<'c, 'a>) -> Result<[V<'c, 'a>; 4], Failure> {
        let state = |place| self.0.load_at(e, &[e.number(place)], &[], None);
        let (seed, drawn) = (state(0)?, state(1)?);
        let halves = |word| [low(e, word), shift(e, word, 32)];
        let ([first, second], [third, fourth]) = (halves(number), halves(drawn));
        Ok(philox(e, [first, second, third, fourth], halves(seed)))
    }

    /// A number in [0, 1) of a float dtype, as an f64.
    fn uniform(&self, e: &Emitter<'c, 'a>, number: V<'c, 'a>, dtype: Dtype) -> Emitted<'c, 'a> {
        let words = self.words(e, number)?;
        let bits = match dtype {
            Dtype::F64 => return Ok(unit(e, words[0], words[1])),
            Dtype::F16 => 11,
            Dtype::BF16 => 8,
            _ => 24,
        };
        let whole = e.cast(shift(e, words[0], 32 - bits), Dtype::F64);
        Ok(e.mul(whole, e.like(whole, 2f64.powi(-(bits as i32)))))
    }
}

/// 53 bits of two words as a number in [0, 1).
fn unit<'c, 'a>(e: &Emitter<'c, 'a>, high: V<'c, 'a>, low: V<'c, 'a>) -> V<'c, 'a> {
    let whole = e.cast(shift(e, joined(e, high, low), 11), Dtype::F64);
    e.mul(whole, e.like(whole, 2f64.powi(-53)))
}

/// (sin(r) / r - 1) / r^2 in r^2, on |r| <= pi/4, but for 2^-54.
const SIN: [f64; 7] = [
    -0.16666666666666666,
    0.008333333333333331,
    -0.00019841269841265063,
    2.7557319219337672e-6,
    -2.5052106231927857e-8,
    1.6058531536611833e-10,
    -7.586692262094344e-13,
];
/// (cos(r) - 1 + r^2/2) / r^4 in r^2, likewise.
const COS: [f64; 6] = [
    0.041666666666666664,
    -0.0013888888888887398,
    2.4801587298764778e-5,
    -2.7557317271258515e-7,
    2.0876146170183976e-9,
    -1.1382625349447592e-11,
];
/// pi/2 in three parts, the first two with 33 bits.
const QUARTER: [f64; 3] = [1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21];

/// The cosine of an f64 of one turn at most, which every target computes; 1 ULP.
fn cosine<'c, 'a>(e: &Emitter<'c, 'a>, x: V<'c, 'a>) -> V<'c, 'a> {
    let number = |value| e.like(x, value);
    let horner = |z: V<'c, 'a>, coefficients: &[f64]| {
        let (last, rest) = coefficients.split_last().expect("a polynomial has a coefficient");
        rest.iter().rev().fold(number(*last), |sum, c| e.add(e.mul(sum, z), number(*c)))
    };
    let n = e.same("math.roundeven", &[e.mul(x, number(FRAC_2_PI))]);
    let r = QUARTER.iter().fold(x, |r, part| e.sub(r, e.mul(n, number(*part))));
    let z = e.mul(r, r);
    let sine = e.add(r, e.mul(e.mul(r, z), horner(z, &SIN)));
    let half = e.mul(number(0.5), z);
    let whole = e.sub(number(1.0), half);
    // What the subtraction lost.
    let lost = e.sub(e.sub(number(1.0), whole), half);
    let cosine = e.add(whole, e.add(lost, e.mul(e.mul(z, z), horner(z, &COS))));
    // Of quarters of a turn the cosine is cos, -sin, -cos, sin, cos.
    let is = |quarter: f64| e.compare(Compare::Eq, n, number(quarter));
    let odd = e.same("arith.ori", &[is(1.0), is(3.0)]);
    let value = e.select(odd, sine, cosine);
    let minus = e.same("arith.ori", &[is(1.0), is(2.0)]);
    e.select(minus, e.same("arith.negf", &[value]), value)
}

/// The number of the element at a point, in row-major order.
fn number<'c, 'a>(e: &Emitter<'c, 'a>, point: &[V<'c, 'a>], sizes: &[Extent<'c, 'a>]) -> V<'c, 'a> {
    let mut number = None;
    for (index, size) in point.iter().zip(sizes) {
        let index = e.as_i64(*index);
        number = Some(match number {
            Some(outer) => e.add(e.mul(outer, reductions::number(*size, index.r#type(), e)), index),
            None => index,
        });
    }
    number.unwrap_or_else(|| int(e, 0))
}

/// An f64 rounded to a float dtype, once: by way of f32 it is rounded to odd there, which no second rounding
/// notices.
fn rounded<'c, 'a>(e: &Emitter<'c, 'a>, value: V<'c, 'a>, dtype: Dtype) -> V<'c, 'a> {
    let (wide, word) = (Dtype::F32.to_type(e.context), Dtype::I32.to_type(e.context));
    if dtype.computed() == dtype {
        return e.cast(value, dtype);
    }
    let near = e.op("arith.truncf", &[value], wide, &[]);
    let back = e.cast(near, Dtype::F64);
    let bits = e.op("arith.bitcast", &[near], word, &[]);
    let size = |x| e.same("math.absf", &[x]);
    let beyond = e.compare(Compare::Gt, size(value), size(back));
    let step = e.select(beyond, e.like(bits, 1.0), e.like(bits, -1.0));
    let even = e.compare(Compare::Eq, e.and(bits, e.like(bits, 1.0)), e.like(bits, 0.0));
    let moves = e.and(even, e.compare(Compare::Ne, value, back));
    // Beyond the largest f32 there is nothing to move to.
    let finite = e.compare(Compare::Lt, size(near), e.like(near, f64::INFINITY));
    let odd = e.select(e.and(moves, finite), e.add(bits, step), bits);
    e.cast(e.op("arith.bitcast", &[odd], wide, &[]), dtype)
}

/// A result whose elements are made of their numbers, and the dtype of these.
fn drawn<'c, 'a>(
    op: OperationRef<'c, 'a>,
    e: &Emitter<'c, 'a>,
    element: impl FnOnce(&Emitter<'c, 'a>, V<'c, 'a>, Dtype) -> Emitted<'c, 'a>,
) -> Results<'c, 'a> {
    let (result, dtype) = (sizes::typed(op.result_at(0)?.into(), e)?, tensor(op.result_at(0)?.into())?.dtype);
    let extents = result.extents.clone();
    Ok(vec![e.pointwise(result, |e, i| element(e, number(e, i, &extents), dtype))?])
}

/// `random_uniform`: from `from` to without `to`.
pub fn random_uniform<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::RandomUniformOp::try_from(op).map_err(|_| "is no random_uniform")?;
    let (draws, from, to) = (Draws::of(view.state(), e)?, view.from(), view.to());
    drawn(op, e, |e, number, dtype| {
        let unit = draws.uniform(e, number, dtype)?;
        if (from, to) == (0.0, 1.0) {
            // As many bits as the dtype has.
            return Ok(e.cast(unit, dtype));
        }
        let value = e.add(e.like(unit, from), e.mul(e.like(unit, to - from), unit));
        let value = rounded(e, value, dtype);
        // Rounding may not reach the end.
        let wide = e.cast(value, Dtype::F64);
        let first = rounded(e, e.like(wide, from), dtype);
        Ok(e.select(e.compare(Compare::Ge, wide, e.like(wide, to)), first, value))
    })
}

/// `random_normal`, by Box and Muller's method.
pub fn random_normal<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::RandomNormalOp::try_from(op).map_err(|_| "is no random_normal")?;
    let (draws, mean, std) = (Draws::of(view.state(), e)?, view.mean(), view.std());
    drawn(op, e, |e, number, dtype| {
        let words = draws.words(e, number)?;
        let radius = unit(e, words[0], words[1]);
        let radius = e.sub(e.like(radius, 1.0), radius);
        let angle = unit(e, words[2], words[3]);
        let length = e.same("math.sqrt", &[e.mul(e.like(radius, -2.0), e.same("math.log", &[radius]))]);
        let normal = e.mul(length, cosine(e, e.mul(e.like(angle, TAU), angle)));
        let value = e.add(e.like(normal, mean), e.mul(e.like(normal, std), normal));
        Ok(rounded(e, value, dtype))
    })
}

/// `random_integers`: from `low` to without `high`.
pub fn random_integers<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::RandomIntegersOp::try_from(op).map_err(|_| "is no random_integers")?;
    let (draws, least, end) = (Draws::of(view.state(), e)?, view.low(), view.high());
    let count = end.abs_diff(least);
    drawn(op, e, |e, number, dtype| {
        let words = draws.words(e, number)?;
        let whole = joined(e, words[0], words[1]);
        let rest = if count.is_power_of_two() {
            e.and(whole, int(e, count as i64 - 1))
        } else {
            e.same("arith.remui", &[whole, int(e, count as i64)])
        };
        Ok(e.cast(e.add(rest, int(e, least)), dtype))
    })
}

/// `bernoulli`: one with the probability that each element is.
pub fn bernoulli<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::BernoulliOp::try_from(op).map_err(|_| "is no bernoulli")?;
    let (draws, own) = (Draws::of(view.state(), e)?, Source::of(view.self_(), e)?);
    let message = "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be improved?  If so, please report an enhancement request to PyTorch.)";
    let extents = sizes::extents(view.self_(), e)?;
    assert_all(e, &extents, message, |e, i| {
        let p = e.cast(own.load(e, i)?, Dtype::F64);
        let within = e.compare(Compare::Le, p, e.like(p, 1.0));
        Ok(e.and(e.compare(Compare::Ge, p, e.like(p, 0.0)), within))
    })?;
    let dtype = tensor(op.result_at(0)?.into())?.dtype;
    let drawn = e.pointwise(sizes::typed(op.result_at(0)?.into(), e)?, |e, i| {
        let p = e.cast(own.load(e, i)?, Dtype::F64);
        let unit = draws.uniform(e, number(e, i, &extents), Dtype::F64)?;
        Ok(e.cast(e.compare(Compare::Lt, unit, p), dtype))
    })?;
    Ok(vec![drawn])
}

/// A tensor of i64, f64 or bool.
fn of<'c, 'a>(e: &Emitter<'c, 'a>, dtype: Dtype, sizes: &[Extent<'c, 'a>]) -> Typed<'c, 'a> {
    let ty = TensorType { shape: Extent::in_types(sizes), dtype, device: None, graph: false };
    Typed { ty: ty.to_type(e.context), extents: sizes.to_vec() }
}

/// `randperm`: the numbers below the size, in the order of the four words that each draws. They are sorted by
/// the lower two first; then by the upper two, which keeps the order of equal ones.
pub fn randperm<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::RandpermOp::try_from(op).map_err(|_| "is no randperm")?;
    let draws = Draws::of(view.state(), e)?;
    let (result, dtype) = (sizes::typed(op.result_at(0)?.into(), e)?, tensor(op.result_at(0)?.into())?.dtype);
    let keys = |half: usize, place: Option<V<'c, 'a>>| {
        e.pointwise(of(e, Dtype::I64, &result.extents), |e, i| {
            let number = match place {
                Some(place) => e.load(place, &[e.dim(0)], i, None)?,
                None => e.as_i64(i[0]),
            };
            let words = draws.words(e, number)?;
            // Words have no sign; what is sorted has one.
            Ok(xor(e, joined(e, words[half], words[half + 1]), int(e, i64::MIN)))
        })
    };
    let [_, by_lower] = e.sort(keys(2, None)?, 0, false, None)?;
    let [_, order] = e.sort(keys(0, Some(by_lower))?, 0, false, None)?;
    let numbers = e.pointwise(result, |e, i| {
        let place = e.load(order, &[e.dim(0)], i, None)?;
        let number = e.load(by_lower, &[e.dim(0)], &[e.as_index(place)], None)?;
        Ok(e.cast(number, dtype))
    })?;
    Ok(vec![numbers])
}

/// `skip_draws`: the state after so many more operations.
pub fn skip_draws<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::SkipDrawsOp::try_from(op).map_err(|_| "is no skip_draws")?;
    let state = Source::of(view.state(), e)?;
    let next = e.pointwise(Value::from(op.result_at(0)?).r#type(), |e, i| {
        let word = state.load(e, i)?;
        let of_drawn = e.compare(Compare::Eq, i[0], e.index(1));
        Ok(e.select(of_drawn, e.add(word, int(e, view.count())), word))
    })?;
    Ok(vec![next])
}

/// The weights of `multinomial`, row by row.
struct Weights<'c, 'a> {
    source: Source<'c, 'a>,
    /// Whether there is but one row, which has no index.
    single: bool,
    shape: [Extent<'c, 'a>; 2],
}

impl<'c, 'a> Weights<'c, 'a> {
    fn of(value: V<'c, 'a>, e: &Emitter<'c, 'a>) -> Result<Self, Failure> {
        let (source, own) = (Source::of(value, e)?, sizes::extents(value, e)?);
        let single = own.len() == 1;
        let [.., width] = own[..] else { return Err(Reason::RunTime.says("draws by a number").into()) };
        Ok(Self { source, single, shape: [if single { Extent::Number(1) } else { own[0] }, width] })
    }

    fn load(&self, e: &Emitter<'c, 'a>, point: &[V<'c, 'a>]) -> Emitted<'c, 'a> {
        let point = if self.single { &point[1..2] } else { &point[..2] };
        Ok(e.cast(self.source.load(e, point)?, Dtype::F64))
    }

    /// That each row is a distribution, else eager's words.
    fn check(&self, e: &Emitter<'c, 'a>, several: bool) -> Result<(), Failure> {
        let (negative, unbounded) = if several {
            (
                "invalid multinomial distribution (encountering probability entry < 0)",
                "invalid multinomial distribution (encountering probability entry = infinity or NaN)",
            )
        } else {
            let wrong = "probability tensor contains either `inf`, `nan` or element < 0";
            (wrong, wrong)
        };
        // nan is not below 0.
        assert_all(e, &self.shape, negative, |e, i| {
            let weight = self.load(e, i)?;
            let below = e.compare(Compare::Lt, weight, e.like(weight, 0.0));
            Ok(e.compare(Compare::Eq, below, e.constant(below.r#type(), Number::Int(0))))
        })?;
        assert_all(e, &self.shape, unbounded, |e, i| {
            let size = e.same("math.absf", &[self.load(e, i)?]);
            Ok(e.compare(Compare::Lt, size, e.like(size, f64::INFINITY)))
        })?;
        let [height, width] = self.shape;
        let some = e.reduction(of(e, Dtype::Bool, &[height]), Combiner::Or, &[width], |e, i| {
            let weight = self.load(e, i)?;
            Ok(e.compare(Compare::Gt, weight, e.like(weight, 0.0)))
        })?;
        assert_all(e, &[height], "invalid multinomial distribution (sum of probabilities <= 0)", |e, i| {
            e.load(some, &[e.dim(0)], i, None)
        })
    }

    /// So many places of each row, each as likely as its weight: where a part of the sum of weights is
    /// reached.
    fn with_replacement(&self, e: &Emitter<'c, 'a>, draws: &Draws<'c, 'a>, count: i64) -> Emitted<'c, 'a> {
        let ([height, width], count) = (self.shape, Extent::Number(count));
        let sums = e.scan(of(e, Dtype::F64, &self.shape), Combiner::Add, 1, |e, i| self.load(e, i))?;
        let sampled = of(e, Dtype::F64, &[height, count]);
        let last = e.plus(width, -1)?;
        let parts = e.pointwise(sampled, |e, i| {
            let all = match last {
                Extent::Number(last) => e.load(sums, &[e.dim(0), e.number(last)], i, None)?,
                Extent::Value(last) => e.load(sums, &[e.dim(0), e.dim(1)], &[i[0], last], None)?,
            };
            Ok(e.mul(draws.uniform(e, number(e, i, &[height, count]), Dtype::F64)?, all))
        })?;
        let passed = e.reduction(of(e, Dtype::I64, &[height, count]), Combiner::Add, &[width], |e, i| {
            let sum = e.load(sums, &[e.dim(0), e.dim(2)], i, None)?;
            let part = e.load(parts, &[e.dim(0), e.dim(1)], i, None)?;
            Ok(e.cast(e.compare(Compare::Le, sum, part), Dtype::I64))
        })?;
        // Rounding may not reach beyond the last one that has a weight.
        let last = e.reduction(of(e, Dtype::I64, &[height]), Combiner::Max, &[width], |e, i| {
            let weight = self.load(e, i)?;
            let place = e.op("arith.index_cast", &[i[1]], Dtype::I64.to_type(e.context), &[]);
            Ok(e.select(e.compare(Compare::Gt, weight, e.like(weight, 0.0)), place, int(e, 0)))
        })?;
        e.pointwise(of(e, Dtype::I64, &[height, count]), |e, i| {
            let place = e.load(passed, &[e.dim(0), e.dim(1)], i, None)?;
            Ok(e.same("arith.minsi", &[place, e.load(last, &[e.dim(0)], i, None)?]))
        })
    }

    /// The first places of each row in a race of exponential clocks: who weighs more comes earlier, who
    /// weighs nothing last.
    fn without_replacement(&self, e: &Emitter<'c, 'a>, draws: &Draws<'c, 'a>, count: i64) -> Emitted<'c, 'a> {
        let clocks = e.pointwise(of(e, Dtype::F64, &self.shape), |e, i| {
            let weight = self.load(e, i)?;
            let unit = draws.uniform(e, number(e, i, &self.shape), Dtype::F64)?;
            let log = e.same("math.log", &[e.sub(e.like(unit, 1.0), unit)]);
            let clock = e.div(e.sub(e.like(log, -0.0), log), weight);
            let runs = e.compare(Compare::Gt, weight, e.like(weight, 0.0));
            Ok(e.select(runs, clock, e.like(clock, f64::INFINITY)))
        })?;
        let [_, places] = e.sort(clocks, 1, false, Some(count))?;
        Ok(places)
    }
}

/// `multinomial`.
pub fn multinomial<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::MultinomialOp::try_from(op).map_err(|_| "is no multinomial")?;
    let (weights, draws) = (Weights::of(view.self_(), e)?, Draws::of(view.state(), e)?);
    let (count, replacement) = (view.num_samples(), view.replacement().unwrap_or(false));
    weights.check(e, replacement && count > 1)?;
    let places = if replacement {
        weights.with_replacement(e, &draws, count)?
    } else {
        weights.without_replacement(e, &draws, count)?
    };
    Ok(vec![if weights.single { reshape::reshape(e, places, &[Extent::Number(count)])? } else { places }])
}
