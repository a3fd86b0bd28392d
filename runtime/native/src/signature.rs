//! What an entry point takes and returns, read off `func.func` before it is lowered.
//!
//! In the LLVM dialect a memref is a bare pointer: its rank, element type and layout are gone.

use crate::{Error, MemRefType, Signature, ValueType, translate::location_text};
use melior::{
    StringRef,
    ir::{
        Attribute, Module, RegionLike, Type, TypeLike,
        attribute::{AttributeLike, StringAttribute, TypeAttribute},
        block::BlockLike,
        operation::{OperationLike, OperationRef},
        r#type::{FunctionType, ShapedTypeLike},
    },
};
use terrace_tensor::Dtype;

/// The signatures of the entry points of `module`: its public functions that have a body.
///
/// An error names the first of them whose type no caller could serve.
pub fn signatures(module: &Module) -> Result<Vec<Signature>, Error> {
    let mut signatures = Vec::new();
    let mut next = module.body().first_operation();
    while let Some(operation) = next {
        if is_entry(operation) {
            signatures.push(signature(operation)?);
        }
        next = operation.next_in_block();
    }
    Ok(signatures)
}

/// As [`signatures`], and asks the lowering for the C interface of each entry point, which calls need:
/// sets `llvm.emit_c_interface`.
pub fn export(module: &Module) -> Result<Vec<Signature>, Error> {
    let signatures = signatures(module)?;
    let mut next = module.body().first_operation();
    while let Some(operation) = next {
        if is_entry(operation) {
            let context = operation.context();
            // SAFETY: the operation is the module's, and its context lives.
            unsafe {
                let unit = Attribute::unit(context.to_ref());
                let name = StringRef::new("llvm.emit_c_interface").to_raw();
                mlir_sys::mlirOperationSetAttributeByName(operation.to_raw(), name, unit.to_raw());
            }
        }
        next = operation.next_in_block();
    }
    Ok(signatures)
}

/// The signature of a `func.func`.
fn signature(function: OperationRef) -> Result<Signature, Error> {
    let name = string_attribute(function, "sym_name").unwrap_or_default();
    let refuse =
        |why| Error::Entry { location: location_text(function.location()), function: name.clone(), why };
    let function_type = function
        .attribute("function_type")
        .and_then(TypeAttribute::try_from)
        .and_then(|t| FunctionType::try_from(t.value()))
        .map_err(|_| {
            refuse(format!(
                "'{}' has no function type",
                function.name().as_string_ref().as_str().unwrap_or("?")
            ))
        })?;
    let (mut arguments, mut results) = (Vec::new(), Vec::new());
    for i in 0..function_type.input_count() {
        let ty = function_type.input(i).map_err(|e| refuse(e.to_string()))?;
        arguments.push(value_type(ty).map_err(|why| refuse(format!("argument {i} has type {ty}, {why}")))?);
    }
    for i in 0..function_type.result_count() {
        let ty = function_type.result(i).map_err(|e| refuse(e.to_string()))?;
        results.push(value_type(ty).map_err(|why| refuse(format!("result {i} has type {ty}, {why}")))?);
    }
    Ok(Signature { name, arguments, results })
}

/// What MLIR puts in front of the name of a function's C interface.
pub(crate) const C_INTERFACE: &str = "_mlir_ciface_";

/// The error says what would have been right.
fn value_type(ty: Type) -> Result<ValueType, &'static str> {
    if ty.is_mem_ref() {
        return memref_type(ty).map(ValueType::MemRef);
    }
    if ty.is_index() {
        return Ok(ValueType::Scalar(Dtype::I64));
    }
    match dtype_of(ty) {
        Some(dtype) => Ok(ValueType::Scalar(dtype)),
        None => Err("expected a ranked memref, a float, an integer, an index or a complex number"),
    }
}

fn memref_type(ty: Type) -> Result<MemRefType, &'static str> {
    let memref = melior::ir::r#type::MemRefType::try_from(ty).map_err(|_| "expected a ranked memref")?;
    if memref.memory_space().is_some() {
        return Err("expected a memref in the default memory space");
    }
    let element = memref.element();
    let dtype = if element.is_index() { Some(Dtype::I64) } else { dtype_of(element) };
    let dtype = dtype.ok_or("expected elements that a tensor can have")?;
    let rank = memref.rank();
    let (mut strides, mut offset) = (vec![0; rank], 0);
    // SAFETY: the type is a memref, and there is room for a stride a dimension.
    let strided = unsafe {
        mlir_sys::mlirMemRefTypeGetStridesAndOffset(ty.to_raw(), strides.as_mut_ptr(), &mut offset)
    };
    if strided.value == 0 {
        return Err("expected a strided layout");
    }
    // SAFETY: plain functions of an integer.
    let known = |value: i64| unsafe {
        (value != mlir_sys::mlirShapedTypeGetDynamicStrideOrOffset()).then_some(value)
    };
    let size = |i: usize| {
        // SAFETY: the type is a ranked shape, and `i` is one of its dimensions.
        unsafe {
            let size = mlir_sys::mlirShapedTypeGetDimSize(ty.to_raw(), i as isize);
            (!mlir_sys::mlirShapedTypeIsDynamicSize(size)).then_some(size)
        }
    };
    Ok(MemRefType {
        dtype,
        sizes: (0..rank).map(size).collect(),
        strides: strides.into_iter().map(known).collect(),
        offset: known(offset),
        // SAFETY: the type is a memref.
        plain: unsafe {
            mlir_sys::mlirAffineMapIsIdentity(mlir_sys::mlirMemRefTypeGetAffineMap(ty.to_raw()))
        },
    })
}

/// The dtype of elements or scalars of an MLIR type. Signless 8-bit integers are [`Dtype::I8`].
fn dtype_of(ty: Type) -> Option<Dtype> {
    Some(match ty.to_string().as_str() {
        "i1" => Dtype::Bool,
        "ui8" => Dtype::U8,
        "i8" => Dtype::I8,
        "i16" => Dtype::I16,
        "i32" => Dtype::I32,
        "i64" => Dtype::I64,
        "f16" => Dtype::F16,
        "bf16" => Dtype::BF16,
        "f32" => Dtype::F32,
        "f64" => Dtype::F64,
        "complex<f32>" => Dtype::C64,
        "complex<f64>" => Dtype::C128,
        _ => return None,
    })
}

fn is_entry(operation: OperationRef) -> bool {
    operation.name().as_string_ref().as_str() == Ok("func.func")
        && string_attribute(operation, "sym_visibility").is_none_or(|v| v == "public")
        && operation.regions().next().is_some_and(|body| body.first_block().is_some())
}

pub(crate) fn string_attribute(operation: OperationRef, name: &str) -> Option<String> {
    let attribute: Attribute = operation.attribute(name).ok()?;
    let attribute = StringAttribute::try_from(attribute).ok()?;
    // SAFETY: a string of the context; bytes that are no text have no name here.
    let text = unsafe { StringRef::from_raw(mlir_sys::mlirStringAttrGetValue(attribute.to_raw())) };
    text.as_str().ok().map(str::to_owned)
}
