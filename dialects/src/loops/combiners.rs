//! What combiners are for elements of a type: the operation that combines two, what it starts from.

use crate::{
    ir::{
        cursor::{Cursor, V},
        pass::Failure,
        shaped::truths,
        types::{bits, is_float, is_truth, part},
    },
    ops::Combiner,
};
use melior::{
    Context,
    ir::{
        Attribute, Type, ValueLike,
        attribute::{ArrayAttribute, FloatAttribute, IntegerAttribute},
        r#type::IntegerType,
    },
};

/// A combiner for elements of a type: of truth values, whose one bit is a sign, the greater is either and the
/// lesser both.
pub fn of(combiner: Combiner, element: Type) -> Combiner {
    match combiner {
        Combiner::Max if is_truth(element) => Combiner::Or,
        Combiner::Min if is_truth(element) => Combiner::And,
        combiner => combiner,
    }
}

/// Whether processors combine two elements of a type in one step, whatever else runs: the order of such
/// combinations is not defined.
pub fn is_atomic(combiner: Combiner, element: Type) -> bool {
    let wide = matches!(bits(element), Some(32 | 64)) && part(element).is_none();
    wide && match combiner {
        Combiner::Add => true,
        Combiner::Mul | Combiner::LogAddExp => false,
        Combiner::Max | Combiner::Min | Combiner::And | Combiner::Or => !is_float(element),
    }
}

/// The operation that combines two elements of a type, or two tiles or vectors of them; None where it takes
/// several, which [`combine`] writes.
pub fn operation(combiner: Combiner, element: Type) -> Option<&'static str> {
    Some(match (of(combiner, element), is_float(element)) {
        (Combiner::LogAddExp, _) => return None,
        (Combiner::Mul, _) if part(element).is_some() => "complex.mul",
        (_, _) if part(element).is_some() => "complex.add",
        (Combiner::Add, true) => "arith.addf",
        (Combiner::Add, false) => "arith.addi",
        (Combiner::Mul, true) => "arith.mulf",
        (Combiner::Mul, false) => "arith.muli",
        (Combiner::Max, true) => "arith.maximumf",
        (Combiner::Max, false) => "arith.maxsi",
        (Combiner::Min, true) => "arith.minimumf",
        (Combiner::Min, false) => "arith.minsi",
        (Combiner::And, _) => "arith.andi",
        (Combiner::Or, _) => "arith.ori",
    })
}

/// Two values combined: elements of a type, or tiles or vectors of them.
///
/// The logarithm of a sum of exponentials is `max + log1p(exp(min - max))`: no exponential overflows. Where
/// both are the same infinity, or one is nan, the difference is nan, and the larger one the result.
///
/// # Errors
/// When an operation cannot be built.
pub fn combine<'c, 'a>(
    at: &Cursor<'c, 'a>,
    combiner: Combiner,
    element: Type<'c>,
    (a, b): (V<'c, 'a>, V<'c, 'a>),
) -> Result<V<'c, 'a>, Failure> {
    let ty = a.r#type();
    if let Some(name) = operation(combiner, element) {
        return at.op(name, &[a, b], ty);
    }
    let max = at.op("arith.maximumf", &[a, b], ty)?;
    let min = at.op("arith.minimumf", &[a, b], ty)?;
    let below = at.op("arith.subf", &[min, max], ty)?;
    let more = at.op("math.log1p", &[at.op("math.exp", &[below], ty)?], ty)?;
    let sum = at.op("arith.addf", &[max, more], ty)?;
    let unordered = IntegerAttribute::new(IntegerType::new(at.context, 64).into(), UNORDERED);
    let unordered = at.named("predicate", unordered);
    let is_nan = at.with("arith.cmpf", &[below, below], truths(ty, at.context), &[unordered])?;
    at.op("arith.select", &[is_nan, max, sum], ty)
}

/// `uno` as arith.cmpf numbers predicates: one of the two is nan.
const UNORDERED: i64 = 14;

/// The scalar that combining starts from, which is also what it gives of no elements; of complex numbers the
/// list of its parts.
pub fn identity<'c>(context: &'c Context, combiner: Combiner, element: Type<'c>) -> Attribute<'c> {
    if let Some(part) = part(element) {
        let parts = [combiner, Combiner::Add].map(|combiner| identity(context, combiner, part));
        return ArrayAttribute::new(context, &parts).into();
    }
    let combiner = of(combiner, element);
    if is_float(element) {
        let value = match combiner {
            Combiner::Mul => 1.0,
            Combiner::Max | Combiner::LogAddExp => f64::NEG_INFINITY,
            Combiner::Min => f64::INFINITY,
            _ => 0.0,
        };
        return FloatAttribute::new(context, element, value).into();
    }
    // An index counts as 64 bits.
    let unused = 64 - bits(element).map_or(64, |bits| bits.clamp(1, 64));
    let value = match combiner {
        Combiner::Mul => 1,
        Combiner::And => -1,
        Combiner::Max => i64::MIN >> unused,
        Combiner::Min => i64::MAX >> unused,
        Combiner::Add | Combiner::Or | Combiner::LogAddExp => 0,
    };
    IntegerAttribute::new(element, value).into()
}
