//! One of several values, as selectors say: in the core and on its boundary.
//!
//! A selector of two states is a truth value, state 0 where it holds; one of more is a number.

use super::place::Place;
use crate::functional::writer::Written;
use melior::ir::{Location, Type, Value, ValueLike};
use terrace_dialects::{
    internal,
    ir::{
        context,
        dtype::{Dtype, ElementType},
    },
};

/// The type of a selector.
pub fn selector_type<'c>(location: Location<'c>, states: usize) -> Type<'c> {
    let dtype = if states == 2 { Dtype::Bool } else { Dtype::I64 };
    dtype.to_type(context::of(location.context()))
}

/// A state as a value of its selector.
pub fn state<'c, 'a>(at: Place<'_, 'c, 'a>, states: usize, state: usize) -> Written<'c, 'a> {
    let number = if states == 2 { i64::from(state == 0) } else { state as i64 };
    at.constant(selector_type(at.location, states), number)
}

/// Of the values for each combination of the states of some selectors, each given with how many it has, the
/// one that holds. The last selector changes fastest.
pub fn selected<'c, 'a>(
    at: Place<'_, 'c, 'a>,
    by: &[(Value<'c, 'a>, usize)],
    values: &[Value<'c, 'a>],
) -> Written<'c, 'a> {
    let Some(((selector, states), rest)) = by.split_first() else {
        return Ok(*values.first().ok_or(internal!("there is nothing to choose from"))?);
    };
    let mut parts = vec![];
    for part in values.chunks(values.len() / states) {
        parts.push(selected(at, rest, part)?);
    }
    let mut chosen = *parts.last().ok_or(internal!("a selector has no states"))?;
    for (state, part) in parts.iter().enumerate().rev().skip(1) {
        if *part == chosen {
            continue;
        }
        let holds = match states {
            2 => *selector,
            // Equal.
            _ => at.compared(0, *selector, self::state(at, *states, state)?)?,
        };
        chosen = at.value("arith.select", &[holds, *part, chosen], &[], part.r#type())?;
    }
    Ok(chosen)
}
