// RUN: terrace-opt %s --convert-kernel-to-x86=cpu=x86-64-v4-bf16 --canonicalize | FileCheck %s
// RUN: terrace-opt %s --convert-kernel-to-x86=cpu=x86-64-v4 --canonicalize | FileCheck %s --check-prefix=HALVES

// One instruction multiplies and adds pairs, of as many lanes as a register has; else each half is an f32.
// CHECK-LABEL: func.func private @dot
// CHECK: llvm.bitcast %{{.*}} : vector<16xi32> to vector<32xbf16>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%{{.*}}) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.256"
// HALVES-LABEL: func.func private @dot
// HALVES-NOT: dpbf16ps
// HALVES: arith.shli
// HALVES: arith.andi
// HALVES: vector.fma %{{.*}} : vector<16xf32>
// HALVES: vector.fma %{{.*}} : vector<16xf32>
kernel.func @dot(%a: memref<2x1xi32>, %b: memref<1x24xi32>, %c: memref<2x24xf32>) grid() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<2x24xf32>
  %l = kernel.load %a[%c0 : 2, %c0 : 1] : memref<2x1xi32>
  %r = kernel.load %b[%c0 : 1, %c0 : 24] : memref<1x24xi32>
  %d = kernel.dot pairs %l, %r, %zero : tensor<2x1xi32>, tensor<1x24xi32>, tensor<2x24xf32>
  kernel.store %d, %c[%c0 : 2, %c0 : 24] : tensor<2x24xf32>, memref<2x24xf32>
  kernel.return
}
// One column that is left over is a lane of four.
// CHECK-LABEL: func.func private @one_column
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, -1, -1, -1] : vector<1xi32>, vector<1xi32>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.128"
// CHECK: vector.shuffle %{{.*}} [0] : vector<4xf32>, vector<4xf32>
kernel.func @one_column(%a: memref<2x1xi32>, %b: memref<1x1xi32>, %c: memref<2x1xf32>) grid() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<2x1xf32>
  %l = kernel.load %a[%c0 : 2, %c0 : 1] : memref<2x1xi32>
  %r = kernel.load %b[%c0 : 1, %c0 : 1] : memref<1x1xi32>
  %d = kernel.dot pairs %l, %r, %zero : tensor<2x1xi32>, tensor<1x1xi32>, tensor<2x1xf32>
  kernel.store %d, %c[%c0 : 2, %c0 : 1] : tensor<2x1xf32>, memref<2x1xf32>
  kernel.return
}
func.func @main(%a: memref<2x1xi32>, %b: memref<1x24xi32>, %c: memref<2x24xf32>) {
  kernel.launch @dot grid [] (%a, %b, %c) : memref<2x1xi32>, memref<1x24xi32>, memref<2x24xf32>
  return
}
func.func @one(%a: memref<2x1xi32>, %b: memref<1x1xi32>, %c: memref<2x1xf32>) {
  kernel.launch @one_column grid [] (%a, %b, %c) : memref<2x1xi32>, memref<1x1xi32>, memref<2x1xf32>
  return
}
