//! What is known of expressions: how large they can be, and what was found by comparing them.
//!
//! A fact bounds a polynomial without its constant and without a common factor, `low <= p <= high`; ranges of
//! symbols are facts. The bounds of any other polynomial are the sums of those of its terms. A polynomial
//! known to be a number may let a symbol be replaced, after which the symbol occurs nowhere.

use super::{
    expression::{Atom, Polynomial, Table},
    guard::Relation,
};
use std::collections::{HashMap, HashSet};

/// Bounds, both included. Beyond [`FAR`] they mean that there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub low: i128,
    pub high: i128,
}

/// As good as infinite.
const FAR: i128 = 1 << 100;

impl Range {
    pub const ANY: Range = Range { low: -FAR, high: FAR };

    pub fn meet(self, other: Range) -> Range {
        Range { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    fn plus(self, other: Range) -> Range {
        let sum = |a: i128, b: i128| {
            if a.abs() >= FAR {
                a
            } else if b.abs() >= FAR {
                b
            } else {
                a + b
            }
        };
        Range { low: sum(self.low, other.low), high: sum(self.high, other.high) }
    }

    fn times(self, other: Range) -> Range {
        let product = |a: i128, b: i128| a.saturating_mul(b).clamp(-FAR, FAR);
        let all = [
            product(self.low, other.low),
            product(self.low, other.high),
            product(self.high, other.low),
            product(self.high, other.high),
        ];
        Range { low: *all.iter().min().unwrap(), high: *all.iter().max().unwrap() }
    }

    /// Of what is scaled by a float and rounded towards zero, which keeps its order or turns it around.
    fn scaled(self, factor: f64) -> Range {
        let end = |end: i128| match end {
            end if end.abs() >= FAR => {
                if factor < 0.0 {
                    -end
                } else {
                    end
                }
            }
            end => ((end as f64 * factor) as i128).clamp(-FAR, FAR),
        };
        let (a, b) = (end(self.low), end(self.high));
        Range { low: a.min(b), high: a.max(b) }
    }

    fn of(number: i128) -> Range {
        Range { low: number, high: number }
    }
}

/// A polynomial as `factor p + constant`: `p` begins with a factor above 0 and has none common to all.
struct Normal {
    p: Polynomial,
    factor: i128,
    constant: i128,
}

impl Normal {
    fn of(polynomial: &Polynomial) -> Self {
        let (part, constant) = polynomial.split();
        let common = part.common_factor().max(1);
        let factor = if part.0.first().is_some_and(|(_, first)| *first < 0) { -common } else { common };
        let p = part.exactly_over(&vec![], factor).unwrap_or(part);
        Normal { p, factor: factor.into(), constant: constant.into() }
    }

    /// The range of the polynomial, by that of `p`.
    fn outer(&self, p: Range) -> Range {
        p.times(Range::of(self.factor)).plus(Range::of(self.constant))
    }

    /// The range of `p`, by that of the polynomial.
    fn inner(&self, own: Range) -> Range {
        let Range { low, high } = own.plus(Range::of(-self.constant));
        let (low, high) = if self.factor < 0 { (-high, -low) } else { (low, high) };
        let f = self.factor.abs();
        let up = |n: i128| if n.abs() >= FAR { n } else { -(-n).div_euclid(f) };
        let down = |n: i128| if n.abs() >= FAR { n } else { n.div_euclid(f) };
        Range { low: up(low), high: down(high) }
    }

    /// The number that `p` is where the polynomial is 0; None where it can't be.
    fn zero(&self) -> Option<i128> {
        (self.constant % self.factor == 0).then_some(-self.constant / self.factor)
    }
}

/// A relation of a polynomial to 0 as one of two sides without factors that they have in common, and whether
/// it holds.
pub(super) fn sides(
    relation: Relation,
    difference: &Polynomial,
    holds: bool,
) -> Option<(Polynomial, Polynomial, bool)> {
    let normal = Normal::of(difference);
    let (number, holds) = match relation {
        Relation::Equal => (normal.zero()?, holds),
        Relation::AtMost if normal.factor > 0 => ((-normal.constant).div_euclid(normal.factor), holds),
        // At least so much: not at most one less.
        Relation::AtMost => (-(-normal.constant).div_euclid(-normal.factor) - 1, !holds),
    };
    let (more, less): (Vec<_>, Vec<_>) = normal.p.0.into_iter().partition(|(_, factor)| *factor > 0);
    let right = Polynomial::constant(number.try_into().ok()?).plus(&Polynomial(less), -1);
    Some((Polynomial(more), right, holds))
}

/// Facts.
#[derive(Clone, Default)]
pub(super) struct Facts {
    ranges: HashMap<Polynomial, Range>,
    /// What polynomials are not.
    unequal: HashSet<(Polynomial, i128)>,
    /// The facts, by the symbols in them.
    uses: HashMap<u32, Vec<(Polynomial, Option<i128>)>>,
}

/// What is known of a polynomial.
pub(super) enum Fact {
    In(Range),
    Not(i128),
}

impl Facts {
    /// The range of a polynomial.
    pub fn range(&self, table: &Table, polynomial: &Polynomial) -> Range {
        let normal = Normal::of(polynomial);
        let mut range = Range::of(0);
        for (monomial, factor) in &normal.p.0 {
            let start = Range::of(i128::from(*factor));
            let term = monomial.iter().fold(start, |r, atom| r.times(self.atom(table, *atom)));
            range = range.plus(term);
        }
        if let Some(fact) = self.ranges.get(&normal.p) {
            range = range.meet(*fact);
        }
        normal.outer(range)
    }

    fn atom(&self, table: &Table, atom: Atom) -> Range {
        let own = self.ranges.get(&Polynomial::atom(atom)).copied().unwrap_or(Range::ANY);
        let (a, b) = match atom {
            Atom::Symbol(_) => return own,
            Atom::Quotient(number) => table.quotient(number),
            Atom::OrOne(number) => {
                let inner = self.range(table, &table.polynomial(table.or_one(number)));
                return own.meet(Range { low: inner.low.max(1), high: inner.high.max(1) });
            }
            Atom::Scaled(number) => {
                let (inner, factor) = table.scale(number);
                return own.meet(self.range(table, &table.polynomial(inner)).scaled(factor));
            }
        };
        let [a, b] = [a, b].map(|side| self.range(table, &table.polynomial(side)));
        if a.low < 0 || b.low < 1 {
            return own;
        }
        let high = if a.high >= FAR { FAR } else { a.high / b.low };
        let low = if b.high >= FAR { 0 } else { a.low / b.high };
        own.meet(Range { low, high })
    }

    /// Whether a polynomial is 0, where that is known.
    pub fn is_zero(&self, table: &Table, polynomial: &Polynomial) -> Option<bool> {
        if let Some(number) = polynomial.as_constant() {
            return Some(number == 0);
        }
        let range = self.range(table, polynomial);
        if range.low > 0 || range.high < 0 {
            return Some(false);
        }
        if range.low == 0 && range.high == 0 {
            return Some(true);
        }
        let normal = Normal::of(polynomial);
        match normal.zero() {
            None => return Some(false),
            Some(number) if self.unequal.contains(&(normal.p, number)) => return Some(false),
            Some(_) => {}
        }
        // A product is 0 where a factor is.
        let common = polynomial.common_atoms();
        if common.is_empty() {
            return None;
        }
        let rest = polynomial.exactly_over(&common, 1)?;
        match self.is_zero(table, &rest) {
            Some(false) if rest.as_constant().is_none() || common.len() > 1 => {
                let zero = |atom: &Atom| self.is_zero(table, &Polynomial::atom(*atom));
                let zeros: Vec<Option<bool>> = common.iter().map(zero).collect();
                match zeros.contains(&Some(true)) {
                    true => Some(true),
                    false => zeros.iter().all(|zero| *zero == Some(false)).then_some(false),
                }
            }
            Some(true) => Some(true),
            _ => None,
        }
    }

    /// Whether a polynomial is at most 0, where that is known.
    pub fn is_at_most_zero(&self, table: &Table, polynomial: &Polynomial) -> Option<bool> {
        let range = self.range(table, polynomial);
        if range.high <= 0 {
            return Some(true);
        }
        if range.low > 0 {
            return Some(false);
        }
        // Divided by what is not negative.
        let common = polynomial.common_atoms();
        if common.is_empty() || polynomial.0.len() == 1 {
            return None;
        }
        let ranges = common.iter().map(|a| self.atom(table, *a)).collect::<Vec<_>>();
        let rest = polynomial.exactly_over(&common, 1)?;
        match self.is_at_most_zero(table, &rest) {
            Some(true) if ranges.iter().all(|r| r.low >= 0) => Some(true),
            Some(false) if ranges.iter().all(|r| r.low >= 1) => Some(false),
            _ => None,
        }
    }

    /// Takes in that a polynomial is in a range.
    pub fn bound(&mut self, table: &Table, polynomial: &Polynomial, range: Range) {
        let normal = Normal::of(polynomial);
        if normal.p.as_constant().is_some() {
            return;
        }
        let known = self.ranges.get(&normal.p).copied();
        if known.is_none() {
            self.used(table, &normal.p, None);
        }
        let mut range = known.unwrap_or(Range::ANY).meet(normal.inner(range));
        while self.unequal.contains(&(normal.p.clone(), range.low)) {
            range.low += 1;
        }
        self.ranges.insert(normal.p, range);
    }

    /// Takes in that a polynomial is not 0.
    pub fn not_zero(&mut self, table: &Table, polynomial: &Polynomial) {
        let normal = Normal::of(polynomial);
        let Some(number) = normal.zero() else { return };
        let range = self.range(table, &normal.p);
        if range.low == number {
            self.bound(table, &normal.p, Range { low: number + 1, ..Range::ANY });
        } else if range.high == number {
            self.bound(table, &normal.p, Range { high: number - 1, ..Range::ANY });
        } else if self.unequal.insert((normal.p.clone(), number)) {
            self.used(table, &normal.p, Some(number));
        }
    }

    /// What is assumed of whether a polynomial is 0, where nothing is known: sizes that are compared are
    /// equal, and a single one is neither 0 nor 1, so that it makes more of what it is multiplied with.
    pub fn zero_in_general(polynomial: &Polynomial) -> bool {
        let normal = Normal::of(polynomial);
        if let [(one, a), (other, b)] = &polynomial.0[..] {
            let (less, more) = if one.len() < other.len() { (one, other) } else { (other, one) };
            let mut rest = more.clone();
            let divides = less
                .iter()
                .all(|atom| rest.iter().position(|own| own == atom).map(|at| rest.remove(at)).is_some());
            if *a == -*b && !less.is_empty() && divides {
                return false;
            }
        }
        match normal.zero() {
            Some(number) if normal.p.0.len() == 1 => number > 1,
            number => number.is_some(),
        }
    }

    fn used(&mut self, table: &Table, p: &Polynomial, unequal: Option<i128>) {
        for symbol in symbols_in(table, p) {
            self.uses.entry(symbol).or_default().push((p.clone(), unequal));
        }
    }

    /// The facts in which a symbol occurs, which are taken out: polynomials with their ranges, or with what
    /// they are not.
    pub fn take(&mut self, symbol: u32) -> Vec<(Polynomial, Fact)> {
        let take = |(p, unequal): (Polynomial, Option<i128>)| match unequal {
            None => self.ranges.remove(&p).map(|range| (p, Fact::In(range))),
            Some(number) => self.unequal.remove(&(p.clone(), number)).then_some((p, Fact::Not(number))),
        };
        self.uses.remove(&symbol).unwrap_or_default().into_iter().filter_map(take).collect()
    }
}

/// The symbols in a polynomial and in the quotients in it.
pub(super) fn symbols_in(table: &Table, polynomial: &Polynomial) -> Vec<u32> {
    let mut symbols = vec![];
    for atom in polynomial.atoms() {
        match atom {
            Atom::Symbol(symbol) => symbols.push(symbol),
            _ => {
                for size in table.inside(atom) {
                    symbols.extend(symbols_in(table, &table.polynomial(size)));
                }
            }
        }
    }
    symbols.sort_unstable();
    symbols.dedup();
    symbols
}
