// RUN: terrace-opt %s | terrace-opt | FileCheck %s
// RUN: terrace-opt %s --cse --canonicalize | FileCheck %s --check-prefix=CSE

// What only reads and allocates goes where nobody wants it; what writes, or does what nobody knows, stays.
// CHECK-LABEL: func.func @effects
// CHECK: graph.custom @mine::@scale_(%{{.*}}, %{{.*}}) {schema = "(Tensor(a!) x, float k) -> Tensor(a!)"} : (!graph.tensor<4xf32>, f64) -> !graph.tensor<4xf32>
// CHECK: graph.custom @total(
// CHECK: graph.custom @anything() : () -> ()
// CSE-LABEL: func.func @effects
// CSE: graph.custom @mine::@scale_
// CSE-NOT: graph.custom @total
// CSE: graph.custom @anything
func.func @effects(%x: !graph.tensor<4xf32>, %k: f64) {
  %0 = graph.custom @mine::@scale_(%x, %k) {schema = "(Tensor(a!) x, float k) -> Tensor(a!)"} : (!graph.tensor<4xf32>, f64) -> !graph.tensor<4xf32>
  %1 = graph.custom @total(%x, %x) {schema = "(Tensor[] xs) -> Tensor", segments = array<i64: 2>} : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> !graph.tensor<f32>
  graph.custom @anything() : () -> ()
  return
}
