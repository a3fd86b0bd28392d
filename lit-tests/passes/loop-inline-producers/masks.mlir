// RUN: terrace-opt %s --loop-inline-producers --split-input-file | FileCheck %s

// What is there whatever the mask says is read without it: the number of a channel. Of two producers, each under the mask, the
// value of the first counts only where that of the second does, so one select is enough.
// CHECK-LABEL: func.func @padded
// CHECK: %[[M:.*]] = arith.cmpi ult
// CHECK: %[[X:.*]] = loop.load %{{.*}}[%[[C:.*]], %{{.*}} - 1] if %[[M]] else %{{.*}} : tensor<4x64xf32>, f32
// CHECK-NEXT: %[[B:.*]] = loop.load %{{.*}}[%[[C]]] : tensor<4xf32>
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[X]], %[[B]]
// CHECK-NEXT: %[[K:.*]] = loop.load %{{.*}}[%[[C]]] : tensor<4xf32>
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[S]], %[[K]]
// CHECK-NEXT: %[[V:.*]] = arith.select %[[M]], %[[P]], %{{.*}} : f32
// CHECK-NEXT: loop.yield %[[V]] : f32
func.func @padded(%x: tensor<4x64xf32>, %b: tensor<4xf32>, %k: tensor<4xf32>, %e0: tensor<4x64xf32>, %f0: tensor<4x64xf32>, %y0: tensor<4x66xf32>) -> tensor<4x66xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : index
  %last = arith.constant 64 : index
  %e = loop.pointwise (%c = 4, %i = 64) into %e0 {
    %a = loop.load %x[%c, %i] : tensor<4x64xf32>
    %o = loop.load %b[%c] : tensor<4xf32>
    %s = arith.addf %a, %o : f32
    loop.yield %s : f32
  } : tensor<4x64xf32>
  %f = loop.pointwise (%c = 4, %i = 64) into %f0 {
    %a = loop.load %e[%c, %i] : tensor<4x64xf32>
    %o = loop.load %k[%c] : tensor<4xf32>
    %s = arith.mulf %a, %o : f32
    loop.yield %s : f32
  } : tensor<4x64xf32>
  %y = loop.pointwise (%c = 4, %i = 66) into %y0 {
    %d = arith.subi %i, %one : index
    %m = arith.cmpi ult, %d, %last : index
    %a = loop.load %f[%c, %i - 1] if %m else %zero : tensor<4x64xf32>, f32
    loop.yield %a : f32
  } : tensor<4x66xf32>
  return %y : tensor<4x66xf32>
}
