//! Sizes by somebody else's arithmetic: as operations of a program, or as the symbols in them.

use super::{
    Size,
    expression::{Atom, Polynomial},
    symbols::{Symbols, current},
};
use std::collections::BTreeSet;

/// What two numbers come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// Their sum.
    Add,
    /// Their product.
    Multiply,
    /// Their quotient, rounded down; the second is above 0.
    Divide,
    /// The larger one.
    Max,
}

/// Somebody who computes.
pub trait Arithmetic {
    /// A number.
    type Value: Copy;
    /// Why there is none.
    type Error;

    /// A constant.
    ///
    /// # Errors
    /// There is no such number here.
    fn constant(&mut self, number: i64) -> Result<Self::Value, Self::Error>;

    /// A symbol, by its place.
    ///
    /// # Errors
    /// It is not known here.
    fn symbol(&mut self, place: usize) -> Result<Self::Value, Self::Error>;

    /// What an operator comes to.
    ///
    /// # Errors
    /// It can't be computed here.
    fn apply(
        &mut self,
        operator: Operator,
        a: Self::Value,
        b: Self::Value,
    ) -> Result<Self::Value, Self::Error>;

    /// A number times a float, computed in f64 and rounded towards zero.
    ///
    /// # Errors
    /// It can't be computed here.
    fn scaled(&mut self, number: Self::Value, factor: f64) -> Result<Self::Value, Self::Error>;
}

impl Symbols {
    /// A size, which is not unknown, as `by` computes it; as it was first said, so that guards say something.
    ///
    /// # Errors
    /// What `by` can't do.
    pub fn computed<A: Arithmetic>(&self, size: Size, by: &mut A) -> Result<A::Value, A::Error> {
        self.polynomial_by(&self.table.polynomial(size), by)
    }

    fn polynomial_by<A: Arithmetic>(
        &self,
        polynomial: &Polynomial,
        by: &mut A,
    ) -> Result<A::Value, A::Error> {
        let mut sum = None;
        for (monomial, factor) in &polynomial.0 {
            let mut product = None;
            for atom in monomial {
                let value = self.atom_by(*atom, by)?;
                product = Some(match product {
                    Some(product) => by.apply(Operator::Multiply, product, value)?,
                    None => value,
                });
            }
            let term = match product {
                Some(product) if *factor == 1 => product,
                Some(product) => {
                    let factor = by.constant(*factor)?;
                    by.apply(Operator::Multiply, product, factor)?
                }
                None => by.constant(*factor)?,
            };
            sum = Some(match sum {
                Some(sum) => by.apply(Operator::Add, sum, term)?,
                None => term,
            });
        }
        sum.map_or_else(|| by.constant(0), Ok)
    }

    fn atom_by<A: Arithmetic>(&self, atom: Atom, by: &mut A) -> Result<A::Value, A::Error> {
        let mut size = |size| self.polynomial_by(&self.table.polynomial(size), by);
        match atom {
            Atom::Symbol(symbol) => by.symbol(symbol as usize),
            Atom::Quotient(number) => {
                let (a, b) = self.table.quotient(number);
                let (a, b) = (size(a)?, size(b)?);
                by.apply(Operator::Divide, a, b)
            }
            Atom::OrOne(number) => {
                let (own, one) = (size(self.table.or_one(number))?, by.constant(1)?);
                by.apply(Operator::Max, own, one)
            }
            Atom::Scaled(number) => {
                let (own, factor) = self.table.scale(number);
                let own = size(own)?;
                by.scaled(own, factor)
            }
        }
    }
}

/// The places of the symbols in sizes.
pub fn places(sizes: impl IntoIterator<Item = Size>) -> BTreeSet<usize> {
    let mut found = Found::default();
    for size in sizes.into_iter().filter(|size| size.known().is_none() && !size.is_unknown()) {
        // It can compute everything.
        let _ = current(|symbols| symbols.computed(size, &mut found));
    }
    found.0
}

/// Somebody who notes symbols.
#[derive(Default)]
struct Found(BTreeSet<usize>);

impl Arithmetic for Found {
    type Value = ();
    type Error = ();

    fn constant(&mut self, _: i64) -> Result<(), ()> {
        Ok(())
    }

    fn symbol(&mut self, place: usize) -> Result<(), ()> {
        self.0.insert(place);
        Ok(())
    }

    fn apply(&mut self, _: Operator, (): (), (): ()) -> Result<(), ()> {
        Ok(())
    }

    fn scaled(&mut self, (): (), _: f64) -> Result<(), ()> {
        Ok(())
    }
}
