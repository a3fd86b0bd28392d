// RUN: terrace-opt %s --graph-functionalize --functional-view-to-copy --functional-verify-contiguous | FileCheck %s

// A core knows the strides of what the boundary reads.
// CHECK-LABEL: func.func private @f.core(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3xf32> {functional.layout = strided<[1, 2]>}
// CHECK-NEXT: %[[Z:.*]] = functional.view_copy %[[X]] size [2, 3]
// CHECK-NEXT: functional.neg %[[Z]]
func.func @f(%x: !graph.tensor<2x3xf32> {graph.layout = strided<[1, 2]>}) -> !graph.tensor<2x3xf32> {
  %0 = graph.neg %x : !graph.tensor<2x3xf32>
  return %0 : !graph.tensor<2x3xf32>
}
