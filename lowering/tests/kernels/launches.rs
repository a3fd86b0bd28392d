//! Launches: grids on the pool of threads, and assertions that reach the caller.

use super::numbers;
use crate::common::{buffer, compile, isas};
use terrace_native::Arg;
use terrace_tensor::Scalar;

/// Rows of a matrix, summed in a loop that carries a tile, scaled by what a branch chooses; a grid that is
/// worth the pool.
const ROWS: &str = r#"
kernel.func @k(%x: memref<700x640xf32>, %y: memref<700x2xf32>, %b: f32, %i: index, %t: i1) grid(%g in 350, %h in 2) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c640 = arith.constant 640 : index
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %first = arith.muli %g, %c2 : index
  %row = arith.addi %first, %h : index
  %sum = scf.for %j = %c0 to %c640 step %c32 iter_args(%acc = %zero) -> (tensor<32xf32>) {
    %a = kernel.load %x[%row, %j : 32] : memref<700x640xf32>
    %s = arith.addf %acc, %a : tensor<32xf32>
    scf.yield %s : tensor<32xf32>
  }
  %is = arith.cmpi ult, %row, %i : index
  %on = arith.andi %is, %t : i1
  %scaled = scf.if %on -> (tensor<32xf32>) {
    %bt = tensor.splat %b : tensor<32xf32>
    %m = arith.mulf %sum, %bt : tensor<32xf32>
    scf.yield %m : tensor<32xf32>
  } else {
    scf.yield %sum : tensor<32xf32>
  }
  %total = kernel.reduce add %scaled : tensor<32xf32>
  %tile = tensor.splat %total : tensor<2xf32>
  kernel.store %tile, %y[%row, %c0 : 2] : tensor<2xf32>, memref<700x2xf32>
  kernel.return
}
func.func @f(%x: memref<700x640xf32>, %y: memref<700x2xf32>, %b: f32, %i: index, %t: i1) {
  kernel.launch @k grid [350, 2] (%x, %y, %b, %i, %t) : memref<700x640xf32>, memref<700x2xf32>, f32, index, i1
  return
}
"#;

#[test]
fn grids_run_on_the_pool() {
    for (isa, cpu) in isas() {
        let session = compile(ROWS, isa, &cpu);
        for threads in [1, 2, 5] {
            terrace_rt::pool::set_threads(threads);
            let x = numbers(700 * 640);
            let (mut from, mut y) = (x.clone(), vec![0f32; 1400]);
            let args = [
                buffer(&mut from, &[700, 640]),
                buffer(&mut y, &[700, 2]),
                Arg::Scalar(Scalar::Float(2.0)),
                Arg::Scalar(Scalar::Int(123)),
                Arg::Scalar(Scalar::Bool(true)),
            ];
            session.call(&terrace_native::Context::new(), "f", &args).unwrap();
            for (row, data) in x.chunks(640).enumerate() {
                let expected = data.iter().sum::<f32>() * if row < 123 { 2.0 } else { 1.0 };
                assert_eq!(
                    y[2 * row..2 * row + 2],
                    [expected, expected],
                    "row {row}, {isa}, {threads} threads"
                );
            }
        }
        terrace_rt::pool::set_threads(0);
    }
}

const ASSERTIONS: &str = r#"
kernel.func @k(%x: memref<8xi64>, %n: i64) grid(%i in 8) {
  %v = memref.load %x[%i] : memref<8xi64>
  %in = arith.cmpi slt, %v, %n : i64
  cf.assert %in, "index out of range"
  memref.store %n, %x[%i] : memref<8xi64>
  kernel.return
}
func.func @f(%x: memref<8xi64>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %some = arith.cmpi sgt, %n, %c0 : i64
  cf.assert %some, "expected a bound above zero"
  kernel.launch @k grid [8] (%x, %n) : memref<8xi64>, i64
  return
}
"#;

#[test]
fn assertions_reach_the_caller() {
    let (isa, cpu) = isas().pop().unwrap();
    let session = compile(ASSERTIONS, isa, &cpu);
    let call = |n: i64| {
        let mut x: Vec<i64> = (0..8).collect();
        let result = session.call(
            &terrace_native::Context::new(),
            "f",
            &[buffer(&mut x, &[8]), Arg::Scalar(Scalar::Int(n))],
        );
        // What follows an assertion that does not hold is not done: of the grid, and of the function.
        let done = if n == 0 { 0 } else { n.min(8) as usize };
        assert!(x.iter().enumerate().all(|(i, x)| *x == if i < done { n } else { i as i64 }), "{x:?}");
        result.err().map(|e| e.to_string())
    };
    assert_eq!(call(8), None);
    assert_eq!(call(7).as_deref(), Some("-:5:3: @f: index out of range"));
    assert_eq!(call(0).as_deref(), Some("-:12:3: @f: expected a bound above zero"));
}
