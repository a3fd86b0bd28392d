//! What melior reads no parts of: function types of the LLVM dialect, integer sets, bytes of constants.

use super::{
    attributes::{of_map, type_of},
    context, types,
};
use melior::{
    dialect::llvm::r#type as llvm_type,
    ir::{AffineExpr, AffineMap, Attribute, AttributeLike, Type, TypeLike},
};
use mlir_sys::*;

/// The result and the inputs of a function type of the LLVM dialect; None of any other type.
pub fn llvm_function<'c>(ty: Type<'c>) -> Option<(Type<'c>, Vec<Type<'c>>)> {
    if ty.dialect().namespace() != Ok("llvm") {
        return None;
    }
    let any = llvm_type::function(llvm_type::void(context::of(ty.context())), &[], false);
    if ty.id() != any.id() {
        return None;
    }
    let raw = ty.to_raw();
    // SAFETY: it is of the class of function types, and has as many inputs as it says.
    unsafe {
        let input = |i| Type::from_raw(mlirLLVMFunctionTypeGetInput(raw, i));
        let inputs = (0..mlirLLVMFunctionTypeGetNumInputs(raw)).map(input).collect();
        Some((Type::from_raw(mlirLLVMFunctionTypeGetReturnType(raw)), inputs))
    }
}

/// The expressions of an integer set, as a map, and whether each has to be zero, else not negative; None of
/// another attribute.
pub fn constraints<'c>(a: Attribute<'c>) -> Option<(Attribute<'c>, Vec<bool>)> {
    if !a.is_integer_set() {
        return None;
    }
    // SAFETY: it is an integer set, which has as many constraints as it says, of its context.
    unsafe {
        let set = mlirIntegerSetAttrGetValue(a.to_raw());
        let all = 0..mlirIntegerSetGetNumConstraints(set);
        let exprs: Vec<_> =
            all.clone().map(|i| AffineExpr::from_raw(mlirIntegerSetGetConstraint(set, i))).collect();
        let (dims, symbols) = (mlirIntegerSetGetNumDims(set), mlirIntegerSetGetNumSymbols(set));
        let map = AffineMap::new(context::of(a.context()), dims as usize, symbols as usize, &exprs);
        Some((of_map(map), all.map(|i| mlirIntegerSetIsConstraintEq(set, i)).collect()))
    }
}

/// The bytes of the elements of a constant tensor, of one where it repeats it; None of another attribute, and
/// of elements that are not floats, integers or indices of whole bytes.
pub fn packed<'c>(a: Attribute<'c>) -> Option<&'c [u8]> {
    let element =
        types::element(type_of(a)).filter(|_| a.is_dense_int_elements() || a.is_dense_fp_elements())?;
    let bits = if element.is_index() { 64 } else { types::bits(element)? as usize };
    if bits % 8 != 0 {
        return None;
    }
    let raw = a.to_raw();
    // SAFETY: elements of whole bytes are stored one behind the other, as long as the context lives.
    unsafe {
        let splat = mlirDenseElementsAttrIsSplat(raw);
        let count = if splat { 1 } else { mlirElementsAttrGetNumElements(raw) as usize };
        let first = mlirDenseElementsAttrGetRawData(raw).cast();
        Some(if count == 0 { &[] } else { std::slice::from_raw_parts(first, count * bits / 8) })
    }
}
