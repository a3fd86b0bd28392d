//! Arithmetic on numbers of any dtype, and casts from one to another.

use super::{
    Compare, Emitter, Number,
    complex::{Complex, is_complex},
    known,
};
use melior::ir::{Attribute, Type, ValueLike, attribute::IntegerAttribute, r#type::IntegerType};
use terrace_dialects::ir::{
    cursor::V,
    dtype::{Category, Dtype, ElementType},
    types::is_float,
};

impl<'c, 'a> Emitter<'c, 'a> {
    fn either(&self, float: &str, integer: &str, operands: &[V<'c, 'a>]) -> V<'c, 'a> {
        self.same(if is_float(operands[0].r#type()) { float } else { integer }, operands)
    }

    /// What a function makes of two complex numbers.
    fn complex(
        &self,
        a: V<'c, 'a>,
        b: V<'c, 'a>,
        f: impl Fn(&Self, Complex<'c, 'a>, Complex<'c, 'a>) -> Complex<'c, 'a>,
    ) -> V<'c, 'a> {
        self.join(f(self, self.parts(a), self.parts(b)))
    }

    /// The sum of two numbers.
    pub fn add(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        if is_complex(a) {
            return self.complex(a, b, Self::sum);
        }
        self.either("arith.addf", "arith.addi", &[a, b])
    }

    /// The difference of two numbers.
    pub fn sub(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        if is_complex(a) {
            return self.complex(a, b, Self::difference);
        }
        self.either("arith.subf", "arith.subi", &[a, b])
    }

    /// The product of two numbers.
    pub fn mul(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        if is_complex(a) {
            return self.complex(a, b, Self::complex_product);
        }
        self.either("arith.mulf", "arith.muli", &[a, b])
    }

    /// The quotient of two floats, or of two complex numbers.
    pub fn div(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        if is_complex(a) {
            return self.complex(a, b, Self::quotient);
        }
        self.same("arith.divf", &[a, b])
    }

    /// The quotient of two floats, the divisor at least 1. Where a target is faster at that, it may be off by
    /// 2 ULP, and 0 where the divisor is above 2^126: not for what is asked whether it is an integer.
    pub fn ratio(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        self.op("arith.divf", &[a, b], a.r#type(), &[self.near()])
    }

    /// A power of e that is beside 1: what is too small for a normal number may be 0.
    pub fn term(&self, exponent: V<'c, 'a>) -> V<'c, 'a> {
        self.op("math.exp", &[exponent], exponent.r#type(), &[self.near()])
    }

    /// What an operation says that need not be exact.
    fn near(&self) -> (&'static str, Attribute<'c>) {
        let flags = Attribute::parse(self.context, "#arith.fastmath<afn>").expect("arith has this flag");
        ("fastmath", flags)
    }

    /// Both, of truth values or bits.
    pub fn and(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        self.same("arith.andi", &[a, b])
    }

    /// One value or another.
    pub fn select(&self, condition: V<'c, 'a>, yes: V<'c, 'a>, no: V<'c, 'a>) -> V<'c, 'a> {
        if is_complex(yes) {
            return self.complex(yes, no, |e, yes, no| e.choose(condition, yes, no));
        }
        self.op("arith.select", &[condition, yes, no], yes.r#type(), &[])
    }

    /// Compares two numbers; truth values as 0 and 1, other integers as signed ones. Complex numbers are
    /// equal or not.
    pub fn compare(&self, how: Compare, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        if is_complex(a) {
            let (a, b) = (self.parts(a), self.parts(b));
            let (re, im) = (self.compare(how, a.re, b.re), self.compare(how, a.im, b.im));
            return self.same(if matches!(how, Compare::Eq) { "arith.andi" } else { "arith.ori" }, &[re, im]);
        }
        let ty = a.r#type();
        let (name, predicates) = if is_float(ty) {
            ("arith.cmpf", [1, 13, 4, 5, 2, 3])
        } else if ty == self.bool_type() {
            ("arith.cmpi", [0, 1, 6, 7, 8, 9])
        } else {
            ("arith.cmpi", [0, 1, 2, 3, 4, 5])
        };
        self.predicate(name, predicates[how as usize], a, b)
    }

    /// Whether `0 <= a < b`, for a `b` that is not negative.
    pub fn inside(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        // As an unsigned number a negative one is beyond every bound.
        self.predicate("arith.cmpi", 6, a, b)
    }

    fn predicate(&self, name: &str, predicate: i64, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        let predicate = IntegerAttribute::new(IntegerType::new(self.context, 64).into(), predicate).into();
        self.op(name, &[a, b], self.bool_type(), &[("predicate", predicate)])
    }

    /// The type of a word of two bf16.
    pub fn word_type(&self) -> Type<'c> {
        IntegerType::new(self.context, 32).into()
    }

    /// Two f32 that are numbers of bf16 as a word, the first one in its lower half: each is the upper half of
    /// an f32.
    pub fn word(&self, halves: [V<'c, 'a>; 2]) -> V<'c, 'a> {
        let ty = self.word_type();
        let [first, second] = halves.map(|half| self.op("arith.bitcast", &[half], ty, &[]));
        let number = |number| self.constant(ty, Number::Int(number));
        let first = self.same("arith.shrui", &[first, number(16)]);
        let second = self.same("arith.andi", &[second, number(-1 << 16)]);
        self.same("arith.ori", &[first, second])
    }

    /// The type of a number of a dtype: u8 has the type of i8, and its sign is the operations' matter.
    pub fn number_type(&self, dtype: Dtype) -> Type<'c> {
        if dtype == Dtype::U8 { Dtype::I8.to_type(self.context) } else { dtype.to_type(self.context) }
    }

    /// A number as an element of a dtype, converted as ATen does: to bool, whether it is not zero; from float
    /// to integer towards zero, and what C++ leaves undefined there saturates, nan as 0; of a complex number
    /// to a real one its real part.
    pub fn cast(&self, value: V<'c, 'a>, to: Dtype) -> V<'c, 'a> {
        Dtype::of(value.r#type()).map_or(value, |from| self.cast_from(value, from, to))
    }

    /// [`Emitter::cast`] of an element of a dtype, which a u8's type does not tell. From and to dtypes that
    /// are computed in another one it goes by way of that one.
    pub fn cast_from(&self, value: V<'c, 'a>, from: Dtype, to: Dtype) -> V<'c, 'a> {
        use Category::*;
        if from == to {
            return value;
        }
        for through in [from.computed(), to.computed()] {
            if through != from && through != to {
                let mut value = self.cast_from(value, from, through);
                if from.is_float() && to == Dtype::U8 && through == Dtype::I32 {
                    // A float saturates where an integer wraps.
                    value = self.same("arith.maxsi", &[value, self.like(value, 0.0)]);
                    value = self.same("arith.minsi", &[value, self.like(value, 255.0)]);
                }
                return self.cast_from(value, through, to);
            }
        }
        match (from.is_complex(), to.category()) {
            (true, Complex) => return self.join(self.cast_parts(self.parts(value), to.part())),
            (false, Complex) => return self.join(self.real(self.cast_from(value, from, to.part()))),
            (true, Bool) => return self.compare(Compare::Ne, value, self.like(value, 0.0)),
            (true, _) => return self.cast(self.parts(value).re, to),
            (false, _) => {}
        }
        let ty = self.number_type(to);
        if let Some(number) = known(value) {
            return self.constant(ty, convert(number, from, to));
        }
        let change = |name: &str| self.op(name, &[value], ty, &[]);
        match (from.category(), to.category()) {
            _ if from == Dtype::U8 => change("arith.extui"),
            (_, Bool) => self.compare(Compare::Ne, value, self.like(value, 0.0)),
            (Bool, Integer) => change("arith.extui"),
            (Bool, Float) => change("arith.uitofp"),
            (Integer, Float) => change("arith.sitofp"),
            (Integer, Integer) if from.bytes() < to.bytes() => change("arith.extsi"),
            (Integer, Integer) => change("arith.trunci"),
            (Float, Float) if from.bytes() < to.bytes() => change("arith.extf"),
            (Float, Float) => change("arith.truncf"),
            (Float, Integer) => self.truncate(value, to),
            (Complex, _) | (_, Complex) => unreachable!("parts are cast"),
        }
    }

    /// A float as an integer: `arith.fptosi` has no value outside the integer's range, so it gets 0 there.
    fn truncate(&self, value: V<'c, 'a>, to: Dtype) -> V<'c, 'a> {
        let ty = to.to_type(self.context);
        let bits = 8 * to.bytes() as u32;
        // Both bounds are powers of two, exact in every float dtype.
        let (low, high) = (-(2f64.powi(bits as i32 - 1)), 2f64.powi(bits as i32 - 1));
        let least = self.constant(ty, Number::Int(i64::MIN >> (64 - bits)));
        let most = self.constant(ty, Number::Int(i64::MAX >> (64 - bits)));
        let above = self.compare(Compare::Ge, value, self.like(value, high));
        let below = self.compare(Compare::Lt, value, self.like(value, low));
        let ordered = self.compare(Compare::Eq, value, value);
        let zero = self.like(value, 0.0);
        let inside = self.select(above, zero, self.select(below, zero, self.select(ordered, value, zero)));
        let integer = self.op("arith.fptosi", &[inside], ty, &[]);
        self.select(above, most, self.select(below, least, integer))
    }

    /// An integer as an index.
    pub fn as_index(&self, value: V<'c, 'a>) -> V<'c, 'a> {
        self.op("arith.index_cast", &[value], self.index_type(), &[])
    }

    /// An index as an i64.
    pub fn as_i64(&self, index: V<'c, 'a>) -> V<'c, 'a> {
        self.op("arith.index_cast", &[index], Dtype::I64.to_type(self.context), &[])
    }
}

/// [`Emitter::cast_from`] of a number that is known.
fn convert(number: Number, from: Dtype, to: Dtype) -> Number {
    let number = match number {
        Number::Int(i) if from == Dtype::U8 => Number::Int(i & 0xff),
        number => number,
    };
    match (to.category(), number) {
        (Category::Bool, n) => Number::Int((n.float() != 0.0) as i64),
        // Rounded once: not by way of f64.
        (Category::Float, Number::Int(i)) if to == Dtype::F32 => Number::Float((i as f32).into()),
        (Category::Float, n) => Number::Float(n.float()),
        (Category::Integer, Number::Int(i)) => {
            let unused = 64 - 8 * to.bytes() as u32;
            Number::Int(i << unused >> unused)
        }
        (Category::Integer, Number::Float(f)) => {
            let limit = i64::MAX >> (64 - 8 * to.bytes() as u32);
            Number::Int((f as i64).clamp(-limit - 1, limit))
        }
        (Category::Complex, _) => unreachable!("parts are cast"),
    }
}
