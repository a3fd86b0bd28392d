// RUN: terrace-opt --graph-deferred-init %s | FileCheck %s

// `.data =` is set_: the object leaves its storage and joins the other; later writes go there.
// CHECK-LABEL: func.func @data(
// CHECK-LABEL: func.func @data.fake() -> (!graph.tensor<2xf32> {graph.materialize = @data.materialize_0}, !graph.tensor<2xf32> {graph.materialize = @data.materialize_0}, !graph.tensor<2xf32> {graph.materialize = @data.materialize_1},
// CHECK-DAG: %[[A:.*]] = graph.fake [2]
// CHECK: %[[S:.*]] = graph.set_ %{{.*}} source %[[B:[0-9]+]] :
// CHECK: return %[[S]], %[[B]], %{{.*}}
// CHECK-LABEL: func.func @data.materialize_0
// CHECK: graph.rand [2]
// CHECK: graph.set_
// CHECK-NEXT: graph.neg_
// CHECK-NOT: graph.exp_
// CHECK: return
// CHECK-LABEL: func.func @data.materialize_1
// CHECK-NOT: graph.set_ %
// CHECK: graph.alias
// CHECK-NOT: graph.neg_
// CHECK: graph.exp_
// CHECK-NOT: graph.neg_
// CHECK: return
func.func @data() -> (!graph.tensor<2xf32>, !graph.tensor<2xf32>, !graph.tensor<2xf32>) {
  %a = graph.zeros [2] {dtype = f32}
  %old = graph.alias %a : !graph.tensor<2xf32>
  %b = graph.rand [2] {dtype = f32}
  %s = graph.set_ %a source %b : !graph.tensor<2xf32> : !graph.tensor<2xf32>
  %0 = graph.neg_ %s : !graph.tensor<2xf32>
  %1 = graph.exp_ %old : !graph.tensor<2xf32>
  return %s, %b, %old : !graph.tensor<2xf32>, !graph.tensor<2xf32>, !graph.tensor<2xf32>
}

// A storage that grew by one alias is large enough for the others, also where it has no memory.
// CHECK-LABEL: func.func @grown(
// CHECK-LABEL: func.func @grown.fake
// CHECK: graph.resize_
// CHECK: graph.as_strided
// CHECK-LABEL: func.func @grown.materialize_0
// CHECK: graph.resize_
// CHECK: graph.as_strided
func.func @grown() -> !graph.tensor<6xf32> {
  %a = graph.zeros [2] {dtype = f32}
  %v = graph.alias %a : !graph.tensor<2xf32>
  %r = graph.resize_ %a size [6] : !graph.tensor<2xf32>
  %s = graph.as_strided %v size [6] stride [1] storage_offset [0] : !graph.tensor<2xf32>
  return %s : !graph.tensor<6xf32>
}

// The sizes of an object that changes are those of its result.
// CHECK-LABEL: func.func @turned(
// CHECK-LABEL: func.func @turned.fake
// CHECK-NEXT: %[[A:.*]] = graph.fake [2, 3]
// CHECK-NEXT: %[[T:.*]] = graph.t_ %[[A]]
// CHECK-NEXT: return %[[T]]
func.func @turned() -> !graph.tensor<3x2xf32> {
  %a = graph.zeros [2, 3] {dtype = f32}
  %t = graph.t_ %a : !graph.tensor<2x3xf32>
  return %t : !graph.tensor<3x2xf32>
}
