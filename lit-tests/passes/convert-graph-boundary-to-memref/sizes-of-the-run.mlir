// Storages of sizes that are known when the program runs.
// RUN: terrace-opt %s --convert-functional-to-loop --convert-graph-boundary-to-memref | FileCheck %s

// A result is the buffer in which it is computed; a view of it says its sizes and strides where they are known.
// CHECK-LABEL: func.func @fresh(
// CHECK-SAME: %[[X:.*]]: memref<?x?xf32>) -> (memref<?x?xf32, strided<[1, ?]>>
// CHECK: %[[V:.*]] = bufferization.to_tensor %[[X]] restrict : memref<?x?xf32> to tensor<?x?xf32>
// CHECK: %[[Y:.*]] = call @core(%[[V]])
// CHECK: %[[B:.*]] = bufferization.to_buffer %[[Y]] {storage = {{[0-9]+}} : index} : tensor<?x?xf32> to memref<?x?xf32>
// CHECK: memref.dim %[[X]], %c1
// CHECK: memref.reinterpret_cast %[[B]] to offset: [0], sizes: [%{{.*}}, %{{.*}}], strides: [1, %{{.*}}]
func.func private @core(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = functional.exp %x : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @fresh(%x: !graph.tensor<?x?xf32>) -> !graph.tensor<?x?xf32> {
  %v = graph.value %x : !graph.tensor<?x?xf32>
  %y = call @core(%v) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %f = graph.fresh %y : tensor<?x?xf32>
  %n = graph.sym_size %x {dim = 1} : !graph.tensor<?x?xf32>
  %m = graph.sym_size %x {dim = 0} : !graph.tensor<?x?xf32>
  %t = graph.as_strided %f size [%n, %m] stride [1, %n] storage_offset [0] : !graph.tensor<?x?xf32>
  return %t : !graph.tensor<?x?xf32>
}

// What was read as it is has a storage of its own.
// CHECK-LABEL: func.func @copied(
// CHECK: %[[V:.*]] = bufferization.to_tensor %{{.*}} restrict
// CHECK: %[[N:.*]] = tensor.dim %[[V]], %c0
// CHECK: %[[B:.*]] = memref.alloc(%[[N]]) {{.*}} : memref<?x4xf32>
// CHECK: bufferization.materialize_in_destination %[[V]] in restrict writable %[[B]]
func.func @copied(%x: !graph.tensor<?x4xf32>) -> !graph.tensor<?x4xf32> {
  %v = graph.value %x : !graph.tensor<?x4xf32>
  %f = graph.fresh %v : tensor<?x4xf32>
  return %f : !graph.tensor<?x4xf32>
}

// Guards stand in front of what is allocated.
// CHECK-LABEL: func.func @guarded(
// CHECK-SAME: %[[X:.*]]: memref<?xf32>
// CHECK: %[[USUAL:.*]] = arith.cmpi ne
// CHECK-NEXT: graph.guard %[[USUAL]], "size 0 of argument 0 is not 1"
// CHECK: memref.alloc
func.func @guarded(%x: !graph.tensor<?xf32>) -> !graph.tensor<?xf32> {
  %one = arith.constant 1 : i64
  %n = graph.sym_size %x {dim = 0} : !graph.tensor<?xf32>
  %usual = arith.cmpi ne, %n, %one : i64
  graph.guard %usual, "size 0 of argument 0 is not 1"
  %v = graph.value %x : !graph.tensor<?xf32>
  %f = graph.fresh %v : tensor<?xf32>
  return %f : !graph.tensor<?xf32>
}

// Another object of the same elements is the same buffer; elements of another dtype of as many bytes lie in the same places.
// CHECK-LABEL: func.func @seen(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x4xf32
// CHECK: %[[BITS:.*]] = kernel.reinterpret %[[X]] : memref<?x4xf32{{.*}}> to memref<?x4xi32
// CHECK: return %[[X]], %[[BITS]]
func.func @seen(%x: !graph.tensor<?x4xf32>) -> (!graph.tensor<?x4xf32>, !graph.tensor<?x4xi32>) {
  %y = graph.alias %x : !graph.tensor<?x4xf32>
  %z = graph.view.dtype %x {dtype = i32} : !graph.tensor<?x4xf32>
  return %y, %z : !graph.tensor<?x4xf32>, !graph.tensor<?x4xi32>
}

// Elements become as many shorter ones, where they lie.
// CHECK-LABEL: func.func @shorter(
// CHECK: %[[B:.*]] = kernel.reinterpret %{{.*}} : memref<?x?xf32> to memref<?x?xi8>
// CHECK: return %[[B]]
func.func @shorter(%x: !graph.tensor<?x?xf32>) -> !graph.tensor<?x?xi8> {
  %0 = graph.view.dtype %x {dtype = i8} : !graph.tensor<?x?xf32>
  return %0 : !graph.tensor<?x?xi8>
}
