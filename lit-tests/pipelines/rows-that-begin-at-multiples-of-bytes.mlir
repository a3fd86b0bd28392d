// Rows of a product of groups begin at multiples of 16 bytes: what lies between them is part of the storage, and views skip it.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "bf16", "data": [1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9]}}, "args": [{"storage": "x", "sizes": [2, 3, 3], "strides": [9, 1, 3]}]}' > %t.json
// RUN: sed 's/LAYOUT/strided<[9, 1, 3]>/' %s > %t.static.mlir
// RUN: sed 's/LAYOUT/"any"/' %s > %t.open.mlir
// RUN: terrace-run %t.static.mlir --inputs %t.json --target=interpret > %t.interpreted
// RUN: FileCheck %s < %t.interpreted
// RUN: terrace-run %t.static.mlir --inputs %t.json | diff %t.interpreted -
// RUN: terrace-run %t.open.mlir --inputs %t.json | diff %t.interpreted -
// CHECK: "strides": [24, 8, 1]
// CHECK: "sizes": [18], "strides": [1]
!t = !graph.tensor<2x3x3xbf16>
func.func @main(%x: !t {graph.layout = LAYOUT}) -> (!t, !graph.tensor<18xbf16>) {
  %0 = graph._grouped_mm %x, %x : !t, !t
  %1 = graph.ravel %0 : !t
  return %0, %1 : !t, !graph.tensor<18xbf16>
}
