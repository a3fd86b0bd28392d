// RUN: terrace-opt %s --convert-loop-to-kernel --split-input-file | FileCheck %s

// A place that is linear along one dimension is a store with a step.
// CHECK-LABEL: kernel.func @slice.scatter_0
// CHECK: kernel.store %{{.*}}, %{{.*}}[%{{.*}} + 2, %c0 * 2 : 64 : 2] : tensor<64xf32>, memref<8x128xf32>
func.func @slice(%x: memref<4x64xf32>, %y: memref<8x128xf32>) {
  loop.scatter (%i = 4, %j = 64) into %y {
    %a = loop.load %x[%i, %j] : memref<4x64xf32>
    loop.yield %a at [%i + 2, %j * 2] : f32
  } : memref<8x128xf32>
  return
}

// -----

// Places that were read; lanes beyond the end write nothing.
// CHECK-LABEL: kernel.func @put.scatter_0
// CHECK: %[[ON:.*]] = arith.cmpi slt, %{{.*}} : tensor<8xindex>
// CHECK: kernel.scatter %{{.*}}, %{{.*}}[%{{.*}}] mask %[[ON]] : tensor<8xf32>, memref<100xf32>, tensor<8xindex> mask tensor<8xi1>
func.func @put(%at: memref<5xi64>, %x: memref<5xf32>, %y: memref<100xf32>) {
  loop.scatter (%i = 5) into %y {
    %p = loop.load %at[%i] : memref<5xi64>
    %pi = arith.index_cast %p : i64 to index
    %a = loop.load %x[%i] : memref<5xf32>
    loop.yield %a at [%pi] : f32
  } : memref<100xf32>
  return
}
