// Rows of 3 are joined with the dimensions in front of them, until they are long; what is read and written stays one buffer.

// RUN: terrace-opt %s --loop-collapse | FileCheck %s

// CHECK: func.func @momentum(
// CHECK-SAME: %[[P:.+]]: memref<8x32x3x3xf32>, %[[M:.+]]: memref<8x32x3x3xf32>, %[[G:.+]]: memref<8x32x3x3xf32>, %[[S:.+]]: memref<8xf32>)
// CHECK-DAG: %[[PC:.+]] = memref.collapse_shape %[[P]] {{\[\[}}0], [1, 2, 3]]
// CHECK-DAG: %[[MC:.+]] = memref.collapse_shape %[[M]] {{\[\[}}0], [1, 2, 3]]
// CHECK-DAG: %[[GC:.+]] = memref.collapse_shape %[[G]] {{\[\[}}0], [1, 2, 3]]
// CHECK: loop.group (%[[I:.+]] = 8) into (%[[MC]] as %[[TO_M:.+]] : memref<8x288xf32>, %[[PC]] as %[[TO_P:.+]] : memref<8x288xf32>)
// CHECK: %[[NEW:.+]] = loop.pointwise (%[[K:.+]] = 288)
// CHECK: loop.load %[[MC]][%[[I]], %[[K]]]
// CHECK: loop.load %[[GC]][%[[I]], %[[K]]]
// CHECK: } : tensor<288xf32>
// CHECK: %[[STEP:.+]] = loop.pointwise (%[[L:.+]] = 288)
// CHECK: loop.load %[[PC]][%[[I]], %[[L]]]
// CHECK: loop.load %[[NEW]][%[[L]]]
// CHECK: loop.load %[[S]][%[[I]]]
// CHECK: loop.insert %[[NEW]] into %[[TO_M]] at [%[[I]], :]
// CHECK: loop.insert %[[STEP]] into %[[TO_P]] at [%[[I]], :]
func.func @momentum(%p: memref<8x32x3x3xf32>, %m: memref<8x32x3x3xf32>, %g: memref<8x32x3x3xf32>, %s: memref<8xf32>) {
  loop.group (%i = 8, %j = 32, %k = 3) into (%m as %to_m : memref<8x32x3x3xf32>, %p as %to_p : memref<8x32x3x3xf32>) {
    %0 = loop.pointwise (%l = 3) {
      %a = loop.load %m[%i, %j, %k, %l] : memref<8x32x3x3xf32>
      %b = loop.load %g[%i, %j, %k, %l] : memref<8x32x3x3xf32>
      %c = arith.addf %a, %b : f32
      loop.yield %c : f32
    } : tensor<3xf32>
    %1 = loop.pointwise (%l = 3) {
      %a = loop.load %p[%i, %j, %k, %l] : memref<8x32x3x3xf32>
      %b = loop.load %0[%l] : tensor<3xf32>
      %c = loop.load %s[%i] : memref<8xf32>
      %d = arith.mulf %b, %c : f32
      %e = arith.subf %a, %d : f32
      loop.yield %e : f32
    } : tensor<3xf32>
    loop.in_parallel {
      loop.insert %0 into %to_m at [%i, %j, %k, :] : tensor<3xf32> into memref<8x32x3x3xf32>
      loop.insert %1 into %to_p at [%i, %j, %k, :] : tensor<3xf32> into memref<8x32x3x3xf32>
    }
  }
  return
}
