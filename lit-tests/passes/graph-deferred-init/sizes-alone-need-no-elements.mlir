// RUN: terrace-opt --graph-deferred-init %s | FileCheck %s

// Who is only asked for its sizes and strides has no memory here either, though it draws.
// CHECK-LABEL: func.func @like(
// CHECK-LABEL: func.func @like.materialize_0
// CHECK-NOT: graph.empty
// CHECK-NOT: graph.normal_
// CHECK: %[[F:.*]] = graph.fake [65536, 65536]
// CHECK-NEXT: %[[T:.*]] = graph.t %[[F]]
// CHECK-NEXT: %[[S:.*]] = graph.select %[[T]]
// CHECK-NEXT: %[[L:.*]] = graph.zeros_like %[[S]]
// CHECK: return %[[L]]
func.func @like() -> !graph.tensor<65536xf32> {
  %e = graph.empty [65536, 65536]
  %w = graph.normal_ %e : !graph.tensor<65536x65536xf32>
  %t = graph.t %w : !graph.tensor<65536x65536xf32>
  %s = graph.select %t index [0] {dim = 0 : i64} : !graph.tensor<65536x65536xf32>
  %l = graph.zeros_like %s : !graph.tensor<65536xf32>
  return %l : !graph.tensor<65536xf32>
}

// A copy that could have been a view reads.
// CHECK-LABEL: func.func @copied(
// CHECK-LABEL: func.func @copied.materialize_0
// CHECK: graph.rand [2, 3]
// CHECK: graph.t
// CHECK: graph.reshape
func.func @copied() -> !graph.tensor<6xf32> {
  %e = graph.rand [2, 3] {dtype = f32}
  %t = graph.t %e : !graph.tensor<2x3xf32>
  %c = graph.reshape %t shape [6] : !graph.tensor<3x2xf32>
  return %c : !graph.tensor<6xf32>
}

// New tensors are laid out as eager lays them out.
// CHECK-LABEL: func.func @strides(
// CHECK-LABEL: func.func @strides.fake
// CHECK: %[[S:.*]] = graph.fake [6] {dtype = f32}
// CHECK-NEXT: %[[V:.*]] = graph.as_strided %[[S]] size [3, 2] stride [1, 3] storage_offset [0]
// CHECK: return %[[V]]
func.func @strides() -> !graph.tensor<3x2xf32> {
  %e = graph.rand [2, 3] {dtype = f32}
  %t = graph.t %e : !graph.tensor<2x3xf32>
  %c = graph.exp %t : !graph.tensor<3x2xf32>
  return %c : !graph.tensor<3x2xf32>
}

// What was written before a copy is in it.
// CHECK-LABEL: func.func @filled(
// CHECK-LABEL: func.func @filled.materialize_0
// CHECK: graph.empty
// CHECK: graph.normal_
// CHECK: graph.contiguous
func.func @filled() -> !graph.tensor<3x2xf32> {
  %e = graph.empty [2, 3]
  %w = graph.normal_ %e : !graph.tensor<2x3xf32>
  %t = graph.t %e : !graph.tensor<2x3xf32>
  %c = graph.contiguous %t : !graph.tensor<3x2xf32>
  return %c : !graph.tensor<3x2xf32>
}
