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

func.func private @wide(%x: !graph.tensor<?xf32>, %k: f64) -> !graph.tensor<?xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %rounds = arith.constant 3 : index
  %n = graph.neg %x : !graph.tensor<?xf32>
  %0 = scf.for %i = %zero to %rounds step %one iter_args(%a = %n) -> (!graph.tensor<?xf32>) {
    %1 = graph.mul %a, %k : !graph.tensor<?xf32>, f64
    scf.yield %1 : !graph.tensor<?xf32>
  }
  return %0 : !graph.tensor<?xf32>
}

// Types say more here: also of what comes round in a loop.
// CHECK-LABEL: func.func @of_more_exact_types
//   CHECK-NOT:   graph.custom
//       CHECK:   %[[N:.*]] = graph.neg %{{.*}} : !graph.tensor<4xf32>
//       CHECK:   scf.for {{.*}} iter_args(%{{.*}} = %[[N]]) -> (!graph.tensor<4xf32>)
//       CHECK:     graph.mul %{{.*}} : !graph.tensor<4xf32>, f64
func.func @of_more_exact_types(%x: !graph.tensor<4xf32>, %k: f64) -> !graph.tensor<4xf32> {
  %0 = graph.custom @wide(%x, %k) : (!graph.tensor<4xf32>, f64) -> !graph.tensor<4xf32>
  return %0 : !graph.tensor<4xf32>
}

func.func private @narrow(%x: !graph.tensor<4xf32>) {
  return
}

// CHECK-LABEL: func.func @of_types_that_say_less
//       CHECK:   graph.custom @narrow
func.func @of_types_that_say_less(%x: !graph.tensor<?xf32>) {
  graph.custom @narrow(%x) {schema = "(Tensor(a!) x) -> ()"} : (!graph.tensor<?xf32>) -> ()
  return
}
