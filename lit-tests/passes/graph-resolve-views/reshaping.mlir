// RUN: terrace-opt %s --graph-resolve-views --split-input-file | FileCheck %s

// A view where strides allow it, else a copy that is viewed.
// CHECK-LABEL: func.func @reshape
// CHECK-SAME: (%[[X:.*]]: !graph.tensor<4x6xf32>)
// CHECK: %[[T:.*]] = graph.t %[[X]]
// CHECK: %[[A:.*]] = graph.view %[[X]] size [24]
// CHECK: %[[C:.*]] = graph.clone %[[T]] {memory_format = "contiguous_format"}
// CHECK: %[[B:.*]] = graph.view %[[C]] size [24]
// CHECK: return %[[A]], %[[B]]
func.func @reshape(%x: !graph.tensor<4x6xf32>) -> (!graph.tensor<24xf32>, !graph.tensor<24xf32>) {
  %t = graph.t %x : !graph.tensor<4x6xf32>
  %a = graph.reshape %x shape [-1] : !graph.tensor<4x6xf32>
  %b = graph.reshape_as %t, %a : !graph.tensor<6x4xf32>, !graph.tensor<24xf32>
  return %a, %b : !graph.tensor<24xf32>, !graph.tensor<24xf32>
}

// -----

// The layout of a result is followed as well: of a copy that is contiguous, contiguous is itself.
// CHECK-LABEL: func.func @contiguous
// CHECK: %[[T:.*]] = graph.t
// CHECK: %[[C:.*]] = graph.clone %[[T]] {memory_format = "contiguous_format"}
// CHECK-NEXT: %[[E:.*]] = graph.exp_ %[[C]]
// CHECK-NEXT: return %[[E]], %[[T]]
func.func @contiguous(%x: !graph.tensor<4x6xf32>) -> (!graph.tensor<6x4xf32>, !graph.tensor<6x4xf32>) {
  %t = graph.t %x : !graph.tensor<4x6xf32>
  %a = graph.contiguous %t : !graph.tensor<6x4xf32>
  %b = graph.contiguous %a : !graph.tensor<6x4xf32>
  %e = graph.exp_ %b : !graph.tensor<6x4xf32>
  %c = graph.to %t : !graph.tensor<6x4xf32>
  return %e, %c : !graph.tensor<6x4xf32>, !graph.tensor<6x4xf32>
}

// -----

// CHECK-LABEL: func.func @channels_last
// CHECK-SAME: (%[[X:[^:]*]]: !graph.tensor<2x3x4x5xf32>
// CHECK-NEXT: %[[C:.*]] = graph.clone %[[X]] {memory_format = "channels_last"}
// CHECK-NEXT: %[[P:.*]] = graph._to_copy %[[C]] {dtype = f32, memory_format = "contiguous_format"}
// CHECK-NEXT: return %[[C]], %[[P]]
func.func @channels_last(%x: !graph.tensor<2x3x4x5xf32>) -> (!graph.tensor<2x3x4x5xf32>, !graph.tensor<2x3x4x5xf32>) {
  %a = graph.contiguous %x {memory_format = "channels_last"} : !graph.tensor<2x3x4x5xf32>
  %b = graph.to %a {dtype = f32, memory_format = "channels_last"} : !graph.tensor<2x3x4x5xf32>
  %c = graph.to %b {memory_format = "contiguous_format"} : !graph.tensor<2x3x4x5xf32>
  return %b, %c : !graph.tensor<2x3x4x5xf32>, !graph.tensor<2x3x4x5xf32>
}

// -----

// CHECK-LABEL: func.func @dtype
// CHECK-NEXT: graph._to_copy %{{.*}} {dtype = f64}
// CHECK-NEXT: graph._to_copy %{{.*}} {dtype = i64}
// CHECK-NEXT: return
func.func @dtype(%x: !graph.tensor<2xf32>, %y: !graph.tensor<i64>) -> (!graph.tensor<2xf64>, !graph.tensor<2xi64>) {
  %a = graph.to %x {dtype = f64} : !graph.tensor<2xf32>
  %b = graph.type_as %x, %y : !graph.tensor<2xf32>, !graph.tensor<i64>
  return %a, %b : !graph.tensor<2xf64>, !graph.tensor<2xi64>
}

// -----

// Of one dimension the operand itself; inside of regions too.
// CHECK-LABEL: func.func @flatten
// CHECK-SAME: (%[[X:.*]]: !graph.tensor<2x3x4xf32>, %{{.*}}: i1)
// CHECK: scf.if
// CHECK-NEXT: graph.view %[[X]] size [2, 12]
// CHECK: return %[[X]]
func.func @flatten(%x: !graph.tensor<2x3x4xf32>, %c: i1) -> !graph.tensor<2x3x4xf32> {
  scf.if %c {
    %f = graph.flatten.using_ints %x {start_dim = 1 : i64} : !graph.tensor<2x3x4xf32>
    %e = graph.exp_ %f : !graph.tensor<2x12xf32>
  }
  %a = graph.flatten.using_ints %x {start_dim = -1 : i64} : !graph.tensor<2x3x4xf32>
  return %a : !graph.tensor<2x3x4xf32>
}

// -----

// Sizes alone decide where nothing is joined.
// CHECK-LABEL: func.func @unknown_strides
// CHECK-NEXT: graph.view %{{.*}} size [2, 2, 1, 6]
func.func @unknown_strides(%x: !graph.tensor<4x6xf32> {graph.layout = "any"}) -> !graph.tensor<2x2x1x6xf32> {
  %a = graph.reshape %x shape [2, 2, 1, 6] : !graph.tensor<4x6xf32>
  return %a : !graph.tensor<2x2x1x6xf32>
}
