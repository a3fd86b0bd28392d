// On a processor a layout means nothing: the same tiles, and no conversion.
// RUN: terrace-opt %s -convert-kernel-to-x86=cpu=x86-64-v4 | FileCheck %s

// CHECK: func.func private @k(
// CHECK: %[[A:.*]] = vector.load %{{.*}} : memref<16xf32>, vector<16xf32>
// CHECK-NOT: layout
// CHECK: vector.store %[[A]], %{{.*}} : memref<16xf32>, vector<16xf32>
kernel.func @k(%x: memref<16xf32>, %y: memref<16xf32>) grid() {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%c0 : 16] layout <threads = [32], vector = [1]> : memref<16xf32>
  %b = kernel.convert_layout %a : tensor<16xf32, #kernel.layout<threads = [32], vector = [1]>> -> tensor<16xf32, #kernel.layout<threads = [32], vector = [2]>>
  kernel.store %b, %y[%c0 : 16] : tensor<16xf32, #kernel.layout<threads = [32], vector = [2]>>, memref<16xf32>
  kernel.return
}
func.func @main(%x: memref<16xf32>, %y: memref<16xf32>) {
  kernel.launch @k grid [] (%x, %y) : memref<16xf32>, memref<16xf32>
  return
}
