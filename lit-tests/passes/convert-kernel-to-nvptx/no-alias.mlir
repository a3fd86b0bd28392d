// A buffer that a kernel only reads is `llvm.noalias` where nothing that it writes lies in its memory.
// RUN: terrace-opt %s -kernel-assign-layouts -convert-kernel-to-nvptx | FileCheck %s

// The two that are read may be one: nobody writes there.
// CHECK: gpu.func @one_is_read_twice(%{{.*}}: memref<1024xf32> {llvm.noalias}, %{{.*}}: memref<1024xf32> {llvm.noalias}, %{{.*}}: memref<1024xf32>)
kernel.func @one_is_read_twice(%a: memref<1024xf32>, %b: memref<1024xf32>, %y: memref<1024xf32>) grid() {
  %c0 = arith.constant 0 : index
  %s = kernel.load %a[%c0 : 1024] : memref<1024xf32>
  %t = kernel.load %b[%c0 : 1024] : memref<1024xf32>
  %u = arith.addf %s, %t : tensor<1024xf32>
  kernel.store %u, %y[%c0 : 1024] : tensor<1024xf32>, memref<1024xf32>
  kernel.return
}

// CHECK: gpu.func @written_in_place(%{{.*}}: memref<1024xf32>, %{{.*}}: memref<1024xf32> {llvm.noalias}, %{{.*}}: memref<1024xf32>)
kernel.func @written_in_place(%a: memref<1024xf32>, %b: memref<1024xf32>, %y: memref<1024xf32>) grid() {
  %c0 = arith.constant 0 : index
  %s = kernel.load %a[%c0 : 1024] : memref<1024xf32>
  %t = kernel.load %b[%c0 : 1024] : memref<1024xf32>
  %u = arith.addf %s, %t : tensor<1024xf32>
  kernel.store %u, %y[%c0 : 1024] : tensor<1024xf32>, memref<1024xf32>
  kernel.return
}

// Arguments of a function may be one.
// CHECK: gpu.func @unknown(%{{.*}}: memref<1024xf32>, %{{.*}}: memref<1024xf32>, %{{.*}}: memref<1024xf32>)
kernel.func @unknown(%a: memref<1024xf32>, %b: memref<1024xf32>, %y: memref<1024xf32>) grid() {
  %c0 = arith.constant 0 : index
  %s = kernel.load %a[%c0 : 1024] : memref<1024xf32>
  %t = kernel.load %b[%c0 : 1024] : memref<1024xf32>
  %u = arith.addf %s, %t : tensor<1024xf32>
  kernel.store %u, %y[%c0 : 1024] : tensor<1024xf32>, memref<1024xf32>
  kernel.return
}

// CHECK: gpu.func @not_launched(%{{.*}}: memref<1024xf32>, %{{.*}}: memref<1024xf32>, %{{.*}}: memref<1024xf32>)
kernel.func @not_launched(%a: memref<1024xf32>, %b: memref<1024xf32>, %y: memref<1024xf32>) grid() {
  %c0 = arith.constant 0 : index
  %s = kernel.load %a[%c0 : 1024] : memref<1024xf32>
  %t = kernel.load %b[%c0 : 1024] : memref<1024xf32>
  %u = arith.addf %s, %t : tensor<1024xf32>
  kernel.store %u, %y[%c0 : 1024] : tensor<1024xf32>, memref<1024xf32>
  kernel.return
}

func.func @main(%x: memref<1024xf32>, %z: memref<1024xf32>) {
  %y = memref.alloc() : memref<1024xf32>
  kernel.launch @one_is_read_twice grid [] (%x, %x, %y) : memref<1024xf32>, memref<1024xf32>, memref<1024xf32>
  kernel.launch @written_in_place grid [] (%y, %x, %y) : memref<1024xf32>, memref<1024xf32>, memref<1024xf32>
  kernel.launch @unknown grid [] (%x, %z, %z) : memref<1024xf32>, memref<1024xf32>, memref<1024xf32>
  return
}

// What one thread writes another one reads behind a barrier: no load may go in front of it.
// CHECK: gpu.func @written_and_read(%{{.*}}: memref<3x4xf32>)
// CHECK: gpu.barrier
kernel.func @written_and_read(%x: memref<3x4xf32>) grid(%i in 3) {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%i, %c0 : 4] : memref<3x4xf32>
  %b = arith.addf %a, %a : tensor<4xf32>
  kernel.store %b, %x[%i, %c0 : 4] : tensor<4xf32>, memref<3x4xf32>
  %c = kernel.load %x[%i, %c0 : 4] : memref<3x4xf32>
  %d = kernel.reduce min %c : tensor<4xf32>
  memref.store %d, %x[%i, %c0] : memref<3x4xf32>
  kernel.return
}
