// A buffer is `llvm.noalias` where nothing that the kernel writes lies in its memory, but what is written to it.
// RUN: terrace-opt %s -kernel-assign-layouts -convert-kernel-to-nvptx | FileCheck %s

// The two that are read may be one: nobody writes there.
// CHECK: gpu.func @one_is_read_twice(%{{.*}}: memref<1024xf32> {llvm.noalias}, %{{.*}}: memref<1024xf32> {llvm.noalias}, %{{.*}}: memref<1024xf32> {llvm.noalias})
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
