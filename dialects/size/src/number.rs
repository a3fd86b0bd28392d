//! What arithmetic on layouts asks of a number: `i64`, or [`crate::Size`].

use std::{
    cmp::Ordering,
    fmt::{Debug, Display},
    iter::{Product, Sum},
    ops::{Add, Div, Mul, Neg, Rem, Sub},
};

/// A number that sizes, strides and offsets are counted in.
pub trait Number:
    Copy
    + Debug
    + Display
    + From<i64>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + Neg<Output = Self>
    + Sum
    + Product
    + 'static
{
    /// Nothing.
    const ZERO: Self;
    /// One.
    const ONE: Self;

    /// At least one: what a dimension counts in strides.
    fn or_one(self) -> Self;

    /// Whether both are equal: of what is not known it is assumed, with a guard, that they are or are not.
    fn assume_eq(self, other: impl Into<Self>) -> bool;

    /// Whether it is at most another one: of what is not known it is assumed, with a guard.
    fn assume_le(self, bound: impl Into<Self>) -> bool;

    /// Not [`Number::assume_eq`].
    fn assume_ne(self, other: impl Into<Self>) -> bool {
        !self.assume_eq(other)
    }

    /// Whether it is less than another one: [`Number::assume_le`] the other way round, and not.
    fn assume_lt(self, bound: impl Into<Self>) -> bool {
        !bound.into().assume_le(self)
    }

    /// Whether it is greater than another one: not [`Number::assume_le`].
    fn assume_gt(self, bound: impl Into<Self>) -> bool {
        !self.assume_le(bound)
    }

    /// Whether it is at least another one: [`Number::assume_le`] the other way round.
    fn assume_ge(self, bound: impl Into<Self>) -> bool {
        bound.into().assume_le(self)
    }

    /// The larger one, as assumed.
    fn assume_max(self, other: impl Into<Self>) -> Self {
        let other = other.into();
        if self.assume_ge(other) { self } else { other }
    }

    /// The smaller one, as assumed.
    fn assume_min(self, other: impl Into<Self>) -> Self {
        let other = other.into();
        if self.assume_le(other) { self } else { other }
    }

    /// Whether lists are as long and equal, element by element, as assumed.
    fn assume_same(left: &[Self], right: &[Self]) -> bool {
        left.len() == right.len() && left.iter().zip(right).all(|(a, b)| a.assume_eq(*b))
    }

    /// Whether it is another one, where anything else would be wrong: of what is not known it is, with a
    /// guard.
    fn demand_eq(self, other: Self) -> bool;

    /// Whether it is at most another one, where that is what programs mean: of what is not known it is, with
    /// a guard.
    fn demand_le(self, bound: Self) -> bool;

    /// The product, of numbers at most the largest one.
    fn saturating_mul(self, other: Self) -> Self;

    /// The sum, of numbers at most the largest one.
    fn saturating_add(self, other: Self) -> Self;

    /// The product with a float as eager computes sizes by factors: in f64, then rounded towards zero.
    fn scaled(self, factor: f64) -> Self;

    /// Whether nothing is known of it: [`DYNAMIC`](crate::size::DYNAMIC) of a type.
    fn is_unknown(self) -> bool;

    /// What a type says of it.
    fn in_type(self) -> i64;

    /// Whether both are known to be equal, without a guard.
    fn is_same(self, other: Self) -> bool;

    /// Whether it is known to be at most another one, without a guard.
    fn is_at_most(self, bound: Self) -> bool;

    /// The number, where it is known without a guard.
    fn known(self) -> Option<i64>;

    /// The number, where need be with a guard that it is this one.
    fn assume_number(self) -> Option<i64>;
}

/// Sorts a list by what stands before what; elements of which neither does stay in their order. Each
/// comparison asks once.
pub fn sort_where<T>(list: &mut [T], mut is_before: impl FnMut(&T, &T) -> bool) {
    // A sort looks at nothing but whether an element is less.
    list.sort_by(|a, b| if is_before(a, b) { Ordering::Less } else { Ordering::Equal });
}

impl Number for i64 {
    const ZERO: Self = 0;
    const ONE: Self = 1;

    fn or_one(self) -> Self {
        self.max(1)
    }

    fn is_unknown(self) -> bool {
        self == crate::size::DYNAMIC
    }

    fn assume_eq(self, other: impl Into<Self>) -> bool {
        self == other.into()
    }

    fn assume_le(self, bound: impl Into<Self>) -> bool {
        self <= bound.into()
    }

    fn demand_eq(self, other: Self) -> bool {
        self == other
    }

    fn demand_le(self, bound: Self) -> bool {
        self <= bound
    }

    fn is_at_most(self, bound: Self) -> bool {
        self <= bound
    }

    fn in_type(self) -> i64 {
        self
    }

    fn is_same(self, other: Self) -> bool {
        self == other
    }

    fn saturating_mul(self, other: Self) -> Self {
        i64::saturating_mul(self, other)
    }

    fn saturating_add(self, other: Self) -> Self {
        i64::saturating_add(self, other)
    }

    fn scaled(self, factor: f64) -> Self {
        (self as f64 * factor) as i64
    }

    fn known(self) -> Option<i64> {
        Some(self)
    }

    fn assume_number(self) -> Option<i64> {
        Some(self)
    }
}
