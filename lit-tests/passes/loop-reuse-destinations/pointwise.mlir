// RUN: terrace-opt %s --loop-reuse-destinations --split-input-file | FileCheck %s
// RUN: terrace-opt %s --loop-reuse-destinations --split-input-file --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s --check-prefix=BUFFER

// CHECK-LABEL: func.func @in_place(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK: loop.pointwise (%{{.*}} = 4) into %[[X]]
// BUFFER-LABEL: func.func @in_place(
// BUFFER-NOT: memref.alloc
// BUFFER: return
func.func @in_place(%x: tensor<4xf32>, %k: f32) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = loop.pointwise (%i = 4) into %e {
    %a = loop.load %x[%i] : tensor<4xf32>
    %b = arith.addf %a, %k : f32
    loop.yield %b : f32
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// The old value is returned too: bufferization gives the new one a buffer, and does not copy into it.
// BUFFER-LABEL: func.func @"old-value-not-overwritten"(
// BUFFER: %[[M:.*]] = memref.alloc
// BUFFER-NOT: memref.copy
// BUFFER: loop.pointwise (%{{.*}} = 4) into %[[M]]
func.func @"old-value-not-overwritten"(%x: tensor<4xf32>, %k: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %r = loop.pointwise (%i = 4) into %e {
    %a = loop.load %x[%i] : tensor<4xf32>
    %b = arith.addf %a, %k : f32
    loop.yield %b : f32
  } : tensor<4xf32>
  return %r, %x : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @"not-reused-when-read-at-another-point"(
// CHECK: %[[E:.*]] = tensor.empty
// CHECK: loop.pointwise (%{{.*}} = 4) into %[[E]]
func.func @"not-reused-when-read-at-another-point"(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = loop.pointwise (%i = 4) into %e {
    %a = loop.load %x[%i] : tensor<4xf32>
    %b = loop.load %x[3 - %i] : tensor<4xf32>
    %c = arith.addf %a, %b : f32
    loop.yield %c : f32
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Nobody else uses %y.
// CHECK-LABEL: func.func @unused_elsewhere(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>, %[[Y:[a-z0-9]+]]: tensor<4xf32>
// CHECK: loop.pointwise (%{{.*}} = 4) into %[[Y]]
func.func @unused_elsewhere(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %r = loop.pointwise (%i = 4) into %e {
    %a = loop.load %x[%i] : tensor<4xf32>
    %b = loop.load %y[%i] : tensor<4xf32>
    %c = arith.addf %a, %b : f32
    loop.yield %c : f32
  } : tensor<4xf32>
  return %r, %x : tensor<4xf32>, tensor<4xf32>
}
