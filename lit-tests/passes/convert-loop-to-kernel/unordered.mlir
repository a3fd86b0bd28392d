// RUN: terrace-opt %s --convert-loop-to-kernel="unordered=integers" --split-input-file | FileCheck %s

// Integers come to the same in any order: points are combined with what is there in one step, on a grid.
// CHECK-LABEL: kernel.func @f.scatter_0
// CHECK-SAME: grid(%{{.*}} in 16)
// CHECK: kernel.atomic add %{{.*}}, %arg2[%{{.*}}] : tensor<64xi64>, memref<1000xi64>, tensor<64xindex>
func.func @f(%at: memref<65536xi64>, %x: memref<65536xi64>, %y: memref<1000xi64>) {
  loop.scatter add (%i = 65536) into %y {
    %p = loop.load %at[%i] : memref<65536xi64>
    %place = arith.index_cast %p : i64 to index
    %a = loop.load %x[%i] : memref<65536xi64>
    loop.yield %a at [%place] : i64
  } : memref<1000xi64>
  return
}

// -----

// Lanes that never meet, where points of several rows may.
// CHECK-LABEL: kernel.func @f.scatter_0
// CHECK-SAME: grid(%{{.*}} in 1024)
// CHECK: kernel.atomic max %{{.*}}, %arg2[%{{.*}}, %{{.*}}] : tensor<64xi32>, memref<1000x64xi32>, index, tensor<64xindex>
func.func @f(%at: memref<65536xi64>, %x: memref<65536x64xi32>, %y: memref<1000x64xi32>) {
  loop.scatter max (%i = 65536, %j = 64) into %y {
    %p = loop.load %at[%i] : memref<65536xi64>
    %place = arith.index_cast %p : i64 to index
    %a = loop.load %x[%i, %j] : memref<65536x64xi32>
    loop.yield %a at [%place, %j] : i32
  } : memref<1000x64xi32>
  return
}
