// RUN: terrace-opt %s --loop-collapse --split-input-file | FileCheck %s

// An index that is taken apart is one index of the dimensions that it runs through; the others stay.
// CHECK-LABEL: func.func @norm(
//  CHECK-SAME: %[[X:.*]]: memref<8x16x309x309xf32>
//       CHECK:   %[[Y:.*]] = memref.collapse_shape %[[X]] {{\[\[}}0], [1, 2, 3]] : memref<8x16x309x309xf32> into memref<8x1527696xf32>
//       CHECK:   loop.reduction add (%[[J:.*]] = 8, %[[I:.*]] = 8) over (%[[K:.*]] = 190962)
//       CHECK:     loop.load %[[Y]][%[[I]], %[[J]] * 190962 + %[[K]]] : memref<8x1527696xf32>
func.func @norm(%x: memref<8x16x309x309xf32>, %y: memref<8x8xf32>) {
  loop.reduction add (%j = 8, %i = 8) over (%k = 190962) into %y {
    %a = loop.load %x[%i, %j * 2 + %k floordiv 95481, (%k floordiv 309) mod 309, %k mod 309] : memref<8x16x309x309xf32>
    loop.yield %a : f32
  } : memref<8x8xf32>
  return
}

// -----

// In front of a group; under a mask.
// CHECK-LABEL: func.func @group(
//       CHECK:   %[[C:.*]] = memref.collapse_shape %{{.*}} {{\[\[}}0, 1]] : memref<4x6xf32> into memref<24xf32>
//  CHECK-NEXT:   loop.group
//       CHECK:     loop.load %[[C]][%{{.*}} * 12 + %{{.*}}] if %{{.*}} else %{{.*}} : memref<24xf32>, f32
func.func @group(%x: memref<4x6xf32>, %y: memref<2xf32>) {
  %zero = arith.constant 0.0 : f32
  %c5 = arith.constant 5 : index
  loop.group (%i = 2) into (%y as %p : memref<2xf32>) {
    %s = loop.reduction add over (%k = 12) {
      %in = arith.cmpi ult, %k, %c5 : index
      %a = loop.load %x[%i * 2 + %k floordiv 6, %k mod 6] if %in else %zero : memref<4x6xf32>, f32
      loop.yield %a : f32
    } : f32
    loop.in_parallel {
      loop.insert %s into %p at [%i] : f32 into memref<2xf32>
    }
  }
  return
}
