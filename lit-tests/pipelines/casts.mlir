// A cast is the tensor that it is on, in functions that are made of values, in those that run as they are written, and in calls.
// REQUIRES: x86
// RUN: rm -rf %t && mkdir -p %t
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4]}, "y": {"dtype": "f32", "data": [7, 8]}}, "args": [{"storage": "x", "sizes": [4]}, {"storage": "y", "sizes": [2]}, true]}' > %t/in.json
// RUN: terrace-run %s --inputs %t/in.json --entry main > %t/compiled
// RUN: terrace-run %s --inputs %t/in.json --entry main --target=interpret | diff - %t/compiled
// RUN: sed 's/xf32>) {/xf32>) {/' %s > %t/eager.mlir
// RUN: terrace-run %t/eager.mlir --inputs %t/in.json --entry main | diff - %t/compiled
// RUN: FileCheck %s < %t/compiled
// CHECK: {"same_as": "args[0]"},
// CHECK-NEXT: {"same_as": "args[1]"},
// CHECK-NEXT: {"same_as": "args[1]"},
// CHECK-NEXT: "sizes": [4]
// CHECK: "data": [-1.0, -2.0, -3.0, -4.0]
// CHECK: "data": [-7.0, -8.0]
func.func private @negated(%x: !graph.tensor<?xf32>) -> !graph.tensor<?xf32> {
  %0 = graph.neg_ %x : !graph.tensor<?xf32>
  return %0 : !graph.tensor<?xf32>
}
func.func @main(%x: !graph.tensor<4xf32> {graph.storage = "x"}, %y: !graph.tensor<2xf32> {graph.storage = "y"}, %n: i1) -> (!graph.tensor<?xf32>, !graph.tensor<?xf32>, !graph.tensor<?xf32>, !graph.tensor<?xf32>) {
  %0 = graph.cast %x : !graph.tensor<4xf32> to !graph.tensor<?xf32>
  %1 = graph.cast %y : !graph.tensor<2xf32> to !graph.tensor<?xf32>
  %2 = func.call @negated(%0) : (!graph.tensor<?xf32>) -> !graph.tensor<?xf32>
  %3 = func.call @negated(%1) : (!graph.tensor<?xf32>) -> !graph.tensor<?xf32>
  %4 = graph.exp %x : !graph.tensor<4xf32>
  %5 = graph.cast %4 : !graph.tensor<4xf32> to !graph.tensor<?xf32>
  %6 = scf.if %n -> !graph.tensor<?xf32> {
    scf.yield %0 : !graph.tensor<?xf32>
  } else {
    scf.yield %5 : !graph.tensor<?xf32>
  }
  %7 = graph.mul %6, %x : !graph.tensor<?xf32>, !graph.tensor<4xf32>
  %8 = graph.cast %7 : !graph.tensor<4xf32> to !graph.tensor<?xf32>
  return %2, %1, %3, %8 : !graph.tensor<?xf32>, !graph.tensor<?xf32>, !graph.tensor<?xf32>, !graph.tensor<?xf32>
}
