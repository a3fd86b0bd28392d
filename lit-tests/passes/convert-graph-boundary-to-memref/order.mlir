// RUN: terrace-opt %s --convert-graph-boundary-to-memref --split-input-file | FileCheck %s

func.func private @whole.core(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = loop.pointwise (%i = 4) into %e {
    %v = loop.load %a[%i] : tensor<4xf32>
    %n = arith.negf %v : f32
    loop.yield %n : f32
  } : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// Read and written as a whole: the core may work in place, and bufferization sees who reads what stood there.
// CHECK-LABEL: func.func @whole
// CHECK-SAME: (%[[X:[a-z0-9]+]]: memref<4xf32, strided<[2], offset: 1>>) -> (memref<4xf32, strided<[2], offset: 1>> {graph.dtype = f32, graph.same_as = "arg0"})
// CHECK: %[[V:.*]] = bufferization.to_tensor %[[X]] restrict writable
// CHECK: %[[R:.*]] = call @whole.core(%[[V]])
// CHECK: %[[N:.*]] = bufferization.materialize_in_destination %[[R]] in %[[V]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK: bufferization.materialize_in_destination %[[N]] in writable %[[X]]
// CHECK: return %[[X]]
func.func @whole(%x: !graph.tensor<4xf32> {graph.layout = strided<[2], offset: 1>}) -> !graph.tensor<4xf32> {
  %v = graph.value %x : !graph.tensor<4xf32>
  %r = func.call @whole.core(%v) : (tensor<4xf32>) -> tensor<4xf32>
  graph.write_back %r into %x : tensor<4xf32>, !graph.tensor<4xf32>
  return %x : !graph.tensor<4xf32>
}

// -----

func.func private @halves.core(%a: tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = functional.slice %a start [2] end [4] step [1] : tensor<4xf32>
  %1 = functional.slice %a start [0] end [2] step [1] : tensor<4xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
// One region's write could be the other's source: both values have left the storage before anything is written.
// CHECK-LABEL: func.func @"not-read-in-place-when-two-regions-are-written"
// CHECK: %[[A:.*]] = memref.alloc() {{.*}} : memref<2xf32>
// CHECK: %[[B:.*]] = memref.alloc() {{.*}} : memref<2xf32>
// CHECK: bufferization.to_tensor %{{.*}} restrict :
// CHECK: %[[R:.*]]:2 = call @halves.core
// CHECK: bufferization.materialize_in_destination %[[R]]#0 in restrict writable %[[A]]
// CHECK: bufferization.materialize_in_destination %[[R]]#1 in restrict writable %[[B]]
// CHECK: memref.copy %[[A]]
// CHECK: memref.copy %[[B]]
func.func @"not-read-in-place-when-two-regions-are-written"(%x: !graph.tensor<4xf32>) {
  %v = graph.value %x : !graph.tensor<4xf32>
  %r:2 = func.call @halves.core(%v) : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %a = graph.as_strided %x size [2] stride [1] storage_offset [0] : !graph.tensor<4xf32>
  %b = graph.as_strided %x size [2] stride [1] storage_offset [2] : !graph.tensor<4xf32>
  graph.write_back %r#0 into %a : tensor<2xf32>, !graph.tensor<2xf32>
  graph.write_back %r#1 into %b : tensor<2xf32>, !graph.tensor<2xf32>
  return
}

// -----

func.func private @swap.core(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  return %b, %a : tensor<4xf32>, tensor<4xf32>
}
// Each value is what was read from where the other goes.
// CHECK-LABEL: func.func @"not-in-place-when-storages-are-swapped"
// CHECK-NOT: restrict writable :
// CHECK: call
// CHECK-COUNT-2: bufferization.materialize_in_destination
// CHECK-COUNT-2: memref.copy
func.func @"not-in-place-when-storages-are-swapped"(%x: !graph.tensor<4xf32> {graph.storage = "x"},
                                                     %y: !graph.tensor<4xf32> {graph.storage = "y"}) {
  %v = graph.value %x : !graph.tensor<4xf32>
  %w = graph.value %y : !graph.tensor<4xf32>
  %r:2 = func.call @swap.core(%v, %w) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  graph.write_back %r#0 into %x : tensor<4xf32>, !graph.tensor<4xf32>
  graph.write_back %r#1 into %y : tensor<4xf32>, !graph.tensor<4xf32>
  return
}

// -----

func.func private @copy.core(%b: tensor<4xf32>) -> tensor<4xf32> {
  return %b : tensor<4xf32>
}
// What nobody reads is computed where it goes.
// CHECK-LABEL: func.func @overwritten
// CHECK-SAME: (%[[X:[a-z0-9]+]]: memref<4xf32>
// CHECK: %[[R:.*]] = call
// CHECK: bufferization.materialize_in_destination %[[R]] in restrict writable %[[X]]
// CHECK-NOT: memref.copy
func.func @overwritten(%x: !graph.tensor<4xf32> {graph.storage = "x"}, %y: !graph.tensor<4xf32> {graph.storage = "y"}) {
  %w = graph.value %y : !graph.tensor<4xf32>
  %r = func.call @copy.core(%w) : (tensor<4xf32>) -> tensor<4xf32>
  graph.write_back %r into %x : tensor<4xf32>, !graph.tensor<4xf32>
  return
}

// -----

func.func private @unknown.core(%b: tensor<4xf32>) -> tensor<4xf32> {
  return %b : tensor<4xf32>
}
// The same where the storages may be one: by way of a buffer.
// CHECK-LABEL: func.func @"not-computed-in-place-where-storages-may-be-one"
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: bufferization.materialize_in_destination %{{.*}} in restrict writable %[[A]]
// CHECK: memref.copy %[[A]]
func.func @"not-computed-in-place-where-storages-may-be-one"(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) {
  %w = graph.value %y : !graph.tensor<4xf32>
  %r = func.call @unknown.core(%w) : (tensor<4xf32>) -> tensor<4xf32>
  graph.write_back %r into %x : tensor<4xf32>, !graph.tensor<4xf32>
  return
}

// -----

func.func private @views.core(%a: tensor<2x3xi1>) -> tensor<2x3xi1> {
  %0 = functional.logical_not %a : tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}
// A result has a buffer that nothing else touches; views of a new storage share it; the same result twice is said.
// CHECK-LABEL: func.func @views
// CHECK-SAME: (%{{.*}}: memref<2x3xi1>) -> (memref<2x3xi1> {graph.dtype = i1}, memref<3x2xi1, strided<[1, 3]>> {graph.dtype = i1}, memref<2x3xi1> {graph.dtype = i1, graph.same_as = "result0"})
// CHECK: %[[B:.*]] = memref.alloc
// CHECK: %[[T:.*]] = memref.reinterpret_cast %[[B]] to offset: [0], sizes: [3, 2], strides: [1, 3]
// CHECK: bufferization.materialize_in_destination %{{.*}} in restrict writable %[[B]]
// CHECK: return %[[B]], %[[T]], %[[B]]
func.func @views(%x: !graph.tensor<2x3xi1>) -> (!graph.tensor<2x3xi1>, !graph.tensor<3x2xi1>, !graph.tensor<2x3xi1>) {
  %v = graph.value %x : !graph.tensor<2x3xi1>
  %r = func.call @views.core(%v) : (tensor<2x3xi1>) -> tensor<2x3xi1>
  %o = graph.fresh %r : tensor<2x3xi1>
  %t = graph.as_strided %o size [3, 2] stride [1, 3] storage_offset [0] : !graph.tensor<2x3xi1>
  return %o, %t, %o : !graph.tensor<2x3xi1>, !graph.tensor<3x2xi1>, !graph.tensor<2x3xi1>
}
