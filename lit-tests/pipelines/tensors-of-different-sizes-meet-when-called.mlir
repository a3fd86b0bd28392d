// Where ways bring along tensors of different sizes, types leave these open, also in what is compiled when it is called: each is the tensor that it was.
// REQUIRES: x86
// RUN: rm -rf %t && mkdir -p %t
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4, 5, 6]}, "y": {"dtype": "f32", "data": [7, 8]}}, "args": [{"storage": "x", "sizes": [2, 3], "strides": [1, 2]}, {"storage": "y", "sizes": [2]}, true]}' > %t/x.json
// RUN: sed s/true/false/ %t/x.json > %t/y.json
// RUN: terrace-run %s --inputs %t/x.json --entry main 2> /dev/null > %t/x.compiled
// RUN: terrace-run %s --inputs %t/x.json --entry main --target=interpret | diff - %t/x.compiled
// RUN: terrace-run %s --inputs %t/y.json --entry main 2> /dev/null > %t/y.compiled
// RUN: terrace-run %s --inputs %t/y.json --entry main --target=interpret | diff - %t/y.compiled
// RUN: FileCheck %s < %t/y.compiled
// CHECK: {"same_as": "args[1]"}
func.func private @doubled(%x: !graph.tensor<?xf32>, %n: index) -> !graph.tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%own = %x) -> !graph.tensor<?xf32> {
    %1 = graph.cat %own, %own : !graph.tensor<?xf32>, !graph.tensor<?xf32>
    scf.yield %1 : !graph.tensor<?xf32>
  }
  return %0 : !graph.tensor<?xf32>
}
func.func @main(%x: !graph.tensor<?x?xf32> {graph.layout = "any"}, %y: !graph.tensor<?xf32>, %n: i1)
    -> (!graph.tensor<?xf32>, !graph.tensor<?xf32>) {
  %c2 = arith.constant 2 : index
  %0 = graph._neg_view %x : !graph.tensor<?x?xf32>
  %1 = graph.reshape %0 shape [-1] : !graph.tensor<?x?xf32>
  %2 = scf.if %n -> !graph.tensor<?xf32> {
    scf.yield %1 : !graph.tensor<?xf32>
  } else {
    scf.yield %y : !graph.tensor<?xf32>
  }
  %3 = func.call @doubled(%1, %c2) : (!graph.tensor<?xf32>, index) -> !graph.tensor<?xf32>
  return %2, %3 : !graph.tensor<?xf32>, !graph.tensor<?xf32>
}
