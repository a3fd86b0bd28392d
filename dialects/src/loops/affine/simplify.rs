//! Index algebra: affine expressions with division and remainder, made simple by what is known of the
//! indices.
//!
//! An expression is written as a sum of multiples of *atoms*, a dimension, a quotient or a remainder, and a
//! number:
//!
//! * a quotient or remainder by `c` takes multiples of `c` out of its sum; what is left goes where its range
//!   says that it is below `c`: `(i * 8 + j) floordiv 8` is `i` for a `j` below 8;
//! * factors that a sum and its divisor share go: `(i * 8 + j) floordiv 16` is `i floordiv 2`;
//! * quotients of quotients, remainders of remainders and quotients of remainders become one of each;
//! * `x floordiv c * c + x mod c` is `x`.
//!
//! So a chain of reshapes, slices and transposes that comes back to where it began is no computation at all.
//! What overflows, or is not affine, stays as it is. (The rules are those of integer division that rounds
//! down.)

use super::Expr;

/// The values that an index may have, both ends included; `i64::MIN` and `i64::MAX` are no bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The least.
    pub low: i64,
    /// The greatest.
    pub high: i64,
}

impl Range {
    /// Any value.
    pub const ALL: Self = Self { low: i64::MIN, high: i64::MAX };

    /// The indices of a dimension of this size; of an unknown one, negative, those that are not negative.
    pub fn of_size(size: i64) -> Self {
        Self { low: 0, high: if size < 0 { i64::MAX } else { (size - 1).max(0) } }
    }

    /// One value.
    pub fn one(value: i64) -> Self {
        Self { low: value, high: value }
    }

    /// Whether all values are indices of a dimension of `size`.
    pub fn within(self, size: i64) -> bool {
        self.low >= 0 && self.high < size
    }

    fn new(low: i128, high: i128) -> Self {
        let bound = |value: i128| value.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        Self { low: bound(low), high: bound(high) }
    }

    fn ends(self) -> (i128, i128) {
        // What is no bound stays none under sums and products.
        let wide = |value: i64| match value {
            i64::MIN | i64::MAX => i128::from(value) << 32,
            _ => value.into(),
        };
        (wide(self.low), wide(self.high))
    }

    fn add(self, other: Self) -> Self {
        let ((a, b), (c, d)) = (self.ends(), other.ends());
        Self::new(a + c, b + d)
    }

    fn times(self, factor: i64) -> Self {
        let (low, high) = self.ends();
        let (a, b) = (low.saturating_mul(factor.into()), high.saturating_mul(factor.into()));
        Self::new(a.min(b), a.max(b))
    }

    fn over(self, divisor: i64) -> Self {
        let bound = |value: i64| match value {
            i64::MIN | i64::MAX => value,
            _ => value.div_euclid(divisor),
        };
        Self { low: bound(self.low), high: bound(self.high) }
    }

    fn modulo(self, divisor: i64) -> Self {
        if self.low >= 0 { Self { low: 0, high: self.high.min(divisor - 1) } } else { Self::of_size(divisor) }
    }
}

/// What a sum is made of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Atom {
    Dim(usize),
    Div(Sum, i64),
    Mod(Sum, i64),
}

/// A sum of multiples of atoms, in order, each once, none of them by 0; and a number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Sum {
    terms: Vec<(Atom, i64)>,
    constant: i64,
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

/// Works with what is known of each dimension; None where a number overflows.
struct Algebra<'r>(&'r [Range]);

impl Sum {
    fn number(constant: i64) -> Self {
        Self { terms: vec![], constant }
    }

    fn atom(atom: Atom) -> Self {
        Self { terms: vec![(atom, 1)], constant: 0 }
    }

    /// The atom that it is.
    fn as_atom(&self) -> Option<&Atom> {
        match &self.terms[..] {
            [(atom, 1)] if self.constant == 0 => Some(atom),
            _ => None,
        }
    }

    fn plus(mut self, other: &Self, factor: i64) -> Option<Self> {
        for (atom, times) in &other.terms {
            let times = times.checked_mul(factor)?;
            match self.terms.binary_search_by(|term| term.0.cmp(atom)) {
                Ok(at) => self.terms[at].1 = self.terms[at].1.checked_add(times)?,
                Err(at) => self.terms.insert(at, (atom.clone(), times)),
            }
        }
        self.terms.retain(|term| term.1 != 0);
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        Some(self)
    }

    /// What is divisible by a number, divided by it, and the rest, whose number is not negative and below it.
    fn split(self, by: i64) -> (Self, Self) {
        let (whole, rest): (Vec<_>, _) = self.terms.into_iter().partition(|term| term.1 % by == 0);
        let whole = whole.into_iter().map(|(atom, times)| (atom, times / by)).collect();
        let (quotient, left) = (self.constant.div_euclid(by), self.constant.rem_euclid(by));
        (Self { terms: whole, constant: quotient }, Self { terms: rest, constant: left })
    }

    /// The factors that terms share with a divisor, but for 1 and itself, the greatest first.
    fn factors(&self, divisor: i64) -> Vec<i64> {
        let mut shared: Vec<i64> = self.terms.iter().map(|term| gcd(term.1, divisor)).collect();
        shared.sort_unstable_by(|a, b| b.cmp(a));
        shared.dedup();
        shared.retain(|factor| *factor > 1 && *factor < divisor);
        shared
    }

    fn expr(&self) -> Expr {
        let term = |(atom, times): &(Atom, i64)| {
            let over = |sum: &Sum, by: i64| (Box::new(sum.expr()), Box::new(Expr::Constant(by)));
            let atom = match atom {
                Atom::Dim(d) => Expr::Dim(*d),
                Atom::Div(sum, by) => {
                    let (sum, by) = over(sum, *by);
                    Expr::FloorDiv(sum, by)
                }
                Atom::Mod(sum, by) => {
                    let (sum, by) = over(sum, *by);
                    Expr::Mod(sum, by)
                }
            };
            if *times == 1 { atom } else { Expr::Mul(Box::new(atom), Box::new(Expr::Constant(*times))) }
        };
        let number = (self.constant != 0 || self.terms.is_empty()).then_some(Expr::Constant(self.constant));
        let all = self.terms.iter().map(term).chain(number);
        all.reduce(|sum, next| Expr::Add(Box::new(sum), Box::new(next))).unwrap_or(Expr::Constant(0))
    }
}

impl Algebra<'_> {
    fn of(&self, expr: &Expr) -> Option<Sum> {
        let divisor =
            |r: &Expr| self.of(r).filter(|r| r.terms.is_empty() && r.constant > 0).map(|r| r.constant);
        match expr {
            Expr::Dim(d) => Some(match self.0.get(*d) {
                Some(range) if range.low == range.high => Sum::number(range.low),
                _ => Sum::atom(Atom::Dim(*d)),
            }),
            Expr::Constant(number) => Some(Sum::number(*number)),
            Expr::Add(l, r) => self.joined(self.of(l)?.plus(&self.of(r)?, 1)?),
            Expr::Mul(l, r) => {
                let (l, r) = (self.of(l)?, self.of(r)?);
                let (sum, factor) = if r.terms.is_empty() { (l, r.constant) } else { (r, l.as_number()?) };
                Sum::default().plus(&sum, factor)
            }
            Expr::FloorDiv(l, r) => self.div(self.of(l)?, divisor(r)?),
            Expr::CeilDiv(l, r) => {
                let by = divisor(r)?;
                self.div(self.of(l)?.plus(&Sum::number(by - 1), 1)?, by)
            }
            Expr::Mod(l, r) => self.modulo(self.of(l)?, divisor(r)?),
        }
    }

    fn range(&self, sum: &Sum) -> Range {
        let atom = |atom: &Atom| match atom {
            Atom::Dim(d) => self.0.get(*d).copied().unwrap_or(Range::ALL),
            Atom::Div(sum, by) => self.range(sum).over(*by),
            Atom::Mod(sum, by) => self.range(sum).modulo(*by),
        };
        let terms = sum.terms.iter().map(|(a, times)| atom(a).times(*times));
        terms.fold(Range::one(sum.constant), Range::add)
    }

    /// The quotient that a sum has everywhere, where there is one.
    fn quotient(&self, sum: &Sum, by: i64) -> Option<i64> {
        let Range { low, high } = self.range(sum);
        let known = low != i64::MIN && high != i64::MAX;
        (known && low.div_euclid(by) == high.div_euclid(by)).then(|| low.div_euclid(by))
    }

    /// A sum as `factor` times one part and another one that is at least 0 and below the factor.
    fn digits(&self, sum: &Sum, factor: i64) -> Option<(Sum, Sum)> {
        let (whole, rest) = sum.clone().split(factor);
        (self.quotient(&rest, factor) == Some(0)).then_some((whole, rest))
    }

    fn div(&self, sum: Sum, by: i64) -> Option<Sum> {
        if by == 1 {
            return Some(sum);
        }
        let (whole, rest) = sum.split(by);
        let left = if let Some(number) = self.quotient(&rest, by) {
            Sum::number(number)
        } else if let Some((factor, (high, _))) =
            rest.factors(by).into_iter().find_map(|f| Some((f, self.digits(&rest, f)?)))
        {
            self.div(high, by / factor)?
        } else {
            match rest.as_atom() {
                Some(Atom::Div(inner, first)) => self.div(inner.clone(), first.checked_mul(by)?)?,
                Some(Atom::Mod(inner, modulus)) if modulus % by == 0 => {
                    self.modulo(self.div(inner.clone(), by)?, modulus / by)?
                }
                _ => Sum::atom(Atom::Div(rest, by)),
            }
        };
        self.joined(whole.plus(&left, 1)?)
    }

    fn modulo(&self, sum: Sum, by: i64) -> Option<Sum> {
        if by == 1 {
            return Some(Sum::default());
        }
        let (_, rest) = sum.split(by);
        if let Some(number) = self.quotient(&rest, by) {
            return rest.plus(&Sum::number(number.checked_mul(by)?), -1);
        }
        if let Some((factor, (high, low))) =
            rest.factors(by).into_iter().find_map(|f| Some((f, self.digits(&rest, f)?)))
        {
            return self.joined(low.plus(&self.modulo(high, by / factor)?, factor)?);
        }
        match rest.as_atom() {
            Some(Atom::Mod(inner, modulus)) if modulus % by == 0 => self.modulo(inner.clone(), by),
            _ => Some(Sum::atom(Atom::Mod(rest, by))),
        }
    }

    /// Puts quotients and remainders of one sum together again.
    fn joined(&self, sum: Sum) -> Option<Sum> {
        for (atom, times) in &sum.terms {
            let Atom::Mod(inner, by) = atom else { continue };
            let quotient = self.div(inner.clone(), *by)?;
            let (Some(other), Some(factor)) = (quotient.as_atom(), times.checked_mul(*by)) else { continue };
            if sum.terms.binary_search_by(|term| term.0.cmp(other)).is_ok_and(|at| sum.terms[at].1 == factor)
            {
                let whole = inner.clone();
                let sum = sum.clone().plus(&Sum::atom(atom.clone()), times.checked_neg()?)?;
                let sum = sum.plus(&quotient, factor.checked_neg()?)?.plus(&whole, *times)?;
                return self.joined(sum);
            }
        }
        Some(sum)
    }
}

impl Sum {
    fn as_number(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }
}

impl Expr {
    /// The simplest expression that is the same for dimensions in these ranges; those beyond may have any
    /// value.
    pub fn simplify(&self, ranges: &[Range]) -> Expr {
        Algebra(ranges).of(self).map_or_else(|| self.clone(), |sum| sum.expr())
    }

    /// The values that it may have for dimensions in these ranges.
    pub fn range(&self, ranges: &[Range]) -> Range {
        let algebra = Algebra(ranges);
        algebra.of(self).map_or(Range::ALL, |sum| algebra.range(&sum))
    }
}

#[cfg(test)]
mod tests;
