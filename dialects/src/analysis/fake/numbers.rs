//! Numbers that a program computes of others.

use crate::ir::{
    OperationLike, attributes as convert,
    operations::definition,
    types::{self, is_graph_tensor},
};
use melior::ir::{OperationRef, Value, ValueLike};
use terrace_size::{
    Size,
    symbols::{Relation, current},
};

/// The number that an operation of another dialect than graph comes to, by those of its operands and the
/// sizes of graph tensors; None where it is not known.
pub fn computed<'c, 'a>(
    op: OperationRef<'c, 'a>,
    number: &dyn Fn(Value<'c, 'a>) -> Option<Size>,
    sizes: &dyn Fn(Value<'c, 'a>) -> Option<Vec<Size>>,
) -> Option<Size> {
    let result = op.results().next()?;
    if !types::is_count(result.r#type()) {
        return None;
    }
    if let Some(constant) = crate::ir::operations::constant_of(op) {
        return Size::exactly(convert::i64(constant));
    }
    // Arithmetic of fewer bits goes round.
    if types::bytes(result.r#type()) != Some(8) {
        return None;
    }
    let operands: Vec<Value> = op.operands().collect();
    let number = |place: usize| number(*operands.get(place)?);
    let exact = |of: fn(i64, i64) -> Option<i64>, any: fn(Size, Size) -> Size| {
        let (a, b) = (number(0)?, number(1)?);
        match (a.known(), b.known()) {
            (Some(a), Some(b)) => of(a, b).and_then(Size::exactly),
            _ => any(a.plain()?, b.plain()?).plain(),
        }
    };
    match op.name().as_string_ref().as_str().unwrap_or_default() {
        // The sign of a truth value is its bit.
        "arith.index_cast" | "arith.extsi" => number(0).filter(|_| types::is_count(operands[0].r#type())),
        "tensor.dim" => {
            let of = definition(*operands.first()?)
                .filter(|op| op.name().as_string_ref().as_str() == Ok("graph.value"))?;
            let of = of.operand(0).ok().filter(|own| is_graph_tensor(own.r#type()))?;
            sizes(of)?.get(usize::try_from(number(1)?.known()?).ok()?).copied()
        }
        "arith.addi" => exact(i64::checked_add, |a, b| a + b),
        "arith.subi" => exact(i64::checked_sub, |a, b| a - b),
        "arith.muli" => exact(i64::checked_mul, |a, b| a * b),
        // As sizes are written: over what is at least 1, and at least 1.
        "arith.floordivsi" => match (number(0)?.known(), number(1)?.known()) {
            (Some(a), Some(b)) => (b > 0).then(|| Size::exactly(a.div_euclid(b)))?,
            _ => {
                let (a, b) = (number(0)?.plain()?, number(1)?.plain()?);
                let above = current(|symbols| symbols.known(Relation::AtMost, Size::ONE, b));
                (above == Some(true)).then(|| (a / b).plain())?
            }
        },
        "arith.maxsi" if number(1)?.known() == Some(1) => Some(number(0)?.or_one()),
        _ => None,
    }
}
