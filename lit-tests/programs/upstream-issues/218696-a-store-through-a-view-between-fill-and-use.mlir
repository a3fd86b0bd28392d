// A buffer is filled, its inner part written through a view, and then all of it read: the fill may not come after the view is written.

// RUN: %upstream %s | %run > %t.upstream
// RUN: %ours %s | %run > %t.ours
// RUN: diff %t.upstream %t.ours
// RUN: FileCheck %s --check-prefix=VALUES < %t.ours
// RUN: %into %s | FileCheck %s

// Upstream's fusion of this version gets it wrong.
// RUN: %fused %s | %run > %t.fused
// RUN: not diff %t.upstream %t.fused

func.func private @printMemrefF32(memref<*xf32>)

// CHECK-LABEL: func.func @padded
//       CHECK:   loop.pointwise
//       CHECK:   loop.pointwise
//       CHECK:   loop.pointwise
func.func @padded(%x: memref<2x2xf32>) -> memref<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %p = memref.alloc() : memref<4x4xf32>
  %r = memref.alloc() : memref<4x4xf32>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      affine.store %zero, %p[%i, %j] : memref<4x4xf32>
    }
  }
  %inner = memref.subview %p[1, 1] [2, 2] [1, 1] : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1], offset: 5>>
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 2 {
      %a = affine.load %x[%i, %j] : memref<2x2xf32>
      affine.store %a, %inner[%i, %j] : memref<2x2xf32, strided<[4, 1], offset: 5>>
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      %a = affine.load %p[%i, %j] : memref<4x4xf32>
      %b = arith.addf %a, %one : f32
      affine.store %b, %r[%i, %j] : memref<4x4xf32>
    }
  }
  memref.dealloc %p : memref<4x4xf32>
  return %r : memref<4x4xf32>
}

memref.global "private" constant @x : memref<2x2xf32> = dense<[[1.0, 2.0], [3.0, 4.0]]>

func.func @main() {
  %g = memref.get_global @x : memref<2x2xf32>
  %x = memref.alloc() : memref<2x2xf32>
  memref.copy %g, %x : memref<2x2xf32> to memref<2x2xf32>
  %r = call @padded(%x) : (memref<2x2xf32>) -> memref<4x4xf32>
  %u = memref.cast %r : memref<4x4xf32> to memref<*xf32>
  // VALUES: {{\[}}[1,   1,   1,   1],
  // VALUES-NEXT: [1,   2,   3,   1],
  // VALUES-NEXT: [1,   4,   5,   1],
  // VALUES-NEXT: [1,   1,   1,   1]]
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  return
}
