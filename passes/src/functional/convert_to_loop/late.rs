//! What follows from sizes: numbers and truths where sizes are numbers, values where they are those of the
//! run.

use crate::emit::{Compare, Emitter, Number};
use melior::ir::Type;
use terrace_dialects::ir::{cursor::V, extent::Extent};

/// A truth that is known now, or when the program runs.
#[derive(Clone, Copy)]
pub enum Truth<'c, 'a> {
    /// Now.
    Known(bool),
    /// Then.
    Value(V<'c, 'a>),
}

impl<'c, 'a> Truth<'c, 'a> {
    /// Whether a size is so many times another one.
    pub fn is_times(e: &Emitter<'c, 'a>, a: Extent<'c, 'a>, b: Extent<'c, 'a>, times: i64) -> Self {
        match (a, b) {
            (Extent::Number(a), Extent::Number(b)) => Self::Known(a == times * b),
            _ => {
                let b = if times == 1 { e.size(b) } else { e.mul(e.size(b), e.index(times)) };
                Self::Value(e.compare(Compare::Eq, e.size(a), b))
            }
        }
    }

    /// One value or another, of which only what may be needed is made.
    pub fn choose(
        self,
        e: &Emitter<'c, 'a>,
        yes: impl FnOnce() -> V<'c, 'a>,
        no: impl FnOnce() -> V<'c, 'a>,
    ) -> V<'c, 'a> {
        match self {
            Self::Known(true) => yes(),
            Self::Known(false) => no(),
            Self::Value(truth) => e.select(truth, yes(), no()),
        }
    }

    /// Whether both hold.
    pub fn and(self, e: &Emitter<'c, 'a>, other: Self) -> Self {
        match (self, other) {
            (Self::Known(true), truth) | (truth, Self::Known(true)) => truth,
            (Self::Known(false), _) | (_, Self::Known(false)) => Self::Known(false),
            (Self::Value(a), Self::Value(b)) => Self::Value(e.and(a, b)),
        }
    }
}

/// A float that is known now, or when the program runs.
#[derive(Clone, Copy)]
pub enum Float<'c, 'a> {
    /// Now.
    Known(f64),
    /// Then.
    Value(V<'c, 'a>),
}

impl<'c, 'a> Float<'c, 'a> {
    /// A size with a number added, of a float type.
    pub fn of(e: &Emitter<'c, 'a>, size: Extent<'c, 'a>, plus: i64, float: Type<'c>) -> Self {
        match size {
            Extent::Number(size) => Self::Known((size + plus) as f64),
            Extent::Value(size) => {
                let size = if plus == 0 { size } else { e.add(size, e.index(plus)) };
                Self::Value(e.op("arith.sitofp", &[e.as_i64(size)], float, &[]))
            }
        }
    }

    /// A size with a number added, over another with the same added, of a float type.
    pub fn over(e: &Emitter<'c, 'a>, [a, b]: [Extent<'c, 'a>; 2], plus: i64, float: Type<'c>) -> Self {
        if let (Some(a), Some(b)) = (a.number(), b.number()) {
            return Self::Known((a + plus) as f64 / (b + plus) as f64);
        }
        let [a, b] = [a, b].map(|size| Self::of(e, size, plus, float).value(e, float));
        Self::Value(e.div(a, b))
    }

    /// The value, of the same float type.
    pub fn value(self, e: &Emitter<'c, 'a>, float: Type<'c>) -> V<'c, 'a> {
        match self {
            Self::Known(number) => e.constant(float, Number::Float(number)),
            Self::Value(value) => value,
        }
    }
}
