// A window reads an element several times, and would ask each time whether it is there.
// RUN: terrace-opt %s --loop-inline-producers --remarks-filter="loop-inline-producers" 2>&1 | FileCheck %s

// CHECK: not computed where it is read: it is read several times, each time under its mask
// CHECK-LABEL: func.func @f
// CHECK: loop.pointwise (%{{.*}} = 66)
// CHECK: loop.reduction max (%{{.*}} = 32) over (%{{.*}} = 3)
func.func @f(%x: tensor<64xf32>, %e0: tensor<66xf32>, %y0: tensor<32xf32>) -> tensor<32xf32> {
  %pad = arith.constant 0xFF800000 : f32
  %last = arith.constant 64 : index
  %e = loop.pointwise (%i = 66) into %e0 {
    %m = arith.cmpi ult, %i, %last : index
    %a = loop.load %x[%i] if %m else %pad : tensor<64xf32>, f32
    loop.yield %a : f32
  } : tensor<66xf32>
  %y = loop.reduction max (%i = 32) over (%k = 3) into %y0 {
    %a = loop.load %e[%i * 2 + %k] : tensor<66xf32>
    loop.yield %a : f32
  } : tensor<32xf32>
  return %y : tensor<32xf32>
}
