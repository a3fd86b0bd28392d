// A result of open strides whose sizes a later operation fixes keeps its strides, though its type says less of its sizes.
// RUN: echo '{"storages": {"s": {"dtype": "i8", "data": [1, 2, 3, 4, 5, 6, 7, 8]}}, "args": [{"storage": "s", "dtype": "i8", "sizes": [4, 2], "strides": [1, 4], "offset": 0, "flags": []}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json --target=interpret | FileCheck %s
// RUN: terrace-opt %s --graph-functionalize -o %t.mlir
// RUN: terrace-run %t.mlir --inputs %t.json --target=interpret | FileCheck %s
// CHECK: "sizes": [4, 2], "strides": [1, 4], "offset": 0
func.func @main(%x: !graph.tensor<?x?xi8> {graph.layout = "any"}) -> !graph.tensor<?x?xi8> {
  %0 = graph.neg %x : !graph.tensor<?x?xi8>
  %1 = graph.expand %0 size [4, 2] : !graph.tensor<?x?xi8>
  return %0 : !graph.tensor<?x?xi8>
}
