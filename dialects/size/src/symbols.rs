//! Symbols, and the guards under which what was found about them holds.
//!
//! A comparison is answered by proof where what is known suffices ([`super::proof`]). Where it does not, it
//! is answered by the symbols' hints, numbers that stand for what they will be; and where a symbol has none,
//! by what holds of sizes in general: those that are compared are equal, none is 0 or 1, and all are large;
//! numbers that are no sizes are small. Such an answer is a [`Guard`], known from then on. With numbers for
//! which every guard holds ([`Symbols::broken`] finds none) the same answers come out, so every expression
//! gives what the rules would have given for these numbers ([`Symbols::value`]).

mod values;

pub use super::guard::{Guard, Predicate, Relation};

use super::{
    Size,
    answers::Answers,
    expression::{Atom, Polynomial, Table},
    proof::{Fact, Facts, Range, sides, symbols_in},
    trials::Trial,
};
use std::{cell::RefCell, collections::HashMap};

/// Where a symbol's number comes from; the caller's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol(u32);

impl Symbol {
    /// Its place among the numbers that [`Symbols::value`] is given.
    pub fn place(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone)]
struct Entry {
    hint: Option<i64>,
    /// What it is taken for where nothing is said of it.
    typical: i64,
    replaced: Option<Polynomial>,
}

/// What a size is taken for where nothing is said of it: large, and divided by most numbers.
const TYPICAL: i64 = 5040;

/// What a number is taken for that may be negative, and so is no size: within most sizes.
const WITHIN: i64 = 2;

/// Factors and numbers up to here can be multiplied.
pub(super) const SMALL: i64 = 1 << 31;
/// Terms, and symbols in one, up to which expressions are worth following.
const TERMS: usize = 16;

/// What was known of symbols at a time.
#[derive(Clone)]
pub struct Checkpoint {
    entries: Vec<Entry>,
    facts: Facts,
    guards: usize,
}

/// Symbols, what is known of them, and the guards.
#[derive(Default)]
pub struct Symbols {
    entries: Vec<Entry>,
    pub(super) table: Table,
    pub(super) facts: Facts,
    guards: Vec<Guard>,
    asks: usize,
    /// Whether what rules take for granted is so.
    pub(super) promises: bool,
    pub(super) trial: Option<Trial>,
    /// Between which numbers symbols are, by their places, that are not there yet.
    within: HashMap<usize, [i64; 2]>,
    /// What is answered where nothing is known.
    pub answers: Answers,
}

thread_local! {
    static CURRENT: RefCell<Option<Symbols>> = const { RefCell::new(None) };
}

/// Asks the symbols that are in force on this thread.
///
/// # Panics
/// Where none are: an expression was used outside of [`Symbols::enter`].
pub fn current<T>(ask: impl FnOnce(&mut Symbols) -> T) -> T {
    CURRENT.with_borrow_mut(|symbols| {
        ask(symbols.as_mut().expect("an expression belongs to the symbols in force"))
    })
}

impl Symbols {
    /// No symbols.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same, where what rules take for granted is promised ([`super::trials`]).
    pub fn promised() -> Self {
        Self { promises: true, ..Self::default() }
    }

    /// No symbols; those that will have these places are within these numbers, both included, which are
    /// guards then.
    pub fn within(numbers: impl IntoIterator<Item = (usize, [i64; 2])>) -> Self {
        Self { within: numbers.into_iter().collect(), ..Self::default() }
    }

    /// Runs something with these symbols in force: sizes that it computes with may be expressions over them.
    pub fn enter<T>(&mut self, run: impl FnOnce() -> T) -> T {
        /// Puts the symbols back, after a panic too.
        struct Back<'s>(&'s mut Symbols, Option<Symbols>);
        impl Drop for Back<'_> {
            fn drop(&mut self) {
                if let Some(own) = CURRENT.replace(self.1.take()) {
                    *self.0 = own;
                }
            }
        }
        let outer = CURRENT.replace(Some(std::mem::take(self)));
        let _back = Back(self, outer);
        run()
    }

    /// A new symbol, not below `low`, and what it will probably be.
    pub fn symbol(&mut self, hint: Option<i64>, low: i64) -> (Symbol, Size) {
        let symbol = self.entries.len() as u32;
        let typical = if low < 0 { WITHIN } else { TYPICAL };
        self.entries.push(Entry { hint, typical, replaced: None });
        let polynomial = Polynomial::atom(Atom::Symbol(symbol));
        self.facts.bound(&self.table, &polynomial, Range { low: low.into(), ..Range::ANY });
        let size = self.table.size(polynomial);
        match self.within.get(&(symbol as usize)) {
            Some([low, high]) if low == high => self.decide_as(size, *low),
            Some(&bounds) => {
                let [low, high] = bounds.map(Size::number);
                self.take(Relation::AtMost, low, size);
                self.take(Relation::AtMost, size, high);
            }
            None => {}
        }
        (Symbol(symbol), size)
    }

    /// Whether an expression has few terms with small factors.
    pub(super) fn is_plain(&self, size: Size) -> bool {
        let Polynomial(terms) = self.table.polynomial(size);
        let small = |(monomial, factor): &(Vec<Atom>, i64)| monomial.len() <= TERMS && factor.abs() <= SMALL;
        terms.len() <= TERMS && terms.iter().all(small)
    }

    /// A symbol is probably this number.
    pub fn guess(&mut self, symbol: Symbol, number: i64) {
        self.entries[symbol.place()].hint = Some(number);
    }

    /// Each symbol without a hint is probably what it is taken for.
    pub fn guess_all(&mut self) {
        for symbol in 0..self.entries.len() {
            let typical = self.typical(&Polynomial::atom(Atom::Symbol(symbol as u32)));
            self.entries[symbol].hint.get_or_insert(typical);
        }
    }

    /// The size that a symbol is.
    pub fn size(&mut self, symbol: Symbol) -> Size {
        let polynomial = self.simple(&Polynomial::atom(Atom::Symbol(symbol.0)));
        self.table.size(polynomial)
    }

    /// The size that the symbol of a place is.
    pub fn size_at(&mut self, place: usize) -> Size {
        self.size(Symbol(place as u32))
    }

    /// The symbol that a size was made as, where it is one and no expression.
    pub fn symbol_of(&self, size: Size) -> Option<Symbol> {
        size.expression()?;
        match self.table.polynomial(size).0.as_slice() {
            [(monomial, 1)] => match monomial.as_slice() {
                [Atom::Symbol(symbol)] => Some(Symbol(*symbol)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Names what asks from now on.
    pub fn asks(&mut self, by: usize) {
        self.asks = by;
    }

    /// The guards, in the order in which they were needed.
    pub fn guards(&self) -> &[Guard] {
        &self.guards
    }

    /// What is known now, to go back to.
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint { entries: self.entries.clone(), facts: self.facts.clone(), guards: self.guards.len() }
    }

    /// Forgets what was found since, and the guards for it. Symbols that are new since stay, with nothing
    /// known of them.
    pub fn back_to(&mut self, checkpoint: Checkpoint) {
        let new = self.entries.split_off(checkpoint.entries.len());
        self.entries = checkpoint.entries;
        self.entries.extend(new.into_iter().map(|entry| Entry { replaced: None, ..entry }));
        self.facts = checkpoint.facts;
        self.guards.truncate(checkpoint.guards);
    }

    pub(super) fn of(&mut self, size: Size) -> Polynomial {
        let polynomial = self.table.polynomial(size);
        self.simple(&polynomial)
    }

    /// With what symbols were replaced by.
    fn simple(&mut self, polynomial: &Polynomial) -> Polynomial {
        let stale = |atom: &Atom| match atom {
            Atom::Symbol(symbol) => self.entries[*symbol as usize].replaced.is_some(),
            // What is known by now may say which one is larger.
            Atom::OrOne(_) => true,
            Atom::Quotient(_) | Atom::Scaled(_) => (self.table.inside(*atom).into_iter())
                .flat_map(|side| symbols_in(&self.table, &self.table.polynomial(side)))
                .any(|symbol| self.entries[symbol as usize].replaced.is_some()),
        };
        if !polynomial.atoms().iter().any(stale) {
            return polynomial.clone();
        }
        let mut sum = Polynomial::default();
        for (monomial, factor) in &polynomial.0 {
            let mut term = Polynomial::constant(*factor);
            for atom in monomial {
                term = term.times(&self.simple_atom(*atom));
            }
            sum = sum.plus(&term, 1);
        }
        sum
    }

    fn simple_atom(&mut self, atom: Atom) -> Polynomial {
        match atom {
            Atom::Symbol(symbol) => match self.entries[symbol as usize].replaced.clone() {
                Some(by) => {
                    let by = self.simple(&by);
                    self.entries[symbol as usize].replaced = Some(by.clone());
                    by
                }
                None => Polynomial::atom(atom),
            },
            Atom::Quotient(number) => {
                let (a, b) = self.table.quotient(number);
                let [a, b] = [a, b].map(|side| self.table.polynomial(side));
                let (a, b) = (self.simple(&a), self.simple(&b));
                self.table.floor_div(&a, &b)
            }
            Atom::OrOne(number) => {
                let own = self.table.polynomial(self.table.or_one(number));
                let own = self.simple(&own);
                self.at_least_one(&own)
            }
            Atom::Scaled(number) => {
                let (own, factor) = self.table.scale(number);
                let own = self.table.polynomial(own);
                let own = self.simple(&own);
                self.table.scaled(&own, factor)
            }
        }
    }

    fn at_least_one(&mut self, own: &Polynomial) -> Polynomial {
        match self.facts.range(&self.table, own) {
            range if range.low >= 1 => own.clone(),
            range if range.high <= 1 => Polynomial::constant(1),
            _ => self.table.at_least_one(own),
        }
    }

    pub(super) fn or_one(&mut self, size: Size) -> Size {
        let own = self.of(size);
        let larger = self.at_least_one(&own);
        self.table.size(larger)
    }

    pub(super) fn scaled(&mut self, size: Size, factor: f64) -> Size {
        let own = self.of(size);
        let scaled = self.table.scaled(&own, factor);
        self.table.size(scaled)
    }

    pub(super) fn add(&mut self, a: Size, b: Size) -> Size {
        let (a, b) = (self.of(a), self.of(b));
        self.table.size(a.plus(&b, 1))
    }

    pub(super) fn sub(&mut self, a: Size, b: Size) -> Size {
        let (a, b) = (self.of(a), self.of(b));
        self.table.size(a.plus(&b, -1))
    }

    pub(super) fn mul(&mut self, a: Size, b: Size) -> Size {
        let (a, b) = (self.of(a), self.of(b));
        self.table.size(a.times(&b))
    }

    /// A size as simple as what is known makes it.
    pub fn simplified(&mut self, size: Size) -> Size {
        if size.expression().is_none() {
            return size;
        }
        let polynomial = self.of(size);
        match self.facts.range(&self.table, &polynomial) {
            Range { low, high } if low == high => Size::number(low as i64),
            _ => self.table.size(polynomial),
        }
    }

    /// Whether a relation holds: proven, or from now on taken for granted.
    pub(super) fn decide(&mut self, relation: Relation, left: Size, right: Size) -> bool {
        self.answer(relation, left, right, None)
    }

    /// Whether sizes are equal that have to be: in general they are, 0 and 1 too.
    pub(super) fn demand(&mut self, left: Size, right: Size) -> bool {
        self.answer(Relation::Equal, left, right, Some(true))
    }

    /// Whether a size is at most another one, where that is what programs mean.
    pub(super) fn suppose(&mut self, left: Size, right: Size) -> bool {
        self.answer(Relation::AtMost, left, right, Some(true))
    }

    fn answer(&mut self, relation: Relation, left: Size, right: Size, in_general: Option<bool>) -> bool {
        let (left, right) = (self.of(left), self.of(right));
        let difference = left.plus(&right, -1);
        if let Some(holds) = self.proven(relation, &difference) {
            return holds;
        }
        let mut question = None;
        let holds = match self.hinted(&difference) {
            Some(number) => relation.of(number),
            None => {
                let usual =
                    in_general.unwrap_or_else(|| self.assumed(relation, [&left, &right], &difference));
                let pins = relation == Relation::Equal
                    && !usual
                    && [&left, &right].iter().any(|side| side.as_constant().is_some());
                match &mut self.trial {
                    Some(trial) => trial.answer(usual, pins),
                    None => {
                        question = Some(self.answers.asked());
                        self.answers.answer(usual)
                    }
                }
            }
        };
        let (left, right, stated) = sides(relation, &difference, holds).unwrap_or((left, right, holds));
        let (left, right) = (self.table.size(left), self.table.size(right));
        self.guards.push(Guard { relation, left, right, holds: stated, by: self.asks, question });
        self.learn(relation, &difference, holds);
        holds
    }

    /// Whether a relation is known to hold, or not to.
    pub fn known(&mut self, relation: Relation, left: Size, right: Size) -> Option<bool> {
        let difference = self.of(left).plus(&self.of(right), -1);
        self.proven(relation, &difference)
    }

    pub(super) fn proven(&self, relation: Relation, difference: &Polynomial) -> Option<bool> {
        match relation {
            Relation::Equal => self.facts.is_zero(&self.table, difference),
            Relation::AtMost => self.facts.is_at_most_zero(&self.table, difference),
        }
    }

    pub(super) fn fix(&mut self, size: Size) -> i64 {
        let simple = self.simplified(size);
        if let Some(number) = simple.known() {
            return number;
        }
        let polynomial = self.of(simple);
        let number = self.hinted(&polynomial).unwrap_or_else(|| self.typical(&polynomial));
        self.decide_as(simple, number);
        number
    }

    fn decide_as(&mut self, size: Size, number: i64) {
        self.take(Relation::Equal, size, Size(number));
    }

    /// Takes for granted that a relation holds.
    fn take(&mut self, relation: Relation, left: Size, right: Size) {
        let difference = self.of(left).plus(&self.of(right), -1);
        self.guards.push(Guard { relation, left, right, holds: true, by: self.asks, question: None });
        self.learn(relation, &difference, true);
    }

    /// What holds in general: what may be one thing alone is more, and nothing is below 0.
    pub(super) fn assumed(
        &self,
        relation: Relation,
        sides: [&Polynomial; 2],
        difference: &Polynomial,
    ) -> bool {
        let special =
            || sides.iter().any(|side| side.as_constant().is_some_and(|number| number == 1 || number < 0));
        // A rest is nothing in general; any other number that is asked for alone is something.
        let rest = || difference.atoms().iter().any(|atom| matches!(atom, Atom::Quotient(_)));
        let nothing = || sides.iter().any(|side| side.as_constant() == Some(0)) && !rest();
        match relation {
            Relation::Equal => !special() && !nothing() && Facts::zero_in_general(difference),
            Relation::AtMost => relation.of(self.typical(difference)),
        }
    }

    fn learn(&mut self, relation: Relation, difference: &Polynomial, holds: bool) {
        let (table, facts) = (&self.table, &mut self.facts);
        match (relation, holds) {
            (Relation::AtMost, true) => facts.bound(table, difference, Range { high: 0, ..Range::ANY }),
            (Relation::AtMost, false) => facts.bound(table, difference, Range { low: 1, ..Range::ANY }),
            (Relation::Equal, false) => facts.not_zero(table, difference),
            (Relation::Equal, true) => {
                facts.bound(table, difference, Range { low: 0, high: 0 });
                self.replace(difference);
            }
        }
    }

    /// Replaces a symbol of a polynomial that is 0 by the rest of it.
    fn replace(&mut self, zero: &Polynomial) {
        let alone = |(monomial, factor): &&(Vec<Atom>, i64)| {
            let [Atom::Symbol(symbol)] = monomial.as_slice() else { return false };
            let rest = zero.plus(&Polynomial(vec![(monomial.clone(), *factor)]), -1);
            factor.abs() == 1 && !symbols_in(&self.table, &rest).contains(symbol)
        };
        let Some((monomial, factor)) = zero.0.iter().rev().find(alone).cloned() else { return };
        let [Atom::Symbol(symbol)] = monomial.as_slice() else { return };
        let rest = zero.plus(&Polynomial(vec![(monomial.clone(), factor)]), -1);
        let by = Polynomial::default().plus(&rest, -factor);
        let entry = &mut self.entries[*symbol as usize];
        let hint = entry.hint;
        entry.replaced = Some(by.clone());
        // What one hint says, the other symbol hears too.
        if let ([(monomial, 1)], Some(hint)) = (by.0.as_slice(), hint)
            && let [Atom::Symbol(other)] = monomial.as_slice()
        {
            self.entries[*other as usize].hint.get_or_insert(hint);
        }
        for (key, fact) in self.facts.take(*symbol) {
            let key = self.simple(&key);
            match fact {
                Fact::In(range) => self.facts.bound(&self.table, &key, range),
                Fact::Not(number) => {
                    let difference = key.plus(&Polynomial::constant(number as i64), -1);
                    self.facts.not_zero(&self.table, &difference);
                }
            }
        }
    }
}
