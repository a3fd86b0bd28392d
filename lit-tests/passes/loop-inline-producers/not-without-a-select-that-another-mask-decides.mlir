// Where the first mask is off and the other one holds, the element is the number that stands for nothing.
// RUN: terrace-opt %s --loop-inline-producers | FileCheck %s

// CHECK: %[[M:.*]] = arith.cmpi ult
// CHECK: %[[E:.*]] = arith.addf
// CHECK: %[[V:.*]] = arith.select %[[M]], %[[E]]
// CHECK: arith.select %{{.*}}, %[[V]]
func.func @f(%x: tensor<8xf32>, %e0: tensor<8xf32>, %y0: tensor<10xf32>) -> tensor<10xf32> {
  %pad = arith.constant 2.0 : f32
  %one = arith.constant 1 : index
  %last = arith.constant 8 : index
  %e = loop.pointwise (%i = 8) into %e0 {
    %a = loop.load %x[%i] : tensor<8xf32>
    %s = arith.addf %a, %a : f32
    loop.yield %s : f32
  } : tensor<8xf32>
  %y = loop.pointwise (%i = 10) into %y0 {
    %d = arith.subi %i, %one : index
    %m = arith.cmpi ult, %d, %last : index
    %a = loop.load %e[%i - 1] if %m else %pad : tensor<8xf32>, f32
    %n = arith.cmpi ult, %i, %last : index
    %v = arith.select %n, %a, %pad : f32
    loop.yield %v : f32
  } : tensor<10xf32>
  return %y : tensor<10xf32>
}
