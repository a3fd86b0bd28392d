// RUN: terrace-opt %s --convert-loop-to-kernel | FileCheck %s

// Memory for blocks stands at the head of the kernel, also that of a member. Of 56 lanes there are whole blocks.
// CHECK-LABEL: kernel.func @turn.group_0
//       CHECK:   %[[M:.*]] = memref.alloca() {alignment = 64 : i64} : memref<16x64xf32>
//       CHECK:   scf.for
//       CHECK:     %[[T:.*]] = kernel.load %{{.*}}[%{{.*}}, %c0 : 64, %[[I:.*]] : 16] valid(%c56, %c16)
//       CHECK:     %[[V:.*]] = memref.reinterpret_cast %[[M]] to offset: [0], sizes: [64, 16], strides: [1, 64]
//       CHECK:     kernel.store %[[T]], %[[V]][%c0 : 64, %c0 : 16]
//       CHECK:     scf.for
//       CHECK:       kernel.load %[[M]][%{{.*}}, %c0 : 64]
func.func @turn(%x: memref<8x56x96xf32>, %y: memref<8x96x56xf32>) {
  loop.group (%b = 8) into (%y as %to : memref<8x96x56xf32>) {
    %m = loop.reduction max over (%i = 96, %j = 56) {
      %p = loop.load %x[%b, %j, %i] : memref<8x56x96xf32>
      loop.yield %p : f32
    } : f32
    %v = loop.pointwise (%i = 96, %j = 56) {
      %p = loop.load %x[%b, %j, %i] : memref<8x56x96xf32>
      %s = arith.subf %p, %m : f32
      loop.yield %s : f32
    } : tensor<96x56xf32>
    loop.in_parallel {
      loop.insert %v into %to at [%b, :, :] : tensor<96x56xf32> into memref<8x96x56xf32>
    }
  }
  return
}
