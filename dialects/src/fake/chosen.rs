//! Sizes that are how many elements of a tensor are chosen.

use crate::{placement::is_mask, registry::OpImpl, view};
use melior::ir::{OperationRef, Value};

/// The tensor whose elements that are not zero an operation's unknown size counts, where it counts nothing else: so `nonzero` of
/// a mask, and all that one mask picks of other tensors, have one size.
pub(super) fn counted<'c, 'a>(op: OperationRef<'c, 'a>, class: &OpImpl) -> Option<Value<'c, 'a>> {
    match class.name {
        "graph.nonzero" => Some(view::operand(op, class, 0)),
        "graph.index" => {
            let mut masks = view::variadic(op, class, 1).into_iter().filter(|index| is_mask(*index));
            masks.next().filter(|_| masks.next().is_none())
        }
        _ => None,
    }
}
