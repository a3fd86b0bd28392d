//! Operators on elements that are expressions: arithmetic of integers, comparisons, and what moves elements.
//!
//! Comparisons are answered as those of sizes are, perhaps with a guard. What is not here is not known.

use super::values::{Constant, Element};
use crate::{
    dtype::{Category, Dtype},
    registry::OpImpl,
    rules,
    size::Size,
    types::TensorType,
};
use melior::ir::{OperationRef, ValueLike, operation::OperationLike};

/// What an operation makes of elements; None where it is not known.
pub(super) fn evaluate(
    op: OperationRef,
    class: &OpImpl,
    given: &[Option<Constant>],
) -> Option<Vec<Constant>> {
    let ty = TensorType::of(op.result(0).ok()?.r#type())?;
    let of = |place: usize| -> Option<(Vec<i64>, Vec<Size>)> {
        let (sizes, elements) = match given.get(place)? {
            Some(Constant::Tensor { sizes, elements, .. }) => (sizes.clone(), elements.clone()),
            Some(Constant::Number(number)) => (vec![], vec![*number]),
            None => {
                let number = rules::constant(op.operand(place).ok()?)?;
                (vec![], vec![Element::Int(rules::whole(number)?.into())])
            }
        };
        let integer = |element: &Element| match element {
            Element::Int(size) => Some(*size),
            Element::Float(_) => None,
        };
        Some((sizes, elements.iter().map(integer).collect::<Option<_>>()?))
    };
    if matches!(ty.dtype.category(), Category::Float | Category::Complex) {
        return None;
    }
    // Narrow integers wrap, expressions do not.
    if !matches!(ty.dtype, Dtype::I64 | Dtype::Bool) {
        return None;
    }
    let elements = match class.operator() {
        "scalar_tensor" => of(0)?,
        "full" => {
            let (_, number) = of(given.len() - 1)?;
            (ty.shape.clone(), vec![number[0]; ty.shape.iter().product::<i64>() as usize])
        }
        "clone" | "contiguous" | "to" | "_to_copy" | "lift_fresh_copy" if source_is(given, ty.dtype) => {
            of(0)?
        }
        "stack" | "cat" => {
            let parts = (0..given.len()).map(of).collect::<Option<Vec<_>>>()?;
            if parts.iter().any(|(sizes, _)| sizes.len() > 1) {
                return None;
            }
            (ty.shape.clone(), parts.into_iter().flat_map(|(_, elements)| elements).collect())
        }
        "neg" => map(of(0)?, |a| Some(-a))?,
        "add" => pairs(of(0)?, scaled(of(1)?, of(2))?, |a, b| Some(a + b))?,
        "sub" => pairs(of(0)?, scaled(of(1)?, of(2))?, |a, b| Some(a - b))?,
        "rsub" => pairs(of(1)?, scaled(of(0)?, of(2))?, |a, b| Some(a - b))?,
        "mul" => pairs(of(0)?, of(1)?, |a, b| Some(a * b))?,
        "floor_divide" => pairs(of(0)?, of(1)?, divided)?,
        "div" if op.attribute("rounding_mode").is_ok() => pairs(of(0)?, of(1)?, divided)?,
        "minimum" => pairs(of(0)?, of(1)?, |a, b| Some(a.min(b)))?,
        "maximum" => pairs(of(0)?, of(1)?, |a, b| Some(a.max(b)))?,
        "eq" => pairs(of(0)?, of(1)?, |a, b| truth(a == b))?,
        "ne" => pairs(of(0)?, of(1)?, |a, b| truth(a != b))?,
        "lt" => pairs(of(0)?, of(1)?, |a, b| truth(a < b))?,
        "le" => pairs(of(0)?, of(1)?, |a, b| truth(a <= b))?,
        "gt" => pairs(of(0)?, of(1)?, |a, b| truth(a > b))?,
        "ge" => pairs(of(0)?, of(1)?, |a, b| truth(a >= b))?,
        "sum" if op.operand_count() == 1 && ty.shape.is_empty() => {
            let (_, elements) = of(0)?;
            (vec![], vec![elements.into_iter().sum()])
        }
        "prod" if op.operand_count() == 1 && ty.shape.is_empty() => {
            let (_, elements) = of(0)?;
            (vec![], vec![elements.into_iter().product()])
        }
        _ => return None,
    };
    let (sizes, elements) = elements;
    let elements = elements.into_iter().map(Element::Int).collect();
    Some(vec![Constant::Tensor { dtype: ty.dtype, sizes, elements }])
}

type Elements = (Vec<i64>, Vec<Size>);

fn source_is(given: &[Option<Constant>], wanted: Dtype) -> bool {
    matches!(given.first(), Some(Some(Constant::Tensor { dtype, .. })) if *dtype == wanted)
}

fn map((sizes, elements): Elements, of: impl Fn(Size) -> Option<Size>) -> Option<Elements> {
    Some((sizes, elements.into_iter().map(of).collect::<Option<_>>()?))
}

/// Operands of one shape, or one of them of one element.
fn pairs(a: Elements, b: Elements, of: impl Fn(Size, Size) -> Option<Size>) -> Option<Elements> {
    let (count, sizes) = match (a.1.len(), b.1.len()) {
        (x, y) if x == y && a.0 == b.0 => (x, a.0.clone()),
        (x, 1) if b.0.is_empty() => (x, a.0.clone()),
        (1, y) if a.0.is_empty() => (y, b.0.clone()),
        _ => return None,
    };
    let at = |elements: &[Size], i: usize| if elements.len() == 1 { elements[0] } else { elements[i] };
    let elements = (0..count).map(|i| of(at(&a.1, i), at(&b.1, i))).collect::<Option<_>>()?;
    Some((sizes, elements))
}

/// What is added, `alpha` times; without it once.
fn scaled(elements: Elements, alpha: Option<Elements>) -> Option<Elements> {
    match alpha.as_ref().map(|(_, alpha)| &alpha[..]) {
        None => Some(elements),
        Some([alpha]) => map(elements, |element| Some(element * *alpha)),
        Some(_) => None,
    }
}

/// Of numbers that are not negative all ways to round are one.
fn divided(a: Size, b: Size) -> Option<Size> {
    (a >= 0 && b > 0).then(|| a / b)
}

fn truth(holds: bool) -> Option<Size> {
    Some(i64::from(holds).into())
}
