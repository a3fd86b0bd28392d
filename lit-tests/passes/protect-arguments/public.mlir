// RUN: terrace-opt %s --protect-arguments | FileCheck %s
// RUN: terrace-opt %s --protect-arguments --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s --check-prefix=BUFFER

// CHECK-LABEL: func.func @by_value(
// CHECK-SAME: tensor<4xf32> {bufferization.writable = false}, %{{.*}}: f32) -> tensor<4xf32>
// BUFFER-LABEL: func.func @by_value(
// BUFFER: %[[M:.*]] = memref.alloc
// BUFFER: loop.pointwise (%{{.*}} = 4) into %[[M]]
func.func @by_value(%x: tensor<4xf32>, %k: f32) -> tensor<4xf32> {
  %r = loop.pointwise (%i = 4) into %x {
    %a = loop.load %x[%i] : tensor<4xf32>
    %b = arith.addf %a, %k : f32
    loop.yield %b : f32
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @donated(
// CHECK-SAME: tensor<4xf32> {bufferization.writable = true}
func.func @donated(%x: tensor<4xf32> {bufferization.writable = true}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// CHECK-LABEL: func.func private @inner(
// CHECK-SAME: %{{.*}}: tensor<4xf32>) ->
func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
