// A builtin tensor is a value: the caller's memory does not change.
// REQUIRES: x86
// RUN: echo '{"storages": {"a": {"dtype": "f32", "data": [1, 2]}}, "args": [{"storage": "a", "dtype": "f32", "sizes": [2], "strides": [1], "offset": 0}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json | FileCheck %s
// RUN: terrace-run %s --inputs %t.json --target=interpret | FileCheck %s

// CHECK: "a": {"dtype": "f32", "data": [1.0, 2.0]}
// CHECK: "new0": {"dtype": "f32", "data": [-1.0, -2.0]}
func.func @negate(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = functional.neg %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
