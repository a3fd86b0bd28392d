// RUN: terrace-opt %s --loop-collapse | FileCheck %s

// The rows of an image are joined in what a member gives, in what it reads and in what the group writes.
// CHECK-LABEL: func.func @images
// CHECK-DAG: %[[Y:.*]] = memref.collapse_shape %arg1 {{\[\[}}0], [1], [2, 3]]
// CHECK-DAG: %[[X:.*]] = memref.collapse_shape %arg0 {{\[\[}}0], [1], [2, 3]]
// CHECK: loop.group (%[[C:.*]] = 64) into (%[[Y]] as %[[TO:.*]] : memref<8x64x49xf32>)
// CHECK: loop.pointwise (%[[N:.*]] = 8, %[[K:.*]] = 49)
// CHECK: loop.load %[[X]][%[[N]], %[[C]], %[[K]]]
// CHECK: } : tensor<8x49xf32>
// CHECK: loop.insert %{{.*}} into %[[TO]] at [:, %[[C]], :] : tensor<8x49xf32> into memref<8x64x49xf32>
func.func @images(%x: memref<8x64x7x7xf32>, %y: memref<8x64x7x7xf32>, %m: memref<64xf32>) {
  loop.group (%c = 64) into (%y as %to : memref<8x64x7x7xf32>) {
    %s = loop.load %m[%c] : memref<64xf32>
    %0 = loop.pointwise (%n = 8, %h = 7, %w = 7) {
      %a = loop.load %x[%n, %c, %h, %w] : memref<8x64x7x7xf32>
      %b = arith.mulf %a, %s : f32
      loop.yield %b : f32
    } : tensor<8x7x7xf32>
    loop.in_parallel {
      loop.insert %0 into %to at [:, %c, :, :] : tensor<8x7x7xf32> into memref<8x64x7x7xf32>
    }
  }
  return
}

// A buffer that is read and written is collapsed once; so is a tensor that one member gives and two read.
// CHECK-LABEL: func.func @in_place
// CHECK: %[[X:.*]] = memref.collapse_shape %arg0 {{\[\[}}0], [1, 2]]
// CHECK: loop.group (%[[G:.*]] = 3) into (%[[X]] as %[[TO:.*]] : memref<3x16xf32>)
// CHECK: %[[E:.*]] = loop.pointwise (%[[K:.*]] = 16)
// CHECK: loop.load %[[X]][%[[G]], %[[K]]] : memref<3x16xf32>
// CHECK: } : tensor<16xf32>
// CHECK: loop.reduction add over (%[[L:.*]] = 16)
// CHECK: loop.load %[[E]][%[[L]]] : tensor<16xf32>
// CHECK: loop.pointwise (%[[M:.*]] = 16)
// CHECK: loop.load %[[E]][%[[M]]] : tensor<16xf32>
// CHECK: loop.insert %{{.*}} into %[[TO]] at [%[[G]], :]
func.func @in_place(%x: memref<3x8x2xf32>) {
  loop.group (%g = 3) into (%x as %y : memref<3x8x2xf32>) {
    %e = loop.pointwise (%i = 8, %j = 2) {
      %a = loop.load %x[%g, %i, %j] : memref<3x8x2xf32>
      %b = math.exp %a : f32
      loop.yield %b : f32
    } : tensor<8x2xf32>
    %s = loop.reduction add over (%i = 8, %j = 2) {
      %a = loop.load %e[%i, %j] : tensor<8x2xf32>
      loop.yield %a : f32
    } : f32
    %r = loop.pointwise (%i = 8, %j = 2) {
      %a = loop.load %e[%i, %j] : tensor<8x2xf32>
      %b = arith.divf %a, %s : f32
      loop.yield %b : f32
    } : tensor<8x2xf32>
    loop.in_parallel {
      loop.insert %r into %y at [%g, :, :] : tensor<8x2xf32> into memref<3x8x2xf32>
    }
  }
  return
}
