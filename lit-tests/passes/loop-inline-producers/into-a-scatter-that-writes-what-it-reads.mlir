// A row is computed and put back: each point reads the element that it writes, so that the scatter stays in place.
// RUN: terrace-opt %s --loop-inline-producers | FileCheck %s
// RUN: terrace-opt %s --loop-inline-producers --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN:   | FileCheck %s --check-prefix=BUFFERS

// CHECK-LABEL: func.func @row
// CHECK-NOT: loop.pointwise
// CHECK: loop.scatter (%[[J:.*]] = 8) into %arg0 {
// CHECK: loop.load %arg0[%[[J]] + 8, 7]
// CHECK: loop.yield %{{.*}} at [%[[J]] + 8, 7]

// BUFFERS-LABEL: func.func @row
// BUFFERS-NOT: memref.copy
// BUFFERS: loop.scatter (%[[J:.*]] = 8) into %arg0
func.func @row(%x: tensor<64x8xf32>, %e0: tensor<8xf32>) -> tensor<64x8xf32> {
  %e = loop.pointwise (%j = 8) into %e0 {
    %a = loop.load %x[%j + 8, 7] : tensor<64x8xf32>
    %b = arith.mulf %a, %a : f32
    loop.yield %b : f32
  } : tensor<8xf32>
  %y = loop.scatter (%j = 8) into %x {
    %a = loop.load %e[%j] : tensor<8xf32>
    loop.yield %a at [%j + 8, 7] : f32
  } : tensor<64x8xf32>
  return %y : tensor<64x8xf32>
}
