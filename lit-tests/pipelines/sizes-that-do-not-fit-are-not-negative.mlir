// Sizes that are refused when the program runs go on as sizes that memory can have.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 0, 0, 4]}}, "args": [{"storage": "x", "sizes": [1, 1, 1, 4]}]}' > %t.json
// RUN: not terrace-run %s --inputs %t.json 2>&1 | FileCheck %s
// RUN: not terrace-run %s --inputs %t.json --target=interpret 2>&1 | FileCheck %s
// CHECK: invalid for input of
func.func @main(%x: !graph.tensor<1x1x1x4xf32>) -> !graph.tensor<?x24xi64> {
  %one = arith.constant 1 : i64
  %0 = graph.nonzero %x : !graph.tensor<1x1x1x4xf32>
  %1 = graph.reshape %0 shape [-1, 24] : !graph.tensor<?x4xi64>
  %2 = graph.full_like %1, %one : !graph.tensor<?x24xi64>, i64
  return %2 : !graph.tensor<?x24xi64>
}
