// The producer reads memory that is written before its result is read.
// RUN: terrace-opt %s --loop-inline-producers --remarks-filter="loop-inline-producers" 2>&1 | FileCheck %s

// CHECK: not computed where it is read: its body reads memory, which may change until then
// CHECK-LABEL: func.func @written
// CHECK: math.exp
// CHECK: memref.store
// CHECK: loop.pointwise
// CHECK-NOT: math.exp
func.func @written(%m: memref<8xf32>, %k: f32, %e0: tensor<8xf32>, %y0: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0 : index
  %e = loop.pointwise (%i = 8) into %e0 {
    %a = loop.load %m[%i] : memref<8xf32>
    %b = math.exp %a : f32
    loop.yield %b : f32
  } : tensor<8xf32>
  memref.store %k, %m[%zero] : memref<8xf32>
  %y = loop.pointwise (%i = 8) into %y0 {
    %a = loop.load %e[%i] : tensor<8xf32>
    loop.yield %a : f32
  } : tensor<8xf32>
  return %y : tensor<8xf32>
}
