// The first loop scales a buffer in place, the second one copies a part of it: the scaling may not be done twice.

// RUN: %upstream %s | %run > %t.upstream
// RUN: %ours %s | %run > %t.ours
// RUN: diff %t.upstream %t.ours
// RUN: FileCheck %s --check-prefix=VALUES < %t.ours
// RUN: %into %s | FileCheck %s

// Upstream's fusion of this version gets it wrong.
// RUN: %fused %s | %run > %t.fused
// RUN: not diff %t.upstream %t.fused

func.func private @printMemrefF32(memref<*xf32>)

// CHECK-LABEL: func.func @scale_and_copy
//       CHECK:   loop.pointwise
//       CHECK:   loop.pointwise
func.func @scale_and_copy(%x: memref<4xf32>, %y: memref<2xf32>, %k: f32) {
  %x1, %y1 = memref.distinct_objects %x, %y : memref<4xf32>, memref<2xf32>
  affine.for %i = 0 to 4 {
    %a = affine.load %x1[%i] : memref<4xf32>
    %b = arith.mulf %a, %k : f32
    affine.store %b, %x1[%i] : memref<4xf32>
  }
  affine.for %i = 0 to 2 {
    %a = affine.load %x1[%i] : memref<4xf32>
    affine.store %a, %y1[%i] : memref<2xf32>
  }
  return
}

func.func @main() {
  %k = arith.constant 3.0 : f32
  %l = arith.constant 2.0 : f32
  %x = memref.alloc() : memref<4xf32>
  %y = memref.alloc() : memref<2xf32>
  linalg.fill ins(%k : f32) outs(%x : memref<4xf32>)
  linalg.fill ins(%l : f32) outs(%y : memref<2xf32>)
  call @scale_and_copy(%x, %y, %l) : (memref<4xf32>, memref<2xf32>, f32) -> ()
  %u = memref.cast %x : memref<4xf32> to memref<*xf32>
  %v = memref.cast %y : memref<2xf32> to memref<*xf32>
  // VALUES: [6,  6,  6,  6]
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  // VALUES: [6,  6]
  call @printMemrefF32(%v) : (memref<*xf32>) -> ()
  return
}
