//! Entry points in LLVM IR: each gets a packed form beside its C interface, everything else becomes internal.
//!
//! `void _terrace_packed_NAME(ptr args)` takes one address a parameter of `_mlir_ciface_NAME`, of the value for a scalar,
//! of the descriptor itself for a pointer, and after them the address that a returned scalar is stored to.

use crate::{Error, signature::C_INTERFACE};
use inkwell::{
    AddressSpace,
    attributes::{Attribute, AttributeLoc},
    builder::BuilderError,
    module::{Linkage, Module},
    values::{BasicMetadataValueEnum, BasicValue, FunctionValue},
};

/// What stands in front of the name of a function's packed form.
pub(crate) const PACKED: &str = "_terrace_packed_";

/// Prepares every function of a translated module; `private` names those that nobody outside may call.
///
/// A function with a C interface is called through it alone: internal and inlined into it, it costs no copy of its body.
pub(crate) fn prepare(module: &Module<'static>, private: &[String]) -> Result<(), Error> {
    let functions: Vec<_> = module.get_functions().filter(|f| f.count_basic_blocks() > 0).collect();
    for function in functions {
        let name = function.get_name().to_string_lossy().into_owned();
        // Errors are values here: without unwinding there are no tables for it.
        mark(module, function, AttributeLoc::Function, "nounwind");
        if let Some(entry) = name.strip_prefix(C_INTERFACE) {
            let result = function.get_type().get_return_type();
            if result.is_some_and(|t| t.is_int_type() && t.into_int_type().get_bit_width() == 1) {
                // What C expects of a bool.
                mark(module, function, AttributeLoc::Return, "zeroext");
            }
            add_packed(module, function, entry).map_err(|e| Error::CodeGeneration(e.to_string()))?;
        } else if module.get_function(&format!("{C_INTERFACE}{name}")).is_some() {
            function.set_linkage(Linkage::Internal);
            if is_used_once(function) && !has(function, "noinline") {
                mark(module, function, AttributeLoc::Function, "alwaysinline");
            }
        } else if private.contains(&name) {
            function.set_linkage(Linkage::Internal);
        }
    }
    Ok(())
}

fn add_packed(
    module: &Module<'static>,
    target: FunctionValue<'static>,
    name: &str,
) -> Result<(), BuilderError> {
    let context = module.get_context();
    let pointer = context.ptr_type(AddressSpace::default());
    let ty = context.void_type().fn_type(&[pointer.into()], false);
    let packed = module.add_function(&format!("{PACKED}{name}"), ty, None);
    mark(module, packed, AttributeLoc::Function, "nounwind");
    let builder = context.create_builder();
    builder.position_at_end(context.append_basic_block(packed, ""));
    let array = packed.get_first_param().map(|p| p.into_pointer_value());
    let address = |i: usize| {
        let index = context.i64_type().const_int(i as u64, false);
        // SAFETY: the caller provides one address a parameter and one for the result.
        let slot =
            unsafe { builder.build_gep(pointer, array.unwrap_or(pointer.const_null()), &[index], "")? };
        Ok::<_, BuilderError>(builder.build_load(pointer, slot, "")?.into_pointer_value())
    };
    let parameters = target.get_params();
    let mut values: Vec<BasicMetadataValueEnum> = Vec::new();
    for (i, parameter) in parameters.iter().enumerate() {
        let address = address(i)?;
        values.push(if parameter.is_pointer_value() {
            address.into()
        } else {
            builder.build_load(parameter.get_type(), address, "")?.into()
        });
    }
    let call = builder.build_call(target, &values, "")?;
    if let Some(result) = call.try_as_basic_value().basic() {
        builder.build_store(address(parameters.len())?, result)?;
    }
    builder.build_return(None)?;
    Ok(())
}

fn is_used_once(function: FunctionValue) -> bool {
    let first = function.as_global_value().as_pointer_value().get_first_use();
    first.is_some_and(|first| first.get_next_use().is_none())
}

fn kind(name: &str) -> u32 {
    Attribute::get_named_enum_kind_id(name)
}

fn has(function: FunctionValue, name: &str) -> bool {
    function.get_enum_attribute(AttributeLoc::Function, kind(name)).is_some()
}

fn mark(module: &Module<'static>, function: FunctionValue, place: AttributeLoc, name: &str) {
    function.add_attribute(place, module.get_context().create_enum_attribute(kind(name), 0));
}
