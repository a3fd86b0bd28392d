// RUN: terrace-check %s | FileCheck %s
// RUN: not terrace-check %s --pipeline='no-such-pass' 2>&1 | FileCheck %s --check-prefix=PASS
// PASS: no-such-pass

// One way to lie, eight draws.
// CHECK: @one: 8 calls do the same, 0 are refused
func.func @one(%x: !graph.tensor<4xf32>) {
  %y = graph.neg_ %x : !graph.tensor<4xf32>
  return
}

// Two arguments that say nothing about their storages lie apart or together; two of different names do not lie together.
// CHECK: @two: 16 calls do the same, 0 are refused
func.func @two(%x: !graph.tensor<4xf32>, %y: !graph.tensor<2xf32>) -> !graph.tensor<4xf32> {
  %0 = graph.neg %x : !graph.tensor<4xf32>
  return %0 : !graph.tensor<4xf32>
}
// CHECK: @apart: 8 calls do the same, 0 are refused
func.func @apart(%x: !graph.tensor<4xf32> {graph.storage = "a"}, %y: !graph.tensor<2xf32> {graph.storage = "b"}) {
  %0 = graph.neg_ %x : !graph.tensor<4xf32>
  %1 = graph.exp_ %y : !graph.tensor<2xf32>
  return
}

// Both sides refuse what is out of range.
// CHECK: @refused: {{[1-9][0-9]*}} calls do the same, {{[1-9][0-9]*}} are refused
func.func @refused(%i: i64, %x: !graph.tensor<2xf32>) -> !graph.tensor<f32> {
  %0 = graph.select %x index [%i] : !graph.tensor<2xf32>
  %1 = graph.neg %0 : !graph.tensor<f32>
  return %1 : !graph.tensor<f32>
}

// Private functions are checked with what calls them.
// CHECK-NOT: @private
func.func private @private(%x: !graph.tensor<4xf32>) {
  return
}
