// What the group writes it also reads: by another name, or at a place of another dimension's.

// RUN: terrace-opt %s --loop-collapse | FileCheck %s

// CHECK-LABEL: func.func @another_name
// CHECK-NOT: memref.collapse_shape
// CHECK: return
func.func @another_name(%x: memref<3x8x2xf32>) {
  %v = memref.cast %x : memref<3x8x2xf32> to memref<?x8x2xf32>
  loop.group (%g = 3) into (%x as %to : memref<3x8x2xf32>) {
    %e = loop.pointwise (%i = 8, %j = 2) {
      %a = loop.load %v[%g, %i, %j] : memref<?x8x2xf32>
      %b = math.exp %a : f32
      loop.yield %b : f32
    } : tensor<8x2xf32>
    loop.in_parallel {
      loop.insert %e into %to at [%g, :, :] : tensor<8x2xf32> into memref<3x8x2xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @another_place
// CHECK-NOT: memref.collapse_shape
// CHECK: return
func.func @another_place(%x: memref<3x8x2xf32>, %z: memref<8x2xf32>) {
  loop.group (%g = 3) into (%x as %to : memref<3x8x2xf32>) {
    %s = loop.reduction add over (%j = 2) {
      %a = loop.load %x[%g, 0, %j] : memref<3x8x2xf32>
      loop.yield %a : f32
    } : f32
    %e = loop.pointwise (%i = 8, %j = 2) {
      %a = loop.load %z[%i, %j] : memref<8x2xf32>
      %b = arith.addf %a, %s : f32
      loop.yield %b : f32
    } : tensor<8x2xf32>
    loop.in_parallel {
      loop.insert %e into %to at [%g, :, :] : tensor<8x2xf32> into memref<3x8x2xf32>
    }
  }
  return
}
