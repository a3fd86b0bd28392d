//! Loop operations as the passes on them see them, on tensors and on memrefs.
//!
//! [`read`] is what an operation is made of, [`copy`] writes its body once more, at other indices,
//! [`reshape`] looks through upstream's reshapes, [`merged`] makes those of buffers, [`runs`] finds
//! neighbours. Nothing here asks how an operation will be run: that is [`crate::kernel::tile_programs`]'.

pub(crate) mod alias;
pub(crate) mod copy;
pub(crate) mod formats;
pub(crate) mod merged;
pub(crate) mod place;
pub(crate) mod read;
pub(crate) mod reshape;
pub(crate) mod runs;
pub(crate) mod targets;

use terrace_dialects::{
    ir::{
        BlockLike, OperationLike, attributes,
        cursor::V,
        operations::{argument, home},
        operations::{definition, name_of},
    },
    loops::affine::Range,
};

/// What is known of a value that is an index: that of a domain is below its size, a constant is itself.
pub(crate) fn range_of(value: V) -> Range {
    if let Some(op) = definition(value) {
        let constant = || op.attribute("value").ok().filter(|_| name_of(op) == "arith.constant");
        return constant().map_or(Range::ALL, |number| Range::one(attributes::i64(number)));
    }
    let op = home(value).and_then(|block| block.parent_operation());
    let Some((op, argument)) = op.zip(argument(value)) else { return Range::ALL };
    if !name_of(op).starts_with("loop.") {
        return Range::ALL;
    }
    let sizes = op.attribute("sizes").map(attributes::i64s).unwrap_or_default();
    sizes.get(argument.argument_number()).map_or(Range::ALL, |size| Range::of_size(*size))
}
