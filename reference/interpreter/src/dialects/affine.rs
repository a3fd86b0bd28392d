//! Affine maps from operands to indices.

use melior::ir::{Attribute, AttributeLike};
use mlir_sys::*;

use crate::machine::{Frame, Op, Slot};

/// The indices that a map makes of some operands.
pub(super) struct Access {
    results: Vec<Expression>,
    operands: Vec<Slot>,
}

impl Access {
    /// Decodes the map that an attribute holds.
    pub fn of(op: &Op, map: &str, operands: Vec<Slot>) -> Result<Access, String> {
        Access::of_map(op.required(map)?, operands)
    }

    /// Decodes a map.
    pub fn of_map(map: Attribute, operands: Vec<Slot>) -> Result<Access, String> {
        Ok(Access { results: expressions(map)?, operands })
    }

    /// The indices, in a frame.
    pub fn get(&self, frame: &Frame) -> Result<Vec<i64>, String> {
        let dims: Vec<i64> = self.operands.iter().map(|&slot| frame.scalar(slot).to_i64()).collect();
        self.results.iter().map(|result| result.evaluate(&dims)).collect()
    }
}

enum Expression {
    Constant(i64),
    Dim(usize),
    Binary(Binary, Box<(Expression, Expression)>),
}

#[derive(Clone, Copy)]
enum Binary {
    Add,
    Mul,
    Mod,
    FloorDiv,
    CeilDiv,
}

fn expressions(attribute: Attribute) -> Result<Vec<Expression>, String> {
    // SAFETY: the attribute was verified to be an affine map.
    unsafe {
        let map = mlirAffineMapAttrGetValue(attribute.to_raw());
        (0..mlirAffineMapGetNumResults(map)).map(|i| Expression::of(mlirAffineMapGetResult(map, i))).collect()
    }
}

impl Expression {
    /// # Safety
    /// The expression must be live.
    unsafe fn of(raw: MlirAffineExpr) -> Result<Expression, String> {
        // SAFETY: each kind is asked only what it answers.
        unsafe {
            if mlirAffineExprIsAConstant(raw) {
                return Ok(Expression::Constant(mlirAffineConstantExprGetValue(raw)));
            }
            if mlirAffineExprIsADim(raw) {
                return Ok(Expression::Dim(mlirAffineDimExprGetPosition(raw) as usize));
            }
            let kinds: [(unsafe extern "C" fn(MlirAffineExpr) -> bool, Binary); 5] = [
                (mlirAffineExprIsAAdd, Binary::Add),
                (mlirAffineExprIsAMul, Binary::Mul),
                (mlirAffineExprIsAMod, Binary::Mod),
                (mlirAffineExprIsAFloorDiv, Binary::FloorDiv),
                (mlirAffineExprIsACeilDiv, Binary::CeilDiv),
            ];
            let kind = kinds.iter().find(|(is, _)| is(raw)).ok_or("has an affine map with symbols")?.1;
            let left = Expression::of(mlirAffineBinaryOpExprGetLHS(raw))?;
            let right = Expression::of(mlirAffineBinaryOpExprGetRHS(raw))?;
            Ok(Expression::Binary(kind, Box::new((left, right))))
        }
    }

    fn evaluate(&self, dims: &[i64]) -> Result<i64, String> {
        let (kind, (left, right)) = match self {
            Expression::Constant(value) => return Ok(*value),
            Expression::Dim(dim) => return Ok(dims[*dim]),
            Expression::Binary(kind, sides) => (*kind, &**sides),
        };
        let (left, right) = (left.evaluate(dims)?, right.evaluate(dims)?);
        let result = match kind {
            Binary::Add => left.checked_add(right),
            Binary::Mul => left.checked_mul(right),
            Binary::Mod => left.checked_rem_euclid(right),
            Binary::FloorDiv => left.checked_div_euclid(right),
            Binary::CeilDiv => left.checked_neg().and_then(|left| left.checked_div_euclid(right)).map(|q| -q),
        };
        result.ok_or_else(|| "has an index that overflows or divides by zero".to_owned())
    }
}
