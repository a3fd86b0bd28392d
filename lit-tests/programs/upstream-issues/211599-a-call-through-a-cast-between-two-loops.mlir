// What the first loop computes is changed by a call, to which it goes by another name, before the second loop reads it.

// RUN: %upstream %s | %run > %t.upstream
// RUN: %ours %s | %run > %t.ours
// RUN: diff %t.upstream %t.ours
// RUN: FileCheck %s --check-prefix=VALUES < %t.ours
// RUN: %into %s | FileCheck %s

// Upstream's fusion of this version gets it wrong.
// RUN: %fused %s | %run > %t.fused
// RUN: not diff %t.upstream %t.fused

func.func private @printMemrefF32(memref<*xf32>)

func.func @change(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %k = arith.constant 100.0 : f32
  affine.for %i = 0 to %n {
    %a = affine.load %x[%i] : memref<?xf32>
    %b = arith.addf %a, %k : f32
    affine.store %b, %x[%i] : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func.func @twice_and_twice
//       CHECK:   affine.for
//       CHECK:   call @change
//       CHECK:   affine.for
func.func @twice_and_twice(%x: memref<8xf32>, %between: memref<8xf32>, %y: memref<8xf32>) {
  affine.for %i = 0 to 4 {
    %a = affine.load %x[%i] : memref<8xf32>
    %b = arith.addf %a, %a : f32
    affine.store %b, %between[%i] : memref<8xf32>
  }
  %other = memref.cast %between : memref<8xf32> to memref<?xf32>
  call @change(%other) : (memref<?xf32>) -> ()
  affine.for %i = 0 to 4 {
    %a = affine.load %between[%i] : memref<8xf32>
    %b = arith.addf %a, %a : f32
    affine.store %b, %y[%i] : memref<8xf32>
  }
  return
}

func.func @main() {
  %k = arith.constant 3.0 : f32
  %x = memref.alloc() : memref<8xf32>
  %y = memref.alloc() : memref<8xf32>
  %z = memref.alloc() : memref<8xf32>
  linalg.fill ins(%k : f32) outs(%x : memref<8xf32>)
  linalg.fill ins(%k : f32) outs(%y : memref<8xf32>)
  linalg.fill ins(%k : f32) outs(%z : memref<8xf32>)
  call @twice_and_twice(%x, %y, %z) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
  %u = memref.cast %z : memref<8xf32> to memref<*xf32>
  // VALUES: [212,  212,  212,  212,  3,  3,  3,  3]
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  return
}
