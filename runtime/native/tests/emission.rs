//! Text and objects, and a C program that calls one.

mod common;
use common::*;
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};
use terrace_native::*;
use terrace_tensor::Scalar;

const ROWS: &str = r#"
func.func private @twice(%x: f32) -> f32 {
  %r = arith.addf %x, %x : f32
  return %r : f32
}
func.func @double.rows(%a: memref<?x16xf32>, %n: index) -> (memref<?x16xf32>, i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc(%n) {alignment = 64 : i64} : memref<?x16xf32>
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %v = vector.transfer_read %a[%i, %c0], %z {in_bounds = [true]} : memref<?x16xf32>, vector<16xf32>
    %w = arith.addf %v, %v : vector<16xf32>
    vector.transfer_write %w, %r[%i, %c0] {in_bounds = [true]} : vector<16xf32>, memref<?x16xf32>
  }
  %any = arith.cmpi sgt, %n, %c0 : index
  return %r, %any : memref<?x16xf32>, i1
}
func.func @first(%a: memref<?xf32, strided<[1], offset: ?>>) -> f32 {
  %c0 = arith.constant 0 : index
  %v = memref.load %a[%c0] : memref<?xf32, strided<[1], offset: ?>>
  %r = func.call @twice(%v) : (f32) -> f32
  return %r : f32
}
"#;

#[test]
fn each_cpu_gets_its_own_vectors() {
    let assembly = |name: &str| code_for(ROWS, &name.parse().unwrap(), OptLevel::Fast).assembly().unwrap();
    let has = |text: &str, register: &str| text.contains(register);
    let [v1, v3, v4] = ["x86-64", "x86-64-v3", "x86-64-v4"].map(assembly);
    assert!(has(&v1, "xmm") && !has(&v1, "ymm"));
    assert!(has(&v3, "ymm") && !has(&v3, "zmm"));
    assert!(has(&v4, "zmm"));
}

#[test]
fn only_entry_points_are_visible() {
    let ir = code(ROWS).llvm_ir().unwrap();
    assert!(ir.contains("define i32 @_terrace_entry_double.rows("), "{ir}");
    assert!(ir.contains("define i32 @_terrace_packed_double.rows("), "{ir}");
    assert!(!ir.contains("define float @twice") && !ir.contains("@_mlir_ciface"), "{ir}");
    assert!(ir.contains("target triple = \"x86_64-unknown-linux-gnu\""), "{ir}");
}

#[test]
fn a_c_program_calls_the_object() {
    let code = code(ROWS);
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rows");
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join("rows.o"), code.object().unwrap()).unwrap();
    fs::write(dir.join("rows.h"), c_header("rows", code.signatures()).unwrap()).unwrap();
    let program = r#"
#include "rows.h"
#include "rows.h"
#include <stdio.h>
int main(void) {
  float data[48];
  for (int i = 0; i < 48; i++) data[i] = i;
  terrace_memref_2d_f32 a = {data, data, 0, {3, 16}, {16, 1}};
  terrace_double_rows_results r;
  terrace_rt_context *context = terrace_rt_context_create();
  int32_t status = terrace_double_rows(context, &r, &a, 3);
  float sum = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 16; j++) sum += r.r0.aligned[r.r0.offset + i * r.r0.strides[0] + j * r.r0.strides[1]];
  terrace_rt_free(context, r.r0.allocated);
  terrace_memref_1d_f32 b = {data, data, 5, {10}, {1}};
  float first;
  status += terrace_first(context, &first, &b);
  terrace_rt_context_destroy(context);
  printf("%g %d %g %d\n", sum, r.r1, first, status);
}
"#;
    fs::write(dir.join("main.c"), program).unwrap();
    let built = Command::new("cc")
        .args(["-Wall", "-Wextra", "-Werror", "-std=c11", "-o"])
        .args([dir.join("main"), dir.join("main.c"), dir.join("rows.o"), archive()])
        .args(["-lpthread", "-ldl", "-lm"])
        .status()
        .expect("no C compiler named cc");
    assert!(built.success());
    let output = Command::new(dir.join("main")).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "2256 1 10 0\n");
}

/// The runtime archive of this build: beside the test binary, under a name with a hash.
fn archive() -> PathBuf {
    let deps = env::current_exe().unwrap().parent().unwrap().to_path_buf();
    let archives = fs::read_dir(deps).unwrap().map(|entry| entry.unwrap()).filter(|entry| {
        let name = entry.file_name().into_string().unwrap_or_default();
        name.starts_with("libterrace_rt") && name.ends_with(".a")
    });
    archives.max_by_key(|entry| entry.metadata().unwrap().modified().unwrap()).expect("no archive").path()
}

#[test]
fn headers_are_c_and_cpp() {
    let context = context();
    let source =
        "func.func @f(%a: memref<f64>, %b: memref<2x3x4xi1>, %c: memref<5xcomplex<f32>>, %d: memref<5xbf16>,
        %i: i8, %j: index) -> memref<?xi64, strided<[2], offset: ?>> {
          %r = ub.poison : memref<?xi64, strided<[2], offset: ?>>
          return %r : memref<?xi64, strided<[2], offset: ?>> }
        func.func @int() { return }";
    let module = melior::ir::Module::parse(&context, source).unwrap();
    let text = c_header("a-b", &signatures(&module).unwrap()).unwrap();
    assert!(text.contains("#ifndef TERRACE_A_B_H"), "{text}");
    assert!(
        text.contains("int32_t terrace_int(terrace_rt_context *context) __asm__(\"_terrace_entry_int\");"),
        "{text}"
    );
    assert!(text.contains("-> memref<?xi64, strided<[2], offset: ?>> */"), "{text}");
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (file, compiler) in [("header.c", "cc"), ("header.cpp", "c++")] {
        let file = dir.join(file);
        fs::write(&file, &text).unwrap();
        let mut command = Command::new(compiler);
        let status = command.args(["-Wall", "-Werror", "-fsyntax-only"]).arg(&file).status();
        assert!(status.expect("no compiler").success(), "{text}");
    }
}

#[test]
fn names_that_become_one_in_c() {
    let void = |name: &str| Signature { name: name.into(), arguments: vec![], results: vec![] };
    let error = c_header("x", &[void("a.b"), void("a_b")]).unwrap_err().to_string();
    assert_eq!(error, "cannot write a C header: @a.b and @a_b are both terrace_a_b");
}

#[test]
fn parts_are_one_program() {
    // Enough for several threads: functions that call each other across parts, a constant that all of them
    // read, and a variable that all of them add to.
    let globals = "memref.global \"private\" constant @table : memref<2xf32> = dense<[-0.5, -0.25]>\n\
                   memref.global \"private\" @count : memref<1xf32> = dense<0.0>\n";
    let step = |i: usize| {
        let terms: String = (0..60)
            .map(|k| {
                format!(
                    "  %v{n} = arith.addf %v{k}, %t : f32\n  %w{k} = math.exp %v{n} : f32\n  %s{n} = arith.addf %s{k}, %w{k} : f32\n",
                    n = k + 1
                )
            })
            .collect();
        let next = match i {
            39 => "  return %s60 : f32".to_owned(),
            _ => format!(
                "  %r = func.call @f{}(%x) : (f32) -> f32\n  %q = arith.addf %r, %s60 : f32\n  return %q : f32",
                i + 1
            ),
        };
        format!(
            "func.func private @f{i}(%x: f32) -> f32 {{
               %c = arith.constant {} : index
               %zero = arith.constant 0 : index
               %one = arith.constant 1.0 : f32
               %g = memref.get_global @table : memref<2xf32>
               %t = memref.load %g[%c] : memref<2xf32>
               %n = memref.get_global @count : memref<1xf32>
               %before = memref.load %n[%zero] : memref<1xf32>
               %after = arith.addf %before, %one : f32
               memref.store %after, %n[%zero] : memref<1xf32>
               %v0 = arith.negf %x : f32
               %s0 = arith.negf %t : f32
             {terms}{next}
             }}\n",
            i % 2
        )
    };
    let steps: String = (0..40).map(step).collect();
    let source = format!(
        "{globals}{steps}func.func @main(%x: f32) -> (f32, f32) {{
           %zero = arith.constant 0 : index
           %r = func.call @f0(%x) : (f32) -> f32
           %n = memref.get_global @count : memref<1xf32>
           %count = memref.load %n[%zero] : memref<1xf32>
           return %r, %count : f32, f32
         }}"
    );
    let results = |code: &Code| {
        let session = Loaded::load(code).unwrap();
        let results = session
            .call(&terrace_native::Context::new(), "main", &[Arg::Scalar(Scalar::Float(3.0))])
            .unwrap();
        [0, 1].map(|i| results[i].scalar().unwrap().to_f64())
    };
    let (whole, divided) = (code(&source).with_threads(1), code(&source).with_threads(3));
    assert_eq!((whole.parts(), divided.parts()), (1, 3));
    let [sum, count] = results(&whole);
    assert!(sum.is_finite());
    assert_eq!(count, 40.0);
    assert_eq!(results(&whole), results(&divided));
}
