// A cumulative sum begins at zero, and loses the sign of one; that of a tensor of rank 0 is the number itself.
// REQUIRES: x86
// RUN: echo '{"storages": {"a": {"dtype": "f32", "data": [-0.0, -0.0]}, "n": {"dtype": "f32", "data": [-0.0]}}, "args": [{"storage": "a", "sizes": [2]}, {"storage": "n", "sizes": []}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json | FileCheck %s
// RUN: terrace-run %s --inputs %t.json --target=interpret | FileCheck %s
// CHECK: "new0": {"dtype": "f32", "data": [0.0, 0.0]}
// CHECK: "new1": {"dtype": "f32", "data": [-0.0]}
!row = !graph.tensor<2xf32>
!number = !graph.tensor<f32>
func.func @main(%a: !row {graph.layout = strided<[1]>}, %n: !number {graph.layout = strided<[]>}) -> (!row, !number) {
  %0 = graph.cumsum %a {dim = 0} : !row
  %1 = graph.cumsum %n {dim = 0} : !number
  return %0, %1 : !row, !number
}
