// Each point reads what another one writes: the old values are copied.
// RUN: terrace-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s

// CHECK-LABEL: func.func @shifted
// CHECK: memref.copy
// CHECK: loop.scatter
func.func @shifted(%x: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %y = loop.scatter (%j = 8) into %x {
    %a = loop.load %x[%j + 9, 7] : tensor<64x8xf32>
    loop.yield %a at [%j + 8, 7] : f32
  } : tensor<64x8xf32>
  return %y : tensor<64x8xf32>
}
