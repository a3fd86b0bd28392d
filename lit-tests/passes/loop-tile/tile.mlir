// RUN: terrace-opt %s --loop-tile="function=f number=0 sizes=3,0" | FileCheck %s
// RUN: terrace-opt %s --loop-tile="number=1 sizes=3" | FileCheck %s --check-prefix=SECOND
// RUN: terrace-opt %s --loop-tile="stress-seed=3" | FileCheck %s --check-prefix=STRESS

// CHECK: } tile [3, 8] : memref<4x8xf32>
// CHECK-NOT: tile
// SECOND: loop.group
// SECOND: } tile [3]
// STRESS: } tile [{{[1-4]}}, {{[1-8]}}] : memref<4x8xf32>
// STRESS: loop.group
// STRESS: } tile [{{[1-4]}}]
func.func @f(%x: memref<4x8xf32>, %y: memref<4x8xf32>, %s: memref<4xf32>) {
  loop.pointwise (%i = 4, %j = 8) into %y {
    %a = loop.load %x[%i, %j] : memref<4x8xf32>
    loop.yield %a : f32
  } : memref<4x8xf32>
  loop.group (%i = 4) into (%s as %d : memref<4xf32>) {
    %r = loop.reduction add over (%j = 8) {
      %a = loop.load %x[%i, %j] : memref<4x8xf32>
      loop.yield %a : f32
    } : f32
    loop.in_parallel {
      loop.insert %r into %d at [%i] : f32 into memref<4xf32>
    }
  }
  return
}
