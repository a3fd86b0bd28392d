// An index whose elements nobody uses is looked at where a function runs operation by operation.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4]}, "i": {"dtype": "i64", "data": [2]}, "k": {"dtype": "f32", "data": [1]}}, "args": [{"storage": "x", "sizes": [2, 2]}, {"storage": "i", "sizes": [1]}, {"storage": "k", "sizes": [1]}]}' > %t.json
// RUN: not terrace-run %s --inputs %t.json 2>&1 | FileCheck %s
// RUN: not terrace-run %s --inputs %t.json --target=interpret 2>&1 | FileCheck %s
// CHECK: {{index( 2)?}} is out of bounds for dimension 0 with size 2
func.func @main(%x: !graph.tensor<?x?xf32> {graph.layout = "any"}, %i: !graph.tensor<?xi64>, %k: !graph.tensor<1xf32>) attributes {graph.eager} {
  graph._foreach_addcmul_.Tensor [%x], [%x], [%x], %k : [!graph.tensor<?x?xf32>], [!graph.tensor<?x?xf32>], [!graph.tensor<?x?xf32>], !graph.tensor<1xf32>
  %0 = graph.index %x[%i] {present = array<i1: true, false>} : !graph.tensor<?x?xf32>[!graph.tensor<?xi64>]
  return
}
