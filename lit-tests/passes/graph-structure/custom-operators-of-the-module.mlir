// RUN: terrace-opt %s --graph-structure | FileCheck %s

// Why: what computes a custom operator is known, so that it is no call.
// CHECK-NOT: func.func private @"mine::scale"
func.func private @"mine::scale"(%x: !graph.tensor<4xf32>, %k: f64) -> !graph.tensor<4xf32> {
  %0 = graph.mul_ %x, %k : !graph.tensor<4xf32>, f64
  return %0 : !graph.tensor<4xf32>
}

// CHECK-LABEL: func.func @known
//   CHECK-NOT:   graph.custom
//       CHECK:   %[[Y:.*]] = graph.mul_
//       CHECK:   return %[[Y]]
func.func @known(%x: !graph.tensor<4xf32>, %k: f64) -> !graph.tensor<4xf32> {
  %0 = graph.custom @mine::@scale(%x, %k) {schema = "(Tensor(a!) x, float k) -> Tensor(a!)"} : (!graph.tensor<4xf32>, f64) -> !graph.tensor<4xf32>
  return %0 : !graph.tensor<4xf32>
}

// A function of C stays one.
// CHECK-LABEL: func.func @of_c
//       CHECK:   graph.custom @mine::@other
func.func @of_c(%x: !graph.tensor<4xf32>) {
  graph.custom @mine::@other(%x) {schema = "(Tensor(a!) x) -> ()"} : (!graph.tensor<4xf32>) -> ()
  return
}

func.func private @wide(%x: !graph.tensor<?xf32>) {
  return
}

// CHECK-LABEL: func.func @of_other_types
//       CHECK:   graph.custom @wide
func.func @of_other_types(%x: !graph.tensor<4xf32>) {
  graph.custom @wide(%x) {schema = "(Tensor(a!) x) -> ()"} : (!graph.tensor<4xf32>) -> ()
  return
}
