//! Operators on each tensor of a list: the operators on one tensor, in order.

use super::resolver::{Resolved, Resolver, tensor};
use melior::ir::{
    Value, ValueLike,
    attribute::{FloatAttribute, IntegerAttribute},
    r#type::IntegerType,
};
use terrace_dialects::{
    aten::{foreach, rules::overflow},
    internal,
    ir::{OperationLike, builder::Builder, cursor::Cursor, pass::Failure, refusal::Reason},
    ops::graph,
};
use terrace_size::Number;

/// All of them; in place there are no results. A number that is an element of a vector is read in front of
/// its operation.
pub fn singles<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let vector = foreach::numbers(r.class).map(|place| (place, r.operand(place)));
    let singles = foreach::singles(r.op, r.class)?;
    if let Some((_, vector)) = vector {
        let open = |value: Value<'c, 'a>| tensor(value.r#type()).is_ok_and(|ty| !ty.is_static());
        if r.op.operands().any(open) {
            return Err(Reason::RunTime.says("takes numbers from a tensor of a size that is known when it runs only: give them as a list").into());
        }
        let layout = r.layout(vector)?;
        if layout.sizes[0].assume_gt(1) && layout.strides[0].assume_ne(1) {
            return Err("Expected scalars to be contiguous.".into());
        }
    }
    let (mut results, location) = (vec![], r.location());
    for (entry, single) in singles.into_iter().enumerate() {
        let mut operands = single.operands;
        if let Some((place, vector)) = vector {
            let element = r.value(graph::select(location, vector, Some(0), &[], &[entry as i64]))?;
            let others: Vec<Value> =
                operands.iter().flatten().copied().filter(|own| *own != vector).collect();
            operands[place] = vec![number(r, element, &others)?];
        }
        let mut builder = Builder::new(single.class, location);
        for values in &operands {
            builder.operands(values);
        }
        for (name, value) in foreach::attributes(r.op) {
            builder.any(&name, value);
        }
        results.extend(r.insert(builder.infer())?.results().map(Value::from));
    }
    Ok(if r.class.is_in_place() { vec![] } else { results })
}

/// An element of a vector as a number for tensors: where these are real a complex one has to be real, too,
/// which is known when the program runs.
fn number<'c, 'a>(
    r: &mut Resolver<'_, 'c, 'a>,
    element: Value<'c, 'a>,
    tensors: &[Value<'c, 'a>],
) -> Result<Value<'c, 'a>, Failure> {
    let location = r.location();
    let of = tensor(tensors.first().ok_or(internal!("has no tensors"))?.r#type())?.dtype;
    let complex = |value: &Value<'c, 'a>| tensor(value.r#type()).is_ok_and(|ty| ty.dtype.is_complex());
    if tensors.iter().any(complex) || !complex(&element) {
        return r.value(graph::item(location, element));
    }
    let parts = r.value(graph::view_as_real(location, element))?;
    let mut part = |which: i64| {
        let part = r.value(graph::select(location, parts, Some(0), &[], &[which]))?;
        r.value(graph::item(location, part))
    };
    let (real, imaginary) = (part(0)?, part(1)?);
    let at = Cursor::before(r.op)?;
    let (ty, truth) = (imaginary.r#type(), IntegerType::new(at.context, 1).into());
    let zero = at.constant(ty, FloatAttribute::new(at.context, ty, 0.0).into())?;
    // What is no number is not zero: the predicate is "ordered and equal".
    let how = at.named("predicate", IntegerAttribute::new(IntegerType::new(at.context, 64).into(), 1));
    let holds = at.with("arith.cmpf", &[imaginary, zero], truth, &[how])?;
    r.check(holds, &overflow(of))?;
    Ok(real)
}
