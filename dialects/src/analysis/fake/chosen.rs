//! Sizes that are how many elements of a tensor are chosen.

use super::{constants::Element, state::State};
use crate::{
    aten::placement::is_mask,
    ir::{registry::OpImpl, view},
};
use melior::ir::{OperationRef, Value};
use terrace_size::{
    Size,
    symbols::{Relation, current},
};

/// The tensor whose elements that are not zero an operation's unknown size counts, where it counts nothing
/// else: so `nonzero` of a mask, and all that one mask picks of other tensors, have one size.
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

impl<'c> State<'c> {
    /// How many elements an operation chooses, where the elements of what chooses are known though those that
    /// are chosen are not.
    pub(super) fn chosen(&self, op: OperationRef<'c, '_>, class: &'static OpImpl) -> Option<i64> {
        let by = counted(op, class).or_else(|| match class.name {
            "graph.masked_select" => {
                let (own, mask) = (view::operand(op, class, 0), view::operand(op, class, 1));
                let sizes = |value: Value| Some(&self.fake(value)?.known.layout.sizes);
                let equal = |(a, b): (&Size, &Size)| {
                    current(|symbols| symbols.known(Relation::Equal, *a, *b)) == Some(true)
                };
                let (own, of_mask) = (sizes(own)?, sizes(mask)?);
                (own.len() == of_mask.len() && own.iter().zip(of_mask).all(equal)).then_some(mask)
            }
            _ => None,
        });
        let counts = |element: &Element| match element {
            Element::Int(number) => number.known().map(|number| i64::from(number != 0)),
            Element::Float(number) => Some(i64::from(*number != 0.0)),
        };
        self.elements(by?)?.iter().map(counts).sum()
    }
}
