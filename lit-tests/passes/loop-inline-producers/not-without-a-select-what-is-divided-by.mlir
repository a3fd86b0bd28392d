// A divisor is computed where the mask is off, too, and must not be 0 there.
// RUN: terrace-opt %s --loop-inline-producers | FileCheck %s

// CHECK: %[[M:.*]] = arith.cmpi ult
// CHECK: %[[E:.*]] = arith.xori
// CHECK: %[[V:.*]] = arith.select %[[M]], %[[E]]
// CHECK: arith.divsi %{{.*}}, %[[V]]
func.func @f(%x: tensor<8xi64>, %e0: tensor<8xi64>, %y0: tensor<10xi64>) -> tensor<10xi64> {
  %pad = arith.constant 7 : i64
  %one = arith.constant 1 : index
  %last = arith.constant 8 : index
  %e = loop.pointwise (%i = 8) into %e0 {
    %a = loop.load %x[%i] : tensor<8xi64>
    %s = arith.xori %a, %a : i64
    loop.yield %s : i64
  } : tensor<8xi64>
  %y = loop.pointwise (%i = 10) into %y0 {
    %d = arith.subi %i, %one : index
    %m = arith.cmpi ult, %d, %last : index
    %a = loop.load %e[%i - 1] if %m else %pad : tensor<8xi64>, i64
    %t = arith.divsi %pad, %a : i64
    %v = arith.select %m, %t, %pad : i64
    loop.yield %v : i64
  } : tensor<10xi64>
  return %y : tensor<10xi64>
}
