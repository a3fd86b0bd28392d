// RUN: terrace-check %s --compiled | FileCheck %s
// RUN: terrace-check %s --compiled --forget=storages | FileCheck %s --check-prefix=SHARED
// RUN: terrace-check %s --compiled --forget=layouts | FileCheck %s --check-prefix=STRIDED

// As declared; with storages forgotten the two arguments lie apart and together; with layouts forgotten they lie in any way.
// CHECK: @apart: 8 calls do the same, 0 are refused
// SHARED: @apart: 16 calls do the same, 0 are refused
// STRIDED: @apart: 8 calls do the same, 0 are refused
func.func @apart(%x: !graph.tensor<2x3xf32> {graph.storage = "a"}, %y: !graph.tensor<2x3xf32> {graph.storage = "b"}) -> !graph.tensor<2x3xf32> {
  %0 = graph.neg_ %x : !graph.tensor<2x3xf32>
  %1 = graph.add %x, %y : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
  return %1 : !graph.tensor<2x3xf32>
}

// Draws are those of the reference, from the same state of the generator.
// CHECK: @drawn: 8 calls do the same, 0 are refused
func.func @drawn(%x: !graph.tensor<4xf32> {graph.storage = "a"}) -> !graph.tensor<4xf32> {
  %0 = graph.rand_like %x : !graph.tensor<4xf32>
  %1 = graph.add_ %x, %0 : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return %1 : !graph.tensor<4xf32>
}
