// Whether a tensor of sizes that are not static is row-major may have to be tested: graph-functionalize does so, and resolves what is left.
// RUN: terrace-opt %s --graph-resolve-views | FileCheck %s --check-prefix=STAYS
// RUN: terrace-opt %s --graph-resolve-views --graph-functionalize | FileCheck %s
// RUN: terrace-check %s --runs 20 --pipeline 'func.func(graph-resolve-views),graph-functionalize'

// A row-major tensor in one dimension is a view of it: the write reaches the argument.
// STAYS-LABEL: func.func @ravel
// STAYS: graph.ravel
// CHECK-LABEL: func.func private @ravel.core(
// CHECK: %[[V:.*]] = functional.view
// CHECK: functional.exp
// CHECK: graph.write_back
func.func @ravel(%x: !graph.tensor<4x?xf32>) -> !graph.tensor<?xf32> {
  %a = graph.ravel %x : !graph.tensor<4x?xf32>
  %b = graph.exp_ %a : !graph.tensor<?xf32>
  return %b : !graph.tensor<?xf32>
}

// Heads of attention, split and joined again: nothing is copied, and the core has no view.
// STAYS-LABEL: func.func @heads
// STAYS: graph.contiguous
// STAYS: graph.reshape
// CHECK-LABEL: func.func private @heads.core(
// CHECK-NEXT: functional.linear
// CHECK-NEXT: functional.relu
// CHECK-NEXT: return
func.func @heads(%x: !graph.tensor<?x?x64xf32>, %w: !graph.tensor<64x64xf32>) -> !graph.tensor<?x?x64xf32> {
  %b = graph.sym_size %x {dim = 0 : i64} : !graph.tensor<?x?x64xf32>
  %s = graph.sym_size %x {dim = 1 : i64} : !graph.tensor<?x?x64xf32>
  %y = graph.linear %x, %w : !graph.tensor<?x?x64xf32>, !graph.tensor<64x64xf32>
  %h = graph.view %y size [%b, %s, 4, 16] : !graph.tensor<?x?x64xf32>
  %t = graph.transpose %h {dim0 = 1 : i64, dim1 = 2 : i64} : !graph.tensor<?x?x4x16xf32>
  %u = graph.transpose %t {dim0 = 1 : i64, dim1 = 2 : i64} : !graph.tensor<?x4x?x16xf32>
  %c = graph.contiguous %u : !graph.tensor<?x?x4x16xf32>
  %r = graph.reshape %c shape [%b, %s, 64] : !graph.tensor<?x?x4x16xf32>
  %z = graph.relu_ %r : !graph.tensor<?x?x64xf32>
  return %z : !graph.tensor<?x?x64xf32>
}

// A new tensor with the operand in it, of sizes that are computed.
// CHECK-LABEL: func.func private @pad.core(
// CHECK: functional.slice_scatter
func.func @pad(%x: !graph.tensor<?x4xf32>) -> !graph.tensor<?x6xf32> {
  %y = graph.constant_pad_nd %x {pad = array<i64: 1, 1, 2, 0>} : !graph.tensor<?x4xf32>
  return %y : !graph.tensor<?x6xf32>
}
