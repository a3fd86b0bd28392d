//! Quotients of expressions: as simple as what is known makes them, or what holds in general, under guards.

use super::{
    Size,
    expression::Polynomial,
    proof::Range,
    symbols::{Relation, Symbols},
};

impl Symbols {
    pub(super) fn floor_div(&mut self, a: Size, b: Size) -> Size {
        if a.is_unknown() || b.is_unknown() {
            return Size::UNKNOWN;
        }
        let (a, b) = (self.of(a), self.of(b));
        let at_most = |symbols: &Self, low: &Polynomial, high: &Polynomial| {
            symbols.proven(Relation::AtMost, &low.plus(high, -1)) == Some(true)
        };
        // What is surely less than the divisor.
        let next = a.plus(&Polynomial::constant(1), 1);
        if b.as_constant().is_none() && at_most(self, &Polynomial::default(), &a) && at_most(self, &next, &b)
        {
            return Size::ZERO;
        }
        if let Some(quotient) = self.whole_quotient(&a, &b) {
            return self.table.size(quotient);
        }
        let quotient = self.table.floor_div(&a, &b);
        // What the division leaves is less than the divisor.
        if let Some(divisor) = b.as_constant().filter(|divisor| *divisor > 0) {
            let rest = a.plus(&quotient.times(&b), -1);
            self.facts.bound(&self.table, &rest, Range { low: 0, high: i128::from(divisor) - 1 });
        }
        self.table.size(quotient)
    }

    /// `q` of `a = q b + r`, term by term, where in general `0 <= r < b`, as it is for an index in rows of
    /// `b`.
    fn whole_quotient(&mut self, a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
        if b.as_constant().is_some() {
            return None;
        }
        let (quotient, rest) = a.divided(b)?;
        let zero = Polynomial::default();
        if rest == zero {
            return Some(quotient);
        }
        // Terms may come to one divisor more than there are.
        let one_less = || (quotient.plus(&Polynomial::constant(1), -1), rest.plus(b, 1));
        [(quotient.clone(), rest.clone()), one_less()]
            .into_iter()
            .find_map(|(quotient, rest)| self.is_rest(&rest, b).then_some(quotient))
    }

    /// Whether a rest is one of a division by `b`, in general, and from now on.
    fn is_rest(&mut self, rest: &Polynomial, b: &Polynomial) -> bool {
        let zero = Polynomial::default();
        let in_general = |symbols: &Self, low: &Polynomial, high: &Polynomial, by: i64| {
            let difference = low.plus(high, -1).plus(&Polynomial::constant(by), 1);
            symbols.proven(Relation::AtMost, &difference).unwrap_or_else(|| {
                let hinted = symbols.hinted(&difference).map(|number| Relation::AtMost.of(number));
                hinted.unwrap_or_else(|| symbols.assumed(Relation::AtMost, [low, high], &difference))
            })
        };
        if !in_general(self, &zero, rest, 0) || !in_general(self, rest, b, 1) {
            return false;
        }
        let (r, b) = (self.table.size(rest.clone()), self.table.size(b.clone()));
        self.decide(Relation::AtMost, Size::ZERO, r) && !self.decide(Relation::AtMost, b, r)
    }

    pub(super) fn modulo(&mut self, a: Size, b: Size) -> Size {
        let quotient = self.floor_div(a, b);
        let whole = self.mul(quotient, b);
        self.sub(a, whole)
    }
}
