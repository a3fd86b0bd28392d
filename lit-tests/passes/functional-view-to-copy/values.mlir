// A copy has the values of the view, interpreted and compiled.
// REQUIRES: x86
// RUN: echo '{"storages": {"a": {"dtype": "f32", "data": [1, 2, 3, 4, 5, 6]}}, "args": [{"storage": "a", "dtype": "f32", "sizes": [2, 3], "strides": [3, 1], "offset": 0}]}' > %t.json
// RUN: terrace-opt %s --functional-view-to-copy -o %t.mlir
// RUN: terrace-run %t.mlir --inputs %t.json | FileCheck %s
// RUN: terrace-run %t.mlir --inputs %t.json --target=interpret | FileCheck %s

// CHECK: [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]
// CHECK: [2.0, 3.0, 5.0, 6.0]
// CHECK: [1.0, 5.0]
// CHECK: [1.0, 9.0, 9.0, 9.0, 9.0, 6.0]
func.func @f(%x: tensor<2x3xf32>) -> (tensor<3x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x3xf32>) {
  %p = functional.permute %x {dims = array<i64: 1, 0>} : tensor<2x3xf32>
  %s = functional.slice %x start [1] end [3] step [1] {dim = 1 : i64} : tensor<2x3xf32>
  %d = functional.diagonal %x : tensor<2x3xf32>
  // A fill of places that overlap, through a copy: what is written is the same everywhere.
  %k = arith.constant 9.0 : f64
  %f = functional.full %k : f64 to tensor<1xf32>
  %e = functional.expand %f size [2, 3] : tensor<1xf32>
  %z = functional.as_strided_scatter %x, %e size [2, 3] stride [1, 1] storage_offset [1] : tensor<2x3xf32>, tensor<2x3xf32>
  return %p, %s, %d, %z : tensor<3x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x3xf32>
}
