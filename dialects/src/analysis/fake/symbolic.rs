//! Operators on elements that are expressions: arithmetic of integers, comparisons, and what moves elements.
//!
//! Comparisons are answered as those of sizes are, perhaps with a guard. What is not here is not known.

use super::constants::{Constant, Element, LARGEST};
use crate::{
    aten::rules,
    ir::{OperationLike, dtype::Dtype, registry::OpImpl, types::TensorType},
};
use melior::ir::{OperationRef, ValueLike};
use terrace_size::{Number, Size};

/// What an operation makes of elements; None where it is not known.
pub(super) fn evaluate(
    op: OperationRef,
    class: &OpImpl,
    given: &[Option<Constant>],
) -> Option<Vec<Constant>> {
    let ty = TensorType::of(op.result_at(0).ok()?.r#type())?;
    let of = |place: usize| -> Option<(Vec<i64>, Vec<Size>)> {
        let (sizes, elements) = match given.get(place)? {
            Some(Constant::Tensor { sizes, elements, .. }) => (sizes.clone(), elements.clone()),
            Some(Constant::Number(number)) => (vec![], vec![*number]),
            None => {
                let number = crate::ir::operations::constant(op.operand(place).ok()?)?;
                (vec![], vec![Element::Int(Size::exactly(rules::whole(number)?)?)])
            }
        };
        let integer = |element: &Element| match element {
            Element::Int(size) => size.plain(),
            Element::Float(_) => None,
        };
        Some((sizes, elements.iter().map(integer).collect::<Option<_>>()?))
    };
    // Narrow integers go round, expressions do not; a truth value is 0 or 1.
    let wide = |dtype: &Dtype| matches!(dtype, Dtype::I64 | Dtype::Bool);
    let all_wide = given.iter().flatten().all(|constant| match constant {
        Constant::Tensor { dtype, .. } => wide(dtype),
        Constant::Number(_) => true,
    });
    if !all_wide || !wide(&ty.dtype) {
        return None;
    }
    let of_first = || of(0).filter(|_| source_is(given, ty.dtype));
    let elements = match (class.operator(), ty.dtype) {
        ("clone" | "contiguous" | "to" | "_to_copy" | "lift_fresh_copy", _) => of_first()?,
        ("eq", _) => pairs(of(0)?, of(1)?, |a, b| truth(a.assume_eq(b)))?,
        ("ne", _) => pairs(of(0)?, of(1)?, |a, b| truth(a.assume_ne(b)))?,
        ("lt", _) => pairs(of(0)?, of(1)?, |a, b| truth(a.assume_lt(b)))?,
        ("le", _) => pairs(of(0)?, of(1)?, |a, b| truth(a.assume_le(b)))?,
        ("gt", _) => pairs(of(0)?, of(1)?, |a, b| truth(a.assume_gt(b)))?,
        ("ge", _) => pairs(of(0)?, of(1)?, |a, b| truth(a.assume_ge(b)))?,
        (_, Dtype::Bool) => return None,
        ("scalar_tensor", _) => of(0)?,
        ("full", _) => {
            let (_, number) = of(given.len() - 1)?;
            (ty.shape.clone(), vec![number[0]; small(&ty.shape)?])
        }
        ("stack" | "cat", _) => {
            let parts = (0..given.len()).map(of).collect::<Option<Vec<_>>>()?;
            // In one row.
            let most = if class.operator() == "stack" { 0 } else { 1 };
            if parts.iter().any(|(sizes, _)| sizes.len() > most) {
                return None;
            }
            (ty.shape.clone(), parts.into_iter().flat_map(|(_, elements)| elements).collect())
        }
        ("neg", _) => map(of(0)?, |a| Some(-a))?,
        ("add", _) => pairs(of(0)?, scaled(of(1)?, op, &of)?, |a, b| Some(a + b))?,
        ("sub", _) => pairs(of(0)?, scaled(of(1)?, op, &of)?, |a, b| Some(a - b))?,
        ("rsub", _) => pairs(of(1)?, scaled(of(0)?, op, &of)?, |a, b| Some(a - b))?,
        ("mul", _) => pairs(of(0)?, of(1)?, |a, b| Some(a * b))?,
        ("floor_divide", _) => pairs(of(0)?, of(1)?, divided)?,
        ("div", _) if op.attribute("rounding_mode").is_ok() => pairs(of(0)?, of(1)?, divided)?,
        ("minimum", _) => pairs(of(0)?, of(1)?, |a, b| Some(a.assume_min(b)))?,
        ("maximum", _) => pairs(of(0)?, of(1)?, |a, b| Some(a.assume_max(b)))?,
        ("sum", _) if op.operand_count() == 1 && ty.shape.is_empty() => folded(of(0)?, |a, b| a + b)?,
        ("prod", _) if op.operand_count() == 1 && ty.shape.is_empty() => folded(of(0)?, |a, b| a * b)?,
        _ => return None,
    };
    let (sizes, elements) = elements;
    if elements.len() != small(&sizes)? {
        return None;
    }
    let elements = elements.into_iter().map(|size| size.plain().map(Element::Int)).collect::<Option<_>>()?;
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
fn scaled(elements: Elements, op: OperationRef, of: &dyn Fn(usize) -> Option<Elements>) -> Option<Elements> {
    if op.operand_count() < 3 {
        return Some(elements);
    }
    match of(2)?.1[..] {
        [alpha] => map(elements, |element| (element * alpha).plain()),
        _ => None,
    }
}

/// All of them as one, step by step exact.
fn folded((_, elements): Elements, of: fn(Size, Size) -> Size) -> Option<Elements> {
    let (first, rest) = elements.split_first()?;
    let all = rest.iter().try_fold(*first, |a, b| of(a, *b).plain())?;
    Some((vec![], vec![all]))
}

/// How many elements these sizes are, where there are few.
fn small(sizes: &[i64]) -> Option<usize> {
    let count = sizes.iter().try_fold(1, |product: i64, size| product.checked_mul(*size))?;
    usize::try_from(count).ok().filter(|count| *count <= LARGEST)
}

/// Of numbers that are not negative all ways to round are one.
fn divided(a: Size, b: Size) -> Option<Size> {
    (a.assume_ge(0) && b.assume_gt(0)).then(|| a / b)
}

fn truth(holds: bool) -> Option<Size> {
    Some(i64::from(holds).into())
}
