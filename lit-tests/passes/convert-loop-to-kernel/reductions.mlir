// RUN: terrace-opt %s --convert-loop-to-kernel --split-input-file | FileCheck %s

// Along rows: a tile accumulates, lanes beyond the end count as the identity, the lanes are combined at the end.
// CHECK-LABEL: kernel.func @rows.reduction_0
// CHECK: %[[LOWEST:.*]] = arith.constant dense<0xFF800000> : tensor<64xf32>
// CHECK: %[[S:.*]] = scf.for %[[J:.*]] = %c0 to %c960 step %c64 iter_args(%[[ACC:.*]] = %[[LOWEST]])
// CHECK: %[[A:.*]] = kernel.load %[[X:.*]][%[[I:.*]], %[[J]] : 64]
// CHECK: arith.maximumf %[[ACC]], %[[A]]
// CHECK: %[[B:.*]] = kernel.load %[[X]][%[[I]], %c960 : 64] valid(%c40)
// CHECK: %[[C:.*]] = arith.select %{{.*}}, %[[B]], %[[LOWEST]]
// CHECK: %[[D:.*]] = arith.maximumf %[[S]], %[[C]]
// CHECK: %[[M:.*]] = kernel.reduce max %[[D]] : tensor<64xf32>
// CHECK: memref.store %[[M]], %{{.*}}[%[[I]]]
func.func @rows(%x: memref<64x1000xf32>, %y: memref<64xf32>) {
  loop.reduction max (%i = 64) over (%j = 1000) into %y {
    %a = loop.load %x[%i, %j] : memref<64x1000xf32>
    loop.yield %a : f32
  } : memref<64xf32>
  return
}

// -----

// Along columns: a tile of results at once.
// CHECK-LABEL: kernel.func @columns.reduction_0
// CHECK-SAME: grid(%[[G:.*]] in 8)
// CHECK: %[[FROM:.*]] = arith.muli %[[G]], %c128
// CHECK: scf.for %[[J:.*]] = %[[FROM]] to
// CHECK: %[[S:.*]] = scf.for %[[I:.*]] = %c0 to %c32 step %c1 iter_args
// CHECK: kernel.load %{{.*}}[%[[I]], %[[J]] : 64]
// CHECK: kernel.store %[[S]], %{{.*}}[%[[J]] : 64]
// CHECK-NOT: kernel.reduce
func.func @columns(%x: memref<32x1024xf32>, %y: memref<1024xf32>) {
  loop.reduction add (%j = 1024) over (%i = 32) into %y {
    %a = loop.load %x[%i, %j] : memref<32x1024xf32>
    loop.yield %a : f32
  } : memref<1024xf32>
  return
}

// -----

// All of a buffer: one accumulator through the loops of both dimensions.
// CHECK-LABEL: kernel.func @all.reduction_0
// CHECK-SAME: grid()
// CHECK: %[[S:.*]] = scf.for %{{.*}} = %c0 to %c8 step %c1 iter_args(%[[ACC:.*]] = %{{.*}}) -> (tensor<64xi32>)
// CHECK: scf.for %{{.*}} = %c0 to %c128 step %c64 iter_args(%{{.*}} = %[[ACC]])
// CHECK: %[[R:.*]] = kernel.reduce min %[[S]] : tensor<64xi32>
// CHECK: memref.store %[[R]], %{{.*}}[]
func.func @all(%x: memref<8x128xi32>, %y: memref<i32>) {
  loop.reduction min () over (%i = 8, %j = 128) into %y {
    %a = loop.load %x[%i, %j] : memref<8x128xi32>
    loop.yield %a : i32
  } : memref<i32>
  return
}

// -----

// Of nothing: the identity.
// CHECK-LABEL: kernel.func @nothing.pointwise_0
// CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK: tensor.splat %[[ONE]] : tensor<4xf32>
func.func @nothing(%x: memref<4x0xf32>, %y: memref<4xf32>) {
  loop.reduction mul (%i = 4) over (%j = 0) into %y {
    %a = loop.load %x[%i, %j] : memref<4x0xf32>
    loop.yield %a : f32
  } : memref<4xf32>
  return
}
