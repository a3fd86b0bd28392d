// The first loop reads element 1 in every round; the second one, which runs after all of it, writes that element in its first round.

// RUN: %upstream %s | %run > %t.upstream
// RUN: %ours %s | %run > %t.ours
// RUN: diff %t.upstream %t.ours
// RUN: FileCheck %s --check-prefix=VALUES < %t.ours
// RUN: %into %s | FileCheck %s

// Upstream's fusion of this version gets it wrong.
// RUN: %fused %s | %run > %t.fused
// RUN: not diff %t.upstream %t.fused

func.func private @printMemrefF32(memref<*xf32>)

// CHECK-LABEL: func.func @scaled
//       CHECK:   loop.scatter
//       CHECK:   loop.scatter
func.func @scaled(%a: memref<4xf32>, %c: memref<4xf32>) {
  %between = memref.alloc() : memref<4xf32>
  affine.for %i = 1 to 4 {
    %first = affine.load %a[1] : memref<4xf32>
    %own = affine.load %c[%i] : memref<4xf32>
    %p = arith.mulf %first, %own : f32
    affine.store %p, %between[%i] : memref<4xf32>
  }
  affine.for %i = 1 to 4 {
    %p = affine.load %between[%i] : memref<4xf32>
    affine.store %p, %a[%i] : memref<4xf32>
  }
  memref.dealloc %between : memref<4xf32>
  return
}

func.func @main() {
  %k = arith.constant 3.0 : f32
  %l = arith.constant 2.0 : f32
  %x = memref.alloc() : memref<4xf32>
  %y = memref.alloc() : memref<4xf32>
  linalg.fill ins(%k : f32) outs(%x : memref<4xf32>)
  linalg.fill ins(%l : f32) outs(%y : memref<4xf32>)
  call @scaled(%x, %y) : (memref<4xf32>, memref<4xf32>) -> ()
  %u = memref.cast %x : memref<4xf32> to memref<*xf32>
  // VALUES: [3,  6,  6,  6]
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  return
}
