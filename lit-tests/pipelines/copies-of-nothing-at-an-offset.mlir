// What has no elements may lie anywhere, also behind the end of its storage.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "i64", "data": []}, "y": {"dtype": "f32", "data": [1.5]}}, "args": [{"storage": "x", "sizes": [0], "offset": 3}, {"storage": "y", "sizes": []}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json | FileCheck %s
// RUN: terrace-run %s --inputs %t.json --target=interpret | FileCheck %s
// CHECK: "new0": {"dtype": "i64", "data": []}
func.func @main(%x: !graph.tensor<0xi64> {graph.layout = strided<[1], offset: 3>}, %y: !graph.tensor<f32>) -> !graph.tensor<0xi64> {
  %0 = graph.copy %x, %y : !graph.tensor<0xi64>, !graph.tensor<f32>
  return %0 : !graph.tensor<0xi64>
}
