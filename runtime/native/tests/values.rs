//! Calls with tensors: storages are shared where the program shares buffers.

mod common;
use common::*;
use terrace_tensor::{Dtype, Scalar, Tensor, Value};

const PROGRAM: &str = r#"
!view = memref<?x?xf32, strided<[?, ?], offset: ?>>
func.func @step(%a: !view, %b: !view, %s: f32) -> (!view, memref<?x?xf32>, memref<?xf32, strided<[1], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : !view
  %m = memref.dim %a, %c1 : !view
  %r = memref.alloc(%n, %m) : memref<?x?xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %x = memref.load %a[%i, %j] : !view
      %y = memref.load %b[%i, %j] : !view
      %z = arith.addf %x, %y : f32
      %w = arith.mulf %z, %s : f32
      memref.store %w, %r[%i, %j] : memref<?x?xf32>
      memref.store %z, %a[%i, %j] : !view
    }
  }
  %last = arith.subi %n, %c1 : index
  %row = memref.subview %r[%last, 0] [1, %m] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
  return %b, %r, %row : !view, memref<?x?xf32>, memref<?xf32, strided<[1], offset: ?>>
}
"#;

fn numbers(value: &Value) -> Vec<f64> {
    value.as_tensor().unwrap().to_vec().iter().map(|s| s.to_f64()).collect()
}

#[test]
fn storages_are_shared_as_buffers_are() {
    let session = session(PROGRAM);
    let base = Tensor::from_elements(Dtype::F32, &[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
    // The second argument is the first two columns from the right, on the same storage.
    let shifted = base.view(vec![2, 2], vec![3, 1], 1).unwrap();
    let first = base.view(vec![2, 2], vec![3, 1], 0).unwrap();
    let arguments = [Value::from(first), Value::from(shifted), Value::from(Scalar::Float(10.0))];
    let results = session.run(&terrace_native::Context::new(), "step", &arguments, &[]).unwrap();
    // Row by row, each element is written before its right neighbour is read.
    assert_eq!(numbers(&Value::from(base.clone())), [3.0, 5.0, 3.0, 9.0, 11.0, 6.0]);
    assert_eq!(numbers(&results[1]), [30.0, 50.0, 90.0, 110.0]);
    assert_eq!(numbers(&results[2]), [90.0, 110.0]);
    let tensors: Vec<_> = results.iter().map(|v| v.as_tensor().unwrap()).collect();
    assert!(tensors[0].storage().is_same(base.storage()));
    assert_eq!((tensors[0].offset(), tensors[0].strides()), (1, &[3, 1][..]));
    assert!(tensors[2].storage().is_same(tensors[1].storage()));
    assert!(!tensors[1].storage().is_same(base.storage()));
    assert_eq!(tensors[2].offset(), 2);
}

#[test]
fn empty_tensors_pass_through() {
    let session = session(
        "func.func @same(%a: memref<?x4xi64>) -> (memref<?x4xi64>, memref<?xi64>) {
           %c0 = arith.constant 0 : index
           %r = memref.alloc(%c0) : memref<?xi64>
           return %a, %r : memref<?x4xi64>, memref<?xi64>
         }",
    );
    let empty = Tensor::zeros(Dtype::I64, &[0, 4]).unwrap();
    let results =
        session.run(&terrace_native::Context::new(), "same", &[Value::from(empty.clone())], &[]).unwrap();
    assert!(results[0].as_tensor().unwrap().storage().is_same(empty.storage()));
    assert_eq!(results[1].as_tensor().unwrap().sizes(), [0]);
}
