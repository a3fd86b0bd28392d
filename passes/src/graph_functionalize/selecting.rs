//! One of several values, as selectors say: in the core and on its boundary.
//!
//! A selector of two states is a truth value, state 0 where it holds; one of more is a number.

use crate::functional::Written;
use melior::ir::{
    Attribute, Identifier, Location, Operation, Type, Value, ValueLike, attribute::IntegerAttribute,
    operation::OperationBuilder,
};
use terrace_dialects::{context, dtype::Dtype, pass::Failure};

/// Puts an operation of one result in its place.
pub type Put<'p, 'c, 'a> = &'p dyn Fn(Operation<'c>) -> Result<Value<'c, 'a>, Failure>;

/// The type of a selector.
pub fn selector_type<'c>(location: Location<'c>, states: usize) -> Type<'c> {
    let dtype = if states == 2 { Dtype::Bool } else { Dtype::I64 };
    dtype.to_type(context::of(location.context()))
}

/// A state as a value of its selector.
pub fn state<'c, 'a>(
    put: Put<'_, 'c, 'a>,
    location: Location<'c>,
    states: usize,
    state: usize,
) -> Written<'c, 'a> {
    let ty = selector_type(location, states);
    let number = if states == 2 { i64::from(state == 0) } else { state as i64 };
    let name = Identifier::new(context::of(location.context()), "value");
    let constant = OperationBuilder::new("arith.constant", location)
        .add_attributes(&[(name, IntegerAttribute::new(ty, number).into())])
        .add_results(&[ty]);
    put(constant.build()?)
}

/// Whether a selector of more than two states is in one of them.
fn is_in<'c, 'a>(
    put: Put<'_, 'c, 'a>,
    location: Location<'c>,
    (selector, states): (Value<'c, 'a>, usize),
    at: usize,
) -> Written<'c, 'a> {
    let context = context::of(location.context());
    let equal: Attribute = IntegerAttribute::new(Dtype::I64.to_type(context), 0).into();
    let compared = OperationBuilder::new("arith.cmpi", location)
        .add_operands(&[selector, state(put, location, states, at)?])
        .add_attributes(&[(Identifier::new(context, "predicate"), equal)])
        .add_results(&[Dtype::Bool.to_type(context)]);
    put(compared.build()?)
}

/// Of the values for each combination of the states of some selectors, each given with how many it has, the one that holds. The last
/// selector changes fastest.
pub fn selected<'c, 'a>(
    put: Put<'_, 'c, 'a>,
    location: Location<'c>,
    by: &[(Value<'c, 'a>, usize)],
    values: &[Value<'c, 'a>],
) -> Written<'c, 'a> {
    let Some(((selector, states), rest)) = by.split_first() else {
        return Ok(*values.first().ok_or("there is nothing to choose from")?);
    };
    let mut parts = vec![];
    for part in values.chunks(values.len() / states) {
        parts.push(selected(put, location, rest, part)?);
    }
    let mut chosen = *parts.last().ok_or("a selector has no states")?;
    for (state, part) in parts.iter().enumerate().rev().skip(1) {
        if *part == chosen {
            continue;
        }
        let holds = match states {
            2 => *selector,
            _ => is_in(put, location, (*selector, *states), state)?,
        };
        let select = OperationBuilder::new("arith.select", location)
            .add_operands(&[holds, *part, chosen])
            .add_results(&[part.r#type()]);
        chosen = put(select.build()?)?;
    }
    Ok(chosen)
}
