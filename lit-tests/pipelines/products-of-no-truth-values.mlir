// There is no kernel for products of truth values, and none is asked for where the result has no elements.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "bool", "data": []}, "y": {"dtype": "bool", "data": [true]}}, "args": [{"storage": "x", "sizes": [1, 1, 0]}, {"storage": "x", "sizes": [1, 0, 1]}, {"storage": "y", "sizes": [1, 1]}, {"storage": "x", "sizes": [1, 0]}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled
func.func @main(%x: !graph.tensor<1x1x0xi1>, %y: !graph.tensor<1x0x1xi1>, %z: !graph.tensor<1x1xi1>, %w: !graph.tensor<1x0xi1>) -> (!graph.tensor<1x1x0xi1>, !graph.tensor<1x0xi1>) {
  %z2 = graph.unsqueeze %z {dim = 0 : i64} : !graph.tensor<1x1xi1>
  %0 = graph.baddbmm %x, %z2, %x : !graph.tensor<1x1x0xi1>, !graph.tensor<1x1x1xi1>, !graph.tensor<1x1x0xi1>
  %1 = graph.addmm %w, %z, %w : !graph.tensor<1x0xi1>, !graph.tensor<1x1xi1>, !graph.tensor<1x0xi1>
  return %0, %1 : !graph.tensor<1x1x0xi1>, !graph.tensor<1x0xi1>
}
