// RUN: terrace-opt %s --graph-resolve-views | FileCheck %s

// CHECK-LABEL: func.func @views
func.func @views(%x: !graph.tensor<2x3xf32>) -> !graph.tensor<4xf32> {
  // CHECK: %[[T:.*]] = graph.t %{{.*}} : !graph.tensor<2x3xf32>
  // CHECK: %[[S:.*]] = graph.as_strided %[[T]] size [4] stride [1] storage_offset [0]
  // CHECK: return %[[S]]
  %0 = graph.t_ %x : !graph.tensor<2x3xf32>
  %1 = graph.resize_ %0 size [4] : !graph.tensor<3x2xf32>
  return %1 : !graph.tensor<4xf32>
}

// CHECK-LABEL: func.func @same_sizes_keep_their_strides
func.func @same_sizes_keep_their_strides(%x: !graph.tensor<2x3xf32> {graph.layout = strided<[1, 2], offset: 0>}) -> !graph.tensor<2x3xf32> {
  // CHECK: graph.alias %{{.*}} : !graph.tensor<2x3xf32>
  %0 = graph.resize_ %x size [2, 3] : !graph.tensor<2x3xf32>
  return %0 : !graph.tensor<2x3xf32>
}

// CHECK-LABEL: func.func @of_a_source
func.func @of_a_source(%x: !graph.tensor<2xf32>, %y: !graph.tensor<6xf32>) -> !graph.tensor<2x2xf32> {
  // CHECK: graph.as_strided %{{.*}} size [2, 2] stride [2, 1] storage_offset [1] : !graph.tensor<6xf32>
  %0 = graph.set_ %x source %y : !graph.tensor<6xf32> {storage_offset = 1 : i64, size = array<i64: 2, 2>} : !graph.tensor<2xf32>
  return %0 : !graph.tensor<2x2xf32>
}

// A tensor stays what it is, no negative, whatever its storage was read as.
// CHECK-LABEL: func.func @of_a_negative
func.func @of_a_negative(%x: !graph.tensor<2xf32>, %y: !graph.tensor<2xf32>) -> !graph.tensor<2xf32> {
  %n = graph._neg_view %y : !graph.tensor<2xf32>
  // CHECK: %[[N:.*]] = graph._neg_view
  // CHECK-NEXT: %[[ALIAS:.*]] = graph.alias %[[N]]
  // CHECK-NEXT: %[[OWN:.*]] = graph._neg_view %[[ALIAS]]
  // CHECK-NEXT: return %[[OWN]]
  %0 = graph.set_ %x source %n : !graph.tensor<2xf32> : !graph.tensor<2xf32>
  return %0 : !graph.tensor<2xf32>
}

// The storage is counted in elements of the view.
// CHECK-LABEL: func.func @grows_with_its_elements(
//       CHECK:   graph.resize_storage %{{.*}} bytes [16] {at_least} : !graph.tensor<2xf32>
func.func @grows_with_its_elements() -> !graph.tensor<4xf32> {
  %x = graph.zeros [4] {dtype = f16}
  %v = graph.view.dtype %x {dtype = f32} : !graph.tensor<4xf16>
  %0 = graph.resize_ %v size [4] : !graph.tensor<2xf32>
  return %0 : !graph.tensor<4xf32>
}

// CHECK-LABEL: func.func @grows(
//  CHECK-SAME:   %[[X:.*]]: !graph.tensor<2xf32>)
//       CHECK:   graph.resize_storage %[[X]] bytes [12] {at_least}
//       CHECK:   graph.as_strided %[[X]] size [3] stride [1] storage_offset [0]
func.func @grows(%x: !graph.tensor<2xf32>) -> !graph.tensor<3xf32> {
  %0 = graph.resize_ %x size [3] : !graph.tensor<2xf32>
  return %0 : !graph.tensor<3xf32>
}
