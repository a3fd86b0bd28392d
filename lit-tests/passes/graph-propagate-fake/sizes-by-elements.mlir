// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// How many elements a mask chooses is a symbol: the same one when the same mask is asked twice, and another one after a write.
// CHECK-LABEL: func.func @chosen
// CHECK-SAME: "s0: size 0 of result 0 of operation 0, by its elements", "s1: size 0 of result 0 of operation 4, by its elements"
func.func @chosen(%x: !graph.tensor<5xf32>, %m: !graph.tensor<5xi1>) -> !graph.tensor<?xf32> {
  %0 = graph.masked_select %x, %m : !graph.tensor<5xf32>, !graph.tensor<5xi1>
  %1 = graph.masked_select %x, %m : !graph.tensor<5xf32>, !graph.tensor<5xi1>
  // CHECK: graph.add
  // CHECK-NOT: graph.guards
  // CHECK: graph.logical_not_
  %2 = graph.add %0, %1 : !graph.tensor<?xf32>, !graph.tensor<?xf32>
  %3 = graph.logical_not_ %m : !graph.tensor<5xi1>
  %4 = graph.masked_select %x, %m : !graph.tensor<5xf32>, !graph.tensor<5xi1>
  // CHECK: graph.add {{.*}}graph.guards = ["s0 == s1"]
  %5 = graph.add %0, %4 : !graph.tensor<?xf32>, !graph.tensor<?xf32>
  return %5 : !graph.tensor<?xf32>
}

// Where blocks are followed again, because of a loop, the symbol stays the same.
// CHECK-LABEL: func.func @followed_again
// CHECK-SAME: graph.symbols = ["s0: size 0 of result 0 of operation 0, by its elements"]
func.func @followed_again(%c: i1, %x: !graph.tensor<5xf32>) -> !graph.tensor<?x1xi64> {
  %0 = graph.nonzero %x : !graph.tensor<5xf32>
  cf.br ^loop
^loop:
  cf.cond_br %c, ^loop, ^exit
^exit:
  return %0 : !graph.tensor<?x1xi64>
}
