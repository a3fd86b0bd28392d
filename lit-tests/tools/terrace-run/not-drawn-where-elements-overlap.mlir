// What is drawn into elements that lie in one place depends on which of them is drawn last: refused, interpreted and compiled.
// REQUIRES: x86
// RUN: echo '{"storages": {"s": {"dtype": "f32", "data": [1, 2, 3, 4]}}, "args": [{"storage": "s", "sizes": [4]}]}' > %t.json
// RUN: not terrace-run %s --inputs %t.json 2>&1 | FileCheck %s
// RUN: not terrace-run %s --inputs %t.json --target=interpret 2>&1 | FileCheck %s
// CHECK: result depends on the order of evaluation: elements of the written-to tensor overlap
func.func @main(%x: !graph.tensor<4xf32>) {
  %0 = graph.unfold %x {dimension = 0 : i64, size = 3 : i64, step = 1 : i64} : !graph.tensor<4xf32>
  %1 = graph.normal_ %0 : !graph.tensor<2x3xf32>
  return
}
