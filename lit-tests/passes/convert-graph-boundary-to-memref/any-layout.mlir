// RUN: terrace-opt %s --convert-graph-boundary-to-memref --canonicalize --cse --split-input-file | FileCheck %s

// The strides of views are sums over those that the buffer brings along; numbers stay numbers.
// CHECK-LABEL: func.func @views
// CHECK-SAME: (%[[X:[a-z0-9]+]]: memref<4x6xf32, strided<[?, 1], offset: ?>>) -> (memref<6x2xf32, strided<[1, ?], offset: ?>> {{.*}}, memref<4xf32, strided<[?], offset: ?>>
// CHECK: %{{.*}}, %[[O:.*]], %{{.*}}:2, %[[S:.*]]:2 = memref.extract_strided_metadata %[[X]]
// CHECK-DAG: %[[T:.*]] = arith.muli %[[S]]#0, %c2
// CHECK-DAG: %[[P:.*]] = arith.addi %[[S]]#0, %[[O]]
// CHECK: memref.reinterpret_cast %[[X]] to offset: [%[[P]]], sizes: [6, 2], strides: [1, %[[T]]]
// CHECK-DAG: %[[Q:.*]] = arith.addi %[[O]], %c1
// CHECK-DAG: %[[D:.*]] = arith.addi %[[S]]#0, %c1
// CHECK: memref.reinterpret_cast %[[X]] to offset: [%[[Q]]], sizes: [4], strides: [%[[D]]]
func.func @views(%x: !graph.tensor<4x6xf32> {graph.layout = strided<[?, 1], offset: ?>}) -> (!graph.tensor<6x2xf32>, !graph.tensor<4xf32>) {
  %s = graph.slice %x start [1] end [4] step [2] : !graph.tensor<4x6xf32>
  %t = graph.t %s : !graph.tensor<2x6xf32>
  %d = graph.diagonal %x {offset = 1 : i64} : !graph.tensor<4x6xf32>
  return %t, %d : !graph.tensor<6x2xf32>, !graph.tensor<4xf32>
}

// -----

func.func private @double.core(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = loop.pointwise (%i = 4) into %e {
    %v = loop.load %a[%i] : tensor<4xf32>
    %n = arith.addf %v, %v : f32
    loop.yield %n : f32
  } : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// Read and written as a whole: the core works in place. How it lies the runtime is asked by sizes and strides.
// CHECK-LABEL: func.func @written
// CHECK-SAME: (%[[X:[a-z0-9]+]]: memref<4xf32, strided<[?], offset: ?>>)
// CHECK: %{{.*}}, %{{.*}}, %{{.*}}, %[[S:.*]] = memref.extract_strided_metadata %[[X]]
// CHECK: memref.store %c4, %[[L:.*]][%c5] : memref<7xindex>
// CHECK: memref.store %[[S]], %[[L]][%c6] : memref<7xindex>
// CHECK: %[[P:.*]] = memref.extract_aligned_pointer_as_index %[[L]]
// CHECK: %[[W:.*]] = call @terrace_rt_check_distinct(%[[P]])
// CHECK: %[[N:.*]] = arith.cmpi ne, %[[W]], %c1
// CHECK: cf.assert %[[N]], "unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation."
// CHECK: %[[O:.*]] = arith.cmpi ne, %[[W]], %c3
// CHECK: cf.assert %[[O]], "result depends on the order of evaluation: elements of the written-to tensor overlap"
// CHECK: %[[V:.*]] = bufferization.to_tensor %[[X]] restrict writable
// CHECK: %[[R:.*]] = call @double.core(%[[V]])
// CHECK: %[[N:.*]] = bufferization.materialize_in_destination %[[R]] in %[[V]]
// CHECK: bufferization.materialize_in_destination %[[N]] in writable %[[X]]
func.func @written(%x: !graph.tensor<4xf32> {graph.layout = "any"}) {
  graph.assert_distinct %x : !graph.tensor<4xf32>
  %v = graph.value %x : !graph.tensor<4xf32>
  %r = func.call @double.core(%v) : (tensor<4xf32>) -> tensor<4xf32>
  graph.write_back %r into %x : tensor<4xf32>, !graph.tensor<4xf32>
  return
}

// -----

// Strides that are not known are equal only where they are the same: read whole, written in part by way of a buffer.
// CHECK-LABEL: func.func @"not-in-place-in-another-view"
// CHECK: %[[B:.*]] = memref.alloc() {{.*}} : memref<4x4xf32>
// CHECK: bufferization.to_tensor %{{.*}} restrict :
// CHECK: memref.copy %[[B]], %{{.*}} : memref<4x4xf32> to memref<4x4xf32, strided<[?, ?], offset: ?>>
func.func private @square.core(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %0 = loop.pointwise (%i = 4, %j = 4) into %e {
    %v = loop.load %a[%i, %j] : tensor<4x4xf32>
    %n = arith.mulf %v, %v : f32
    loop.yield %n : f32
  } : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
func.func @"not-in-place-in-another-view"(%x: !graph.tensor<4x4xf32> {graph.layout = "any"}) {
  %v = graph.value %x : !graph.tensor<4x4xf32>
  %r = func.call @square.core(%v) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %t = graph.t %x : !graph.tensor<4x4xf32>
  graph.write_back %r into %t : tensor<4x4xf32>, !graph.tensor<4x4xf32>
  return
}
