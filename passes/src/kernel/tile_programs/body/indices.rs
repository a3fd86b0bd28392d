//! Indices of accesses: the values of their expressions, scalar or a tile with one for each lane.

use super::Scope;
use crate::kernel::tile_programs::cursor::Lane;
use melior::ir::ValueLike;
use terrace_dialects::{
    ir::{cursor::V, operations::refuse, pass::Failure},
    loops::affine::Expr,
};

impl<'c: 'a, 'a> Scope<'c, 'a, '_, '_> {
    /// The value of an expression over these operands.
    pub(super) fn expr(&mut self, expr: &Expr, operands: &[V<'c, 'a>]) -> Result<Lane<'c, 'a>, Failure> {
        let (left, right, name) = match expr {
            Expr::Dim(d) => return self.lane(operands[*d]),
            Expr::Constant(n) => return Ok(Lane::One(self.at.index(*n)?)),
            Expr::Add(l, r) => (l, r, "arith.addi"),
            Expr::Mul(l, r) => (l, r, "arith.muli"),
            Expr::Mod(l, r) => (l, r, "arith.remui"),
            Expr::FloorDiv(l, r) => (l, r, "arith.divui"),
            Expr::CeilDiv(l, r) => {
                // ceil(l / r) is floor((l + r - 1) / r).
                let up = Expr::Add(r.clone(), Box::new(Expr::Constant(-1)));
                let sum = Expr::Add(l.clone(), Box::new(up));
                return self.expr(&Expr::FloorDiv(Box::new(sum), r.clone()), operands);
            }
        };
        let (a, b) = (self.expr(left, operands)?, self.expr(right, operands)?);
        if matches!(expr, Expr::Add(..) | Expr::Mul(..)) || !self.may_be_negative(left, operands) {
            return self.at.binary(name, a, b);
        }
        // Rounded towards zero first; a negative remainder is one divisor short.
        let quotient = self.at.binary("arith.divsi", a, b)?;
        let product = self.at.binary("arith.muli", quotient, b)?;
        let rest = self.at.binary("arith.subi", a, product)?;
        const SLT: i64 = 2;
        let zero = Lane::One(self.at.index(0)?);
        let negative = self.at.compare(SLT, rest, zero)?;
        let (positive, corrected) = if matches!(expr, Expr::Mod(..)) {
            (rest, self.at.binary("arith.addi", rest, b)?)
        } else {
            let one = Lane::One(self.at.index(1)?);
            (quotient, self.at.binary("arith.subi", quotient, one)?)
        };
        Ok(match (negative, corrected, positive) {
            (Lane::Tile(n), Lane::Tile(c), Lane::Tile(p)) => {
                Lane::Tile(self.at.op("arith.select", &[n, c, p], p.r#type())?)
            }
            (Lane::One(n), Lane::One(c), Lane::One(p)) => {
                Lane::One(self.at.op("arith.select", &[n, c, p], p.r#type())?)
            }
            _ => return Err(refuse(self.body.nest.op, "divides by an index that varies")),
        })
    }

    /// Whether an expression may be negative: not where it is made of indices of the domain with factors and
    /// numbers that are not.
    fn may_be_negative(&self, expr: &Expr, operands: &[V<'c, 'a>]) -> bool {
        match expr {
            Expr::Dim(d) => {
                let nest = self.body.nest;
                !nest.indices.contains(&operands[*d]) && !nest.around.contains(&operands[*d])
            }
            Expr::Constant(n) => *n < 0,
            Expr::Mod(..) => false,
            Expr::Add(l, r) | Expr::Mul(l, r) | Expr::FloorDiv(l, r) | Expr::CeilDiv(l, r) => {
                self.may_be_negative(l, operands) || self.may_be_negative(r, operands)
            }
        }
    }
}
