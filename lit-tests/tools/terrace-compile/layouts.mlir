// A tile that wraps round is loaded and stored in 128 bits each, 4096 bytes by a block at once; the kernel assembles.
// REQUIRES: nvptx
// RUN: terrace-opt %s --kernel-assign-layouts --convert-kernel-to-nvptx -o %t.mlir
// RUN: terrace-compile %t.mlir --target=nvptx -o %t.ptx
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx
// RUN: %ptxas -v -arch=sm_90 %t.ptx -o %t.cubin 2>&1 | FileCheck %s

// PTX: .visible .entry square(
// PTX: ld.global.v4.b32 {{.*}}, [%[[X:rd[0-9]+]]];
// PTX: ld.global.v4.b32 {{.*}}, [%[[X]]+4096];
// PTX: st.global.v4.b32 [%[[Y:rd[0-9]+]]], {{.*}}
// PTX: st.global.v4.b32 [%[[Y]]+4096], {{.*}}
// CHECK: Compiling entry function 'square' for 'sm_90'
// CHECK: 0 bytes spill stores, 0 bytes spill loads
// CHECK: Used {{[0-9]|1[0-9]|2[0-4]}} registers, used 1 barriers, 1024 bytes smem
kernel.func @square(%x: memref<64x2048xf32>, %y: memref<64xf32>, %z: memref<64x2048xf32>) grid(%i in 64) {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%i, %c0 : 2048] : memref<64x2048xf32>
  %b = arith.mulf %a, %a : tensor<2048xf32>
  %s = kernel.reduce add %b : tensor<2048xf32>
  memref.store %s, %y[%i] : memref<64xf32>
  kernel.store %b, %z[%i, %c0 : 2048] : tensor<2048xf32>, memref<64x2048xf32>
  kernel.return
}
