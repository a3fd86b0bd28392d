//! The host side of a program with GPU kernels: allocations, launches, and the little between them.

use crate::{Error, Gpu, Order};
use melior::ir::{
    Attribute, AttributeLike, BlockLike, Module, OperationRef, RegionLike, Type, TypeLike, Value as IrValue,
    ValueLike, operation::OperationLike,
};
use std::collections::HashMap;
use terrace_dialects::{attributes, bridge::string_ref, shaped::Shaped};
use terrace_session::{GpuCode, OptLevel, kernels};
use terrace_tensor::{DType, Flags, Scalar, Tensor, Value};

type Values = HashMap<usize, Value>;

fn key(value: IrValue) -> usize {
    value.to_raw().ptr as usize
}

fn name_of(op: OperationRef) -> String {
    op.name().as_string_ref().as_str().unwrap_or_default().to_owned()
}

fn wrong(error: impl ToString) -> Error {
    Error::Wrong(error.to_string())
}

fn dtype(ty: Type) -> Result<DType, Error> {
    Ok(match &ty.to_string()[..] {
        "f64" => DType::F64,
        "f32" => DType::F32,
        "f16" => DType::F16,
        "bf16" => DType::Bf16,
        "i64" | "index" => DType::I64,
        "i32" => DType::I32,
        "i16" => DType::I16,
        "i8" => DType::I8,
        "ui8" => DType::U8,
        "i1" => DType::Bool,
        other => return Err(Error::Unknown(format!("an element of {other}"))),
    })
}

/// A scalar as a kernel takes it.
fn word(value: Scalar, ty: Type) -> u64 {
    match &ty.to_string()[..] {
        "f64" => value.to_f64().to_bits(),
        "f32" => u64::from((value.to_f64() as f32).to_bits()),
        _ => value.to_i64() as u64,
    }
}

/// A memref of this type on a storage that starts at its origin.
fn view(ty: Type, memory: &Value, dtype: DType) -> Result<Tensor, Error> {
    let (Some(shaped), Some(memory)) = (Shaped::of(ty), memory.as_tensor()) else {
        return Err(Error::Unknown(format!("a view of {ty}")));
    };
    let (mut strides, mut offset) = (vec![0; shaped.rank()], 0);
    let (known, dynamic) = unsafe {
        let known =
            mlir_sys::mlirMemRefTypeGetStridesAndOffset(ty.to_raw(), strides.as_mut_ptr(), &mut offset);
        (known, mlir_sys::mlirShapedTypeGetDynamicStrideOrOffset())
    };
    if known.value == 0 || offset == dynamic || strides.contains(&dynamic) || shaped.elements().is_none() {
        return Err(Error::Unknown(format!("a view of {ty}")));
    }
    Tensor::new(memory.storage().clone(), dtype, shaped.shape, strides, offset).map_err(wrong)
}

/// What a function says of one of its results.
fn fact<'c>(function: OperationRef<'c, '_>, result: usize, name: &str) -> Option<Attribute<'c>> {
    let all = function.attribute("res_attrs").ok()?.to_raw();
    // SAFETY: MLIR has checked that these are dictionaries, one for each result.
    unsafe {
        let one = mlir_sys::mlirArrayAttrGetElement(all, result as isize);
        Attribute::from_option_raw(mlir_sys::mlirDictionaryAttrGetElementByName(one, string_ref(name)))
    }
}

/// A result of a function.
fn result(
    function: OperationRef,
    (number, operand): (usize, IrValue),
    (values, arguments, earlier): (&Values, &[Value], &[Value]),
) -> Result<Value, Error> {
    if let Some(same) = fact(function, number, "graph.same_as").map(attributes::string) {
        let at = |prefix: &str| same.strip_prefix(prefix).and_then(|n| n.parse::<usize>().ok());
        let found = at("arg").and_then(|n| arguments.get(n)).or(at("result").and_then(|n| earlier.get(n)));
        return found.cloned().ok_or_else(|| Error::Unknown(format!("a result that is {same}")));
    }
    let value = &values[&key(operand)];
    let Some(shaped) = Shaped::of(operand.r#type()) else { return Ok(value.clone()) };
    let element = fact(function, number, "graph.dtype").map_or(shaped.element, attributes::ty);
    let is_set = |name: &str| fact(function, number, name).is_some();
    let flags = Flags { conj: is_set("graph.conj"), neg: is_set("graph.neg") };
    Ok(view(operand.r#type(), value, dtype(element)?)?.with_flags(flags).into())
}

/// Calls a function of a module, whose kernels are in a `gpu.module` in the LLVM and NVVM dialects, with buffers as bare
/// pointers. A tensor among the arguments is a view of its storage, which the kernels write.
///
/// # Errors
/// What is not emulated, or what is wrong with the program.
pub fn call(module: &Module, name: &str, arguments: &[Value], order: Order) -> Result<Vec<Value>, Error> {
    let gpu = match &kernels(module)[..] {
        [] => Gpu::new("")?,
        [(_, one)] => {
            let code = GpuCode::nvptx(one, "sm_90", OptLevel::None);
            Gpu::new(&code.map_err(|e| Error::Unknown(format!("code for which {e}")))?.llvm_ir())?
        }
        _ => return Err(Error::Unknown("a second GPU module".into())),
    };
    let mut next = module.body().first_operation();
    let function = loop {
        let op = next.ok_or_else(|| wrong(format!("there is no function {name}")))?;
        let own = op.attribute("sym_name").map(attributes::string);
        if name_of(op) == "func.func" && own.as_deref() == Ok(name) {
            break op;
        }
        next = op.next_in_block();
    };
    let block = function.region(0).ok().and_then(|region| region.first_block());
    let block = block.ok_or_else(|| wrong(format!("{name} has no body")))?;
    let mut values = Values::new();
    for (i, argument) in arguments.iter().enumerate() {
        values.insert(key(block.argument(i).map_err(wrong)?.into()), argument.clone());
    }
    let mut next = block.first_operation();
    while let Some(op) = next {
        if name_of(op) == "func.return" {
            let mut results = vec![];
            for (number, operand) in op.operands().enumerate() {
                results.push(result(function, (number, operand), (&values, arguments, &results))?);
            }
            return Ok(results);
        }
        step(op, &gpu, &mut values, order)?;
        next = op.next_in_block();
    }
    Err(wrong(format!("{name} does not return")))
}

/// What a module has as a constant.
fn global(op: OperationRef) -> Result<Tensor, Error> {
    let name = attributes::symbol(op.attribute("name").map_err(wrong)?);
    let function = op.parent_operation().and_then(|function| function.block());
    let mut next = function.and_then(|block| block.first_operation());
    while let Some(global) = next {
        let own = global.attribute("sym_name").map(attributes::string);
        if name_of(global) == "memref.global" && own.as_deref() == Ok(&name) {
            let ty = op.result(0).map_err(wrong)?.r#type();
            let shaped = Shaped::of(ty).ok_or_else(|| wrong("names no memref"))?;
            let tensor = Tensor::zeros(dtype(shaped.element)?, &shaped.shape).map_err(wrong)?;
            let value = global.attribute("initial_value").map_err(wrong)?.to_raw();
            let size = tensor.dtype().size();
            // SAFETY: a dense attribute has its elements one after the other, or one for all.
            unsafe {
                let splat = mlir_sys::mlirDenseElementsAttrIsSplat(value);
                let data = mlir_sys::mlirDenseElementsAttrGetRawData(value).cast::<u8>();
                for i in 0..tensor.len() {
                    let from = data.add(if splat { 0 } else { i * size });
                    tensor.storage().write_bytes(i * size, std::slice::from_raw_parts(from, size));
                }
            }
            return Ok(tensor);
        }
        next = global.next_in_block();
    }
    Err(wrong(format!("there is no global {name}")))
}

fn step(op: OperationRef, gpu: &Gpu, values: &mut Values, order: Order) -> Result<(), Error> {
    let value = |i: usize| op.operand(i).map(|operand| values[&key(operand)].clone()).map_err(wrong);
    let scalar =
        |i: usize| value(i)?.as_scalar().ok_or_else(|| Error::Unknown(format!("the operand of {op}")));
    let number = |i: usize| scalar(i).map(Scalar::to_i64);
    let made = || op.result(0).map(|result| result.r#type()).map_err(wrong);
    let result: Value = match &name_of(op)[..] {
        "arith.constant" => {
            let value = op.attribute("value").map_err(wrong)?;
            // SAFETY: the accessors are asked of the kind of attribute that has them.
            unsafe {
                match () {
                    _ if mlir_sys::mlirAttributeIsAFloat(value.to_raw()) => {
                        Scalar::Float(attributes::f64(value)).into()
                    }
                    _ if made()?.to_string() == "i1" => Scalar::Bool(attributes::bool(value)).into(),
                    _ if mlir_sys::mlirAttributeIsAInteger(value.to_raw()) => {
                        Scalar::Int(attributes::i64(value)).into()
                    }
                    _ => return Err(Error::Unknown(format!("the constant {value}"))),
                }
            }
        }
        "memref.alloc" if op.operand_count() == 0 => {
            let shaped = Shaped::of(made()?).ok_or_else(|| wrong("allocates no memref"))?;
            let memory = Tensor::zeros(dtype(shaped.element)?, &shaped.shape).map_err(wrong)?;
            // What nobody writes shows.
            memory.storage().write_bytes(0, &vec![0x7f; memory.storage().len()]);
            memory.into()
        }
        "kernel.reinterpret"
        | "memref.cast"
        | "memref.subview"
        | "memref.reinterpret_cast"
        | "memref.collapse_shape"
        | "memref.expand_shape" => value(0)?,
        "memref.get_global" => global(op)?.into(),
        "memref.dealloc" => return Ok(()),
        "memref.load" => {
            let indices = (1..op.operand_count()).map(number).collect::<Result<Vec<_>, _>>()?;
            let ty = op.operand(0).map_err(wrong)?.r#type();
            view(ty, &value(0)?, dtype(made()?)?)?.get(&indices).map_err(wrong)?.into()
        }
        "arith.trunci" if made()?.to_string() == "i1" => Scalar::Bool(number(0)? & 1 != 0).into(),
        "cf.assert" => {
            let message = op.attribute("msg").map(attributes::string).unwrap_or_default();
            return if scalar(0)?.to_bool() { Ok(()) } else { Err(Error::Wrong(message)) };
        }
        "gpu.launch_func" => {
            let mut words = vec![];
            for operand in op.operands().skip(6) {
                words.push(match &values[&key(operand)] {
                    Value::Tensor(tensor) => tensor.storage().as_ptr() as u64,
                    Value::Scalar(scalar) => word(*scalar, operand.r#type()),
                });
            }
            let kernel = attributes::symbol(op.attribute("kernel").map_err(wrong)?);
            // SAFETY: the launch was verified against the kernel, and buffers have the sizes of their types.
            return unsafe { gpu.launch(&kernel, (number(0)?, number(3)? as usize), &words, order) };
        }
        other => return Err(Error::Unknown(other.to_owned())),
    };
    values.insert(key(op.result(0).map_err(wrong)?.into()), result);
    Ok(())
}
