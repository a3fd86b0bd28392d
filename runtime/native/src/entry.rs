//! Entry points in LLVM IR: each gets a form that takes the context of the call and says how it went,
//! everything else becomes internal.
//!
//! `i32 _terrace_entry_NAME(context, results, arguments...)` is for C: it calls `_mlir_ciface_NAME`, with the
//! context where that takes one, and gives a status of `runtime/rt`. What is returned, a number or a struct
//! of all results, goes through the pointer; there is none where nothing is returned, and all is zero where
//! the call fails. `i32 _terrace_packed_NAME(context, ptr args)` takes the addresses of the results and of
//! each argument, of the value for a number, of the descriptor itself for a buffer.

use crate::{Error, PACKED, Signature, ValueType, signature::C_INTERFACE};
use inkwell::{
    AddressSpace, IntPredicate,
    attributes::{Attribute, AttributeLoc},
    builder::BuilderError,
    module::{Linkage, Module},
    types::BasicMetadataTypeEnum,
    values::{BasicMetadataValueEnum, BasicValue, FunctionValue, PointerValue},
};

/// What marks a C interface that takes the context first: `add-call-context` does.
const MARK: &str = "terrace-context";

/// Prepares every function of a translated module; `private` names those that nobody outside may call.
///
/// A function with a C interface is called through it alone: internal and inlined into it, it costs no copy
/// of its body.
pub(crate) fn prepare(
    module: &Module<'static>,
    signatures: &[Signature],
    private: &[String],
) -> Result<(), Error> {
    if let Some(allocate) = module.get_function("terrace_rt_alloc") {
        // Nothing else leads to the memory that it gives.
        mark(module, allocate, AttributeLoc::Return, "noalias");
    }
    let functions: Vec<_> = module.get_functions().filter(|f| f.count_basic_blocks() > 0).collect();
    for function in functions {
        let name = function.get_name().to_string_lossy().into_owned();
        // Errors are values here: without unwinding there are no tables for it.
        mark(module, function, AttributeLoc::Function, "nounwind");
        if let Some(entry) = name.strip_prefix(C_INTERFACE) {
            if let Some(signature) = signatures.iter().find(|signature| signature.name == entry) {
                function.set_linkage(Linkage::Internal);
                // What the function says of itself is no word about its interface.
                function.remove_enum_attribute(AttributeLoc::Function, kind("noinline"));
                mark(module, function, AttributeLoc::Function, "alwaysinline");
                let add = || {
                    let entry = add_entry(module, function, signature)?;
                    add_packed(module, entry, signature)
                };
                add().map_err(|e| Error::CodeGeneration(e.to_string()))?;
            }
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

/// Whether a single number is returned by value; all else that is returned goes through a pointer.
fn by_value(signature: &Signature) -> bool {
    matches!(&signature.results[..], [ValueType::Scalar(dtype)] if !dtype.is_complex())
}

fn add_entry(
    module: &Module<'static>,
    target: FunctionValue<'static>,
    signature: &Signature,
) -> Result<FunctionValue<'static>, BuilderError> {
    let context = module.get_context();
    let (pointer, word) = (context.ptr_type(AddressSpace::default()), context.i32_type());
    // Where its own arguments begin.
    let taken = usize::from(target.get_string_attribute(AttributeLoc::Function, MARK).is_some());
    let by_value = by_value(signature);
    let mut inputs: Vec<BasicMetadataTypeEnum> = vec![pointer.into()];
    inputs.extend(by_value.then_some(BasicMetadataTypeEnum::from(pointer)));
    inputs.extend(target.get_type().get_param_types().into_iter().skip(taken));
    let entry = module.add_function(&signature.symbol(), word.fn_type(&inputs, false), None);
    mark(module, entry, AttributeLoc::Function, "nounwind");
    // All that it does is call. The schedulers that some processors ask for take the square of a block's
    // length.
    entry.add_attribute(AttributeLoc::Function, context.create_string_attribute("tune-cpu", "generic"));
    for (i, ty) in inputs.iter().enumerate() {
        if ty.is_int_type() && ty.into_int_type().get_bit_width() == 1 {
            // What C expects of a bool.
            mark(module, entry, AttributeLoc::Param(i as u32), "zeroext");
        }
    }
    let parameters = entry.get_params();
    let own: BasicMetadataValueEnum = parameters[0].into();
    let runtime =
        |name: &str, ty| module.get_function(name).unwrap_or_else(|| module.add_function(name, ty, None));
    let begin = runtime("terrace_rt_begin", context.void_type().fn_type(&[pointer.into()], false));
    let finish = runtime("terrace_rt_finish", word.fn_type(&[pointer.into()], false));
    let builder = context.create_builder();
    let block = |name| context.append_basic_block(entry, name);
    let (start, done, failed) = (block(""), block("done"), block("failed"));
    builder.position_at_end(start);
    builder.build_call(begin, &[own], "")?;
    let mut values = vec![];
    values.extend((taken > 0).then_some(own));
    values.extend(parameters[1 + usize::from(by_value)..].iter().map(|p| BasicMetadataValueEnum::from(*p)));
    let result = builder.build_call(target, &values, "")?.try_as_basic_value().basic();
    let status = builder.build_call(finish, &[own], "")?.try_as_basic_value().basic();
    let status = status.map_or(word.const_zero(), |status| status.into_int_value());
    let bad = builder.build_int_compare(IntPredicate::NE, status, word.const_zero(), "")?;
    builder.build_conditional_branch(bad, failed, done)?;
    builder.position_at_end(done);
    if let (true, Some(result)) = (by_value, result) {
        builder.build_store(parameters[1].into_pointer_value(), result)?;
    }
    builder.build_return(Some(&word.const_zero()))?;
    builder.position_at_end(failed);
    let bytes = terrace_call::result_bytes(&signature.results) as u64;
    if bytes > 0 {
        let (zero, bytes) = (context.i8_type().const_zero(), context.i64_type().const_int(bytes, false));
        let _: PointerValue = builder.build_memset(parameters[1].into_pointer_value(), 1, zero, bytes)?;
    }
    builder.build_return(Some(&status))?;
    Ok(entry)
}

fn add_packed(
    module: &Module<'static>,
    target: FunctionValue<'static>,
    signature: &Signature,
) -> Result<(), BuilderError> {
    let context = module.get_context();
    let pointer = context.ptr_type(AddressSpace::default());
    let ty = context.i32_type().fn_type(&[pointer.into(), pointer.into()], false);
    let packed = module.add_function(&format!("{PACKED}{}", signature.name), ty, None);
    mark(module, packed, AttributeLoc::Function, "nounwind");
    let builder = context.create_builder();
    builder.position_at_end(context.append_basic_block(packed, ""));
    let given = packed.get_params();
    let mut values: Vec<BasicMetadataValueEnum> = vec![given[0].into()];
    for (i, parameter) in target.get_params().iter().skip(1).enumerate() {
        let index = context.i64_type().const_int(i as u64, false);
        // SAFETY: the caller provides one address a parameter.
        let slot = unsafe { builder.build_gep(pointer, given[1].into_pointer_value(), &[index], "")? };
        let address = builder.build_load(pointer, slot, "")?.into_pointer_value();
        values.push(if parameter.is_pointer_value() {
            address.into()
        } else {
            builder.build_load(parameter.get_type(), address, "")?.into()
        });
    }
    let status = builder.build_call(target, &values, "")?.try_as_basic_value().basic();
    let status = status.map_or(context.i32_type().const_zero(), |status| status.into_int_value());
    builder.build_return(Some(&status))?;
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
