//! The lower levels: loop and kernel programs.

use melior::ir::Module;
use terrace_interpreter::{Error, Interpreter};
use terrace_tensor::{Dtype, Scalar, Tensor, Value};

fn run(text: &str, args: Vec<Value>) -> Result<Vec<Value>, Error> {
    let context = terrace_dialects::new_context();
    context.attach_diagnostic_handler(|_| true);
    let module = Module::parse(&context, text).expect("the text is a module");
    Interpreter::new(&module).call("f", args)
}

fn floats(sizes: &[i64], elements: &[f64]) -> Tensor {
    Tensor::from_elements(Dtype::F32, sizes, elements).unwrap()
}

fn elements(tensor: &Tensor) -> Vec<f64> {
    tensor.to_vec().into_iter().map(Scalar::to_f64).collect()
}

#[test]
fn a_row_maximum_is_taken_off() {
    let results = run(
        "func.func @f(%x: tensor<2x?xf32>, %n: index) -> tensor<2x?xf32> {
           %m0 = tensor.empty() : tensor<2xf32>
           %max = loop.reduction max (%i = 2) over (%j = %n) into %m0 {
             %a = loop.load %x[%i, %j] : tensor<2x?xf32>
             loop.yield %a : f32
           } : tensor<2xf32>
           %e0 = tensor.empty(%n) : tensor<2x?xf32>
           %out = loop.pointwise (%i = 2, %j = %n) into %e0 {
             %a = loop.load %x[%i, %j] : tensor<2x?xf32>
             %m = loop.load %max[%i] : tensor<2xf32>
             %d = arith.subf %a, %m : f32
             loop.yield %d : f32
           } : tensor<2x?xf32>
           return %out : tensor<2x?xf32>
         }",
        vec![floats(&[2, 3], &[1.0, 5.0, 3.0, -1.0, -2.0, -4.0]).into(), Scalar::Int(3).into()],
    )
    .unwrap();
    assert_eq!(elements(results[0].as_tensor().unwrap()), [-4.0, 0.0, -2.0, 0.0, -1.0, -3.0]);
}

#[test]
fn a_scan_combines_what_came_before() {
    let scanned = |mode: &str, along: &str| {
        let text = format!(
            "func.func @f(%x: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {{
               %s = loop.scan {mode} (%i = 2, %j = 3) along {along} into %o {{
                 %a = loop.load %x[%i, %j] : tensor<2x3xf32>
                 loop.yield %a : f32
               }} : tensor<2x3xf32>
               return %s : tensor<2x3xf32>
             }}"
        );
        let x = floats(&[2, 3], &[1.0, 5.0, 3.0, -1.0, -2.0, -4.0]);
        elements(run(&text, vec![x.clone().into(), x.into()]).unwrap()[0].as_tensor().unwrap())
    };
    assert_eq!(scanned("add", "%j"), [1.0, 6.0, 9.0, -1.0, -3.0, -7.0]);
    assert_eq!(scanned("add", "%i"), [1.0, 5.0, 3.0, 0.0, 3.0, -1.0]);
    assert_eq!(scanned("max reverse", "%j"), [5.0, 5.0, 3.0, -1.0, -2.0, -4.0]);
    assert_eq!(scanned("mul exclusive", "%j"), [1.0, 1.0, 5.0, 1.0, -1.0, 2.0]);
    assert_eq!(scanned("add exclusive reverse", "%j"), [8.0, 3.0, 0.0, -6.0, -4.0, 0.0]);
}

#[test]
fn a_scatter_keeps_the_rest() {
    let text = |place: &str| {
        format!(
            "func.func @f(%x: tensor<6xf32>, %s: tensor<2xf32>) -> tensor<6xf32> {{
               %u = loop.scatter (%i = 2) into %x {{
                 %v = loop.load %s[%i] : tensor<2xf32>
                 loop.yield %v at [{place}] : f32
               }} : tensor<6xf32>
               return %u : tensor<6xf32>
             }}"
        )
    };
    let args =
        || vec![floats(&[6], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]).into(), floats(&[2], &[-1.0, -2.0]).into()];
    let results = run(&text("%i * 2 + 1"), args()).unwrap();
    assert_eq!(elements(results[0].as_tensor().unwrap()), [0.0, -1.0, 2.0, -2.0, 4.0, 5.0]);
    let message = run(&text("%i floordiv 2"), args()).unwrap_err().message;
    assert_eq!(message, "'loop.scatter' op writes two values to the element at [0]");
    let message = run(&text("%i + 5"), args()).unwrap_err().message;
    assert_eq!(message, "'loop.scatter' op index [6] is out of range for a tensor of sizes [6]");
}

#[test]
fn a_masked_load_reads_only_where_the_mask_holds() {
    let x = floats(&[2], &[1.0, 2.0]);
    let y = floats(&[4], &[0.0; 4]);
    run(
        "func.func @f(%x: memref<2xf32>, %y: memref<4xf32>) {
           %two = arith.constant 2 : index
           %none = arith.constant -1.0 : f32
           loop.pointwise (%i = 4) into %y {
             %in = arith.cmpi ult, %i, %two : index
             %a = loop.load %x[%i] if %in else %none : memref<2xf32>, f32
             loop.yield %a : f32
           } : memref<4xf32>
           return
         }",
        vec![x.into(), y.clone().into()],
    )
    .unwrap();
    assert_eq!(elements(&y), [1.0, 2.0, -1.0, -1.0]);
}

#[test]
fn a_template_is_what_its_bodies_say() {
    let x = floats(&[2, 2], &[1.0, 2.0, 3.0, 4.0]);
    let y = floats(&[2, 2], &[10.0, 20.0, 30.0, 40.0]);
    run(
        "func.func @f(%x: memref<2x2xf32>, %y: memref<2x2xf32>) {
           kernel.matmul (%m = 2, %n = 2) over (%k = 2) into %y lhs {
             %a = loop.load %x[%m, %k] : memref<2x2xf32>
             loop.yield %a : f32
           } rhs {
             %b = loop.load %x[%n, %k] : memref<2x2xf32>
             %c = arith.addf %b, %b : f32
             loop.yield %c : f32
           } epilogue(%sum: f32) {
             %old = loop.load %y[%n, %m] : memref<2x2xf32>
             %s = arith.addf %sum, %old : f32
             loop.yield %s at [%n, %m] : f32
           } tile [1, 1] pack [true, true] : memref<2x2xf32>
           return
         }",
        vec![x.into(), y.clone().into()],
    )
    .unwrap();
    assert_eq!(elements(&y), [20.0, 42.0, 52.0, 90.0]);
}

#[test]
fn words_of_a_template_are_two_numbers_each() {
    let y = floats(&[1, 1], &[0.0]);
    // 1 and -2, and 3 and 0.5, as bf16, the first one in the lower half.
    run(
        "func.func @f(%y: memref<1x1xf32>) {
           kernel.matmul (%m = 1, %n = 1) over (%k = 2) into %y lhs {
             %a = arith.constant 0xC0003F80 : i32
             loop.yield %a : i32
           } rhs {
             %b = arith.constant 0x3F004040 : i32
             loop.yield %b : i32
           } : memref<1x1xf32>
           return
         }",
        vec![y.clone().into()],
    )
    .unwrap();
    assert_eq!(elements(&y), [4.0]);
}

#[test]
fn a_kernel_runs_once_per_point_of_its_grid() {
    let x = floats(&[2, 5], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    let sums = floats(&[2], &[0.0; 2]);
    let text = "kernel.func @row(%x: memref<2x5xf32>, %s: memref<2xf32>, %k: f32) grid(%i in 2) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %zero = arith.constant 0.0 : f32
        %kt = tensor.splat %k : tensor<4xf32>
        %a = kernel.load %x[%i, %c0 : 4] : memref<2x5xf32>
        %b = arith.mulf %a, %kt : tensor<4xf32>
        kernel.store %b, %x[%i, %c0 : 4] : tensor<4xf32>, memref<2x5xf32>
        %r = kernel.load %x[%i, %c4 : 4] valid(%c1) else %zero : memref<2x5xf32>, f32
        %t = arith.addf %b, %r : tensor<4xf32>
        %sum = kernel.reduce add %t : tensor<4xf32>
        %one = tensor.splat %sum : tensor<1xf32>
        kernel.store %one, %s[%i : 1] : tensor<1xf32>, memref<2xf32>
        kernel.return
      }
      func.func @f(%x: memref<2x5xf32>, %s: memref<2xf32>, %k: f32) {
        kernel.launch @row grid [2] (%x, %s, %k) : memref<2x5xf32>, memref<2xf32>, f32
        return
      }";
    run(text, vec![x.clone().into(), sums.clone().into(), Scalar::Float(2.0).into()]).unwrap();
    assert_eq!(elements(&x), [0.0, 2.0, 4.0, 6.0, 4.0, 10.0, 12.0, 14.0, 16.0, 9.0]);
    assert_eq!(elements(&sums), [16.0, 61.0]);
}

#[test]
fn scans_of_tiles_go_on_from_a_number() {
    let x = floats(&[4], &[1.0, 2.0, 3.0, 4.0]);
    let y = floats(&[5], &[0.0; 5]);
    let text = "kernel.func @k(%x: memref<4xf32>, %y: memref<5xf32>) grid() {
        %c0 = arith.constant 0 : index
        %c4 = arith.constant 4 : index
        %ten = arith.constant 10.0 : f64
        %t = kernel.load %x[%c0 : 4] : memref<4xf32>
        %r, %n = kernel.scan add %t from %ten : tensor<4xf32>, f64
        kernel.store %r, %y[%c0 : 4] : tensor<4xf32>, memref<5xf32>
        %last = arith.truncf %n : f64 to f32
        memref.store %last, %y[%c4] : memref<5xf32>
        kernel.return
      }
      func.func @f(%x: memref<4xf32>, %y: memref<5xf32>) {
        kernel.launch @k grid [] (%x, %y) : memref<4xf32>, memref<5xf32>
        return
      }";
    run(text, vec![x.into(), y.clone().into()]).unwrap();
    assert_eq!(elements(&y), [11.0, 13.0, 16.0, 20.0, 20.0]);
}

#[test]
fn tiles_are_multiplied_reduced_repeated_and_picked() {
    let x = floats(&[2, 2], &[1.0, 2.0, 3.0, 4.0]);
    let y = floats(&[2, 2], &[0.0; 4]);
    let z = floats(&[4], &[9.0; 4]);
    let text = "kernel.func @k(%x: memref<2x2xf32>, %y: memref<2x2xf32>, %z: memref<4xf32>) grid() {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %a = kernel.load %x[%c0 : 2, %c0 : 2] : memref<2x2xf32>
        %d = kernel.dot %a, %a, %a : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
        %m = kernel.reduce min %d along 1 : tensor<2x2xf32>
        %b = kernel.broadcast %m to [0] : tensor<2xf32> -> tensor<2x2xf32>
        %e = arith.subf %d, %b : tensor<2x2xf32>
        kernel.store %e, %y[%c0 : 2, %c0 : 2] : tensor<2x2xf32>, memref<2x2xf32>
        %i = kernel.iota : tensor<2xindex>
        %on = arith.constant dense<[false, true]> : tensor<2xi1>
        %other = arith.constant 7.0 : f32
        %g = kernel.gather %x[%i, %c1] mask %on else %other : memref<2x2xf32>, tensor<2xindex>, index mask tensor<2xi1>, f32 -> tensor<2xf32>
        %two = arith.constant dense<2> : tensor<2xindex>
        %to = arith.addi %i, %two : tensor<2xindex>
        kernel.scatter %g, %z[%to] : tensor<2xf32>, memref<4xf32>, tensor<2xindex>
        kernel.return
      }
      func.func @f(%x: memref<2x2xf32>, %y: memref<2x2xf32>, %z: memref<4xf32>) {
        kernel.launch @k grid [] (%x, %y, %z) : memref<2x2xf32>, memref<2x2xf32>, memref<4xf32>
        return
      }";
    run(text, vec![x.into(), y.clone().into(), z.clone().into()]).unwrap();
    assert_eq!(elements(&y), [0.0, 4.0, 0.0, 8.0]);
    assert_eq!(elements(&z), [9.0, 9.0, 7.0, 4.0]);
}

#[test]
fn a_kernel_is_not_called() {
    let text = "kernel.func @f(%x: memref<2xf32>) grid(%i in 2) { kernel.return }";
    let message = run(text, vec![floats(&[2], &[0.0; 2]).into()]).unwrap_err().message;
    assert_eq!(message, "'kernel.func' op is a kernel: it is launched, not called");
}

#[test]
fn points_of_a_group_insert_once() {
    let text = |place: &str, combiner: &str| {
        format!(
            "func.func @f(%x: tensor<4xf32>, %y: tensor<3x2xf32>) -> tensor<3x2xf32> {{
               %r = loop.group (%i = 4) into (%y as %d : tensor<3x2xf32>) {{
                 %row = loop.pointwise (%j = 2) {{
                   %v = loop.load %x[%i] : tensor<4xf32>
                   loop.yield %v : f32
                 }} : tensor<2xf32>
                 loop.in_parallel {{
                   loop.insert {combiner} %row into %d at [{place}, :] : tensor<2xf32> into tensor<3x2xf32>
                 }}
               }}
               return %r : tensor<3x2xf32>
             }}"
        )
    };
    let nan = f64::NAN;
    let args = |x: &[f64]| vec![floats(&[4], x).into(), floats(&[3, 2], &[9.0; 6]).into()];
    let apart = run(&text("%i floordiv 2", ""), args(&[1.0, 1.0, nan, nan])).unwrap();
    let got = elements(apart[0].as_tensor().unwrap());
    assert_eq!((&got[..2], got[2].is_nan(), &got[4..]), (&[1.0, 1.0][..], true, &[9.0, 9.0][..]));
    let message = run(&text("%i floordiv 2", ""), args(&[1.0, 1.0, 2.0, 3.0])).unwrap_err().message;
    assert_eq!(message, "'loop.group' op at [3]: inserts another value than before at [1, 0]");
    let message = run(&text("%i", ""), args(&[1.0; 4])).unwrap_err().message;
    assert_eq!(message, "'loop.group' op index [3, 0] is out of range for a tensor of sizes [3, 2]");
    let combined = run(&text("%i floordiv 2", "add"), args(&[1.0, 2.0, 3.0, 4.0])).unwrap();
    assert_eq!(elements(combined[0].as_tensor().unwrap()), [12.0, 12.0, 16.0, 16.0, 9.0, 9.0]);
}
