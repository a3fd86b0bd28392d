// RUN: terrace-opt %s --kernel-collect-launches | FileCheck %s

// What two launches write is apart, and what they read nobody writes. What is between them and touches no memory comes first.
kernel.func @step(%p: memref<64x16xf32>, %g: memref<64x16xf32>) grid(%i in 64) {
  %c0 = arith.constant 0 : index
  %t = kernel.load %p[%i, %c0 : 16] : memref<64x16xf32>
  %d = kernel.load %g[%i, %c0 : 16] : memref<64x16xf32>
  %s = arith.addf %t, %d : tensor<16xf32>
  kernel.store %s, %p[%i, %c0 : 16] : tensor<16xf32>, memref<64x16xf32>
  kernel.return
}

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[P:[^:]*]]: memref<64x16xf32> {llvm.noalias}, %[[Q:[^:]*]]: memref<64x16xf32> {llvm.noalias}, %[[G:[^:]*]]: memref
// CHECK: memref.alloc
// CHECK-NEXT: kernel.concurrent {
// CHECK-NEXT: kernel.launch @step grid [64](%[[P]], %[[G]])
// CHECK-NEXT: kernel.launch @step grid [64](%[[Q]], %[[G]])
// CHECK-NEXT: }
// CHECK-NEXT: memref.dealloc
func.func @main(%p: memref<64x16xf32> {llvm.noalias}, %q: memref<64x16xf32> {llvm.noalias}, %g: memref<64x16xf32>) {
  kernel.launch @step grid [64](%p, %g) : memref<64x16xf32>, memref<64x16xf32>
  %k = memref.alloc() : memref<4xf32>
  kernel.launch @step grid [64](%q, %g) : memref<64x16xf32>, memref<64x16xf32>
  memref.dealloc %k : memref<4xf32>
  return
}
