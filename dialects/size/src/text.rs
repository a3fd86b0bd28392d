//! Sizes and guards in words.

use super::{
    Size,
    expression::{Atom, Polynomial},
    symbols::{Guard, Relation, Symbols},
};

impl Symbols {
    /// A size in words: `2*s0 + 1`.
    pub fn text(&self, size: Size) -> String {
        match size.known() {
            Some(number) => number.to_string(),
            None if size.is_unknown() => "?".into(),
            None => self.polynomial_text(&self.table.polynomial(size)),
        }
    }

    fn polynomial_text(&self, polynomial: &Polynomial) -> String {
        let mut text = String::new();
        let (constant, rest): (Vec<_>, Vec<_>) = polynomial.0.iter().partition(|(m, _)| m.is_empty());
        for (monomial, factor) in rest.into_iter().chain(constant) {
            let sign = match (text.is_empty(), *factor < 0) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            text.push_str(sign);
            let factor = factor.unsigned_abs();
            let mut factors: Vec<String> = monomial.iter().map(|atom| self.atom_text(*atom)).collect();
            if factor != 1 || factors.is_empty() {
                factors.insert(0, factor.to_string());
            }
            text.push_str(&factors.join("*"));
        }
        if text.is_empty() { "0".into() } else { text }
    }

    fn atom_text(&self, atom: Atom) -> String {
        match atom {
            Atom::Symbol(symbol) => format!("s{symbol}"),
            Atom::Quotient(number) => {
                let (a, b) = self.table.quotient(number);
                let side = |size| {
                    let polynomial = self.table.polynomial(size);
                    let text = self.polynomial_text(&polynomial);
                    if polynomial.0.len() > 1 { format!("({text})") } else { text }
                };
                format!("({} floordiv {})", side(a), side(b))
            }
            Atom::OrOne(number) => format!("max({}, 1)", self.text(self.table.or_one(number))),
            Atom::Scaled(number) => {
                let (own, factor) = self.table.scale(number);
                format!("trunc({factor:?}*({}))", self.text(own))
            }
        }
    }

    /// A guard in words: `s0 != 1`.
    pub fn guard_text(&self, guard: &Guard) -> String {
        let (left, right) = (self.text(guard.left), self.text(guard.right));
        match (guard.relation, guard.holds) {
            (Relation::Equal, true) => format!("{left} == {right}"),
            (Relation::Equal, false) => format!("{left} != {right}"),
            (Relation::AtMost, true) => format!("{left} <= {right}"),
            (Relation::AtMost, false) => format!("{right} < {left}"),
        }
    }
}
