//! Sizes told apart without guards.

use super::{Size, symbols::current};

impl Size {
    /// Itself, as simple as what is known makes it.
    pub fn simplified(self) -> Size {
        if self.known().is_some() || self.is_unknown() {
            self
        } else {
            current(|symbols| symbols.simplified(self))
        }
    }

    /// Whether both are one expression, as far as is known.
    pub fn is_same(self, other: Size) -> bool {
        self.0 == other.0 || self.key() == other.key()
    }

    /// A number that is the same for equal expressions, as far as is known: what tables are sorted by.
    pub fn key(self) -> i64 {
        self.simplified().0
    }
}
