//! The context as the first argument of a function.

use super::functions::{C_INTERFACE, Function};
use melior::{
    dialect::llvm::r#type as llvm_type,
    ir::{
        Attribute, AttributeLike, OperationRef, RegionLike, Type, TypeLike,
        attribute::{ArrayAttribute, StringAttribute, TypeAttribute},
    },
};
use mlir_sys::{
    mlirBlockInsertArgument, mlirLLVMFunctionTypeGet, mlirLLVMFunctionTypeGetInput,
    mlirLLVMFunctionTypeGetNumInputs, mlirLLVMFunctionTypeGetReturnType,
};
use terrace_dialects::{
    internal,
    ir::{
        BlockLike, OperationLike,
        attributes::{array, ty},
        cursor::{Cursor, V},
        pass::Failure,
        strings::string_ref,
    },
};

/// What marks the C interface of an entry point that takes a context, as an attribute of LLVM's.
const MARK: &str = "terrace-context";

/// Adds the context to the arguments of a function.
pub(super) fn add_argument<'c, 'a>(function: &Function<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
    let op = function.op;
    let at = Cursor::before(op)?;
    let pointer = llvm_type::pointer(at.context, 0);
    set_type(op, &with_first(op, pointer)?);
    if let Ok(attributes) = op.attribute("arg_attrs") {
        // SAFETY: a dictionary without entries.
        let none = unsafe {
            Attribute::from_raw(mlir_sys::mlirDictionaryAttrGet(at.context.to_raw(), 0, std::ptr::null()))
        };
        let all: Vec<_> = [none].into_iter().chain(array(attributes)).collect();
        set(op, "arg_attrs", ArrayAttribute::new(at.context, &all).into());
    }
    if function.name.starts_with(C_INTERFACE) {
        let before = op.attribute("passthrough").map(array).unwrap_or_default();
        let all: Vec<_> = before.into_iter().chain([StringAttribute::new(at.context, MARK).into()]).collect();
        set(op, "passthrough", ArrayAttribute::new(at.context, &all).into());
    }
    let entry = op.region(0)?.first_block().ok_or(internal!("a function has no body"))?;
    // SAFETY: the block is the function's, whose type has said so.
    Ok(unsafe {
        let raw = mlirBlockInsertArgument(entry.to_raw(), 0, pointer.to_raw(), op.location().to_raw());
        V::from_raw(raw)
    })
}

fn set<'c>(op: OperationRef<'c, '_>, name: &str, value: Attribute<'c>) {
    // SAFETY: both are of one context.
    unsafe {
        mlir_sys::mlirOperationSetAttributeByName(op.to_raw(), string_ref(name), value.to_raw());
    }
}

fn set_type<'c>(op: OperationRef<'c, '_>, new: &Type<'c>) {
    set(op, "function_type", TypeAttribute::new(*new).into());
}

/// The type of a function that takes something first.
fn with_first<'c>(function: OperationRef<'c, '_>, first: Type<'c>) -> Result<Type<'c>, Failure> {
    let own = ty(function.attribute("function_type")?).to_raw();
    // SAFETY: it is a function type of the LLVM dialect.
    unsafe {
        let inputs = (0..mlirLLVMFunctionTypeGetNumInputs(own)).map(|i| mlirLLVMFunctionTypeGetInput(own, i));
        let all: Vec<_> = [first.to_raw()].into_iter().chain(inputs).collect();
        let result = mlirLLVMFunctionTypeGetReturnType(own);
        Ok(Type::from_raw(mlirLLVMFunctionTypeGet(result, all.len() as isize, all.as_ptr(), false)))
    }
}
