//! Whether points of loops touch the same element: dependence, decided by subscripts and addresses.
//!
//! Two accesses are compared at a point `p` of one domain and `q` of another. Where the memrefs are the same
//! value, and its layout has a place for each element, an element is the same only if every subscript is;
//! where their memory is the same, only if the addresses are. Each is a linear equation in the indices of
//! both points, which run from 0 to below their sizes: it has no solution if the numbers it can reach leave
//! out the one that it needs, or if the greatest common divisor of its factors does not divide that. A
//! [`Relation`] says how the points lie to each other. What is not linear, or not decided, may meet.

use crate::{
    analysis::memory::{Memory, is_injective, same_elements, static_layout},
    ir::{
        BlockLike, OperationLike,
        cursor::V,
        operations::{home, key},
    },
    loops::affine::{Expr, exprs},
};
use melior::ir::{Attribute, BlockRef};
use std::collections::BTreeMap;

/// A sum of multiples of a point's indices and of values that are the same at all points, and a number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Form {
    /// By dimension of the domain.
    pub factors: Vec<i64>,
    /// By a key of the value.
    pub symbols: BTreeMap<usize, i64>,
    /// The number.
    pub constant: i64,
}

/// What one dimension of an expression is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Term {
    /// An index of the domain.
    Index(usize),
    /// A value that is the same at all points, by its key.
    Symbol(usize),
    /// Anything else.
    Unknown,
}

impl Term {
    /// What a value is in the body of a loop with these indices.
    pub fn of<'c: 'a, 'a>(value: V<'c, 'a>, indices: &[V<'c, 'a>], body: BlockRef<'c, 'a>) -> Self {
        if let Some(index) = indices.iter().position(|index| *index == value) {
            return Term::Index(index);
        }
        let around = |block: &BlockRef<'c, 'a>| block.parent_operation().and_then(|op| op.block());
        let mut blocks = std::iter::successors(home(value), around);
        match blocks.any(|block| block.to_raw().ptr == body.to_raw().ptr) {
            true => Term::Unknown,
            false => Term::Symbol(key(value)),
        }
    }
}

impl Form {
    /// An expression whose dimensions are these terms; None where it is not linear in them or one is unknown.
    pub fn of(expr: &Expr, terms: &[Term]) -> Option<Self> {
        let linear = expr.linear()?;
        let mut form = Form { constant: linear.constant, ..Self::default() };
        for (d, factor) in linear.factors.iter().enumerate().filter(|(_, f)| **f != 0) {
            match terms.get(d)? {
                Term::Index(i) => {
                    if form.factors.len() <= *i {
                        form.factors.resize(i + 1, 0);
                    }
                    form.factors[*i] = form.factors[*i].checked_add(*factor)?;
                }
                Term::Symbol(key) => *form.symbols.entry(*key).or_default() += factor,
                Term::Unknown => return None,
            }
        }
        Some(form)
    }

    /// The factor of an index.
    pub fn factor(&self, i: usize) -> i64 {
        self.factors.get(i).copied().unwrap_or(0)
    }

    /// The index that it is and nothing else.
    pub fn index(&self) -> Option<usize> {
        let i = self.factors.iter().position(|f| *f != 0)?;
        let alone = self.factors[i] == 1 && self.factors[i + 1..].iter().all(|f| *f == 0);
        (alone && self.symbols.is_empty() && self.constant == 0).then_some(i)
    }

    /// With the indices in another order: `order[i]` is the one that comes i-th.
    pub fn reordered(&self, order: &[usize]) -> Self {
        Form { factors: order.iter().map(|i| self.factor(*i)).collect(), ..self.clone() }
    }

    fn plus(&self, other: &Self, scale: i64) -> Option<Self> {
        let mut sum = self.clone();
        sum.factors.resize(sum.factors.len().max(other.factors.len()), 0);
        for (f, g) in sum.factors.iter_mut().zip(&other.factors) {
            *f = f.checked_add(g.checked_mul(scale)?)?;
        }
        for (key, factor) in &other.symbols {
            let there = sum.symbols.entry(*key).or_default();
            *there = there.checked_add(factor.checked_mul(scale)?)?;
        }
        sum.constant = sum.constant.checked_add(other.constant.checked_mul(scale)?)?;
        Some(sum)
    }
}

/// A read or a write of one element at each point.
#[derive(Clone)]
pub struct Access<'c, 'a> {
    /// The memref.
    pub buffer: V<'c, 'a>,
    /// By dimension of the memref; None where it is not linear.
    pub subscripts: Vec<Option<Form>>,
    /// The sizes of the domain; None where they are not known.
    pub sizes: Vec<Option<i64>>,
}

/// How a point `p` lies to a point `q`.
#[derive(Clone, Copy, Debug)]
pub enum Relation {
    /// The first indices are the same, this many; of others nothing is known.
    Together(usize),
    /// The first indices are the same, this many, and in the next `p` comes before `q`.
    Before(usize),
}

impl<'c: 'a, 'a> Access<'c, 'a> {
    /// A buffer at a map of operands, in the body of a loop over these indices.
    pub fn at(
        buffer: V<'c, 'a>,
        (map, operands): (Attribute<'c>, &[V<'c, 'a>]),
        (indices, body): (&[V<'c, 'a>], BlockRef<'c, 'a>),
        sizes: Vec<Option<i64>>,
    ) -> Self {
        let terms: Vec<Term> = operands.iter().map(|value| Term::of(*value, indices, body)).collect();
        let subscripts = exprs(map).iter().map(|expr| Form::of(expr, &terms)).collect();
        Access { buffer, subscripts, sizes }
    }

    /// A buffer at the point itself, of a domain of these sizes.
    pub fn of_point(buffer: V<'c, 'a>, sizes: Vec<Option<i64>>) -> Self {
        let terms: Vec<Term> = (0..sizes.len()).map(Term::Index).collect();
        let subscripts = (0..sizes.len()).map(|d| Form::of(&Expr::Dim(d), &terms)).collect();
        Access { buffer, subscripts, sizes }
    }

    /// With the indices in another order.
    pub fn reordered(&self, order: &[usize]) -> Self {
        Access {
            buffer: self.buffer,
            subscripts: self.subscripts.iter().map(|s| s.as_ref().map(|s| s.reordered(order))).collect(),
            sizes: order.iter().map(|i| self.sizes[*i]).collect(),
        }
    }

    /// The distance from the start of the memory, in elements.
    fn address(&self) -> Option<Form> {
        let (strides, offset) = static_layout(self.buffer)?;
        let mut sum = Form { constant: offset, ..Form::default() };
        for (stride, subscript) in strides.iter().zip(&self.subscripts) {
            sum = sum.plus(subscript.as_ref()?, *stride)?;
        }
        Some(sum)
    }

    /// Whether this at a point `p` and the other at a point `q` may be the same element. Arguments of a
    /// function are apart from each other where `arguments` says so.
    pub fn may_meet(&self, other: &Self, relation: Relation, arguments: bool) -> bool {
        let (own, others) = (Memory::of(self.buffer), Memory::of(other.buffer));
        if own.is_disjoint(&others, arguments) {
            return false;
        }
        let solvable = |a: &Form, b: &Form| has_solution(a, &self.sizes, b, &other.sizes, relation);
        if self.buffer == other.buffer && is_injective(self.buffer) {
            let pairs = self.subscripts.iter().zip(&other.subscripts);
            for (a, b) in pairs.filter_map(|(a, b)| Some((a.as_ref()?, b.as_ref()?))) {
                if !solvable(a, b) {
                    return false;
                }
            }
        }
        let comparable = own.is_comparable(&others) && same_elements(self.buffer, other.buffer);
        match (self.address(), other.address()) {
            (Some(a), Some(b)) if comparable => solvable(&a, &b),
            // No equation holds at any point of an empty domain.
            _ => solvable(&Form::default(), &Form::default()),
        }
    }

    /// Whether two different points of one domain may touch the same element, one by this and one by the
    /// other.
    pub fn may_meet_elsewhere(&self, other: &Self, arguments: bool) -> bool {
        (0..self.sizes.len()).any(|k| {
            self.may_meet(other, Relation::Before(k), arguments)
                || other.may_meet(self, Relation::Before(k), arguments)
        })
    }

    /// Whether both are the same element of the same memref at each point, read off the subscripts.
    pub fn is_same(&self, other: &Self) -> bool {
        self.buffer == other.buffer
            && self.subscripts.iter().zip(&other.subscripts).all(|(a, b)| a.is_some() && a == b)
    }
}

/// A factor, and the numbers that it is multiplied by: from 0 or 1 on, to a last one where there is one.
struct Variable {
    factor: i128,
    first: i128,
    last: Option<i128>,
}

/// Whether `a` at `p` may equal `b` at `q`.
fn has_solution(a: &Form, p: &[Option<i64>], b: &Form, q: &[Option<i64>], relation: Relation) -> bool {
    let mut variables = vec![];
    let mut add = |factor: i64, first: i128, last: Option<i64>| {
        variables.push(Variable { factor: factor.into(), first, last: last.map(Into::into) });
    };
    let (shared, before) = match relation {
        Relation::Together(n) => (n, None),
        Relation::Before(k) => (k, Some(k)),
    };
    for i in 0..p.len().max(q.len()) {
        let last = |sizes: &[Option<i64>]| sizes.get(i).copied().flatten().map(|n| n - 1);
        let Some(difference) = a.factor(i).checked_sub(b.factor(i)) else { return true };
        if i < shared {
            add(difference, 0, last(p));
        } else if before == Some(i) {
            // q is p and a distance of 1 or more.
            add(difference, 0, last(p).map(|n| n - 1));
            let Some(factor) = b.factor(i).checked_neg() else { return true };
            add(factor, 1, last(q));
        } else {
            if i < p.len() {
                add(a.factor(i), 0, last(p));
            }
            if i < q.len() {
                let Some(factor) = b.factor(i).checked_neg() else { return true };
                add(factor, 0, last(q));
            }
        }
    }
    if variables.iter().any(|v| v.last.is_some_and(|last| last < v.first)) {
        return false;
    }
    let symbol = |form: &Form, key: &usize| form.symbols.get(key).copied().unwrap_or(0);
    if a.symbols.keys().chain(b.symbols.keys()).any(|key| symbol(a, key) != symbol(b, key)) {
        return true;
    }
    reaches(&variables, i128::from(b.constant) - i128::from(a.constant))
}

/// Whether a sum of multiples may be a number: inside of the bounds, and a multiple of what all have in
/// common.
fn reaches(variables: &[Variable], number: i128) -> bool {
    let (mut least, mut most) = (Some(0i128), Some(0i128));
    let mut common = 0;
    let mut start = 0;
    for v in variables.iter().filter(|v| v.factor != 0) {
        let (first, last) = (v.factor * v.first, v.last.map(|last| v.factor * last));
        let (low, high) = if v.factor > 0 { (Some(first), last) } else { (last, Some(first)) };
        least = least.zip(low).map(|(a, b)| a + b);
        most = most.zip(high).map(|(a, b)| a + b);
        if v.last != Some(v.first) {
            common = gcd(common, v.factor.abs());
        }
        start += first;
    }
    if least.is_some_and(|least| number < least) || most.is_some_and(|most| number > most) {
        return false;
    }
    if common == 0 { number == start } else { (number - start) % common == 0 }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::{Form, Relation, has_solution};

    fn form(factors: &[i64], constant: i64) -> Form {
        Form { factors: factors.to_vec(), constant, ..Form::default() }
    }

    #[test]
    fn rows_do_not_meet() {
        // i * 8 + j of 4 by 8, against itself at another i
        let (a, sizes) = (form(&[8, 1], 0), [Some(4), Some(8)]);
        assert!(!has_solution(&a, &sizes, &a, &sizes, Relation::Before(0)));
        assert!(!has_solution(&a, &sizes, &a, &sizes, Relation::Before(1)));
        assert!(has_solution(&a, &sizes, &a, &sizes, Relation::Together(2)));
        // of 4 by 9 they do
        let wide = [Some(4), Some(9)];
        assert!(has_solution(&a, &wide, &a, &wide, Relation::Before(0)));
    }

    #[test]
    fn even_and_odd_do_not_meet() {
        let (even, odd, sizes) = (form(&[2], 0), form(&[2], 1), [None]);
        assert!(!has_solution(&even, &sizes, &odd, &sizes, Relation::Together(0)));
        assert!(has_solution(&even, &sizes, &form(&[2], 4), &sizes, Relation::Together(0)));
    }

    #[test]
    fn a_shift_is_a_dependence_in_one_direction() {
        // x[i + 1] against x[i]: the element of p is that of a later q
        let (shifted, plain, sizes) = (form(&[1], 1), form(&[1], 0), [Some(10)]);
        assert!(has_solution(&shifted, &sizes, &plain, &sizes, Relation::Before(0)));
        assert!(!has_solution(&plain, &sizes, &shifted, &sizes, Relation::Before(0)));
        assert!(!has_solution(&plain, &sizes, &shifted, &sizes, Relation::Together(1)));
    }

    #[test]
    fn halves_do_not_meet_and_one_point_has_no_other() {
        let (low, high, sizes) = (form(&[1], 0), form(&[1], 5), [Some(5)]);
        assert!(!has_solution(&low, &sizes, &high, &sizes, Relation::Together(0)));
        let none = form(&[], 0);
        assert!(!has_solution(&none, &[Some(1)], &none, &[Some(1)], Relation::Before(0)));
        assert!(has_solution(&none, &[Some(2)], &none, &[Some(2)], Relation::Before(0)));
    }
}
