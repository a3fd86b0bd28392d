//! Guards: the relations of sizes that an answer took for granted.

use super::Size;

/// What `arith.cmpi` asks, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Predicate {
    Equal = 0,
    NotEqual = 1,
    Less = 2,
    LessOrEqual = 3,
    Greater = 4,
    GreaterOrEqual = 5,
    /// Without signs.
    Below = 6,
}

/// A relation of two sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// They are equal.
    Equal,
    /// The first is at most the second.
    AtMost,
}

impl Relation {
    /// Whether a difference is what the relation asks for.
    pub(super) fn of(self, difference: i64) -> bool {
        match self {
            Relation::Equal => difference == 0,
            Relation::AtMost => difference <= 0,
        }
    }
}

/// What had to be taken for granted.
#[derive(Clone, Copy, Debug)]
pub struct Guard {
    /// How both sides are related.
    pub relation: Relation,
    /// The first side.
    pub left: Size,
    /// The second side.
    pub right: Size,
    /// Whether the relation holds, or does not.
    pub holds: bool,
    /// What asked: the number that [`Symbols::asks`](super::symbols::Symbols::asks) was last given.
    pub by: usize,
    /// The number of the question among those that nothing decides; None where none was asked, or a hint
    /// answered.
    pub question: Option<usize>,
}

impl Guard {
    /// The predicate of `arith.cmpi` that holds of both sides where the guard does.
    pub fn predicate(&self) -> Predicate {
        match (self.relation, self.holds) {
            (Relation::Equal, true) => Predicate::Equal,
            (Relation::Equal, false) => Predicate::NotEqual,
            (Relation::AtMost, true) => Predicate::LessOrEqual,
            (Relation::AtMost, false) => Predicate::Greater,
        }
    }
}
