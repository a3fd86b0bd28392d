// RUN: terrace-opt %s --protect-arguments | FileCheck %s

// %c may be computed in %b's memory as well as %d, and is used when %d has been written there: %b is not computed in.
// CHECK-LABEL: func.func @two
// CHECK: bufferization.to_tensor %{{.*}} restrict : memref<4xf32>
func.func @two(%x: tensor<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %b = memref.alloc() : memref<4xf32>
  %o = memref.alloc() : memref<4xf32>
  %t = bufferization.to_tensor %b restrict writable : memref<4xf32> to tensor<4xf32>
  %a = loop.pointwise (%i = 4) into %t {
    %v = loop.load %x[%i] : tensor<4xf32>
    loop.yield %v : f32
  } : tensor<4xf32>
  %d = loop.scatter (%i = 2) into %a {
    %v = loop.load %x[%i] : tensor<4xf32>
    loop.yield %v at [%i * 2] : f32
  } : tensor<4xf32>
  %c = loop.scatter (%i = 2) into %a {
    %v = loop.load %x[%i] : tensor<4xf32>
    loop.yield %v at [%i * 2 + 1] : f32
  } : tensor<4xf32>
  bufferization.materialize_in_destination %d in writable %b : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.materialize_in_destination %c in restrict writable %o : (tensor<4xf32>, memref<4xf32>) -> ()
  return %b, %o : memref<4xf32>, memref<4xf32>
}

// The same the other way round: what may lie there has left.
// CHECK-LABEL: func.func @left
// CHECK: bufferization.to_tensor %{{.*}} restrict writable : memref<4xf32>
func.func @left(%x: tensor<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %b = memref.alloc() : memref<4xf32>
  %o = memref.alloc() : memref<4xf32>
  %t = bufferization.to_tensor %b restrict writable : memref<4xf32> to tensor<4xf32>
  %a = loop.pointwise (%i = 4) into %t {
    %v = loop.load %x[%i] : tensor<4xf32>
    loop.yield %v : f32
  } : tensor<4xf32>
  %d = loop.scatter (%i = 2) into %a {
    %v = loop.load %x[%i] : tensor<4xf32>
    loop.yield %v at [%i * 2] : f32
  } : tensor<4xf32>
  bufferization.materialize_in_destination %a in restrict writable %o : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.materialize_in_destination %d in writable %b : (tensor<4xf32>, memref<4xf32>) -> ()
  return %b, %o : memref<4xf32>, memref<4xf32>
}

// What only reads %a makes nothing in its memory.
// CHECK-LABEL: func.func @read
// CHECK: bufferization.to_tensor %{{.*}} restrict writable : memref<4xf32>
func.func @read(%x: tensor<4xf32>, %e: tensor<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %b = memref.alloc() : memref<4xf32>
  %o = memref.alloc() : memref<4xf32>
  %t = bufferization.to_tensor %b restrict writable : memref<4xf32> to tensor<4xf32>
  %a = loop.pointwise (%i = 4) into %t {
    %v = loop.load %x[%i] : tensor<4xf32>
    loop.yield %v : f32
  } : tensor<4xf32>
  %c = loop.pointwise (%i = 4) into %e {
    %v = loop.load %a[%i] : tensor<4xf32>
    loop.yield %v : f32
  } : tensor<4xf32>
  bufferization.materialize_in_destination %a in writable %b : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.materialize_in_destination %c in restrict writable %o : (tensor<4xf32>, memref<4xf32>) -> ()
  return %b, %o : memref<4xf32>, memref<4xf32>
}
