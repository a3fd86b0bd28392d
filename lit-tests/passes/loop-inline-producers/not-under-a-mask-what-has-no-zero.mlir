// Where the mask is off nothing is read, and something has to stand for what the producer reads: of unsigned bytes there is no
// constant.
// RUN: terrace-opt %s --loop-inline-producers --remarks-filter="loop-inline-producers" 2>&1 | FileCheck %s

// CHECK: not computed where it is read: a mask keeps it from being read, and it loads what has no zero
// CHECK-LABEL: func.func @padded
// CHECK: loop.pointwise (%{{.*}} = 8)
// CHECK: loop.pointwise (%{{.*}} = 10)
func.func @padded(%x: tensor<8xui8>, %e0: tensor<8xui8>, %y0: tensor<10xui8>, %pad: ui8) -> tensor<10xui8> {
  %size = arith.constant 8 : index
  %e = loop.pointwise (%i = 8) into %e0 {
    %a = loop.load %x[7 - %i] : tensor<8xui8>
    loop.yield %a : ui8
  } : tensor<8xui8>
  %y = loop.pointwise (%i = 10) into %y0 {
    %m = arith.cmpi ult, %i, %size : index
    %a = loop.load %e[%i] if %m else %pad : tensor<8xui8>, ui8
    loop.yield %a : ui8
  } : tensor<10xui8>
  return %y : tensor<10xui8>
}
