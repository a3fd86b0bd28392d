// RUN: terrace-opt %s --loop-reorder="function=f number=0 order=1,0" | FileCheck %s
// RUN: terrace-opt %s --loop-reorder="stress-seed=3" | FileCheck %s --check-prefix=STRESS

// CHECK-LABEL: func.func @f
// CHECK: } order [1, 0] : memref<4x8xf32>
// CHECK-NOT: order
// CHECK-LABEL: func.func @g
// STRESS-COUNT-3: } order [{{[01]}}, {{[01]}}]
// STRESS-NOT: order
func.func @f(%x: memref<4x8xf32>, %y: memref<4x8xf32>, %s: memref<4xf32>) {
  loop.pointwise (%i = 4, %j = 8) into %y {
    %a = loop.load %x[%i, %j] : memref<4x8xf32>
    loop.yield %a : f32
  } : memref<4x8xf32>
  loop.reduction add (%i = 4) over (%j = 8) into %s {
    %a = loop.load %x[%i, %j] : memref<4x8xf32>
    loop.yield %a : f32
  } : memref<4xf32>
  return
}
func.func @g(%x: memref<4x8xf32>) {
  loop.pointwise (%i = 4, %j = 8) into %x {
    %a = loop.load %x[%i, %j] : memref<4x8xf32>
    %b = arith.negf %a : f32
    loop.yield %b : f32
  } : memref<4x8xf32>
  loop.pointwise (%i = 4, %j = 8) into %x {
    %a = loop.load %x[3 - %i, %j] : memref<4x8xf32>
    loop.yield %a : f32
  } : memref<4x8xf32>
  return
}
