// A complex number goes with real tensors where it is real, which is known when the program runs.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2]}, "k": {"dtype": "c64", "data": [[3, 0]]}}, "args": [{"storage": "x", "sizes": [2]}, {"storage": "k", "sizes": [1]}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled
// RUN: sed 's/3, 0/3, 1/' %t.json > %t.not.json
// RUN: not terrace-run %s --inputs %t.not.json 2>&1 | FileCheck %s
// RUN: not terrace-run %s --inputs %t.not.json --target=interpret 2>&1 | FileCheck %s
// CHECK: value cannot be converted to type float without overflow
func.func @main(%x: !graph.tensor<2xf32>, %k: !graph.tensor<1xcomplex<f32>>) {
  graph._foreach_addcdiv_.Tensor [%x], [%x], [%x], %k : [!graph.tensor<2xf32>], [!graph.tensor<2xf32>], [!graph.tensor<2xf32>], !graph.tensor<1xcomplex<f32>>
  return
}
