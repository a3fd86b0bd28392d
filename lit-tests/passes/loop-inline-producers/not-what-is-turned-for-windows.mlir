// A product reads each element in several windows, and reads them better side by side: the copy with channels last stays.
// RUN: terrace-opt %s --loop-inline-producers --remarks-filter="loop-inline-producers" 2>&1 | FileCheck %s

// CHECK: not computed where it is read: windows are read better where their elements are side by side
// CHECK-LABEL: func.func @f
// CHECK: %[[E:.*]] = loop.pointwise (%{{.*}} = 10, %{{.*}} = 32)
// CHECK: loop.reduction add
// CHECK: loop.load %[[E]]
func.func @f(%x: tensor<32x10xf32>, %w: tensor<16x8xf32>, %e0: tensor<10x32xf32>, %y0: tensor<3x16x32xf32>) -> tensor<3x16x32xf32> {
  %e = loop.pointwise (%i = 10, %c = 32) into %e0 {
    %a = loop.load %x[%c, %i] : tensor<32x10xf32>
    loop.yield %a : f32
  } : tensor<10x32xf32>
  %y = loop.reduction add (%k = 3, %o = 16, %c = 32) over (%i = 8) into %y0 {
    %a = loop.load %e[%i + %k, %c] : tensor<10x32xf32>
    %b = loop.load %w[%o, %i] : tensor<16x8xf32>
    %p = arith.mulf %a, %b : f32
    loop.yield %p : f32
  } : tensor<3x16x32xf32>
  return %y : tensor<3x16x32xf32>
}
