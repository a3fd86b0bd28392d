// Where the mask is off the divisor may be anything, 0 too.
// RUN: terrace-opt %s --loop-inline-producers --remarks-filter="loop-inline-producers" 2>&1 | FileCheck %s

// CHECK: not computed where it is read: its body may trap, and a mask keeps it from being read (1 load)
// CHECK-LABEL: func.func @padded
// CHECK: loop.pointwise (%{{.*}} = 8)
// CHECK: arith.divsi
// CHECK: loop.pointwise (%{{.*}} = 10)
// CHECK-NOT: arith.divsi
func.func @padded(%x: tensor<8xi64>, %k: tensor<8xi64>, %e0: tensor<8xi64>, %y0: tensor<10xi64>) -> tensor<10xi64> {
  %size = arith.constant 8 : index
  %pad = arith.constant 3 : i64
  %e = loop.pointwise (%i = 8) into %e0 {
    %a = loop.load %x[%i] : tensor<8xi64>
    %b = loop.load %k[%i] : tensor<8xi64>
    %c = arith.divsi %a, %b : i64
    loop.yield %c : i64
  } : tensor<8xi64>
  %y = loop.pointwise (%i = 10) into %y0 {
    %m = arith.cmpi ult, %i, %size : index
    %a = loop.load %e[%i] if %m else %pad : tensor<8xi64>, i64
    loop.yield %a : i64
  } : tensor<10xi64>
  return %y : tensor<10xi64>
}
