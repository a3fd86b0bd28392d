//! Arithmetic on sizes, and questions about them: of expressions the symbols in force answer.

use crate::{
    Number,
    size::{LOWEST, Size},
    symbols::{self, Relation, current},
};
use std::{
    fmt,
    iter::{Product, Sum},
    ops::{Add, AddAssign, Div, Mul, Neg, Rem, Sub, SubAssign},
};

impl Size {
    /// Itself where arithmetic with it is exact: small numbers, and expressions of few terms with small
    /// factors. Others are no sizes of tensors, and may go round when the program runs.
    pub fn plain(self) -> Option<Self> {
        let plain = match self.known() {
            Some(number) => number.unsigned_abs() <= symbols::SMALL as u64,
            None => !self.is_unknown() && current(|symbols| symbols.is_plain(self)),
        };
        plain.then_some(self)
    }

    /// The number that it is taken for: of an expression the one that its symbols' hints give, with a guard
    /// that it is this one. None where it is unknown.
    pub fn assume_number(self) -> Option<i64> {
        match self.expression() {
            Some(_) => Some(current(|symbols| symbols.fix(self))),
            None => self.known(),
        }
    }

    fn relates(self, relation: Relation, other: Size) -> bool {
        current(|symbols| symbols.decide(relation, self, other))
    }

    /// Whether it is another one, where anything else would be wrong: of expressions it is, with a guard.
    pub fn demand_eq(self, other: Size) -> bool {
        if self.0 == other.0 || self.is_unknown() || other.is_unknown() {
            return self.0 == other.0;
        }
        (self.expression().is_some() || other.expression().is_some())
            && current(|symbols| symbols.demand(self, other))
    }

    /// Whether it is at most another one, where that is what programs mean: of expressions it is, with a
    /// guard.
    pub fn demand_le(self, bound: Size) -> bool {
        if self.0 == bound.0 || self.is_unknown() || bound.is_unknown() {
            return self.0 == bound.0;
        }
        match (self.known(), bound.known()) {
            (Some(own), Some(bound)) => own <= bound,
            _ => current(|symbols| symbols.suppose(self, bound)),
        }
    }

    /// Whether it is known to be at most another one, without a guard.
    pub fn is_at_most(self, bound: Size) -> bool {
        if self.0 == bound.0 || self.is_unknown() || bound.is_unknown() {
            return self.0 == bound.0 && !self.is_unknown();
        }
        match (self.known(), bound.known()) {
            (Some(own), Some(bound)) => own <= bound,
            _ => current(|symbols| symbols.known(Relation::AtMost, self, bound)) == Some(true),
        }
    }

    /// Itself, or the bound that it is beyond.
    #[allow(clippy::should_implement_trait)]
    pub fn clamp(self, low: impl Into<Size>, high: impl Into<Size>) -> Size {
        self.assume_max(low).assume_min(high)
    }

    /// At least one, without a guard.
    pub fn or_one(self) -> Size {
        match self.known() {
            Some(number) => Size(number.max(1)),
            None if self.is_unknown() => self,
            None => current(|symbols| symbols.or_one(self)),
        }
    }

    /// The product with a float, computed in f64 and rounded towards zero.
    pub fn scaled(self, factor: f64) -> Size {
        /// Factors up to here leave of sizes of tensors what an i64 has.
        const LARGEST: f64 = 65536.0;
        match self.known() {
            Some(number) => Size::number(Number::scaled(number, factor)),
            None if self.is_unknown() => self,
            None if factor.fract() == 0.0 && factor.abs() <= LARGEST => self * factor as i64,
            None if factor.abs() <= LARGEST => current(|symbols| symbols.scaled(self, factor)),
            None => self.assume_number().map_or(self, |number| Size::number(Number::scaled(number, factor))),
        }
    }

    /// Without its sign.
    pub fn abs(self) -> Size {
        if self.assume_lt(0) { -self } else { self }
    }

    /// The product, of numbers at most the largest one.
    pub fn saturating_mul(self, other: impl Into<Size>) -> Size {
        let other = other.into();
        match (self.known(), other.known()) {
            (Some(a), Some(b)) => Size(a.saturating_mul(b).max(LOWEST)),
            _ => self * other,
        }
    }

    /// The sum, of numbers at most the largest one.
    pub fn saturating_add(self, other: impl Into<Size>) -> Size {
        let other = other.into();
        match (self.known(), other.known()) {
            (Some(a), Some(b)) => Size(a.saturating_add(b).max(LOWEST)),
            _ => self + other,
        }
    }

    /// The difference, of numbers at least the lowest one.
    pub fn saturating_sub(self, other: impl Into<Size>) -> Size {
        let other = other.into();
        match (self.known(), other.known()) {
            (Some(a), Some(b)) => Size(a.saturating_sub(b).max(LOWEST)),
            _ => self - other,
        }
    }

    /// The product, None where it is too large or unknown.
    pub fn checked_mul(self, other: impl Into<Size>) -> Option<Size> {
        let other = other.into();
        match (self.known(), other.known()) {
            (Some(a), Some(b)) => a.checked_mul(b).map(|product| Size(product.max(LOWEST))),
            _ => Some(self * other).filter(|product| !product.is_unknown()),
        }
    }
}

macro_rules! arithmetic {
    ($trait:ident, $method:ident, $numbers:expr, $expressions:ident) => {
        impl $trait for Size {
            type Output = Size;

            fn $method(self, other: Size) -> Size {
                match (self.known(), other.known()) {
                    (Some(a), Some(b)) => Size($numbers(a, b).max(LOWEST)),
                    _ if self.is_unknown() || other.is_unknown() => Size::UNKNOWN,
                    _ => current(|symbols| symbols.$expressions(self, other)),
                }
            }
        }

        impl $trait<i64> for Size {
            type Output = Size;

            fn $method(self, other: i64) -> Size {
                self.$method(Size::number(other))
            }
        }
    };
}

arithmetic!(Add, add, i64::saturating_add, add);
arithmetic!(Sub, sub, i64::saturating_sub, sub);
arithmetic!(Mul, mul, i64::saturating_mul, mul);
arithmetic!(Div, div, |a: i64, b: i64| a / b, floor_div);
arithmetic!(Rem, rem, |a: i64, b: i64| a % b, modulo);

impl Neg for Size {
    type Output = Size;

    fn neg(self) -> Size {
        Size(0) - self
    }
}

impl AddAssign for Size {
    fn add_assign(&mut self, other: Size) {
        *self = *self + other;
    }
}

impl SubAssign for Size {
    fn sub_assign(&mut self, other: Size) {
        *self = *self - other;
    }
}

impl std::ops::MulAssign for Size {
    fn mul_assign(&mut self, other: Size) {
        *self = *self * other;
    }
}

impl Sum for Size {
    fn sum<I: Iterator<Item = Size>>(sizes: I) -> Size {
        sizes.fold(Size(0), |a, b| a + b)
    }
}

impl Product for Size {
    fn product<I: Iterator<Item = Size>>(sizes: I) -> Size {
        sizes.fold(Size(1), |a, b| a * b)
    }
}

impl<'a> Sum<&'a Size> for Size {
    fn sum<I: Iterator<Item = &'a Size>>(sizes: I) -> Size {
        sizes.copied().sum()
    }
}

impl<'a> Product<&'a Size> for Size {
    fn product<I: Iterator<Item = &'a Size>>(sizes: I) -> Size {
        sizes.copied().product()
    }
}

/// A number, `?`, or an expression over `s0`, `s1`, ...
impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.known() {
            Some(number) => write!(f, "{number}"),
            None if self.is_unknown() => f.write_str("?"),
            None => f.write_str(&current(|symbols| symbols.text(*self))),
        }
    }
}

impl fmt::Debug for Size {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Number for Size {
    const ZERO: Self = Size::ZERO;
    const ONE: Self = Size::ONE;

    fn or_one(self) -> Self {
        Size::or_one(self)
    }

    fn is_unknown(self) -> bool {
        Size::is_unknown(self)
    }

    fn assume_eq(self, other: impl Into<Self>) -> bool {
        let other = other.into();
        if self.0 == other.0 || self.is_unknown() || other.is_unknown() {
            return self.0 == other.0;
        }
        (self.expression().is_some() || other.expression().is_some()) && self.relates(Relation::Equal, other)
    }

    fn assume_le(self, bound: impl Into<Self>) -> bool {
        let bound = bound.into();
        match self.expression().is_none() && bound.expression().is_none() || self.0 == bound.0 {
            true => self.0 <= bound.0,
            false => self.relates(Relation::AtMost, bound),
        }
    }

    fn demand_eq(self, other: Self) -> bool {
        Size::demand_eq(self, other)
    }

    fn demand_le(self, bound: Self) -> bool {
        Size::demand_le(self, bound)
    }

    fn is_at_most(self, bound: Self) -> bool {
        Size::is_at_most(self, bound)
    }

    fn in_type(self) -> i64 {
        Size::in_type(self)
    }

    fn is_same(self, other: Self) -> bool {
        Size::is_same(self, other)
    }

    fn saturating_mul(self, other: Self) -> Self {
        Size::saturating_mul(self, other)
    }

    fn saturating_add(self, other: Self) -> Self {
        Size::saturating_add(self, other)
    }

    fn scaled(self, factor: f64) -> Self {
        Size::scaled(self, factor)
    }

    fn known(self) -> Option<i64> {
        Size::known(self)
    }

    fn assume_number(self) -> Option<i64> {
        Size::assume_number(self)
    }
}
