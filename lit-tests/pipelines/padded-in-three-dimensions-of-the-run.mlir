// Padding in front of three dimensions: by how many rows and columns a place is in them is one number whatever the sizes are.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "i32", "data": [1, 2, 3, 4]}}, "args": [{"storage": "x", "sizes": [3, 1], "strides": [1, 3], "offset": 1}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled
func.func @main(%a1: !graph.tensor<3x1xi32> {graph.layout = strided<[1, 3], offset: 1>}) -> !graph.tensor<?x6x?xi32> {
  %k5 = arith.constant 3 : i64
  %v4 = graph.reshape %a1 shape [%k5, 1, -1] : !graph.tensor<3x1xi32>
  %v46 = graph.pad %v4 {pad = array<i64: 1, 1, 2, 3, 2, 2>} : !graph.tensor<?x1x?xi32>
  return %v46 : !graph.tensor<?x6x?xi32>
}
