// A function that runs as it is written has the types that it names, also where a constant says more of a size.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4]}}, "args": [{"storage": "x", "sizes": [2, 2]}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled
func.func @main(%x: !graph.tensor<2x2xf32>) -> (!graph.tensor<?xf32>, !graph.tensor<?x2xf32>) {
  %four = arith.constant 4 : i64
  %rest = arith.constant -1 : i64
  %flat = graph.reshape %x shape [%four] : !graph.tensor<2x2xf32>
  %same = graph.reshape %x shape [%rest, 2] : !graph.tensor<2x2xf32>
  return %flat, %same : !graph.tensor<?xf32>, !graph.tensor<?x2xf32>
}
