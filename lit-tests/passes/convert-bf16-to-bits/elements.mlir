// RUN: terrace-opt %s --convert-bf16-to-bits | FileCheck %s

// CHECK-LABEL: func.func @run(%arg0: memref<8xi16>, %arg1: vector<4xi1>, %arg2: f16) -> vector<4xi16>
// CHECK-DAG: arith.constant dense<16256> : vector<4xi16>
// CHECK-DAG: %[[M:.*]] = arith.constant -16384 : i16
// CHECK: memref.store %[[M]], %arg0[%{{.*}}] : memref<8xi16>
// CHECK: %[[L:.*]] = vector.maskedload {{.*}} : memref<8xi16>, vector<4xi1>, vector<4xi16> into vector<4xi16>
// CHECK-NOT: arith.bitcast %[[L]]
// CHECK: arith.bitcast %arg2 : f16 to i16
// CHECK: return %[[L]]
func.func @run(%x: memref<8xbf16>, %m: vector<4xi1>, %h: f16) -> vector<4xi16> {
  %i = arith.constant 0 : index
  %one = arith.constant dense<1.0> : vector<4xbf16>
  %two = arith.constant -2.0 : bf16
  memref.store %two, %x[%i] : memref<8xbf16>
  %l = vector.maskedload %x[%i], %m, %one : memref<8xbf16>, vector<4xi1>, vector<4xbf16> into vector<4xbf16>
  %b = arith.bitcast %l : vector<4xbf16> to vector<4xi16>
  %k = arith.bitcast %h : f16 to i16
  return %b : vector<4xi16>
}
