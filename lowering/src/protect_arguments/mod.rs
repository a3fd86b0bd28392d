//! The pass `protect-arguments`: a tensor that a caller passes by value is not written.
//!
//! One-shot bufferization takes the arguments of functions for writable. For a function that is called from outside they are
//! the caller's memory, and a builtin tensor is a value, unless it is donated (`functional.donated`). A human's word wins: an
//! argument that says `bufferization.writable` itself stays as it is. Facts of the functional dialect about arguments and
//! results are spent here: what follows is buffers. Nor is a value lost that was computed in memory where another one goes
//! ([`destinations`]), and a value that becomes two buffers is copied ([`buffers`]).

mod buffers;
mod destinations;

use melior::ir::{OperationRef, RegionLike, TypeLike, ValueLike, attribute::BoolAttribute};
use mlir_sys::{mlirFuncSetArgAttr, mlirTypeIsARankedTensor};
use terrace_dialects::{
    attributes as convert,
    bridge::string_ref,
    context,
    facts::{self, Place},
    ir::{BlockLike, OperationLike},
    pass::Failure,
};

const WRITABLE: &str = "bufferization.writable";

/// Marks the tensor arguments of every public function of a module.
pub fn run(op: OperationRef, _: &crate::options::ProtectArguments) -> Result<(), Failure> {
    destinations::protect(op);
    buffers::separate(op)?;
    let mut next = op.region(0)?.first_block().and_then(|b| b.first_operation());
    while let Some(function) = next {
        next = function.next_in_block();
        let private = function.attribute("sym_visibility").is_ok_and(|a| convert::string(a) == "private");
        if function.name().as_string_ref().as_str() != Ok("func.func") {
            continue;
        }
        let Some(block) = function.region(0)?.first_block().filter(|_| !private) else {
            facts::forget(function);
            continue;
        };
        for i in 0..block.argument_count() {
            let tensor = unsafe { mlirTypeIsARankedTensor(block.argument(i)?.r#type().to_raw()) };
            if tensor && facts::of(function, Place::Argument(i), WRITABLE).is_none() {
                let writable =
                    BoolAttribute::new(context::of(op.context()), facts::donated(function, i).is_some());
                unsafe {
                    let writable = melior::ir::AttributeLike::to_raw(&writable);
                    mlirFuncSetArgAttr(function.to_raw(), i as isize, string_ref(WRITABLE), writable);
                }
            }
        }
        facts::forget(function);
    }
    Ok(())
}
