//! The pass `protect-arguments`: a tensor that a caller passes by value is not written.
//!
//! One-shot bufferization takes the arguments of functions for writable. For a function that is called from
//! outside they are the caller's memory, and a builtin tensor is a value, unless it is donated
//! (`functional.donated`). A human's word wins: an argument that says `bufferization.writable` itself stays
//! as it is. Facts of the functional dialect about arguments and results are spent here: what follows is
//! buffers. Nor is a value lost that was computed in memory where another one goes ([`destinations`]), and a
//! value that becomes two buffers is copied ([`buffers`]).

mod buffers;
mod destinations;

use melior::ir::{Attribute, OperationRef, RegionLike, TypeLike, ValueLike, attribute::BoolAttribute};
use terrace_dialects::ir::{
    BlockLike, OperationLike,
    annotations::{self, Place},
    arguments::set_attributes,
    attributes as convert, context,
    operations::{collect, name_of},
    pass::Failure,
};

const WRITABLE: &str = "bufferization.writable";

/// Marks the tensor arguments of every public function of a module.
pub fn run(op: OperationRef, _: &crate::options::ProtectArguments) -> Result<(), Failure> {
    let buffers = collect(op, |op| name_of(op).starts_with("bufferization."));
    destinations::protect(&buffers);
    buffers::separate(&buffers)?;
    let mut next = op.region(0)?.first_block().and_then(|b| b.first_operation());
    while let Some(function) = next {
        next = function.next_in_block();
        let private = function.attribute("sym_visibility").is_ok_and(|a| convert::string(a) == "private");
        if function.name().as_string_ref().as_str() != Ok("func.func") {
            continue;
        }
        let Some(block) = function.region(0)?.first_block().filter(|_| !private) else {
            annotations::forget(function);
            continue;
        };
        let mut writable: Vec<(usize, &str, Attribute)> = vec![];
        for i in 0..block.argument_count() {
            let tensor = block.argument(i)?.r#type().is_ranked_tensor();
            if tensor && annotations::of(function, Place::Argument(i), WRITABLE).is_none() {
                let donated = annotations::donated(function, i).is_some();
                writable.push((i, WRITABLE, BoolAttribute::new(context::of(op.context()), donated).into()));
            }
        }
        set_attributes(function, &writable);
        annotations::forget(function);
    }
    Ok(())
}
