//! The host side of a program with GPU kernels: allocations and launches, run on the emulator.

use crate::emulator::{Gpu, Order};
use melior::ir::{
    BlockLike, Module, OperationRef, RegionLike, Type, TypeLike, Value as IrValue, ValueLike,
    operation::OperationLike,
};
use std::collections::HashMap;
use terrace_dialects::{attributes, shaped::Shaped};
use terrace_tensor::{DType, Scalar, Tensor, Value};

fn key(value: IrValue) -> usize {
    value.to_raw().ptr as usize
}

fn dtype(ty: Type) -> DType {
    match &ty.to_string()[..] {
        "f64" => DType::F64,
        "f32" => DType::F32,
        "f16" => DType::F16,
        "bf16" => DType::Bf16,
        "i64" | "index" => DType::I64,
        "i32" => DType::I32,
        "i16" => DType::I16,
        "i8" => DType::I8,
        "i1" => DType::Bool,
        other => panic!("no dtype for {other}"),
    }
}

/// A scalar as a kernel takes it.
fn word(value: Scalar, ty: Type) -> u64 {
    match &ty.to_string()[..] {
        "f64" => value.to_f64().to_bits(),
        "f32" => u64::from((value.to_f64() as f32).to_bits()),
        _ => value.to_i64() as u64,
    }
}

/// A memref of this type on a storage that starts at the origin.
fn view(ty: Type, memory: &Tensor) -> Tensor {
    let shaped = Shaped::of(ty).unwrap();
    let (mut strides, mut offset) = (vec![0; shaped.rank()], 0);
    let known = unsafe {
        mlir_sys::mlirMemRefTypeGetStridesAndOffset(ty.to_raw(), strides.as_mut_ptr(), &mut offset)
    };
    assert!(known.value != 0);
    Tensor::new(memory.storage().clone(), dtype(shaped.element), shaped.shape, strides, offset).unwrap()
}

/// Calls a function of a module whose kernels are in `gpu`.
pub fn call(module: &Module, gpu: &Gpu, name: &str, arguments: &[Value], order: Order) -> Vec<Value> {
    let mut next = module.body().first_operation();
    let function = loop {
        let op = next.unwrap_or_else(|| panic!("no function {name}"));
        let own = op.attribute("sym_name").map(attributes::string);
        if op.name().as_string_ref().as_str() == Ok("func.func") && own.as_deref() == Ok(name) {
            break op;
        }
        next = op.next_in_block();
    };
    let block = function.region(0).unwrap().first_block().unwrap();
    let mut values: HashMap<usize, Value> = HashMap::new();
    for (i, argument) in arguments.iter().enumerate() {
        values.insert(key(block.argument(i).unwrap().into()), argument.clone());
    }
    let mut next = block.first_operation();
    while let Some(op) = next {
        if op.name().as_string_ref().as_str() == Ok("func.return") {
            let result =
                |operand: IrValue| view(operand.r#type(), values[&key(operand)].as_tensor().unwrap()).into();
            return op.operands().map(result).collect();
        }
        step(op, gpu, &mut values, order);
        next = op.next_in_block();
    }
    panic!("{name} does not return")
}

fn step(op: OperationRef, gpu: &Gpu, values: &mut HashMap<usize, Value>, order: Order) {
    let name = op.name();
    let value = |i: usize| values[&key(op.operand(i).unwrap())].clone();
    let result = match name.as_string_ref().as_str().unwrap() {
        "arith.constant" => {
            let number = op.attribute("value").unwrap();
            let ty = op.result(0).unwrap().r#type();
            if unsafe { mlir_sys::mlirTypeIsAFloat(ty.to_raw()) } {
                Scalar::Float(attributes::f64(number)).into()
            } else {
                Scalar::Int(attributes::i64(number)).into()
            }
        }
        "memref.alloc" => {
            let shaped = Shaped::of(op.result(0).unwrap().r#type()).unwrap();
            let memory = Tensor::zeros(dtype(shaped.element), &shaped.shape).unwrap();
            // What is not written shows.
            memory.storage().write_bytes(0, &vec![0x7f; memory.storage().len()]);
            memory.into()
        }
        "memref.cast"
        | "memref.subview"
        | "memref.reinterpret_cast"
        | "memref.collapse_shape"
        | "memref.expand_shape" => value(0),
        "memref.dealloc" => return,
        "memref.load" => {
            let indices: Vec<i64> =
                (1..op.operand_count()).map(|i| value(i).as_scalar().unwrap().to_i64()).collect();
            let memory = view(op.operand(0).unwrap().r#type(), value(0).as_tensor().unwrap());
            memory.get(&indices).unwrap().into()
        }
        "arith.trunci" if op.result(0).unwrap().r#type().to_string() == "i1" => {
            Scalar::Bool(value(0).as_scalar().unwrap().to_i64() & 1 != 0).into()
        }
        "cf.assert" => {
            assert!(value(0).as_scalar().unwrap().to_bool(), "{op}");
            return;
        }
        "gpu.launch_func" => {
            let number = |i: usize| value(i).as_scalar().unwrap().to_i64();
            let mut words = vec![];
            for i in 6..op.operand_count() {
                let operand = op.operand(i).unwrap();
                words.push(match &values[&key(operand)] {
                    Value::Tensor(tensor) => tensor.storage().as_ptr() as u64,
                    Value::Scalar(scalar) => word(*scalar, operand.r#type()),
                });
            }
            let kernel = attributes::symbol(op.attribute("kernel").unwrap());
            gpu.launch(&kernel, number(0), number(3) as usize, &words, order);
            return;
        }
        other => panic!("the host does no {other}"),
    };
    values.insert(key(op.result(0).unwrap().into()), result);
}
