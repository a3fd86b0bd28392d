//! Sizes of loops, grids and buffers: numbers, or values that are known when the program runs.

use melior::ir::Value;
use terrace_size::DYNAMIC;

/// A size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Extent<'c, 'a> {
    /// Known now.
    Number(i64),
    /// Known when the program runs: an index.
    Value(Value<'c, 'a>),
}

impl<'c, 'a> Extent<'c, 'a> {
    /// What a type says of it: the number, or [`DYNAMIC`].
    pub fn in_type(self) -> i64 {
        self.number().unwrap_or(DYNAMIC)
    }

    /// The number, where it is one.
    pub fn number(self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(number),
            Self::Value(_) => None,
        }
    }

    /// The value, where it is one.
    pub fn value(self) -> Option<Value<'c, 'a>> {
        match self {
            Self::Number(_) => None,
            Self::Value(value) => Some(value),
        }
    }

    /// Whether it is this number.
    pub fn is(self, number: i64) -> bool {
        self == Self::Number(number)
    }

    /// Sizes of which the values stand in a list of their own, [`DYNAMIC`] in their places.
    pub fn listed(sizes: &[i64], values: &[Value<'c, 'a>]) -> Vec<Self> {
        let mut values = values.iter();
        let extent = |size: &i64| match *size {
            DYNAMIC => values.next().map_or(Self::Number(DYNAMIC), |value| Self::Value(*value)),
            size => Self::Number(size),
        };
        sizes.iter().map(extent).collect()
    }

    /// The other way round: the values, and all sizes as types have them.
    pub fn split(extents: &[Self]) -> (Vec<Value<'c, 'a>>, Vec<i64>) {
        let values = extents.iter().filter_map(|extent| extent.value()).collect();
        (values, Self::in_types(extents))
    }

    /// All sizes as types have them.
    pub fn in_types(extents: &[Self]) -> Vec<i64> {
        extents.iter().map(|extent| extent.in_type()).collect()
    }

    /// Sizes that are numbers.
    pub fn numbers(sizes: &[i64]) -> Vec<Self> {
        sizes.iter().map(|size| Self::Number(*size)).collect()
    }
}

impl From<i64> for Extent<'_, '_> {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}
