//! Kernels for a GPU, run on an emulator of one, against the interpreter.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod common;

use common::context;
use melior::{Context, ir::Module, pass::PassManager, utility::parse_pass_pipeline};
use terrace_dialects::ir::OperationLike;
use terrace_emulator::{Gpu, Order};
use terrace_interpreter::Interpreter;
use terrace_lowering::pipeline::{Target, gpu, gpu_host, gpu_to_nvvm};
use terrace_native::{Code, Cpu, GpuCode, GpuProgram, OptLevel, Ptxas, Signature, kernels};
use terrace_tensor::{Dtype, Scalar, Tensor, Value};

/// A tensor of numbers that are exact in f32 and differ from their neighbours.
fn tensor(dtype: Dtype, sizes: &[i64]) -> Value {
    let count: i64 = sizes.iter().product();
    let numbers: Vec<f64> = (0..count).map(|i| ((i * 37 + 11) % 101) as f64 - 50.0).collect();
    Tensor::from_elements(dtype, sizes, &numbers).unwrap().into()
}

fn floats(sizes: &[i64]) -> Value {
    tensor(Dtype::F32, sizes)
}

/// The same values in memory of their own.
fn copies(values: &[Value]) -> Vec<Value> {
    let copy = |value: &Value| match value {
        Value::Tensor(t) => {
            let elements = t.to_vec();
            Value::from(Tensor::from_elements(t.dtype(), t.sizes(), &elements).unwrap())
        }
        other => other.clone(),
    };
    values.iter().map(copy).collect()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_tensor().map_or(vec![], |tensor| tensor.to_vec().into_iter().map(Scalar::to_f64).collect())
}

fn compare(what: &str, expected: &[Value], actual: &[Value]) {
    assert_eq!(expected.len(), actual.len(), "{what}");
    for (n, (expected, actual)) in expected.iter().zip(actual).enumerate() {
        let (expected, actual) = (numbers(expected), numbers(actual));
        assert_eq!(expected.len(), actual.len(), "value {n} of {what}");
        for (i, (e, a)) in expected.iter().zip(&actual).enumerate() {
            let near = (e - a).abs() <= 1e-5 + 2e-5 * e.abs() || e == a || (e.is_nan() && a.is_nan());
            assert!(near, "element {i} of value {n} of {what}: expected {e}, got {a}");
        }
    }
}

fn run<'c>(context: &'c Context, module: &mut Module<'c>, passes: &str) {
    let manager = PassManager::new(context);
    let text = format!("builtin.module({passes})");
    parse_pass_pipeline(manager.as_operation_pass_manager(), &text).unwrap_or_else(|e| panic!("{text}: {e}"));
    manager.run(module).unwrap_or_else(|_| panic!("{passes} refuses {}", module.as_operation()));
}

/// Runs `@main` by the interpreter and, brought down by `passes`, on the emulator, in both orders of threads.
fn check(source: &str, passes: &str, arguments: &[Value]) {
    let context = context();
    let mut module = Module::parse(&context, source).unwrap_or_else(|| panic!("no program:\n{source}"));
    assert!(module.as_operation().verify());
    let mut expected = copies(arguments);
    let results = Interpreter::new(&module).call("main", expected.clone()).unwrap();
    expected.extend(results);
    run(&context, &mut module, &format!("{passes},{}", gpu_to_nvvm(true)));
    let program = Program::new(&context, &mut module);
    if let Ok(ptxas) = Ptxas::find() {
        ptxas.assemble(&program.code.ptx().unwrap(), "sm_90").unwrap_or_else(|e| panic!("{e}:\n{source}"));
    }
    for order in [Order::Forward, Order::Backward] {
        let actual = program.run(arguments, order).unwrap_or_else(|e| panic!("{e}:\n{source}"));
        compare(&format!("{passes}, {order:?}, of\n{source}"), &expected, &actual);
    }
}

/// A program whose kernels are in a `gpu.module` in the NVVM dialect.
struct Program {
    code: GpuCode,
    host: Code,
}

impl Program {
    fn new<'c>(context: &'c Context, module: &mut Module<'c>) -> Self {
        let own = kernels(module).pop().unwrap().1;
        let code = GpuCode::nvptx(&own, "sm_90", OptLevel::Fast).unwrap();
        let signatures = Signature::export(module).unwrap();
        run(
            context,
            module,
            &gpu_host(&Target { cpu: "x86-64".into(), call_context: true, check_accesses: false }),
        );
        let cpu = "x86-64".parse::<Cpu>().unwrap();
        Self { code, host: Code::x86(module, signatures, &cpu, OptLevel::None).unwrap() }
    }

    /// What becomes of the arguments of `@main`, and its results.
    fn run(&self, arguments: &[Value], order: Order) -> Result<Vec<Value>, String> {
        let device = Gpu::new(&self.code.llvm_ir(), order).map_err(|e| e.to_string())?;
        let program = GpuProgram::load(&self.host, self.code.kernels().to_vec(), Box::new(device));
        let mut values = copies(arguments);
        let results = program
            .unwrap()
            .run(&mut terrace_native::Context::new(), "main", &values, &[])
            .map_err(|e| e.to_string())?;
        values.extend(results);
        Ok(values)
    }
}

/// Checks a program of kernels, laid out over several numbers of threads.
fn check_kernel(source: &str, arguments: &[Value]) {
    for options in ["", "{threads=32}", "{threads=64 vector=8}", "{threads=128 vector=4}", "{threads=512}"] {
        let passes = format!(
            "kernel-assign-layouts{options},canonicalize,cse,convert-kernel-to-nvptx,canonicalize,cse"
        );
        check(source, &passes, arguments);
    }
}

/// Checks a program from the top, of any level above kernels.
fn check_graph(source: &str, arguments: &[Value]) {
    check(source, &gpu("sm_90", false), arguments);
}

#[test]
fn tiles_of_many_sizes() {
    for n in [1, 2, 20, 33, 48, 64, 100, 256, 1000, 1024, 1026, 2048, 4096] {
        let rest = n - n / 3;
        check_kernel(
            &format!(
                "kernel.func @k(%x: memref<2x{n}xf32>, %y: memref<2x{n}xf32>, %s: memref<2xf32>, %k: f32) grid(%i in 2) {{
                   %c0 = arith.constant 0 : index
                   %zero = arith.constant 7.0 : f32
                   %rest = arith.constant {rest} : index
                   %kt = tensor.splat %k : tensor<{n}xf32>
                   %a = kernel.load %x[%i, %c0 : {n}] valid(%rest) else %zero : memref<2x{n}xf32>, f32
                   %b = arith.mulf %a, %kt : tensor<{n}xf32>
                   %sum = kernel.reduce add %b : tensor<{n}xf32>
                   %max = kernel.reduce max %b : tensor<{n}xf32>
                   %both = arith.addf %sum, %max : f32
                   memref.store %both, %s[%i] : memref<2xf32>
                   %bt = tensor.splat %both : tensor<{n}xf32>
                   %c = arith.addf %b, %bt : tensor<{n}xf32>
                   kernel.store %c, %y[%i, %c0 : {n}] valid(%rest) : tensor<{n}xf32>, memref<2x{n}xf32>
                   kernel.return
                 }}
                 func.func @main(%x: memref<2x{n}xf32>, %y: memref<2x{n}xf32>, %s: memref<2xf32>) {{
                   %k = arith.constant 3.0 : f32
                   kernel.launch @k grid [2] (%x, %y, %s, %k)
                     : memref<2x{n}xf32>, memref<2x{n}xf32>, memref<2xf32>, f32
                   return
                 }}"
            ),
            &[floats(&[2, n]), floats(&[2, n]), floats(&[2])],
        );
    }
}

#[test]
fn in_place_and_in_loops() {
    check_kernel(
        "kernel.func @k(%x: memref<4160xf32>, %y: memref<4160xf32>) grid() {
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %c8 = arith.constant 8 : index
           %c256 = arith.constant 256 : index
           %c4096 = arith.constant 4096 : index
           scf.for %j = %c0 to %c4096 step %c256 {
             %a = kernel.load %x[%j : 256] : memref<4160xf32>
             %b = arith.addf %a, %a : tensor<256xf32>
             kernel.store %b, %x[%j : 256] : tensor<256xf32>, memref<4160xf32>
           }
           scf.for %j = %c0 to %c8 step %c1 {
             %next = arith.addi %j, %c1 : index
             %a = kernel.load %x[%j * 3 : 1024] : memref<4160xf32>
             %b = kernel.load %x[%j * 3 + 1024 : 1024 : 2] : memref<4160xf32>
             %c = arith.subf %a, %b : tensor<1024xf32>
             %k = memref.load %x[%j] : memref<4160xf32>
             memref.store %k, %x[%next] : memref<4160xf32>
             kernel.store %c, %x[%j * 2 + 1 : 1024] : tensor<1024xf32>, memref<4160xf32>
           }
           %d = kernel.load %x[%c0 : 2048] : memref<4160xf32>
           kernel.store %d, %y[%c0 + 5 : 2048 : 2] : tensor<2048xf32>, memref<4160xf32>
           kernel.return
         }
         func.func @main(%x: memref<4160xf32>, %y: memref<4160xf32>) {
           kernel.launch @k grid [] (%x, %y) : memref<4160xf32>, memref<4160xf32>
           return
         }",
        &[floats(&[4160]), floats(&[4160])],
    );
}

#[test]
fn two_dimensions() {
    for (m, n) in [(8, 128), (1, 64), (64, 32), (6, 20), (16, 1), (32, 256)] {
        check_kernel(
            &format!(
                "kernel.func @k(%x: memref<{m}x{n}xf32>, %row: memref<{n}xf32>, %col: memref<{m}xf32>, %y: memref<{n}x{m}xf32>) grid() {{
                   %c0 = arith.constant 0 : index
                   %m1 = arith.constant {} : index
                   %n1 = arith.constant {} : index
                   %zero = arith.constant 1.0 : f32
                   %a = kernel.load %x[%c0 : {m}, %c0 : {n}] valid(%m1, %n1) else %zero : memref<{m}x{n}xf32>, f32
                   %max = kernel.reduce max %a along 1 : tensor<{m}x{n}xf32>
                   %maxb = kernel.broadcast %max to [0] : tensor<{m}xf32> -> tensor<{m}x{n}xf32>
                   %b = arith.subf %a, %maxb : tensor<{m}x{n}xf32>
                   %sum = kernel.reduce add %b along 0 : tensor<{m}x{n}xf32>
                   %r = kernel.load %row[%c0 : {n}] : memref<{n}xf32>
                   %rs = arith.addf %r, %sum : tensor<{n}xf32>
                   kernel.store %rs, %row[%c0 : {n}] : tensor<{n}xf32>, memref<{n}xf32>
                   %rsb = kernel.broadcast %rs to [1] : tensor<{n}xf32> -> tensor<{m}x{n}xf32>
                   %c = arith.mulf %b, %rsb : tensor<{m}x{n}xf32>
                   %all = kernel.reduce add %c : tensor<{m}x{n}xf32>
                   %columns = kernel.reduce add %c along 1 : tensor<{m}x{n}xf32>
                   %allt = tensor.splat %all : tensor<{m}xf32>
                   %d = arith.addf %columns, %allt : tensor<{m}xf32>
                   kernel.store %d, %col[%c0 : {m}] : tensor<{m}xf32>, memref<{m}xf32>
                   %u = kernel.load %y[%c0 : {n}, %c0 : {m}] : memref<{n}x{m}xf32>
                   %us = kernel.reduce add %u along 0 : tensor<{n}x{m}xf32>
                   %usb = kernel.broadcast %us to [1] : tensor<{m}xf32> -> tensor<{n}x{m}xf32>
                   %v = arith.subf %u, %usb : tensor<{n}x{m}xf32>
                   kernel.store %v, %y[%c0 : {n}, %c0 : {m}] valid(%n1, %m1) : tensor<{n}x{m}xf32>, memref<{n}x{m}xf32>
                   kernel.return
                 }}
                 func.func @main(%x: memref<{m}x{n}xf32>, %row: memref<{n}xf32>, %col: memref<{m}xf32>, %y: memref<{n}x{m}xf32>) {{
                   kernel.launch @k grid [] (%x, %row, %col, %y)
                     : memref<{m}x{n}xf32>, memref<{n}xf32>, memref<{m}xf32>, memref<{n}x{m}xf32>
                   return
                 }}",
                m - m / 3,
                n - n / 4
            ),
            &[floats(&[m, n]), floats(&[n]), floats(&[m]), floats(&[n, m])],
        );
    }
}

/// Tiles of indices, masks and constants; elements of 1, 2 and 8 bytes.
#[test]
fn elements_of_every_kind() {
    check_kernel(
        "kernel.func @k(%x: memref<300xf64>, %h: memref<256xf16>, %i: memref<256xi64>, %b: memref<256xi8>, %y: memref<512xf64>) grid() {
           %c0 = arith.constant 0 : index
           %zero = arith.constant 0.5 : f64
           %at = kernel.load %i[%c0 : 256] : memref<256xi64>
           %iota = kernel.iota : tensor<256xindex>
           %wide = arith.index_cast %iota : tensor<256xindex> to tensor<256xi64>
           %sum = arith.addi %at, %wide : tensor<256xi64>
           %places = arith.index_cast %sum : tensor<256xi64> to tensor<256xindex>
           %byte = kernel.load %b[%c0 : 256] : memref<256xi8>
           %on = arith.trunci %byte : tensor<256xi8> to tensor<256xi1>
           %g = kernel.gather %x[%places] mask %on else %zero : memref<300xf64>, tensor<256xindex> mask tensor<256xi1>, f64 -> tensor<256xf64>
           %any = kernel.reduce max %on : tensor<256xi1>
           %all = kernel.reduce min %on : tensor<256xi1>
           %most = kernel.reduce max %sum : tensor<256xi64>
           %total = kernel.reduce add %g : tensor<256xf64>
           %numbers = arith.constant dense<[3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0]> : tensor<8xf64>
           kernel.store %numbers, %y[%c0 + 300 : 8] : tensor<8xf64>, memref<512xf64>
           %product = kernel.reduce mul %numbers : tensor<8xf64>
           %half = kernel.load %h[%c0 : 256] : memref<256xf16>
           %least = kernel.reduce min %half : tensor<256xf16>
           %halves = arith.extf %half : tensor<256xf16> to tensor<256xf64>
           %out = arith.addf %g, %halves : tensor<256xf64>
           kernel.scatter %out, %y[%places] mask %on : tensor<256xf64>, memref<512xf64>, tensor<256xindex> mask tensor<256xi1>
           %mostf = arith.sitofp %most : i64 to f64
           %leastf = arith.extf %least : f16 to f64
           %anyf = arith.uitofp %any : i1 to f64
           %allf = arith.uitofp %all : i1 to f64
           memref.store %mostf, %y[%c0] : memref<512xf64>
           %c1 = arith.constant 400 : index
           memref.store %leastf, %y[%c1] : memref<512xf64>
           %c2 = arith.constant 401 : index
           memref.store %anyf, %y[%c2] : memref<512xf64>
           %c3 = arith.constant 402 : index
           memref.store %allf, %y[%c3] : memref<512xf64>
           %c4 = arith.constant 403 : index
           memref.store %total, %y[%c4] : memref<512xf64>
           %c5 = arith.constant 404 : index
           memref.store %product, %y[%c5] : memref<512xf64>
           kernel.return
         }
         func.func @main(%x: memref<300xf64>, %h: memref<256xf16>, %i: memref<256xi64>, %b: memref<256xi8>, %y: memref<512xf64>) {
           kernel.launch @k grid [] (%x, %h, %i, %b, %y)
             : memref<300xf64>, memref<256xf16>, memref<256xi64>, memref<256xi8>, memref<512xf64>
           return
         }",
        &[
            tensor(Dtype::F64, &[300]),
            tensor(Dtype::F16, &[256]),
            Tensor::from_elements(Dtype::I64, &[256], &(0..256).map(|i| i % 32).collect::<Vec<i64>>()).unwrap().into(),
            Tensor::from_elements(Dtype::I8, &[256], &(0..256).map(|i| i64::from(i % 32 == 0 || i == 5)).collect::<Vec<i64>>())
                .unwrap()
                .into(),
            tensor(Dtype::F64, &[512]),
        ],
    );
}

/// Layouts that a human wrote: several vectors a thread, vectors down a column, threads without a part of their own, and
/// conversions between them, on memory that both sides touch.
#[test]
fn layouts_by_hand() {
    let layouts = [
        "<threads = [64, 2], vector = [1, 4]>",
        "<threads = [2, 64], vector = [2, 1]>",
        "<threads = [16, 8], vector = [4, 1], order = [0, 1]>",
        "<threads = [1, 128], vector = [16, 4]>",
        "<threads = [128, 1], vector = [1, 32], order = [0, 1]>",
        "<threads = [2, 8, 8], vector = [1, 2, 2], order = [1, 0, 2], without = [1]>",
    ];
    for (a, b) in [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 2), (5, 3)] {
        let source = "#a = #kernel.layoutAAAA
             #b = #kernel.layoutBBBB
             kernel.func @k(%x: memref<64x32xf32>, %y: memref<64x32xf32>, %z: memref<32xf32>) grid() {
               %c0 = arith.constant 0 : index
               %c1 = arith.constant 1 : index
               %c3 = arith.constant 3 : index
               scf.for %j = %c0 to %c3 step %c1 {
                 %p = kernel.load %x[%c0 : 64, %c0 : 32] layout #a : memref<64x32xf32>
                 %q = arith.addf %p, %p : tensor<64x32xf32, #a>
                 %c = kernel.convert_layout %q : tensor<64x32xf32, #a> -> tensor<64x32xf32, #b>
                 %m = kernel.reduce max %c along 0 : tensor<64x32xf32, #b>
                 %mb = kernel.broadcast %m to [1] : TYPE -> tensor<64x32xf32, #b>
                 %d = arith.subf %c, %mb : tensor<64x32xf32, #b>
                 kernel.store %d, %x[%c0 : 64, %c0 : 32] : tensor<64x32xf32, #b>, memref<64x32xf32>
                 %e = kernel.load %x[%c0 : 64, %c0 : 32] layout #a : memref<64x32xf32>
                 kernel.store %e, %y[%c0 : 64, %c0 : 32] : tensor<64x32xf32, #a>, memref<64x32xf32>
                 kernel.store %m, %z[%c0 : 32] : TYPE, memref<32xf32>
               }
               kernel.return
             }
             func.func @main(%x: memref<64x32xf32>, %y: memref<64x32xf32>, %z: memref<32xf32>) {
               kernel.launch @k grid [] (%x, %y, %z) : memref<64x32xf32>, memref<64x32xf32>, memref<32xf32>
               return
             }";
        // The layout without its dimension 0.
        let of_result = match layouts[b].strip_suffix(", without = [1]>") {
            Some(rest) => format!("{rest}, without = [0, 1]>"),
            None => format!("{}, without = [0]>", layouts[b].trim_end_matches('>')),
        };
        let source = source
            .replace("TYPE", &format!("tensor<32xf32, #kernel.layout{of_result}>"))
            .replace("AAAA", layouts[a])
            .replace("BBBB", layouts[b]);
        check(&source, "convert-kernel-to-nvptx", &[floats(&[64, 32]), floats(&[64, 32]), floats(&[32])]);
    }
}

#[test]
fn programs_of_graph_tensors() {
    check_graph(
        "func.func @main(%s: !graph.tensor<6x1500xf32>, %mask: !graph.tensor<1x1500xf32>)
             -> (!graph.tensor<6x1500xf32>, !graph.tensor<6xf32>, !graph.tensor<1500xf32>) {
           %k = arith.constant 1.250000e-01 : f64
           %0 = graph.mul %s, %k : !graph.tensor<6x1500xf32>, f64
           %1 = graph.add %0, %mask : !graph.tensor<6x1500xf32>, !graph.tensor<1x1500xf32>
           %2 = graph.softmax %1 {dim = -1 : i64} : !graph.tensor<6x1500xf32>
           %3 = graph.sum %s {dim = array<i64: 1>} : !graph.tensor<6x1500xf32>
           %4 = graph.amax %s {dim = array<i64: 0>} : !graph.tensor<6x1500xf32>
           return %2, %3, %4 : !graph.tensor<6x1500xf32>, !graph.tensor<6xf32>, !graph.tensor<1500xf32>
         }",
        &[floats(&[6, 1500]), floats(&[1, 1500])],
    );
    check_graph(
        "func.func @main(%x: !graph.tensor<5x40x33xf32> {graph.storage = \"x\"},
                         %w: !graph.tensor<33xf32> {graph.storage = \"w\"}, %i: !graph.tensor<7xi64> {graph.storage = \"i\"})
             -> (!graph.tensor<33x40xf32>, !graph.tensor<7x33xf32>, !graph.tensor<5x40x33xf32>) {
           %0 = graph.select %x index [2] {dim = 0 : i64} : !graph.tensor<5x40x33xf32>
           %1 = graph.transpose %0 {dim0 = 0 : i64, dim1 = 1 : i64} : !graph.tensor<40x33xf32>
           %2 = graph.relu %1 : !graph.tensor<33x40xf32>
           %3 = graph.embedding %0, %i : !graph.tensor<40x33xf32>, !graph.tensor<7xi64>
           %4 = graph.mul_ %x, %w : !graph.tensor<5x40x33xf32>, !graph.tensor<33xf32>
           %5 = graph.layer_norm %4 weight %w : !graph.tensor<33xf32> bias %w : !graph.tensor<33xf32>
             {normalized_shape = array<i64: 33>} : !graph.tensor<5x40x33xf32>
           return %2, %3, %5 : !graph.tensor<33x40xf32>, !graph.tensor<7x33xf32>, !graph.tensor<5x40x33xf32>
         }",
        &[
            floats(&[5, 40, 33]),
            floats(&[33]),
            Tensor::from_elements(Dtype::I64, &[7], &[3i64, 0, 39, 3, 17, 20, 1]).unwrap().into(),
        ],
    );
}

/// Members that read what other threads have written in scratch memory, and points one after the other that combine.
#[test]
fn groups() {
    for n in [33, 1000, 2100] {
        let last = n - 1;
        check_graph(
            &format!(
                "func.func @main(%x: memref<9x{n}xf32>, %p0: memref<9x{n}xf32>, %t: memref<{n}xf32>, %m: memref<1xf32>) {{
                   %cold = arith.constant 0.03125 : f32
                   %size = arith.constant {n}.0 : f32
                   loop.group @softmax (%i = 9) into (%p0 as %p : memref<9x{n}xf32>) {{
                     %max = loop.reduction max over (%j = {n}) {{
                       %a = loop.load %x[%i, %j] : memref<9x{n}xf32>
                       loop.yield %a : f32
                     }} : f32
                     %exp = loop.pointwise (%j = {n}) {{
                       %a = loop.load %x[%i, %j] : memref<9x{n}xf32>
                       %d = arith.subf %a, %max : f32
                       %k = arith.mulf %d, %cold : f32
                       %e = math.exp %k : f32
                       loop.yield %e : f32
                     }} : tensor<{n}xf32>
                     %sum = loop.reduction add over (%j = {n}) {{
                       %e = loop.load %exp[{last} - %j] : tensor<{n}xf32>
                       loop.yield %e : f32
                     }} : f32
                     %out = loop.pointwise (%j = {n}) {{
                       %e = loop.load %exp[{last} - %j] : tensor<{n}xf32>
                       %f = arith.mulf %e, %size : f32
                       %q = arith.divf %f, %sum : f32
                       loop.yield %q : f32
                     }} : tensor<{n}xf32>
                     loop.in_parallel {{
                       loop.insert %out into %p at [%i, :] : tensor<{n}xf32> into memref<9x{n}xf32>
                     }}
                   }}
                   loop.group (%i = 9) into (%t as %d : memref<{n}xf32>, %m as %e : memref<1xf32>) {{
                     %row = loop.pointwise (%j = {n}) {{
                       %a = loop.load %x[%i, {last} - %j] : memref<9x{n}xf32>
                       %b = arith.mulf %a, %a : f32
                       loop.yield %b : f32
                     }} : tensor<{n}xf32>
                     %back = loop.pointwise (%j = {n}) {{
                       %a = loop.load %row[{last} - %j] : tensor<{n}xf32>
                       loop.yield %a : f32
                     }} : tensor<{n}xf32>
                     %first = loop.load %x[%i, 0] : memref<9x{n}xf32>
                     loop.in_parallel {{
                       loop.insert add %back into %d at [:] : tensor<{n}xf32> into memref<{n}xf32>
                       loop.insert max %first into %e at [0] : f32 into memref<1xf32>
                     }}
                   }}
                   return
                 }}"
            ),
            &[floats(&[9, n]), floats(&[9, n]), floats(&[n]), floats(&[1])],
        );
    }
}

/// A product of matrices, staged in shared memory, with an epilogue; rows, columns and inner indices are left over.
#[test]
fn products() {
    for (m, n, k) in [(1, 1, 1), (3, 5, 2), (64, 64, 16), (70, 130, 37), (1, 100, 64), (65, 1, 300)] {
        for b in ["!graph.tensor<KxNxf32>", "!graph.tensor<NxKxf32>"] {
            let turned = b.starts_with("!graph.tensor<N");
            let source = "func.func @main(%a: !graph.tensor<MxKxf32>, %b: TYPE, %c: !graph.tensor<Nxf32>) -> !graph.tensor<MxNxf32> {
                TURN
                %0 = graph.mm %a, %t : !graph.tensor<MxKxf32>, !graph.tensor<KxNxf32>
                %1 = graph.add %0, %c : !graph.tensor<MxNxf32>, !graph.tensor<Nxf32>
                %2 = graph.relu %1 : !graph.tensor<MxNxf32>
                return %2 : !graph.tensor<MxNxf32>
              }";
            let turn = match turned {
                true => "%t = graph.transpose %b {dim0 = 0 : i64, dim1 = 1 : i64} : TYPE",
                false => "%t = graph.clone %b : TYPE",
            };
            let source = source.replace("TURN", turn).replace("TYPE", b);
            let source = [("M", m), ("N", n), ("K", k)].iter().fold(source, |text, (name, size)| {
                text.replace(&format!("<{name}x"), &format!("<{size}x"))
                    .replace(&format!("x{name}x"), &format!("x{size}x"))
            });
            let sizes = if turned { [n, k] } else { [k, n] };
            check_graph(&source, &[floats(&[m, k]), floats(&sizes), floats(&[n])]);
        }
    }
}

/// What a program comes to on the emulator in either order, or what it says.
fn outcomes(context: &Context, text: &str, arguments: &[Value]) -> Vec<Result<Vec<Value>, String>> {
    let mut module = Module::parse(context, text).unwrap();
    run(context, &mut module, &gpu_to_nvvm(true));
    let program = Program::new(context, &mut module);
    [Order::Forward, Order::Backward].map(|order| program.run(arguments, order)).into()
}

fn differ(expected: &[Value], outcome: &Result<Vec<Value>, String>) -> bool {
    let Ok(actual) = outcome else { return true };
    let near = |(e, a): (f64, f64)| (e - a).abs() <= 1e-3 + 1e-3 * e.abs();
    expected.iter().zip(actual).any(|(e, a)| !numbers(e).into_iter().zip(numbers(a)).all(near))
}

/// Each barrier is needed, and missed where it is taken out, in whichever order threads run.
#[test]
fn a_dropped_barrier_is_caught() {
    let source = "func.func @main(%a: !graph.tensor<70x40xf32>, %b: !graph.tensor<40x66xf32>, %x: !graph.tensor<3x3000xf32>)
        -> (!graph.tensor<70x66xf32>, !graph.tensor<3x3000xf32>) {
      %0 = graph.mm %a, %b : !graph.tensor<70x40xf32>, !graph.tensor<40x66xf32>
      %1 = graph.softmax %x {dim = -1 : i64} : !graph.tensor<3x3000xf32>
      return %0, %1 : !graph.tensor<70x66xf32>, !graph.tensor<3x3000xf32>
    }";
    let context = context();
    let arguments = [floats(&[70, 40]), floats(&[40, 66]), floats(&[3, 3000])];
    let mut module = Module::parse(&context, source).unwrap();
    let mut expected = copies(&arguments);
    expected.extend(Interpreter::new(&module).call("main", expected.clone()).unwrap());
    run(&context, &mut module, &gpu("sm_90", false));
    let text = module.as_operation().to_string();
    for outcome in outcomes(&context, &text, &arguments) {
        assert!(!differ(&expected, &outcome), "{outcome:?}");
    }
    let lines: Vec<&str> = text.lines().collect();
    let barriers: Vec<usize> = (0..lines.len()).filter(|i| lines[*i].contains("gpu.barrier")).collect();
    assert!(barriers.len() >= 10);
    for barrier in barriers {
        let without: Vec<&str> = (0..lines.len()).filter(|i| *i != barrier).map(|i| lines[i]).collect();
        for outcome in outcomes(&context, &without.join("\n"), &arguments) {
            let error =
                outcome.expect_err(&format!("nobody misses the barrier after {}", lines[barrier - 1]));
            assert!(error.contains("a barrier is missing"), "{error}");
        }
    }
}

/// A mask with an element too many writes outside of a buffer, or what it should not; one with too few leaves something out.
#[test]
fn a_wrong_mask_is_caught() {
    let program = |rest: i64| {
        format!(
            "kernel.func @k(%x: memref<100xf32>, %y: memref<100xf32>) grid() {{
               %c0 = arith.constant 0 : index
               %zero = arith.constant 0.0 : f32
               %all = arith.constant 100 : index
               %rest = arith.constant {rest} : index
               %a = kernel.load %x[%c0 : 128] valid(%all) else %zero : memref<100xf32>, f32
               %one = arith.constant dense<1.0> : tensor<128xf32>
               %b = arith.addf %a, %one : tensor<128xf32>
               kernel.store %b, %y[%c0 : 128] valid(%rest) : tensor<128xf32>, memref<100xf32>
               kernel.return
             }}
             func.func @main(%x: memref<100xf32>, %y: memref<100xf32>) {{
               kernel.launch @k grid [] (%x, %y) : memref<100xf32>, memref<100xf32>
               return
             }}"
        )
    };
    let context = context();
    let arguments = [floats(&[100]), floats(&[100])];
    let expected = copies(&arguments);
    let right = Module::parse(&context, &program(100)).unwrap();
    Interpreter::new(&right).call("main", expected.clone()).unwrap();
    let emulate = |rest: i64| {
        let mut module = Module::parse(&context, &program(rest)).unwrap();
        run(&context, &mut module, "kernel-assign-layouts,canonicalize,cse,convert-kernel-to-nvptx");
        outcomes(&context, &module.as_operation().to_string(), &arguments)
    };
    assert!(emulate(100).iter().all(|outcome| !differ(&expected, outcome)));
    assert!(emulate(99).iter().all(|outcome| differ(&expected, outcome)));
    for outcome in emulate(101) {
        let error = outcome.unwrap_err();
        assert!(error.contains("kernel k writes outside of its buffers"), "{error}");
    }
}

/// Points that write the same elements: summed, the last one kept, with and without a dimension that tells them apart.
#[test]
fn points_that_meet() {
    for (n, width) in [(5, 40), (70, 130), (33, 1)] {
        check_graph(
            &format!(
                "func.func @main(%x: memref<{n}x{width}xf32>, %rows: memref<7x{width}xf32>, %sums: memref<7xf32>,
                                 %last: memref<5xf32>) {{
                   %seven = arith.constant 7 : index
                   loop.scatter add (%i = {n}, %j = {width}) into %rows {{
                     %row = arith.remui %i, %seven : index
                     %a = loop.load %x[%i, %j] : memref<{n}x{width}xf32>
                     loop.yield %a at [%row, %j] : f32
                   }} : memref<7x{width}xf32>
                   loop.scatter max (%i = {n}, %j = {width}) into %sums {{
                     %a = loop.load %x[%i, %j] : memref<{n}x{width}xf32>
                     loop.yield %a at [(%i + %j) mod 7] : f32
                   }} : memref<7xf32>
                   loop.scatter ordered (%i = {n}, %j = {width}) into %last {{
                     %a = loop.load %x[%i, %j] : memref<{n}x{width}xf32>
                     loop.yield %a at [(%i + %j) mod 5] : f32
                   }} : memref<5xf32>
                   return
                 }}"
            ),
            &[floats(&[n, width]), floats(&[7, width]), floats(&[7]), floats(&[5])],
        );
    }
}
