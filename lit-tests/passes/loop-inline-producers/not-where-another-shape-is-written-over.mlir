// What is written over is the result in another shape: what the result would have been written into does not have it.
// RUN: terrace-opt %s --loop-inline-producers --remarks-filter="loop-inline-producers" 2>&1 | FileCheck %s

// CHECK: not computed where it is read: it is needed in memory as well
// CHECK-LABEL: func.func @rows
// CHECK: %[[E:.*]] = loop.pointwise
// CHECK: %[[R:.*]] = tensor.expand_shape %[[E]]
// CHECK: loop.pointwise (%{{.*}} = 2, %{{.*}} = 4) into %[[R]]
func.func @rows(%x: tensor<8xf32>, %e0: tensor<8xf32>, %k: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %e = loop.pointwise (%i = 8) into %e0 {
    %a = loop.load %x[%i] : tensor<8xf32>
    %b = math.exp %a : f32
    loop.yield %b : f32
  } : tensor<8xf32>
  %r = tensor.expand_shape %e [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  %y = loop.pointwise (%i = 2, %j = 4) into %r {
    %a = loop.load %e[%i * 4 + %j] : tensor<8xf32>
    %b = loop.load %k[%i, %j] : tensor<2x4xf32>
    %c = arith.addf %a, %b : f32
    loop.yield %c : f32
  } : tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}
