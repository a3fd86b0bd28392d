//! The number that an expression is once its symbols are numbers: given ones, hints, or what is typical.

use super::{Symbols, TYPICAL};
use crate::{
    Number, Size,
    expression::{Atom, Polynomial},
    guard::{Guard, Relation},
};

impl Symbols {
    /// What hints make of a polynomial; None where a symbol has no hint.
    pub(crate) fn hinted(&self, polynomial: &Polynomial) -> Option<i64> {
        self.evaluate(polynomial, &|symbol| self.entries[symbol as usize].hint)
    }

    pub(super) fn typical(&self, polynomial: &Polynomial) -> i64 {
        let typical = |symbol: u32| {
            let range = self.facts.range(&self.table, &Polynomial::atom(Atom::Symbol(symbol)));
            let entry = &self.entries[symbol as usize];
            let number = i128::from(entry.hint.unwrap_or(entry.typical));
            Some(number.max(range.low).min(range.high) as i64)
        };
        self.evaluate(polynomial, &typical).unwrap_or(TYPICAL)
    }

    fn evaluate(&self, polynomial: &Polynomial, number: &impl Fn(u32) -> Option<i64>) -> Option<i64> {
        let mut sum = 0i128;
        for (monomial, factor) in &polynomial.0 {
            let mut term = i128::from(*factor);
            for atom in monomial {
                let value = match atom {
                    Atom::Symbol(symbol) => match &self.entries[*symbol as usize].replaced {
                        // A number that is given goes before what a guard says.
                        Some(by) => number(*symbol).or_else(|| self.evaluate(by, number))?,
                        None => number(*symbol)?,
                    },
                    Atom::Quotient(quotient) => {
                        let (a, b) = self.table.quotient(*quotient);
                        let [a, b] = [a, b].map(|side| self.evaluate(&self.table.polynomial(side), number));
                        let (a, b) = (a?, b?);
                        if b == 0 {
                            return None;
                        }
                        (i128::from(a).div_euclid(i128::from(b))).try_into().ok()?
                    }
                    Atom::OrOne(own) => {
                        self.evaluate(&self.table.polynomial(self.table.or_one(*own)), number)?.max(1)
                    }
                    Atom::Scaled(own) => {
                        let (own, factor) = self.table.scale(*own);
                        self.evaluate(&self.table.polynomial(own), number)?.scaled(factor)
                    }
                };
                term = term.checked_mul(value.into())?;
            }
            sum = sum.checked_add(term)?;
        }
        i64::try_from(sum).ok()
    }

    /// What a size is when symbols are these numbers, each at its place; None where one of those it needs is
    /// not given, or where it is too large or divides by 0.
    pub fn value(&self, size: Size, numbers: &[Option<i64>]) -> Option<i64> {
        let given = |symbol: u32| numbers.get(symbol as usize).copied().flatten();
        self.evaluate(&self.table.polynomial(size), &given)
    }

    /// What a size is when symbols are what their hints say; None where one of those it needs has no hint.
    pub fn hint(&self, size: Size) -> Option<i64> {
        self.hinted(&self.table.polynomial(size))
    }

    /// Whether a guard holds when symbols are these numbers; None as in [`Symbols::value`].
    pub fn guard_holds(&self, guard: &Guard, numbers: &[Option<i64>]) -> Option<bool> {
        let (left, right) = (self.value(guard.left, numbers)?, self.value(guard.right, numbers)?);
        let related = match guard.relation {
            Relation::Equal => left == right,
            Relation::AtMost => left <= right,
        };
        Some(related == guard.holds)
    }

    /// The first guard that does not hold, or that can't be asked, when symbols are these numbers.
    pub fn broken(&self, numbers: &[Option<i64>]) -> Option<&Guard> {
        self.guards.iter().find(|guard| self.guard_holds(guard, numbers) != Some(true))
    }
}
