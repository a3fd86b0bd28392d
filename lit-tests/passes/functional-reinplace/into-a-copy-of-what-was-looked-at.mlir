// Elements that were looked at are another value, into which something is computed: the first one is returned as it was.
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [0.25]}}, "args": [{"storage": "x", "sizes": [1]}]}' > %t.json
// RUN: terrace-check %s --entry main --inputs %t.json --pipeline="graph-structure,func.func(graph-resolve-views),graph-functionalize,functional-view-to-copy,functional-verify-contiguous,functional-reinplace" | FileCheck %s
// CHECK: 1 calls do the same
func.func @main(%x: !graph.tensor<1xf32>) -> (!graph.tensor<f32>, !graph.tensor<1xf32>) {
  %0 = graph.sigmoid %x : !graph.tensor<1xf32>
  %1 = graph.binary_cross_entropy %0, %0 {reduction = 2 : i64} : !graph.tensor<1xf32>, !graph.tensor<1xf32>
  return %1, %0 : !graph.tensor<f32>, !graph.tensor<1xf32>
}
