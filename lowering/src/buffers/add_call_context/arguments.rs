//! The context as the first argument of a function.

use super::functions::Function;
use crate::llvm::C_INTERFACE;
use melior::{
    dialect::llvm::r#type as llvm_type,
    ir::{
        OperationRef, RegionLike, Type,
        attribute::{ArrayAttribute, StringAttribute, TypeAttribute},
    },
};
use terrace_dialects::{
    internal,
    ir::{
        OperationLike,
        attributes::{array, dictionary, ty},
        cursor::{Cursor, V},
        pass::Failure,
        raw::llvm_function,
        rewrite::{insert_argument, set_attribute},
    },
};

/// What marks the C interface of an entry point that takes a context, as an attribute of LLVM's.
const MARK: &str = "terrace-context";

/// Adds the context to the arguments of a function.
pub(super) fn add_argument<'c, 'a>(function: &Function<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
    let op = function.op;
    let at = Cursor::before(op)?;
    let pointer = llvm_type::pointer(at.context, 0);
    set_attribute(op, "function_type", TypeAttribute::new(with_first(op, pointer)?).into());
    if let Ok(attributes) = op.attribute("arg_attrs") {
        let all: Vec<_> = [dictionary(at.context, &[])].into_iter().chain(array(attributes)).collect();
        set_attribute(op, "arg_attrs", ArrayAttribute::new(at.context, &all).into());
    }
    if function.name.starts_with(C_INTERFACE) {
        let before = op.attribute("passthrough").map(array).unwrap_or_default();
        let all: Vec<_> = before.into_iter().chain([StringAttribute::new(at.context, MARK).into()]).collect();
        set_attribute(op, "passthrough", ArrayAttribute::new(at.context, &all).into());
    }
    let entry = op.region(0)?.first_block().ok_or(internal!("a function has no body"))?;
    Ok(insert_argument(entry, 0, pointer, op.location()))
}

/// The type of a function that takes something first.
fn with_first<'c>(function: OperationRef<'c, '_>, first: Type<'c>) -> Result<Type<'c>, Failure> {
    let own = llvm_function(ty(function.attribute("function_type")?));
    let (result, inputs) = own.ok_or(internal!("is no function of LLVM's"))?;
    let all: Vec<_> = [first].into_iter().chain(inputs).collect();
    Ok(llvm_type::function(result, &all, false))
}
