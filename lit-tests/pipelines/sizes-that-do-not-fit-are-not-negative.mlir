// Sizes that are refused when the program runs go on as sizes that memory can have.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4]}}, "args": [{"storage": "x", "sizes": [4]}]}' > %t.json
// RUN: not terrace-run %s --inputs %t.json 2>&1 | FileCheck %s
// RUN: not terrace-run %s --inputs %t.json --target=interpret 2>&1 | FileCheck %s
// CHECK: invalid for input of
func.func @main(%x: !graph.tensor<?xf32> {graph.layout = "any"}) -> !graph.tensor<?x3xf32> attributes {graph.eager} {
  %one = arith.constant 1.0 : f64
  %0 = graph.reshape %x shape [-1, 3] : !graph.tensor<?xf32>
  %1 = graph.full_like %0, %one : !graph.tensor<?x3xf32>, f64
  return %1 : !graph.tensor<?x3xf32>
}
