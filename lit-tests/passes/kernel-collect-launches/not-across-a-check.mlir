// RUN: terrace-opt %s --kernel-collect-launches | FileCheck %s

// What a failing check keeps from running does not run.
kernel.func @step(%p: memref<64x16xf32>, %g: memref<64x16xf32>) grid(%i in 64) {
  %c0 = arith.constant 0 : index
  %t = kernel.load %p[%i, %c0 : 16] : memref<64x16xf32>
  %d = kernel.load %g[%i, %c0 : 16] : memref<64x16xf32>
  %s = arith.addf %t, %d : tensor<16xf32>
  kernel.store %s, %p[%i, %c0 : 16] : tensor<16xf32>, memref<64x16xf32>
  kernel.return
}

// CHECK-LABEL: func.func @main(
// CHECK-NOT: kernel.concurrent
func.func @main(%p: memref<64x16xf32> {llvm.noalias}, %q: memref<64x16xf32> {llvm.noalias}, %g: memref<64x16xf32> {llvm.noalias}, %c: i1) {
  kernel.launch @step grid [64](%p, %g) : memref<64x16xf32>, memref<64x16xf32>
  cf.assert %c, "no"
  kernel.launch @step grid [64](%q, %g) : memref<64x16xf32>, memref<64x16xf32>
  return
}
