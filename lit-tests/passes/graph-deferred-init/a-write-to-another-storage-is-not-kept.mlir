// RUN: terrace-opt --graph-deferred-init %s | FileCheck %s

// CHECK-LABEL: func.func @two(
// CHECK-LABEL: func.func @two.materialize_0
// CHECK-NEXT: %[[A:.*]] = graph.zeros [2]
// CHECK-NEXT: graph.neg_ %[[A]]
// CHECK-NEXT: return %[[A]]
// CHECK-LABEL: func.func @two.materialize_1
// CHECK-NEXT: %[[B:.*]] = graph.ones [3]
// CHECK-NEXT: graph.exp_ %[[B]]
// CHECK-NEXT: return %[[B]]
func.func @two() -> (!graph.tensor<2xf32>, !graph.tensor<3xf32>) {
  %a = graph.zeros [2] {dtype = f32}
  %b = graph.ones [3] {dtype = f32}
  %0 = graph.neg_ %a : !graph.tensor<2xf32>
  %1 = graph.exp_ %b : !graph.tensor<3xf32>
  return %a, %b : !graph.tensor<2xf32>, !graph.tensor<3xf32>
}

// In a loop too, with what goes round for the other.
// CHECK-LABEL: func.func @loop(
// CHECK-LABEL: func.func @loop.materialize_1
// CHECK-NOT: graph.neg
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK-NEXT: graph.exp_
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @loop(%n: index) -> (!graph.tensor<2xf32>, !graph.tensor<3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = graph.zeros [2] {dtype = f32}
  %b = graph.ones [3] {dtype = f32}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%own = %a) -> !graph.tensor<2xf32> {
    %0 = graph.neg %own : !graph.tensor<2xf32>
    %1 = graph.exp_ %b : !graph.tensor<3xf32>
    scf.yield %0 : !graph.tensor<2xf32>
  }
  return %r, %b : !graph.tensor<2xf32>, !graph.tensor<3xf32>
}

// A write after the last read of a storage that is only read is none of the result's.
// CHECK-LABEL: func.func @read(
// CHECK-LABEL: func.func @read.materialize_0
// CHECK: graph.normal_
// CHECK-NOT: graph.zero_
// CHECK: graph.add
// CHECK-NOT: graph.zero_
// CHECK: return
func.func @read() -> !graph.tensor<2xf32> {
  %k = arith.constant 1.0 : f64
  %e = graph.empty [2]
  %a = graph.normal_ %e : !graph.tensor<2xf32>
  %b = graph.add %a, %k : !graph.tensor<2xf32>, f64
  %z = graph.zero_ %a : !graph.tensor<2xf32>
  return %b : !graph.tensor<2xf32>
}
