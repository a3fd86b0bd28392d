//! What is wrong is said in one line, at its place.

mod common;
use common::*;
use melior::ir::Module;
use terrace_native::*;
use terrace_tensor::Scalar;

fn signature_error(source: &str) -> String {
    let context = context();
    let module = Module::parse(&context, source).unwrap();
    signatures(&module).unwrap_err().to_string()
}

#[test]
fn types_that_no_caller_could_serve() {
    let takes = |ty: &str| signature_error(&format!("func.func @f(%a: {ty}) {{ return }}"));
    assert_eq!(
        takes("tensor<4xf32>"),
        "-:1:1: @f cannot be an entry point: argument 0 has type tensor<4xf32>, \
         expected a ranked memref, a float, an integer, an index or a complex number"
    );
    assert!(takes("i7").contains("has type i7, expected a ranked memref, a float"));
    assert!(takes("memref<*xf32>").contains("expected a ranked memref"));
    assert!(takes("memref<4xf32, 1>").contains("expected a memref in the default memory space"));
    assert!(takes("memref<4xi7>").contains("expected elements that a tensor can have"));
    assert!(takes("memref<4xf32, affine_map<(i) -> (i mod 2)>>").contains("expected a strided layout"));
}

#[test]
fn private_functions_and_declarations_are_no_entry_points() {
    let context = context();
    let source = "func.func private @f(%a: tensor<4xf32>) { return }
        func.func private @g(tensor<4xf32>)
        func.func @h() { return }";
    let module = Module::parse(&context, source).unwrap();
    let names: Vec<_> = signatures(&module).unwrap().into_iter().map(|s| s.name).collect();
    assert_eq!(names, ["h"]);
}

#[test]
fn a_module_that_is_not_lowered() {
    let context = context();
    let compile = |source: &str| {
        let module = Module::parse(&context, source).unwrap();
        match Code::x86(&module, Vec::new(), &Cpu::host(), OptLevel::Fast) {
            Ok(_) => panic!("compiled"),
            Err(error) => error.to_string(),
        }
    };
    assert_eq!(
        compile("llvm.func @f()\nfunc.func @g() { return }"),
        "-:2:1: 'func.func' is not in the LLVM dialect, lower the module first"
    );
    assert!(compile("gpu.module @k { llvm.func @f() }").contains("'gpu.module' is not in the LLVM dialect"));
    let inner =
        compile("llvm.func @f(%x: i32) -> i32 {\n  %r = arith.addi %x, %x : i32\n  llvm.return %r : i32 }");
    assert!(inner.starts_with("cannot translate the module to LLVM IR:\n-:2:8: "), "{inner}");
    assert!(inner.contains("arith.addi"), "{inner}");
}

#[test]
fn a_symbol_that_nobody_defines() {
    let code = code(
        "func.func private @nowhere_to_be_found(f32) -> f32
        func.func @f(%x: f32) -> f32 { %r = func.call @nowhere_to_be_found(%x) : (f32) -> f32
          return %r : f32 }",
    );
    let error = Loaded::load(&code).err().unwrap().to_string();
    assert!(error.starts_with("cannot link the compiled code: "), "{error}");
    assert!(error.contains("nowhere_to_be_found"), "{error}");
}

#[test]
fn calls_are_checked_against_the_signature() {
    let session = session("func.func @f(%a: memref<2x?xf32>, %n: i32) { return }");
    let mut data = vec![0f32; 8];
    let mut call = |sizes: &[i64], n: Scalar| {
        let a = MemRef::from_slice(&mut data, sizes).unwrap();
        match session.call(&terrace_native::Context::new(), "f", &[Arg::MemRef(a), Arg::Scalar(n)]) {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        }
    };
    assert_eq!(call(&[2, 4], Scalar::Int(1)), "");
    assert_eq!(
        call(&[4, 2], Scalar::Int(1)),
        "call of @f: argument 0: expected memref<2x?xf32>, got sizes [4, 2]"
    );
    assert_eq!(call(&[8], Scalar::Int(1)), "call of @f: argument 0: expected memref<2x?xf32>, got sizes [8]");
    assert!(
        call(&[2, 4], Scalar::Int(1 << 31))
            .starts_with("call of @f: argument 1: expected a number of type i32")
    );
    assert!(call(&[2, 4], Scalar::Float(1.0)).contains("expected a number of type i32"));
    let error =
        |args: &[Arg]| session.call(&terrace_native::Context::new(), "f", args).unwrap_err().to_string();
    assert_eq!(error(&[]), "call of @f: expected 2 arguments, got 0");
    let one = || Arg::Scalar(Scalar::Int(1));
    assert!(error(&[one(), one()]).contains("argument 0: expected memref<2x?xf32>, got a number"));
    let mut other = vec![0f64; 8];
    let wrong = Arg::MemRef(MemRef::from_slice(&mut other, &[2, 4]).unwrap());
    assert!(error(&[wrong, one()]).contains("got elements of type f64"));
    // SAFETY: all elements of the view are in the vector, which lives until after the call.
    let transposed = unsafe {
        MemRef::from_raw(terrace_tensor::Dtype::F32, data.as_mut_ptr().cast(), 0, vec![2, 4], vec![1, 2])
    };
    assert!(error(&[Arg::MemRef(transposed), one()]).contains("got sizes [2, 4] with strides [1, 2]"));
    let error = session.call(&terrace_native::Context::new(), "g", &[]).unwrap_err().to_string();
    assert_eq!(error, "no entry point @g, there is @f");
    let error = MemRef::from_slice(&mut data, &[3, 3]).unwrap_err().to_string();
    assert_eq!(error, "8 elements do not fill sizes [3, 3]");
}

#[test]
fn an_error_of_the_code_itself() {
    let context = context();
    let source = r#"
        llvm.mlir.global private constant @message("index is out of range\00")
        llvm.mlir.global private constant @place("model.py:7\00")
        llvm.func @terrace_rt_set_error(!llvm.ptr, !llvm.ptr, !llvm.ptr)
        llvm.func @_mlir_ciface_f(%context: !llvm.ptr) attributes {passthrough = ["terrace-context"]} {
          %m = llvm.mlir.addressof @message : !llvm.ptr
          %p = llvm.mlir.addressof @place : !llvm.ptr
          llvm.call @terrace_rt_set_error(%context, %m, %p) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
          llvm.return
        }"#;
    let module = Module::parse(&context, source).unwrap();
    let signature = Signature { name: "f".into(), arguments: vec![], results: vec![] };
    let code = Code::x86(&module, vec![signature], &Cpu::host(), OptLevel::Fast).unwrap();
    let session = Loaded::load(&code).unwrap();
    for _ in 0..2 {
        assert_eq!(
            session.call(&terrace_native::Context::new(), "f", &[]).unwrap_err().to_string(),
            "model.py:7: @f: index is out of range"
        );
    }
}

#[test]
fn an_entry_point_that_the_module_lacks() {
    let context = context();
    let module = Module::parse(&context, "llvm.func @f() { llvm.return }").unwrap();
    let signature = Signature { name: "f".into(), arguments: vec![], results: vec![] };
    let code = Code::x86(&module, vec![signature], &Cpu::host(), OptLevel::Fast).unwrap();
    let error = Loaded::load(&code).err().unwrap().to_string();
    assert!(error.contains("_terrace_packed_f"), "{error}");
}
