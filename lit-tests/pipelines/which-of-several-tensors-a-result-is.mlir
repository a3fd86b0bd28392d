// A result is one of several tensors: it is the one that lies as it does.
// REQUIRES: x86
// RUN: split-file %s %t
// RUN: terrace-run %t/chosen.mlir --inputs %t/chosen.json > %t/compiled && FileCheck %t/chosen.mlir < %t/compiled
// RUN: terrace-run %t/chosen.mlir --inputs %t/chosen.json --target=interpret | diff - %t/compiled
// RUN: terrace-run %t/itself.mlir --inputs %t/itself.json > %t/compiled && FileCheck %t/itself.mlir < %t/compiled
// RUN: terrace-run %t/itself.mlir --inputs %t/itself.json --target=interpret | diff - %t/compiled
//--- chosen.mlir
// Of two arguments, which lie alike, the second.
// CHECK: {"same_as": "args[2]"}
func.func @main(%c: i1, %x: !graph.tensor<2xf32> {graph.storage = "s0"}, %y: !graph.tensor<2xf32> {graph.storage = "s0"}) -> !graph.tensor<2xf32> {
  %two = arith.constant 2.0 : f64
  %r = scf.if %c -> (!graph.tensor<2xf32>) {
    scf.yield %x : !graph.tensor<2xf32>
  } else {
    scf.yield %y : !graph.tensor<2xf32>
  }
  %s = graph.mul_ %r, %two : !graph.tensor<2xf32>, f64
  return %s : !graph.tensor<2xf32>
}
//--- chosen.json
{"storages": {"s0": {"dtype": "f32", "data": [1.0, 0.5]}},
 "args": [false, {"storage": "s0", "dtype": "f32", "sizes": [2], "strides": [1], "offset": 0},
          {"storage": "s0", "dtype": "f32", "sizes": [2], "strides": [1], "offset": 0}]}
//--- itself.mlir
// Of what is compiled when it is called: it may be the operand itself.
// CHECK: "outputs": [
// CHECK-NEXT: {"storage": "s0"
// CHECK-NEXT: {"same_as": "outputs[0]"}
!t = !graph.tensor<?x?x?xf64>
func.func @main(%x: !graph.tensor<?x?xf64> {graph.layout = "any", graph.storage = "s0"}, %y: !t {graph.storage = "s1"}) -> (!graph.tensor<1x?x?xf64>, !graph.tensor<1x?x?xf64>) {
  %0 = graph.unsqueeze %x {dim = 0 : i64} : !graph.tensor<?x?xf64>
  %1 = graph.to.other %0, %y {memory_format = "contiguous_format"} : !graph.tensor<1x?x?xf64>, !t
  %2 = graph.tanh_ %1 : !graph.tensor<1x?x?xf64>
  return %0, %2 : !graph.tensor<1x?x?xf64>, !graph.tensor<1x?x?xf64>
}
//--- itself.json
{"storages": {"s0": {"dtype": "f64", "data": [0.0, 0.5, 0.25, 0.125]}, "s1": {"dtype": "f64", "data": [1.0]}},
 "args": [{"storage": "s0", "dtype": "f64", "sizes": [2, 1], "strides": [1, 1], "offset": 1},
          {"storage": "s1", "dtype": "f64", "sizes": [1, 1, 1], "strides": [1, 1, 1], "offset": 0}]}
