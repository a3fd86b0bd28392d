// One member reads what another gives with the dimensions the other way round; one reads a part of each row.

// RUN: terrace-opt %s --loop-collapse | FileCheck %s

// CHECK-LABEL: func.func @crosses
// CHECK-NOT: memref.collapse_shape
// CHECK: return
func.func @crosses(%x: memref<3x8x8xf32>, %y: memref<3x8x8xf32>) {
  loop.group (%g = 3) into (%y as %to : memref<3x8x8xf32>) {
    %e = loop.pointwise (%i = 8, %j = 8) {
      %a = loop.load %x[%g, %i, %j] : memref<3x8x8xf32>
      %b = math.exp %a : f32
      loop.yield %b : f32
    } : tensor<8x8xf32>
    %r = loop.pointwise (%i = 8, %j = 8) {
      %a = loop.load %e[%j, %i] : tensor<8x8xf32>
      loop.yield %a : f32
    } : tensor<8x8xf32>
    loop.in_parallel {
      loop.insert %r into %to at [%g, :, :] : tensor<8x8xf32> into memref<3x8x8xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @part
// CHECK-NOT: memref.collapse_shape %arg0
// CHECK: loop.load %{{.*}}[%{{.*}}, %{{.*}}] : tensor<8x8xf32>
// CHECK: return
func.func @part(%x: memref<3x8x8xf32>, %y: memref<3x8x4xf32>) {
  loop.group (%g = 3) into (%y as %to : memref<3x8x4xf32>) {
    %e = loop.pointwise (%i = 8, %j = 8) {
      %a = loop.load %x[%g, %i, %j] : memref<3x8x8xf32>
      %b = math.exp %a : f32
      loop.yield %b : f32
    } : tensor<8x8xf32>
    %r = loop.pointwise (%i = 8, %j = 4) {
      %a = loop.load %e[%i, %j] : tensor<8x8xf32>
      loop.yield %a : f32
    } : tensor<8x4xf32>
    loop.in_parallel {
      loop.insert %r into %to at [%g, :, :] : tensor<8x4xf32> into memref<3x8x4xf32>
    }
  }
  return
}

// Two readers would have a member join its first two dimensions, and its last two.
// CHECK-LABEL: func.func @both
// CHECK-NOT: memref.collapse_shape
// CHECK: return
func.func @both(%x: memref<3x2x2x2xf32>, %y: memref<3x2x2x2xf32>) {
  loop.group (%g = 3) into (%y as %to : memref<3x2x2x2xf32>) {
    %e = loop.pointwise (%i = 2, %j = 2, %k = 2) {
      %a = loop.load %x[%g, %i, %j, %k] : memref<3x2x2x2xf32>
      %b = math.exp %a : f32
      loop.yield %b : f32
    } : tensor<2x2x2xf32>
    %r = loop.pointwise (%i = 2, %j = 2, %k = 2) {
      %a = loop.load %e[%i, %j, %k] : tensor<2x2x2xf32>
      %b = loop.load %e[%j, %k, %i] : tensor<2x2x2xf32>
      %c = arith.addf %a, %b : f32
      loop.yield %c : f32
    } : tensor<2x2x2xf32>
    loop.in_parallel {
      loop.insert %r into %to at [%g, :, :, :] : tensor<2x2x2xf32> into memref<3x2x2x2xf32>
    }
  }
  return
}
