// RUN: terrace-opt %s --convert-graph-boundary-to-memref --split-input-file | FileCheck %s

func.func private @whole.core(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = functional.relu %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// Read and written as a whole: the core may work in place.
// CHECK-LABEL: func.func @whole
// CHECK-SAME: (%[[X:[a-z0-9]+]]: memref<4xf32, strided<[2], offset: 1>>) -> (memref<4xf32, strided<[2], offset: 1>> {graph.dtype = f32, graph.same_as = "arg0"})
// CHECK: %[[V:.*]] = bufferization.to_tensor %[[X]] restrict writable
// CHECK: %[[R:.*]] = call @whole.core(%[[V]])
// CHECK: bufferization.materialize_in_destination %[[R]] in writable %[[X]]
// CHECK: return %[[X]]
func.func @whole(%x: !graph.tensor<4xf32> {graph.layout = strided<[2], offset: 1>}) -> !graph.tensor<4xf32> {
  %v = graph.value %x : !graph.tensor<4xf32>
  %r = func.call @whole.core(%v) : (tensor<4xf32>) -> tensor<4xf32>
  graph.write_back %r into %x : tensor<4xf32>, !graph.tensor<4xf32>
  return %x : !graph.tensor<4xf32>
}

// -----

func.func private @swap.core(%a: tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = functional.slice %a start [2] end [4] step [1] : tensor<4xf32>
  %1 = functional.slice %a start [0] end [2] step [1] : tensor<4xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
// One region's write could be the other's source: the storage is read before anything is written.
// CHECK-LABEL: func.func @"not-read-in-place-when-two-regions-are-written"
// CHECK: %[[T:.*]] = bufferization.to_tensor %{{.*}} restrict :
// CHECK: %[[C:.*]] = bufferization.alloc_tensor() copy(%[[T]])
// CHECK: call @swap.core(%[[C]])
// CHECK: bufferization.materialize_in_destination
// CHECK: bufferization.materialize_in_destination
func.func @"not-read-in-place-when-two-regions-are-written"(%x: !graph.tensor<4xf32>) {
  %v = graph.value %x : !graph.tensor<4xf32>
  %r:2 = func.call @swap.core(%v) : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %a = graph.as_strided %x size [2] stride [1] storage_offset [0] : !graph.tensor<4xf32>
  %b = graph.as_strided %x size [2] stride [1] storage_offset [2] : !graph.tensor<4xf32>
  graph.write_back %r#0 into %a : tensor<2xf32>, !graph.tensor<2xf32>
  graph.write_back %r#1 into %b : tensor<2xf32>, !graph.tensor<2xf32>
  return
}

// -----

func.func private @both.core(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = functional.relu %a : tensor<4xf32>
  return %0, %a : tensor<4xf32>, tensor<4xf32>
}
// A result that is what was read has a buffer of its own before the write.
// CHECK-LABEL: func.func @"not-returned-without-a-copy"
// CHECK: %[[R:.*]]:2 = call
// CHECK: %[[C:.*]] = bufferization.alloc_tensor() copy(%[[R]]#1)
// CHECK: %[[B:.*]] = bufferization.to_buffer %[[C]]
// CHECK: bufferization.materialize_in_destination %[[R]]#0
// CHECK: return %[[B]]
func.func @"not-returned-without-a-copy"(%x: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %v = graph.value %x : !graph.tensor<4xf32>
  %r:2 = func.call @both.core(%v) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  graph.write_back %r#0 into %x : tensor<4xf32>, !graph.tensor<4xf32>
  %o = graph.fresh %r#1 : tensor<4xf32>
  return %o : !graph.tensor<4xf32>
}

// -----

func.func private @views.core(%a: tensor<2x3xi1>) -> tensor<2x3xi1> {
  %0 = functional.logical_not %a : tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}
// A bool is a byte; views of a new storage share its buffer; the same result twice is said.
// CHECK-LABEL: func.func @views
// CHECK-SAME: (%{{.*}}: memref<2x3xi8>) -> (memref<2x3xi8> {graph.dtype = i1}, memref<3x2xi8, strided<[1, 3]>> {graph.dtype = i1}, memref<2x3xi8> {graph.dtype = i1, graph.same_as = "result0"})
// CHECK: %[[B:.*]] = bufferization.to_buffer
// CHECK: %[[T:.*]] = memref.reinterpret_cast %[[B]] to offset: [0], sizes: [3, 2], strides: [1, 3]
// CHECK: return %[[B]], %[[T]], %[[B]]
func.func @views(%x: !graph.tensor<2x3xi1>) -> (!graph.tensor<2x3xi1>, !graph.tensor<3x2xi1>, !graph.tensor<2x3xi1>) {
  %v = graph.value %x : !graph.tensor<2x3xi1>
  %r = func.call @views.core(%v) : (tensor<2x3xi1>) -> tensor<2x3xi1>
  %o = graph.fresh %r : tensor<2x3xi1>
  %t = graph.as_strided %o size [3, 2] stride [1, 3] storage_offset [0] : !graph.tensor<2x3xi1>
  return %o, %t, %o : !graph.tensor<2x3xi1>, !graph.tensor<3x2xi1>, !graph.tensor<2x3xi1>
}
