//! Values combined by a combiner.

use melior::ir::Type;
use terrace_dialects::{
    ir::{
        cursor::{Cursor, V},
        pass::Failure,
    },
    loops::combiners,
    ops::Combiner,
};

/// Combines values pairwise: the chains are short.
pub(super) fn combine<'c, 'a>(
    at: &Cursor<'c, 'a>,
    combiner: Combiner,
    element: Type<'c>,
    mut values: Vec<V<'c, 'a>>,
) -> Result<V<'c, 'a>, Failure> {
    while values.len() > 1 {
        let pairs = values.chunks(2).map(|pair| match pair {
            [a, b] => combiners::combine(at, combiner, element, (*a, *b)),
            one => Ok(one[0]),
        });
        values = pairs.collect::<Result<_, _>>()?;
    }
    values.pop().ok_or_else(|| "reduces an empty tile".into())
}

/// The kind of a vector's reduction that combines lanes; None where there is none.
pub(super) fn kind(combiner: Combiner, element: Type) -> Option<&'static str> {
    Some(match combiners::operation(combiner, element)?.trim_start_matches("arith.") {
        "addf" | "addi" => "add",
        "mulf" | "muli" => "mul",
        "andi" => "and",
        "ori" => "or",
        name => name,
    })
}
