//! What a function that is made of values takes for granted of its arguments, beside their sizes.
//!
//! Each demand is asserted in front of the core where eager refuses the function for sure if it does not
//! hold; else a guard asks ([`guards`](crate::graph::functionalize::boundary::guards)): eager may take the
//! call, by another function than this one.

use super::{
    distinct::{self, WrittenLogical},
    reaches::{self, Reach},
    state::{Analysis, At},
};
use melior::ir::OperationRef;

/// Demands on arguments.
pub struct Demands<'c> {
    /// They repeat no elements.
    pub distinct: Vec<WrittenLogical<'c>>,
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

    /// What is to be asserted, and what guards ask.
    pub fn parted(self) -> (Self, Self) {
        let (refused, logical) = self.distinct.into_iter().partition(|logical| logical.refused);
        let (always, reached) = self.reached.into_iter().partition(|reach| reach.always);
        (Self { distinct: refused, reached: always }, Self { distinct: logical, reached })
    }
}
