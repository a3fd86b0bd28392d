// A function that runs as it is written refuses pairs of the numbers of a conjugate, as eager does: of what is stored they are others.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "c64", "data": [[1, 2], [3, 4]]}}, "args": [{"storage": "x", "sizes": [2]}]}' > %t.json
// RUN: not terrace-run %s --inputs %t.json 2>&1 | FileCheck %s
// RUN: not terrace-run %s --inputs %t.json --target=interpret 2>&1 | FileCheck %s
// CHECK: view_as_real doesn't work on unresolved conjugated tensors
func.func @main(%x: !graph.tensor<2xcomplex<f32>> {graph.layout = "any"}) -> !graph.tensor<2x2xf32> {
  %0 = graph._conj %x : !graph.tensor<2xcomplex<f32>>
  %1 = graph.view_as_real %0 : !graph.tensor<2xcomplex<f32>>
  return %1 : !graph.tensor<2x2xf32>
}
