// RUN: terrace-opt %s --terrace-to-loop | FileCheck %s

// How many points there are may be more than any number says, where sizes are of the run: sums of them end at the largest.
// CHECK-LABEL: func.func @main(
// CHECK: loop.
func.func @main(%x: !graph.tensor<?x?x?x?xf32>, %w: !graph.tensor<?x?x?x?xf32>, %b: !graph.tensor<?xf32>) -> !graph.tensor<?x?x?x?xf32> {
  %0 = graph.convolution %x, %w bias %b {stride = array<i64: 1, 1>, padding = array<i64: 1, 1>, dilation = array<i64: 1, 1>, transposed = false, output_padding = array<i64: 0, 0>, groups = 2 : i64} : !graph.tensor<?x?x?x?xf32>, !graph.tensor<?x?x?x?xf32>, !graph.tensor<?xf32>
  return %0 : !graph.tensor<?x?x?x?xf32>
}
