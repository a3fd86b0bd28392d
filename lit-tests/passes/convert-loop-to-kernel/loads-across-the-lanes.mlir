// RUN: terrace-opt %s --convert-loop-to-kernel --split-input-file | FileCheck %s

// Lanes are along %j, along which the second matrix is a row apart: blocks of 16 rows come by way of memory.
// CHECK-LABEL: kernel.func @sum.pointwise_0
//  CHECK-SAME: (%[[A:.*]]: memref<256x128xf32>, %[[B:.*]]: memref<128x256xf32>, %[[Y:.*]]: memref<256x128xf32>) grid(%{{.*}} in 4, %{{.*}} in 2)
//       CHECK:   %[[M:.*]] = memref.alloca() {alignment = 64 : i64} : memref<16x64xf32>
//       CHECK:   arith.muli %{{.*}}, %c64
//       CHECK:   %[[J:.*]] = arith.muli %{{.*}}, %c64
//       CHECK:   scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %c16
//       CHECK:     %[[T:.*]] = kernel.load %[[B]][%[[J]] : 64, %[[I]] : 16] : memref<128x256xf32>
//       CHECK:     %[[V:.*]] = memref.reinterpret_cast %[[M]] to offset: [0], sizes: [64, 16], strides: [1, 64]
//       CHECK:     kernel.store %[[T]], %[[V]][%c0 : 64, %c0 : 16]
//       CHECK:     scf.for %[[R:.*]] = %c0 to %c16 step %c1
//       CHECK:       %[[AT:.*]] = arith.addi %[[I]], %[[R]]
//       CHECK:       %[[ROW:.*]] = kernel.load %[[M]][%[[R]], %c0 : 64]
//       CHECK:       %[[OTHER:.*]] = kernel.load %[[A]][%[[AT]], %[[J]] : 64]
//       CHECK:       %[[S:.*]] = arith.addf %[[OTHER]], %[[ROW]]
//       CHECK:       kernel.store %[[S]], %[[Y]][%[[AT]], %[[J]] : 64]
func.func @sum(%a: memref<256x128xf32>, %b: memref<128x256xf32>, %y: memref<256x128xf32>) {
  loop.pointwise (%i = 256, %j = 128) into %y {
    %p = loop.load %a[%i, %j] : memref<256x128xf32>
    %q = loop.load %b[%j, %i] : memref<128x256xf32>
    %s = arith.addf %p, %q : f32
    loop.yield %s : f32
  } : memref<256x128xf32>
  return
}

// -----

// Memory whose first dimension is the contiguous one: the tile lies as its rows do. What is left over has fewer rows and lanes.
// CHECK-LABEL: kernel.func @columns.pointwise_0
//       CHECK:   kernel.load %{{.*}}[%{{.*}} : 16, %{{.*}} : 64] : memref<40x100xf32, strided<[1, 40]>>
//       CHECK:   kernel.store %{{.*}}, %{{.*}}[%c0 : 16, %c0 : 64] : tensor<16x64xf32>, memref<16x64xf32, strided<[64, 1]>>
//       CHECK:   kernel.load %{{.*}}[%{{.*}} : 16, %{{.*}} : 64] valid(%c8, %c64)
//       CHECK:   kernel.load %{{.*}}[%{{.*}} : 16, %{{.*}} : 48] valid(%c16, %c36)
//       CHECK:   kernel.load %{{.*}}[%{{.*}} : 16, %{{.*}} : 48] valid(%c8, %c36)
func.func @columns(%x: memref<40x100xf32, strided<[1, 40]>>, %y: memref<40x100xf32>) {
  loop.pointwise (%i = 40, %j = 100) into %y {
    %p = loop.load %x[%i, %j] : memref<40x100xf32, strided<[1, 40]>>
    loop.yield %p : f32
  } : memref<40x100xf32>
  return
}

// -----

// Where a block lies may be computed by the body, of what is the same for all of the block.
// CHECK-LABEL: kernel.func @row_of_a_pair.pointwise_0
//  CHECK-SAME: grid(%[[B:.*]] in 8)
//       CHECK:   %[[AT:.*]] = arith.muli %[[B]], %c2
//       CHECK:   kernel.load %{{.*}}[%[[AT]], %{{.*}} : 64, %{{.*}} : 16]
func.func @row_of_a_pair(%x: memref<16x64x64xf32>, %y: memref<8x64x64xf32>) {
  %c2 = arith.constant 2 : index
  loop.pointwise (%b = 8, %i = 64, %j = 64) into %y {
    %at = arith.muli %b, %c2 : index
    %p = loop.load %x[%at, %j, %i] : memref<16x64x64xf32>
    loop.yield %p : f32
  } : memref<8x64x64xf32>
  return
}
