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

// A place that takes an index apart would have two more dimensions joined, which the member keeps.
// CHECK-LABEL: func.func @apart
// CHECK-NOT: memref.collapse_shape
// CHECK: return
func.func @apart(%x: memref<3x4x2x8x2xf32>, %y: memref<3xf32>) {
  loop.group (%g = 3) into (%y as %to : memref<3xf32>) {
    %e = loop.pointwise (%h = 4, %k = 2, %i = 8, %j = 2) {
      %a = loop.load %x[%g, %h, %k, %i, %j] : memref<3x4x2x8x2xf32>
      %n = arith.index_cast %h : index to i32
      %m = arith.sitofp %n : i32 to f32
      %b = arith.mulf %a, %m : f32
      loop.yield %b : f32
    } : tensor<4x2x8x2xf32>
    %s = loop.reduction add over (%q = 8, %i = 8, %j = 2) {
      %a = loop.load %e[%q floordiv 2, %q mod 2, %i, %j] : tensor<4x2x8x2xf32>
      loop.yield %a : f32
    } : f32
    loop.in_parallel {
      loop.insert %s into %to at [%g] : f32 into memref<3xf32>
    }
  }
  return
}
