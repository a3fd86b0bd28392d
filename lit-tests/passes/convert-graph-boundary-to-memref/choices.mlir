// RUN: terrace-opt %s --convert-graph-boundary-to-memref --place-deallocations --split-input-file --verify-diagnostics | FileCheck %s

// One of an argument and a new tensor: a buffer that is chosen, and strides that it brings along. The new one is freed where it is not returned.
// CHECK-LABEL: func.func @choice(
// CHECK-SAME: %[[C:.*]]: i1, %[[X:.*]]: memref<2x3xf32> {llvm.noalias}, %{{.*}}: tensor<2x3xf32>)
// CHECK-SAME: -> (memref<2x3xf32, strided<[?, ?], offset: ?>> {graph.dtype = f32}, index {graph.object_of = 0 : index})
// CHECK: %[[NEW:.*]] = memref.alloc() {{.*}} : memref<2x3xf32>
// CHECK: %[[A:.*]] = memref.cast %[[X]]
// CHECK: %[[B:.*]] = memref.cast %[[NEW]]
// CHECK: %[[R:.*]] = arith.select %[[C]], %[[A]], %[[B]]
// Which one it is says a number: an argument's is its own.
// CHECK: %[[NUMBER:.*]] = arith.select %[[C]], %c1{{.*}}, %c{{[0-9]+}} : index
// CHECK-DAG: %[[OWN:.*]] = memref.extract_aligned_pointer_as_index %[[NEW]]
// CHECK-DAG: %[[RETURNED:.*]] = memref.extract_aligned_pointer_as_index %[[R]]
// CHECK: %[[OTHER:.*]] = arith.cmpi ne, %[[OWN]], %[[RETURNED]]
// CHECK: scf.if %[[OTHER]]
// CHECK-NEXT: memref.dealloc %[[NEW]]
// CHECK: return %[[R]], %[[NUMBER]]
func.func @choice(%c: i1, %x: !graph.tensor<2x3xf32> {graph.storage = "s"}, %v: tensor<2x3xf32>) -> !graph.tensor<2x3xf32> {
  %0 = graph.fresh %v : tensor<2x3xf32>
  %1 = arith.select %c, %x, %0 : !graph.tensor<2x3xf32>
  return %1 : !graph.tensor<2x3xf32>
}

// -----

// A view of what is chosen has its strides.
// CHECK-LABEL: func.func @view_of_choice(
// CHECK: %[[R:.*]] = arith.select
// CHECK: %{{.*}}, %[[OFFSET:.*]], %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[R]]
// CHECK: memref.reinterpret_cast %[[R]] to offset: [%[[OFFSET]]], sizes: [3, 2], strides: [%[[STRIDES]]#1, %[[STRIDES]]#0]
func.func @view_of_choice(%c: i1, %x: !graph.tensor<2x3xf32> {graph.storage = "s"}, %y: !graph.tensor<2x3xf32> {graph.storage = "t"}) -> !graph.tensor<3x2xf32> {
  %0 = arith.select %c, %x, %y : !graph.tensor<2x3xf32>
  %1 = graph.permute %0 {dims = array<i64: 1, 0>} : !graph.tensor<2x3xf32>
  return %1 : !graph.tensor<3x2xf32>
}

// -----

// Of an earlier result: it may be that one.
// CHECK-LABEL: func.func @earlier_result(
// CHECK-SAME: -> (memref<3xf32> {graph.dtype = f32}, memref<3xf32, strided<[?], offset: ?>> {graph.dtype = f32}, index {graph.object_of = 0 : index}, index {graph.object_of = 1 : index})
func.func @earlier_result(%c: i1, %x: !graph.tensor<3xf32> {graph.storage = "s"}, %v: tensor<3xf32>) -> (!graph.tensor<3xf32>, !graph.tensor<3xf32>) {
  %0 = graph.fresh %v : tensor<3xf32>
  %1 = arith.select %c, %x, %0 : !graph.tensor<3xf32>
  return %0, %1 : !graph.tensor<3xf32>, !graph.tensor<3xf32>
}

// -----

// Of two arguments. Nobody else knows what is one of two new tensors.
// CHECK-LABEL: func.func @alike(
// CHECK-SAME: -> (memref<3xf32, strided<[?], offset: ?>> {graph.dtype = f32}, index {graph.object_of = 0 : index})
// CHECK-LABEL: func.func @new(
// CHECK-NOT: graph.object_of
func.func @alike(%c: i1, %x: !graph.tensor<3xf32>, %y: !graph.tensor<3xf32>) -> !graph.tensor<3xf32> {
  %0 = arith.select %c, %x, %y : !graph.tensor<3xf32>
  return %0 : !graph.tensor<3xf32>
}
func.func @new(%c: i1, %v: tensor<3xf32>, %w: tensor<3xf32>) -> !graph.tensor<3xf32> {
  %0 = graph.fresh %v : tensor<3xf32>
  %1 = graph.fresh %w : tensor<3xf32>
  %2 = arith.select %c, %0, %1 : !graph.tensor<3xf32>
  return %2 : !graph.tensor<3xf32>
}

// -----

func.func @"not-a-read-of-a-choice"(%c: i1, %x: !graph.tensor<3xf32> {graph.storage = "s"}, %y: !graph.tensor<3xf32> {graph.storage = "t"}) -> tensor<3xf32> {
  %0 = arith.select %c, %x, %y : !graph.tensor<3xf32>
  // expected-error @below {{is on one of several tensors: a boundary only returns these}}
  %1 = graph.value %0 : !graph.tensor<3xf32>
  return %1 : tensor<3xf32>
}
