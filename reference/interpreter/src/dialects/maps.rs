//! Affine maps from operands to indices, and sets of constraints on operands.

use melior::ir::{Attribute, AttributeLike};
use mlir_sys::*;

use crate::machine::{Frame, Op, Slot};

/// The indices that a map makes of some operands.
pub(super) struct Access {
    map: Map,
    operands: Vec<Slot>,
}

impl Access {
    /// Decodes the map that an attribute holds.
    pub fn of(op: &Op, map: &str, operands: Vec<Slot>) -> Result<Access, String> {
        Access::of_map(op.required(map)?, operands)
    }

    /// Decodes a map.
    pub fn of_map(map: Attribute, operands: Vec<Slot>) -> Result<Access, String> {
        Ok(Access { map: Map::of(map)?, operands })
    }

    /// The indices, in a frame.
    pub fn get(&self, frame: &Frame) -> Result<Vec<i64>, String> {
        self.map.at(&self.inputs(frame))
    }

    fn inputs(&self, frame: &Frame) -> Vec<i64> {
        self.operands.iter().map(|&slot| frame.scalar(slot).to_i64()).collect()
    }
}

/// An affine map, of which the inputs are dimensions and after them symbols.
pub(super) struct Map(Vec<Expression>);

impl Map {
    /// Decodes the map in an attribute.
    pub fn of(attribute: Attribute) -> Result<Map, String> {
        // SAFETY: the attribute was verified to be an affine map.
        unsafe {
            let map = mlirAffineMapAttrGetValue(attribute.to_raw());
            let dims = mlirAffineMapGetNumDims(map) as usize;
            let results = 0..mlirAffineMapGetNumResults(map);
            Ok(Map(results
                .map(|i| Expression::of(mlirAffineMapGetResult(map, i), dims))
                .collect::<Result<_, _>>()?))
        }
    }

    /// The results for some inputs.
    pub fn at(&self, inputs: &[i64]) -> Result<Vec<i64>, String> {
        self.0.iter().map(|result| result.evaluate(inputs)).collect()
    }

    /// The inputs that are results as they are: their number, and that of the result.
    pub fn plain(&self) -> impl Iterator<Item = (usize, usize)> {
        self.0.iter().enumerate().filter_map(|(result, expression)| match expression {
            Expression::Input(input) => Some((*input, result)),
            _ => None,
        })
    }
}

/// How many inputs the map in an attribute has.
pub(super) fn inputs(attribute: Attribute) -> Result<usize, String> {
    // SAFETY: the attribute was verified to be an affine map.
    Ok(unsafe { mlirAffineMapGetNumInputs(mlirAffineMapAttrGetValue(attribute.to_raw())) } as usize)
}

/// Constraints on operands, each that an expression is 0 or that it is not negative.
pub(super) struct Constraints {
    map: Access,
    equal: Vec<bool>,
}

impl Constraints {
    /// Decodes the integer set in an attribute.
    pub fn of(op: &Op, set: &str, operands: Vec<Slot>) -> Result<Constraints, String> {
        // SAFETY: the attribute was verified to be an integer set.
        unsafe {
            let set = mlirIntegerSetAttrGetValue(op.required(set)?.to_raw());
            let (dims, all) =
                (mlirIntegerSetGetNumDims(set) as usize, 0..mlirIntegerSetGetNumConstraints(set));
            let expressions = all.clone().map(|i| Expression::of(mlirIntegerSetGetConstraint(set, i), dims));
            let map = Map(expressions.collect::<Result<_, _>>()?);
            let equal = all.map(|i| mlirIntegerSetIsConstraintEq(set, i)).collect();
            Ok(Constraints { map: Access { map, operands }, equal })
        }
    }

    /// Whether all hold, in a frame.
    pub fn hold(&self, frame: &Frame) -> Result<bool, String> {
        let values = self.map.get(frame)?;
        Ok(values.iter().zip(&self.equal).all(|(&value, &equal)| if equal { value == 0 } else { value >= 0 }))
    }
}

enum Expression {
    Constant(i64),
    Input(usize),
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

impl Expression {
    /// # Safety
    /// The expression must be live.
    unsafe fn of(raw: MlirAffineExpr, dims: usize) -> Result<Expression, String> {
        // SAFETY: each kind is asked only what it answers.
        unsafe {
            if mlirAffineExprIsAConstant(raw) {
                return Ok(Expression::Constant(mlirAffineConstantExprGetValue(raw)));
            }
            if mlirAffineExprIsADim(raw) {
                return Ok(Expression::Input(mlirAffineDimExprGetPosition(raw) as usize));
            }
            if mlirAffineExprIsASymbol(raw) {
                return Ok(Expression::Input(dims + mlirAffineSymbolExprGetPosition(raw) as usize));
            }
            let kinds: [(unsafe extern "C" fn(MlirAffineExpr) -> bool, Binary); 5] = [
                (mlirAffineExprIsAAdd, Binary::Add),
                (mlirAffineExprIsAMul, Binary::Mul),
                (mlirAffineExprIsAMod, Binary::Mod),
                (mlirAffineExprIsAFloorDiv, Binary::FloorDiv),
                (mlirAffineExprIsACeilDiv, Binary::CeilDiv),
            ];
            let kind = kinds
                .iter()
                .find(|(is, _)| is(raw))
                .ok_or("has an affine expression of a kind that is not known")?
                .1;
            let left = Expression::of(mlirAffineBinaryOpExprGetLHS(raw), dims)?;
            let right = Expression::of(mlirAffineBinaryOpExprGetRHS(raw), dims)?;
            Ok(Expression::Binary(kind, Box::new((left, right))))
        }
    }

    fn evaluate(&self, inputs: &[i64]) -> Result<i64, String> {
        let (kind, (left, right)) = match self {
            Expression::Constant(value) => return Ok(*value),
            Expression::Input(input) => return Ok(inputs[*input]),
            Expression::Binary(kind, sides) => (*kind, &**sides),
        };
        let (left, right) = (left.evaluate(inputs)?, right.evaluate(inputs)?);
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
