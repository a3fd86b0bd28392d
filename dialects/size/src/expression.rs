//! Expressions in normal form: polynomials with whole coefficients over symbols, quotients and parts.
//!
//! Equal polynomials are one entry of the table, so that most questions are answered by comparing numbers. `a
//! mod b` is `a - b (a / b)`; a quotient is an atom of its own where the division leaves a rest.

use super::{Number, Size};
use std::collections::HashMap;

/// What a polynomial is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Atom {
    /// A symbol by its number.
    Symbol(u32),
    /// The quotient, rounded down, of two sizes; an entry of the table.
    Quotient(u32),
    /// The larger one of a size and 1; an entry of the table.
    OrOne(u32),
    /// A size times a float, rounded towards zero; an entry of the table.
    Scaled(u32),
}

/// A product of atoms in their order, each as often as its power.
pub(super) type Monomial = Vec<Atom>;

/// A sum of monomials with factors that are not 0, in the order of the monomials; the constant has the empty
/// one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Polynomial(pub Vec<(Monomial, i64)>);

impl Polynomial {
    pub fn constant(number: i64) -> Self {
        Self(if number == 0 { vec![] } else { vec![(vec![], number)] })
    }

    pub fn atom(atom: Atom) -> Self {
        Self(vec![(vec![atom], 1)])
    }

    /// The number that it is.
    pub fn as_constant(&self) -> Option<i64> {
        match self.0.as_slice() {
            [] => Some(0),
            [(monomial, number)] if monomial.is_empty() => Some(*number),
            _ => None,
        }
    }

    /// The constant in it, and the rest.
    pub fn split(&self) -> (Self, i64) {
        match self.0.first() {
            Some((monomial, number)) if monomial.is_empty() => (Self(self.0[1..].to_vec()), *number),
            _ => (self.clone(), 0),
        }
    }

    fn of(mut terms: Vec<(Monomial, i64)>) -> Self {
        terms.sort_by(|a, b| a.0.cmp(&b.0));
        let mut sum: Vec<(Monomial, i64)> = vec![];
        for (monomial, factor) in terms {
            match sum.last_mut() {
                Some((last, total)) if *last == monomial => *total = total.saturating_add(factor),
                _ => sum.push((monomial, factor)),
            }
        }
        sum.retain(|(_, factor)| *factor != 0);
        Self(sum)
    }

    pub fn plus(&self, other: &Self, times: i64) -> Self {
        let scaled = other.0.iter().map(|(m, f)| (m.clone(), f.saturating_mul(times)));
        Self::of(self.0.iter().cloned().chain(scaled).collect())
    }

    pub fn times(&self, other: &Self) -> Self {
        let mut terms = vec![];
        for (a, x) in &self.0 {
            for (b, y) in &other.0 {
                let mut monomial = [a.as_slice(), b].concat();
                monomial.sort();
                terms.push((monomial, x.saturating_mul(*y)));
            }
        }
        Self::of(terms)
    }

    /// The greatest number that divides all factors; 0 of nothing.
    pub fn common_factor(&self) -> i64 {
        self.0.iter().fold(0, |g, (_, factor)| gcd(g, factor.unsigned_abs() as i64))
    }

    /// The atoms that are in every monomial.
    pub fn common_atoms(&self) -> Monomial {
        let Some((first, _)) = self.0.first() else { return vec![] };
        let mut common = first.clone();
        for (monomial, _) in &self.0[1..] {
            let mut left = monomial.clone();
            common.retain(|atom| left.iter().position(|a| a == atom).map(|at| left.remove(at)).is_some());
        }
        common
    }

    /// Quotient and rest by another polynomial, by the term of it with the most symbols; None where nothing
    /// of it is divided. Factors are divided towards 0: `14 n + 29` by `6 n + 12` is 2, and `2 n + 5` is
    /// left.
    pub fn divided(&self, by: &Self) -> Option<(Self, Self)> {
        /// Terms of quotients.
        const STEPS: usize = 16;
        let (monomial, factor) = by.0.iter().max_by_key(|(monomial, _)| monomial.len())?;
        let over = |(own, number): &(Monomial, i64)| {
            let whole = number.checked_sub(number.checked_rem(*factor)?)?;
            let whole = Self::of(vec![(own.clone(), whole)]);
            whole.exactly_over(monomial, *factor).filter(|quotient| !quotient.0.is_empty())
        };
        let (mut quotient, mut rest) = (Self::default(), self.clone());
        for _ in 0..STEPS {
            let Some(term) = rest.0.iter().rev().find_map(over) else { break };
            rest = rest.plus(&term.times(by), -1);
            quotient = quotient.plus(&term, 1);
        }
        (!quotient.0.is_empty()).then_some((quotient, rest))
    }

    /// The quotient by one monomial with a factor, where there is no rest.
    pub fn exactly_over(&self, monomial: &Monomial, factor: i64) -> Option<Self> {
        let over = |(own, number): &(Monomial, i64)| {
            let mut left = own.clone();
            for atom in monomial {
                left.remove(left.iter().position(|a| a == atom)?);
            }
            let rest = number.checked_rem(factor)?;
            (rest == 0).then(|| Some((left, number.checked_div(factor)?)))?
        };
        Some(Self::of(self.0.iter().map(over).collect::<Option<_>>()?))
    }

    /// The quotient by a number, and what is left of each factor.
    pub fn over_number(&self, number: i64) -> (Self, Self) {
        let part = |f: fn(i64, i64) -> i64| {
            Self::of(self.0.iter().map(|(m, factor)| (m.clone(), f(*factor, number))).collect())
        };
        (part(i64::div_euclid), part(i64::rem_euclid))
    }

    /// Every atom in it, once.
    pub fn atoms(&self) -> Vec<Atom> {
        let mut atoms: Vec<Atom> = self.0.iter().flat_map(|(m, _)| m.iter().copied()).collect();
        atoms.sort();
        atoms.dedup();
        atoms
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// All polynomials that were made, and all quotients.
#[derive(Default)]
pub(super) struct Table {
    polynomials: Vec<Polynomial>,
    numbers: HashMap<Polynomial, usize>,
    quotients: Vec<(Size, Size)>,
    quotient_numbers: HashMap<(Polynomial, Polynomial), u32>,
    or_ones: Vec<Size>,
    or_one_numbers: HashMap<Polynomial, u32>,
    scaled: Vec<(Size, f64)>,
    scaled_numbers: HashMap<(Polynomial, u64), u32>,
}

impl Table {
    /// The polynomial that a size is; of an unknown one there is none.
    pub fn polynomial(&self, size: Size) -> Polynomial {
        match size.expression() {
            Some(number) => self.polynomials[number].clone(),
            None => Polynomial::constant(size.0),
        }
    }

    /// The size that a polynomial is.
    pub fn size(&mut self, polynomial: Polynomial) -> Size {
        if let Some(number) = polynomial.as_constant() {
            return Size::number(number);
        }
        if let Some(number) = self.numbers.get(&polynomial) {
            return Size::of_expression(*number);
        }
        let number = self.polynomials.len();
        self.polynomials.push(polynomial.clone());
        self.numbers.insert(polynomial, number);
        Size::of_expression(number)
    }

    /// Both sides of a quotient.
    pub fn quotient(&self, number: u32) -> (Size, Size) {
        self.quotients[number as usize]
    }

    /// The size of which there is at least 1.
    pub fn or_one(&self, number: u32) -> Size {
        self.or_ones[number as usize]
    }

    /// The larger one of a polynomial and 1.
    pub fn at_least_one(&mut self, own: &Polynomial) -> Polynomial {
        let number = match self.or_one_numbers.get(own) {
            Some(number) => *number,
            None => {
                let (number, size) = (self.or_ones.len() as u32, self.size(own.clone()));
                self.or_ones.push(size);
                self.or_one_numbers.insert(own.clone(), number);
                number
            }
        };
        Polynomial::atom(Atom::OrOne(number))
    }

    /// The size that is scaled, and by what.
    pub fn scale(&self, number: u32) -> (Size, f64) {
        self.scaled[number as usize]
    }

    /// A polynomial times a float, rounded towards zero.
    pub fn scaled(&mut self, own: &Polynomial, factor: f64) -> Polynomial {
        if let Some(number) = own.as_constant() {
            return Polynomial::constant(number.scaled(factor));
        }
        let key = (own.clone(), factor.to_bits());
        let number = match self.scaled_numbers.get(&key) {
            Some(number) => *number,
            None => {
                let (number, size) = (self.scaled.len() as u32, self.size(own.clone()));
                self.scaled.push((size, factor));
                self.scaled_numbers.insert(key, number);
                number
            }
        };
        Polynomial::atom(Atom::Scaled(number))
    }

    /// The sizes that an atom is of; none of a symbol.
    pub fn inside(&self, atom: Atom) -> Vec<Size> {
        match atom {
            Atom::Symbol(_) => vec![],
            Atom::Quotient(number) => <[Size; 2]>::from(self.quotient(number)).to_vec(),
            Atom::OrOne(number) => vec![self.or_one(number)],
            Atom::Scaled(number) => vec![self.scale(number).0],
        }
    }

    /// `a / b`, rounded down, of polynomials without replaced symbols; `b` is above 0.
    pub fn floor_div(&mut self, a: &Polynomial, b: &Polynomial) -> Polynomial {
        if a == b {
            return Polynomial::constant(1);
        }
        if let [(monomial, factor)] = b.0.as_slice()
            && let Some(exact) = a.exactly_over(monomial, *factor)
        {
            return exact;
        }
        let Some(divisor) = b.as_constant().filter(|divisor| *divisor > 0) else {
            return self.new_quotient(a.clone(), b.clone());
        };
        // (g a) / (g b) = a / b.
        let common = gcd(a.common_factor(), divisor);
        if common > 1 && common < divisor {
            let (a, _) = a.over_number(common);
            return self.floor_div(&a, &Polynomial::constant(divisor / common));
        }
        // (d q + r) / d = q + r / d.
        let (whole, rest) = a.over_number(divisor);
        match rest.as_constant() {
            Some(_) => whole,
            None => {
                let rest = self.new_quotient(rest, b.clone());
                whole.plus(&rest, 1)
            }
        }
    }

    fn new_quotient(&mut self, a: Polynomial, b: Polynomial) -> Polynomial {
        // (a / b) / c = a / (b c).
        if let [(monomial, 1)] = a.0.as_slice()
            && let [Atom::Quotient(inner)] = monomial.as_slice()
        {
            let (first, second) = self.quotient(*inner);
            let (first, second) = (self.polynomial(first), self.polynomial(second).times(&b));
            return self.floor_div(&first, &second);
        }
        let key = (a, b);
        let number = match self.quotient_numbers.get(&key) {
            Some(number) => *number,
            None => {
                let number = self.quotients.len() as u32;
                let sides = (self.size(key.0.clone()), self.size(key.1.clone()));
                self.quotients.push(sides);
                self.quotient_numbers.insert(key, number);
                number
            }
        };
        Polynomial::atom(Atom::Quotient(number))
    }
}
