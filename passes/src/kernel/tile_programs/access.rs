//! Accesses of loop bodies, and what they are along a vector dimension: the same element for all lanes, a
//! range of one dimension, or anything else.

use melior::ir::{AffineExpr, AffineMap, Attribute, TypeLike, ValueLike};
use std::collections::HashSet;
use terrace_dialects::{
    ir::{
        attributes,
        cursor::V,
        operations::key,
        shaped::{Shaped, strides_and_offset},
    },
    loops::affine::{self, Expr},
    ops::loop_,
};
use terrace_size::DYNAMIC;

/// A buffer at an affine expression per dimension.
#[derive(Clone)]
pub(crate) struct Access<'c, 'a> {
    pub buffer: V<'c, 'a>,
    pub map: Attribute<'c>,
    pub exprs: Vec<Expr>,
    /// The dimensions of the map.
    pub operands: Vec<V<'c, 'a>>,
    /// Where it does not hold nothing is read.
    pub mask: Option<V<'c, 'a>>,
    /// The value where nothing is read.
    pub other: Option<V<'c, 'a>>,
}

/// What an access is along a vector dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pattern {
    /// One element for all lanes.
    Uniform,
    /// Elements of dimension `dim` of the buffer, every `step`.
    Range {
        /// A dimension of the buffer.
        dim: usize,
        /// 1 or more, or -1.
        step: i64,
    },
    /// An element for each lane, anywhere.
    Any,
}

/// Whether an expression uses a dimension of its map.
pub(crate) fn uses(expr: &Expr, dim: usize) -> bool {
    match expr {
        Expr::Dim(d) => *d == dim,
        Expr::Constant(_) => false,
        Expr::Add(l, r) | Expr::Mul(l, r) | Expr::Mod(l, r) | Expr::FloorDiv(l, r) | Expr::CeilDiv(l, r) => {
            uses(l, dim) || uses(r, dim)
        }
    }
}

impl<'c, 'a> Access<'c, 'a> {
    /// A buffer at a map of these operands.
    pub fn new(buffer: V<'c, 'a>, map: Attribute<'c>, operands: Vec<V<'c, 'a>>) -> Self {
        Self { buffer, map, exprs: affine::exprs(map), operands, mask: None, other: None }
    }

    /// A buffer at these indices.
    pub fn identity(buffer: V<'c, 'a>, indices: &[V<'c, 'a>]) -> Self {
        let context = terrace_dialects::ir::context::of(buffer.r#type().context());
        let map = attributes::identity_map(context, indices.len());
        Self::new(buffer, map, indices.to_vec())
    }

    /// What a load reads.
    pub fn load(load: loop_::LoadOp<'c, 'a>) -> Self {
        Self {
            mask: load.mask(),
            other: load.other(),
            ..Self::new(load.source(), load.map(), load.indices())
        }
    }

    /// A part of each element: the buffer of parts has it at an index of its last dimension.
    pub fn part(&self, part: usize) -> Self {
        let map = attributes::map(self.map);
        let context = terrace_dialects::ir::context::of(self.buffer.r#type().context());
        let mut results: Vec<_> = (0..map.result_count()).filter_map(|i| map.result(i).ok()).collect();
        results.push(AffineExpr::constant(context, part as i64));
        let map = AffineMap::new(context, self.operands.len(), 0, &results);
        let map = attributes::of_map(map);
        let exprs = affine::exprs(map);
        Self { map, exprs, ..self.clone() }
    }

    /// Whether an expression uses an operand.
    pub fn uses(&self, operand: usize) -> bool {
        self.exprs.iter().any(|e| uses(e, operand))
    }

    /// The operands that an expression uses.
    pub fn used(&self) -> impl Iterator<Item = V<'c, 'a>> + '_ {
        (0..self.operands.len()).filter(|i| self.uses(*i)).map(|i| self.operands[i])
    }

    /// An expression's factor of an index, 0 where it does not vary; None where it is not linear in the index
    /// alone.
    fn factor(&self, expr: &Expr, index: V<'c, 'a>, varying: &HashSet<usize>) -> Option<i64> {
        let moving: Vec<usize> = (0..self.operands.len())
            .filter(|i| varying.contains(&key(self.operands[*i])) && uses(expr, *i))
            .collect();
        if moving.is_empty() {
            return Some(0);
        }
        let linear = expr.linear()?;
        let mut sum = 0i64;
        for i in moving {
            if self.operands[i] != index {
                return None;
            }
            sum = sum.checked_add(linear.factor(i))?;
        }
        (sum != 0).then_some(sum)
    }

    /// What the access is along `index`, on which `varying` depends. A mask that varies, or an expression
    /// that is not linear in the index, or one that runs backwards by more than one, is anything.
    pub fn pattern(&self, index: V<'c, 'a>, varying: &HashSet<usize>) -> Pattern {
        if self.is_masked(varying) { Pattern::Any } else { self.places(index, varying) }
    }

    /// Whether lanes are at quotients or remainders of their index by a power of two that divides `lanes`:
    /// what a vector of them reads is one vector.
    pub fn has_steps(&self, index: V<'c, 'a>, varying: &HashSet<usize>, lanes: i64) -> bool {
        let steps = |expr: &Expr| match expr {
            Expr::FloorDiv(inner, by) | Expr::Mod(inner, by) => {
                let fits = matches!(**by, Expr::Constant(by) if by > 0 && lanes % by == 0);
                fits && self.factor(inner, index, varying) == Some(1)
            }
            _ => false,
        };
        let fits = |(expr, stride): (&Expr, i64)| match self.factor(expr, index, varying) {
            Some(0) => true,
            _ => stride == 1 && steps(expr),
        };
        !self.is_masked(varying) && self.exprs.iter().zip(self.strides()).all(fits)
    }

    /// Whether the mask differs between lanes.
    pub fn is_masked(&self, varying: &HashSet<usize>) -> bool {
        self.mask.is_some_and(|m| varying.contains(&key(m)))
    }

    /// The dimension of the buffer along which lanes lie side by side, whether a mask lets them be read or
    /// not.
    pub fn side_by_side(&self, index: V<'c, 'a>, varying: &HashSet<usize>) -> Option<usize> {
        match self.places(index, varying) {
            Pattern::Range { dim, step: 1 } if self.strides()[dim] == 1 => Some(dim),
            _ => None,
        }
    }

    /// The same as [`Access::pattern`], whatever the mask is.
    fn places(&self, index: V<'c, 'a>, varying: &HashSet<usize>) -> Pattern {
        let mut pattern = Pattern::Uniform;
        for (dim, expr) in self.exprs.iter().enumerate() {
            pattern = match (self.factor(expr, index, varying), pattern) {
                (Some(0), pattern) => pattern,
                (Some(step), Pattern::Uniform) if step >= -1 => Pattern::Range { dim, step },
                _ => return Pattern::Any,
            };
        }
        pattern
    }

    /// The strides of the buffer; [`DYNAMIC`] where unknown.
    pub fn strides(&self) -> Vec<i64> {
        strides(self.buffer)
    }

    /// The distance in elements between neighbours along the vector dimension, where it is one number.
    pub fn stride(&self, pattern: Pattern) -> Option<i64> {
        match pattern {
            Pattern::Uniform => Some(0),
            Pattern::Range { dim, step } => {
                let stride = self.strides()[dim];
                if stride == DYNAMIC { None } else { stride.checked_mul(step) }
            }
            Pattern::Any => None,
        }
    }
}

/// The strides of a memref; [`DYNAMIC`] where unknown. What a member of a group gives will lie in row-major
/// order.
pub(crate) fn strides(buffer: V) -> Vec<i64> {
    let Some(Shaped { shape, buffer: true, .. }) = Shaped::of(buffer.r#type()) else {
        let shape = Shaped::of(buffer.r#type()).map_or(vec![], |s| s.shape);
        let inner = |d: usize| match &shape[d + 1..] {
            inner if inner.contains(&DYNAMIC) => DYNAMIC,
            inner => inner.iter().product(),
        };
        return (0..shape.len()).map(inner).collect();
    };
    strides_and_offset(buffer.r#type()).map_or(vec![DYNAMIC; shape.len()], |(strides, _)| strides)
}
