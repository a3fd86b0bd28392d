//! What a [`Size`] is: one word for a number, for what is not known, and for an expression.

/// A size that is not known statically, as MLIR marks it.
pub const DYNAMIC: i64 = i64::MIN;

/// A number, unknown, or an expression over the symbols that are in force
/// ([`crate::symbols::Symbols::enter`]).
///
/// Expressions are counted from the lowest number after [`DYNAMIC`] on; numbers that low are no sizes.
#[derive(Clone, Copy, Default)]
pub struct Size(pub(crate) i64);

/// Numbers below are the numbers of expressions.
pub(crate) const LOWEST: i64 = i64::MIN / 2;

impl Size {
    /// A size of which nothing is known.
    pub const UNKNOWN: Size = Size(DYNAMIC);
    /// Nothing.
    pub const ZERO: Size = Size(0);
    /// One.
    pub const ONE: Size = Size(1);

    /// A number; one that is no size, so low is it, is as good as the lowest.
    pub(crate) fn number(number: i64) -> Self {
        Size(if number == DYNAMIC { DYNAMIC } else { number.max(LOWEST) })
    }

    /// A number of the run, where -2^63 is no word for what is not known; one that is no size, so low is it,
    /// is as good as the lowest.
    pub fn of_run(number: i64) -> Self {
        Size(number.max(LOWEST))
    }

    pub(crate) fn of_expression(number: usize) -> Self {
        Size(DYNAMIC + 1 + number as i64)
    }

    pub(crate) fn expression(self) -> Option<usize> {
        (self.0 < LOWEST && self.0 != DYNAMIC).then(|| (self.0 - DYNAMIC - 1) as usize)
    }

    /// The number, where it is one that stays what it is: numbers that are no sizes, so low are they, do not.
    pub fn exactly(number: i64) -> Option<Self> {
        (number >= LOWEST).then_some(Size(number))
    }

    /// What tells it apart without asking whether others are equal.
    pub fn id(self) -> i64 {
        self.0
    }

    /// The number, where it is one.
    pub fn known(self) -> Option<i64> {
        (self.0 >= LOWEST).then_some(self.0)
    }

    /// Whether nothing is known of it.
    pub fn is_unknown(self) -> bool {
        self.0 == DYNAMIC
    }

    /// What a type says of it: the number, or [`DYNAMIC`].
    pub fn in_type(self) -> i64 {
        self.known().unwrap_or(DYNAMIC)
    }
}

impl From<i64> for Size {
    fn from(number: i64) -> Self {
        Size::number(number)
    }
}

impl From<i32> for Size {
    fn from(number: i32) -> Self {
        Size(number.into())
    }
}

impl From<usize> for Size {
    fn from(number: usize) -> Self {
        Size(number as i64)
    }
}
