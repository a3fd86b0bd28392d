//! Affine maps of accesses, and the algebra of their expressions.

mod simplify;

pub use simplify::Range;

use crate::ir::attributes;
use melior::{
    Context,
    ir::{AffineExpr, AffineMap, Attribute, Value},
};

/// The number of expressions of a map attribute.
pub fn results(attribute: Attribute) -> usize {
    attributes::map(attribute).result_count()
}

/// The number of dimensions of a map attribute.
pub fn dims(attribute: Attribute) -> usize {
    attributes::map(attribute).dim_count()
}

/// The number of operands of a map attribute: its dimensions and symbols.
pub fn operands(attribute: Attribute) -> usize {
    attributes::map(attribute).input_count()
}

/// An expression that MLIR has.
pub fn of(expression: AffineExpr) -> Expr {
    Expr::read(expression, usize::from(u16::MAX))
}

/// The operands and the map of an access at these expressions, whose dimension i is `values[i]`.
///
/// They are what the assembly of the access reads back as: an operand for each value that an expression
/// names, in order.
pub fn access<'c, 'a>(
    context: &'c Context,
    exprs: &[AffineExpr<'c>],
    values: &[Value<'c, 'a>],
) -> (Vec<Value<'c, 'a>>, Attribute<'c>) {
    let mut operands = vec![];
    let mut renamed = vec![];
    for e in exprs {
        let mut used = vec![];
        Expr::read(*e, values.len()).dims(&mut used);
        let dim = |d| match used.iter().position(|u| *u == d) {
            Some(i) => AffineExpr::dim(context, operands.len() + i),
            None => AffineExpr::constant(context, 0),
        };
        let dims: Vec<AffineExpr> = (0..values.len()).map(dim).collect();
        renamed.push(e.compose(AffineMap::new(context, values.len(), 0, &dims)));
        operands.extend(used.iter().map(|d| values[*d]));
    }
    let map = AffineMap::new(context, operands.len(), 0, &renamed);
    let attribute = attributes::of_map(map);
    (operands, attribute)
}

/// An affine expression over the dimensions of its map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// Dimension i; symbols count after the dimensions.
    Dim(usize),
    /// A number.
    Constant(i64),
    /// A sum.
    Add(Box<Expr>, Box<Expr>),
    /// A product.
    Mul(Box<Expr>, Box<Expr>),
    /// The remainder, not negative.
    Mod(Box<Expr>, Box<Expr>),
    /// The quotient, rounded down.
    FloorDiv(Box<Expr>, Box<Expr>),
    /// The quotient, rounded up.
    CeilDiv(Box<Expr>, Box<Expr>),
}

/// The expressions of a map attribute.
pub fn exprs(attribute: Attribute) -> Vec<Expr> {
    let (map, dims) = (attributes::map(attribute), dims(attribute));
    (0..map.result_count()).filter_map(|i| Some(Expr::read(map.result(i).ok()?, dims))).collect()
}

/// The map of these expressions over `dims` dimensions, as an attribute.
pub fn map_of<'c>(context: &'c Context, dims: usize, exprs: &[AffineExpr<'c>]) -> Attribute<'c> {
    let map = AffineMap::new(context, dims, 0, exprs);
    attributes::of_map(map)
}

impl Expr {
    /// Reads an expression of a map of `dims` dimensions.
    pub fn read(expression: AffineExpr, dims: usize) -> Expr {
        let e = expression;
        match () {
            () if e.is_dim() => return Expr::Dim(e.dim_position()),
            () if e.is_symbol() => return Expr::Dim(dims + e.symbol_position()),
            () if e.is_constant() => return Expr::Constant(e.constant_value()),
            () => {}
        }
        // What is left has two sides.
        let (l, r) = (Box::new(Expr::read(e.lhs(), dims)), Box::new(Expr::read(e.rhs(), dims)));
        match () {
            () if e.is_add() => Expr::Add(l, r),
            () if e.is_mul() => Expr::Mul(l, r),
            () if e.is_mod() => Expr::Mod(l, r),
            () if e.is_floor_div() => Expr::FloorDiv(l, r),
            () => Expr::CeilDiv(l, r),
        }
    }

    /// The expression with others in place of its dimensions.
    pub fn over(&self, dim: &dyn Fn(usize) -> Expr) -> Expr {
        let side = |e: &Expr| Box::new(e.over(dim));
        match self {
            Expr::Dim(d) => dim(*d),
            Expr::Constant(c) => Expr::Constant(*c),
            Expr::Add(l, r) => Expr::Add(side(l), side(r)),
            Expr::Mul(l, r) => Expr::Mul(side(l), side(r)),
            Expr::Mod(l, r) => Expr::Mod(side(l), side(r)),
            Expr::FloorDiv(l, r) => Expr::FloorDiv(side(l), side(r)),
            Expr::CeilDiv(l, r) => Expr::CeilDiv(side(l), side(r)),
        }
    }

    /// The expression in MLIR, simplified.
    pub fn write<'c>(&self, context: &'c Context) -> AffineExpr<'c> {
        match self {
            Expr::Dim(d) => AffineExpr::dim(context, *d),
            Expr::Constant(c) => AffineExpr::constant(context, *c),
            Expr::Add(l, r) => l.write(context) + r.write(context),
            Expr::Mul(l, r) => l.write(context) * r.write(context),
            Expr::Mod(l, r) => AffineExpr::modulo(l.write(context), r.write(context)),
            Expr::FloorDiv(l, r) => AffineExpr::floor_div(l.write(context), r.write(context)),
            Expr::CeilDiv(l, r) => AffineExpr::ceil_div(l.write(context), r.write(context)),
        }
    }
}

/// A sum of multiples of dimensions, and a number.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Linear {
    /// The factor of each dimension; dimensions beyond have none.
    pub factors: Vec<i64>,
    /// The number.
    pub constant: i64,
}

impl Linear {
    /// The factor of a dimension.
    pub fn factor(&self, dim: usize) -> i64 {
        self.factors.get(dim).copied().unwrap_or(0)
    }

    fn combine(mut self, other: &Self, scale: i64) -> Option<Self> {
        if self.factors.len() < other.factors.len() {
            self.factors.resize(other.factors.len(), 0);
        }
        for (f, g) in self.factors.iter_mut().zip(&other.factors) {
            *f = f.checked_add(g.checked_mul(scale)?)?;
        }
        self.constant = self.constant.checked_add(other.constant.checked_mul(scale)?)?;
        Some(self)
    }

    /// The sum as an expression: multiples in the order of the dimensions, then the number.
    pub fn expr(&self) -> Expr {
        let multiple = |(d, factor): (usize, &i64)| match factor {
            1 => Expr::Dim(d),
            _ => Expr::Mul(Box::new(Expr::Dim(d)), Box::new(Expr::Constant(*factor))),
        };
        let terms = self.factors.iter().enumerate().filter(|(_, factor)| **factor != 0).map(multiple);
        let number = (self.constant != 0).then_some(Expr::Constant(self.constant));
        let sum = terms.chain(number).reduce(|sum, term| Expr::Add(Box::new(sum), Box::new(term)));
        sum.unwrap_or(Expr::Constant(0))
    }

    fn as_constant(&self) -> Option<i64> {
        self.factors.iter().all(|f| *f == 0).then_some(self.constant)
    }
}

impl Expr {
    /// The expression as a linear one; None where it divides (or overflows).
    pub fn linear(&self) -> Option<Linear> {
        match self {
            Expr::Dim(d) => {
                let mut factors = vec![0; d + 1];
                factors[*d] = 1;
                Some(Linear { factors, constant: 0 })
            }
            Expr::Constant(constant) => Some(Linear { factors: vec![], constant: *constant }),
            Expr::Add(l, r) => l.linear()?.combine(&r.linear()?, 1),
            Expr::Mul(l, r) => {
                let (l, r) = (l.linear()?, r.linear()?);
                match (l.as_constant(), r.as_constant()) {
                    (_, Some(k)) => Linear::default().combine(&l, k),
                    (Some(k), _) => Linear::default().combine(&r, k),
                    _ => None,
                }
            }
            Expr::Mod(..) | Expr::FloorDiv(..) | Expr::CeilDiv(..) => None,
        }
    }

    /// Adds the dimensions of the expression to a list, in order, each once.
    pub fn dims(&self, into: &mut Vec<usize>) {
        match self {
            Expr::Dim(d) if !into.contains(d) => into.push(*d),
            Expr::Dim(_) | Expr::Constant(_) => {}
            Expr::Add(l, r)
            | Expr::Mul(l, r)
            | Expr::Mod(l, r)
            | Expr::FloorDiv(l, r)
            | Expr::CeilDiv(l, r) => {
                l.dims(into);
                r.dims(into);
            }
        }
    }

    /// Whether two expressions are the same, dimensions being so where `dim` says it.
    pub fn same(&self, other: &Expr, dim: &dyn Fn(usize, usize) -> bool) -> bool {
        use Expr::*;
        match (self, other) {
            (Dim(i), Dim(j)) => dim(*i, *j),
            (Constant(m), Constant(n)) => m == n,
            (Add(a, b), Add(c, d))
            | (Mul(a, b), Mul(c, d))
            | (Mod(a, b), Mod(c, d))
            | (FloorDiv(a, b), FloorDiv(c, d))
            | (CeilDiv(a, b), CeilDiv(c, d)) => a.same(c, dim) && b.same(d, dim),
            _ => false,
        }
    }

    /// The expression with one in the place of each dimension; a dimension beyond them stays.
    pub fn substitute(&self, dims: &[Expr]) -> Expr {
        self.over(&|d| dims.get(d).cloned().unwrap_or(Expr::Dim(d)))
    }

    /// The value at a point; None on overflow or division by a number that is not positive.
    pub fn eval(&self, dims: &[i64]) -> Option<i64> {
        let both = |l: &Expr, r: &Expr| Some((l.eval(dims)?, r.eval(dims)?));
        match self {
            Expr::Dim(d) => dims.get(*d).copied(),
            Expr::Constant(c) => Some(*c),
            Expr::Add(l, r) => both(l, r).and_then(|(l, r)| l.checked_add(r)),
            Expr::Mul(l, r) => both(l, r).and_then(|(l, r)| l.checked_mul(r)),
            Expr::Mod(l, r) => both(l, r).filter(|(_, r)| *r > 0).map(|(l, r)| l.rem_euclid(r)),
            Expr::FloorDiv(l, r) => both(l, r).filter(|(_, r)| *r > 0).map(|(l, r)| l.div_euclid(r)),
            Expr::CeilDiv(l, r) => both(l, r).filter(|(_, r)| *r > 0).map(|(l, r)| -(-l).div_euclid(r)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Expr::*;

    #[test]
    fn linear_forms() {
        // d0 * 2 + (d2 + 3) * 4
        let e = Add(
            Box::new(Mul(Box::new(Dim(0)), Box::new(Constant(2)))),
            Box::new(Mul(Box::new(Add(Box::new(Dim(2)), Box::new(Constant(3)))), Box::new(Constant(4)))),
        );
        let l = e.linear().unwrap();
        assert_eq!((l.factor(0), l.factor(1), l.factor(2), l.constant), (2, 0, 4, 12));
        assert_eq!(e.eval(&[5, 7, 1]), Some(26));
        assert!(FloorDiv(Box::new(Dim(0)), Box::new(Constant(2))).linear().is_none());
        assert_eq!(FloorDiv(Box::new(Dim(0)), Box::new(Constant(2))).eval(&[-3]), Some(-2));
        assert_eq!(CeilDiv(Box::new(Dim(0)), Box::new(Constant(2))).eval(&[-3]), Some(-1));
    }
}
