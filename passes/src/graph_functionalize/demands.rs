//! What a function that is made of values takes for granted of its arguments, beside their sizes.
//!
//! Each demand is asserted in front of the core where eager refuses the function for sure if it does not hold; else it is one of the tests that
//! choose between this function and the one that was written ([`guards`](super::guards)).

use super::{
    analysis::{Analysis, At},
    distinct::{self, Framed},
    reaches::{self, Reach},
};
use melior::ir::OperationRef;

/// Demands on arguments.
pub struct Demands<'c> {
    /// They repeat no elements.
    pub distinct: Vec<Framed<'c>>,
    /// Their storages have places for views of them.
    pub reached: Vec<Reach<'c>>,
}

impl<'c> Demands<'c> {
    /// Those of a function.
    ///
    /// # Errors
    /// Those of [`reaches::found`].
    pub fn of<'a>(analysis: &Analysis<'c, 'a>, function: OperationRef<'c, 'a>) -> Result<Self, At<'c, 'a>> {
        let distinct = distinct::written(analysis, function);
        Ok(Self { distinct, reached: reaches::found(analysis, function)? })
    }

    /// What is to be asserted, and what is to be asked; all is asserted where the function can be no other one.
    pub fn parted(self, all: bool) -> (Self, Self) {
        let (refused, framed) = self.distinct.into_iter().partition(|framed| all || framed.refused);
        let (always, reached) = self.reached.into_iter().partition(|reach| all || reach.always);
        (Self { distinct: refused, reached: always }, Self { distinct: framed, reached })
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.distinct.is_empty() && self.reached.is_empty()
    }
}
