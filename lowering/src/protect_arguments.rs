//! The pass `protect-arguments`: a tensor that a caller passes by value is not written.
//!
//! One-shot bufferization takes the arguments of functions for writable. For a function that is called from outside they are
//! the caller's memory, and a builtin tensor is a value. A human's word wins: an argument that says
//! `bufferization.writable` itself stays as it is.

use melior::ir::{
    BlockLike, OperationRef, RegionLike, TypeLike, ValueLike, attribute::BoolAttribute,
    operation::OperationLike,
};
use mlir_sys::{
    mlirArrayAttrGetElement, mlirDictionaryAttrGetElementByName, mlirFuncSetArgAttr, mlirTypeIsARankedTensor,
};
use terrace_dialects::{attributes as convert, bridge::string_ref, context, pass::Failure};

const WRITABLE: &str = "bufferization.writable";

/// Marks the tensor arguments of every public function of a module.
pub fn run(op: OperationRef, _: &crate::options::ProtectArguments) -> Result<(), Failure> {
    let no = BoolAttribute::new(context::of(op.context()), false);
    let mut next = op.region(0)?.first_block().and_then(|b| b.first_operation());
    while let Some(function) = next {
        next = function.next_in_block();
        let private = function.attribute("sym_visibility").is_ok_and(|a| convert::string(a) == "private");
        if function.name().as_string_ref().as_str() != Ok("func.func") || private {
            continue;
        }
        let Some(block) = function.region(0)?.first_block() else { continue };
        for i in 0..block.argument_count() {
            let tensor = unsafe { mlirTypeIsARankedTensor(block.argument(i)?.r#type().to_raw()) };
            if tensor && !says_so(function, i) {
                unsafe {
                    let no = melior::ir::AttributeLike::to_raw(&no);
                    mlirFuncSetArgAttr(function.to_raw(), i as isize, string_ref(WRITABLE), no);
                }
            }
        }
    }
    Ok(())
}

fn says_so(function: OperationRef, index: usize) -> bool {
    function.attribute("arg_attrs").is_ok_and(|all| unsafe {
        let dictionary = mlirArrayAttrGetElement(melior::ir::AttributeLike::to_raw(&all), index as isize);
        !mlirDictionaryAttrGetElementByName(dictionary, string_ref(WRITABLE)).ptr.is_null()
    })
}
