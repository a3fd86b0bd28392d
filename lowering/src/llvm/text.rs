//! Texts in compiled code: constants that end with a zero byte.

use melior::{
    dialect::llvm::{
        attributes::{Linkage, linkage},
        r#type as llvm_type,
    },
    ir::{
        Attribute, Region,
        attribute::{FlatSymbolRefAttribute, StringAttribute},
        r#type::IntegerType,
    },
};
use terrace_dialects::ir::{
    cursor::{Cursor, V},
    pass::Failure,
};

/// A constant of this name, in a module.
pub(crate) fn constant(module: &Cursor, name: &str, text: &str) -> Result<(), Failure> {
    let bytes = format!("{}\0", text.replace('\0', " "));
    let ty = llvm_type::array(IntegerType::new(module.context, 8).into(), bytes.len() as u32);
    let attributes = [
        module.type_attribute("global_type", ty),
        module.named("sym_name", StringAttribute::new(module.context, name)),
        module.named("linkage", linkage(module.context, Linkage::Internal)),
        module.named("constant", Attribute::unit(module.context)),
        module.named("value", StringAttribute::new(module.context, &bytes)),
    ];
    module.build("llvm.mlir.global", &[], &[], &attributes, vec![Region::new()]).map(drop)
}

/// The address of the first byte of a constant, as a pointer.
pub(crate) fn address<'c, 'a>(at: &Cursor<'c, 'a>, name: &str) -> Result<V<'c, 'a>, Failure> {
    let symbol = at.named("global_name", FlatSymbolRefAttribute::new(at.context, name));
    at.with("llvm.mlir.addressof", &[], llvm_type::pointer(at.context, 0), &[symbol])
}
