// What is copied onto itself stays as it is, by whatever view: also where its elements overlap, which nothing else may be copied onto.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "i8", "data": [1, 2, 3, 4]}, "y": {"dtype": "i8", "data": [5, 6, 7, 8, 9, 10]}}, "args": [{"storage": "x", "sizes": [4]}, {"storage": "y", "sizes": [2, 3]}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json --entry=itself > %t.compiled
// RUN: terrace-run %s --inputs %t.json --entry=itself --target=interpret | diff - %t.compiled
// RUN: not terrace-run %s --inputs %t.json --entry=another 2>&1 | FileCheck %s
// RUN: not terrace-run %s --inputs %t.json --entry=another --target=interpret 2>&1 | FileCheck %s
// CHECK: result depends on the order of evaluation: elements of the written-to tensor overlap
func.func @itself(%x: !graph.tensor<4xi8>, %y: !graph.tensor<2x3xi8>) {
  %0 = graph.unfold %x {dimension = 0 : i64, size = 3 : i64, step = 1 : i64} : !graph.tensor<4xi8>
  %1 = graph.expand %0 size [2, 3] : !graph.tensor<2x3xi8>
  %2 = graph.copy_ %1, %0 : !graph.tensor<2x3xi8>, !graph.tensor<2x3xi8>
  return
}
func.func @another(%x: !graph.tensor<4xi8>, %y: !graph.tensor<2x3xi8>) {
  %0 = graph.unfold %x {dimension = 0 : i64, size = 3 : i64, step = 1 : i64} : !graph.tensor<4xi8>
  %1 = graph.copy_ %0, %y : !graph.tensor<2x3xi8>, !graph.tensor<2x3xi8>
  return
}
