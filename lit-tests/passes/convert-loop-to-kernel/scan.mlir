// RUN: terrace-opt %s --convert-loop-to-kernel --split-input-file | FileCheck %s

// Down columns: a tile of columns at once, which is stored at each row. Sums of f32 are carried as f64.
// CHECK-LABEL: kernel.func @columns.scan_0
// CHECK: %[[ZERO:.*]] = arith.extf %{{.*}} : tensor<64xf32> to tensor<64xf64>
// CHECK: scf.for %[[I:.*]] = %c0 to %c32 step %c1 iter_args(%[[SUM:.*]] = %[[ZERO]])
// CHECK: %[[A:.*]] = kernel.load %{{.*}}[%[[I]], %[[J:.*]] : 64]
// CHECK: %[[WIDE:.*]] = arith.extf %[[A]] : tensor<64xf32> to tensor<64xf64>
// CHECK: %[[NEXT:.*]] = arith.addf %[[SUM]], %[[WIDE]]
// CHECK: %[[STORED:.*]] = arith.truncf %[[NEXT]]
// CHECK: kernel.store %[[STORED]], %{{.*}}[%[[I]], %[[J]] : 64]
// CHECK: scf.yield %[[NEXT]]
func.func @columns(%x: memref<32x64xf32>, %y: memref<32x64xf32>) {
  loop.scan add (%i = 32, %j = 64) along %i into %y {
    %a = loop.load %x[%i, %j] : memref<32x64xf32>
    loop.yield %a : f32
  } : memref<32x64xf32>
  return
}

// -----

// An exclusive scan stores what came before; a reverse one begins at the end.
// CHECK-LABEL: kernel.func @backwards.scan_0
// CHECK: scf.for %[[K:.*]] = %c0 to %c32 step %c1 iter_args(%[[SUM:.*]] = %{{.*}}) -> (f32)
// CHECK: %[[I:.*]] = arith.subi %c31, %[[K]] : index
// CHECK: %[[A:.*]] = memref.load %{{.*}}[%[[I]]]
// CHECK: %[[NEXT:.*]] = arith.mulf %[[SUM]], %[[A]]
// CHECK: memref.store %[[SUM]], %{{.*}}[%[[I]]]
// CHECK: scf.yield %[[NEXT]]
func.func @backwards(%x: memref<32xf32>, %y: memref<32xf32>) {
  loop.scan mul exclusive reverse (%i = 32) along %i into %y {
    %a = loop.load %x[%i] : memref<32xf32>
    loop.yield %a : f32
  } : memref<32xf32>
  return
}

// -----

// Along rows: lanes are along the scan, in a power of two, and a number is carried from tile to tile.
// CHECK-LABEL: kernel.func @rows.scan_0
// CHECK: %[[ZERO:.*]] = arith.extf %{{.*}} : f32 to f64
// CHECK: %[[LAST:.*]] = scf.for %[[J:.*]] = %c0 to %c192 step %c64 iter_args(%[[CARRY:.*]] = %[[ZERO]]) -> (f64)
// CHECK:   %[[A:.*]] = kernel.load %{{.*}}[%[[I:.*]], %[[J]] : 64]
// CHECK:   %[[R:.*]], %[[NEXT:.*]] = kernel.scan add %[[A]] from %[[CARRY]] : tensor<64xf32>, f64
// CHECK:   kernel.store %[[R]], %{{.*}}[%[[I]], %[[J]] : 64]
// CHECK:   scf.yield %[[NEXT]] : f64
// CHECK: kernel.scan add %{{.*}} from %[[LAST]] : tensor<64xf32>, f64
// CHECK: kernel.store {{.*}} valid(%c36)
func.func @rows(%x: memref<32x228xf32>, %y: memref<32x228xf32>) {
  loop.scan add (%i = 32, %j = 228) along %j into %y {
    %a = loop.load %x[%i, %j] : memref<32x228xf32>
    loop.yield %a : f32
  } : memref<32x228xf32>
  return
}
