// Each round of the first loop calls a function that changes all that was computed so far; the second loop reads the end of it.

// RUN: %upstream %s | %run > %t.upstream
// RUN: %ours %s | %run > %t.ours
// RUN: diff %t.upstream %t.ours
// RUN: FileCheck %s --check-prefix=VALUES < %t.ours
// RUN: %into %s | FileCheck %s

// Upstream's fusion of this version gets it wrong.
// RUN: %fused %s | %run > %t.fused
// RUN: not diff %t.upstream %t.fused

func.func private @printMemrefF32(memref<*xf32>)

func.func @change(%x: memref<8xf32>) {
  %k = arith.constant 100.0 : f32
  affine.for %i = 0 to 8 {
    %a = affine.load %x[%i] : memref<8xf32>
    %b = arith.addf %a, %k : f32
    affine.store %b, %x[%i] : memref<8xf32>
  }
  return
}

// CHECK-LABEL: func.func @called
//   CHECK-NOT:   loop.
//       CHECK:   affine.for
//       CHECK:     call @change
//       CHECK:   loop.scatter
func.func @called(%x: memref<8xf32>, %y: memref<8xf32>) {
  %between = memref.alloc() : memref<8xf32>
  %zero = arith.constant 0.0 : f32
  %z1, %y1 = memref.distinct_objects %between, %y : memref<8xf32>, memref<8xf32>
  affine.for %i = 0 to 4 {
    %a = affine.load %x[%i] : memref<8xf32>
    %b = arith.addf %a, %a : f32
    affine.store %b, %z1[%i] : memref<8xf32>
    func.call @change(%z1) : (memref<8xf32>) -> ()
  }
  affine.for %i = 0 to 4 {
    %a = affine.load %z1[%i] : memref<8xf32>
    %b = arith.addf %a, %a : f32
    affine.store %b, %y1[%i] : memref<8xf32>
  }
  memref.dealloc %between : memref<8xf32>
  return
}

func.func @main() {
  %k = arith.constant 3.0 : f32
  %x = memref.alloc() : memref<8xf32>
  %y = memref.alloc() : memref<8xf32>
  linalg.fill ins(%k : f32) outs(%x : memref<8xf32>)
  linalg.fill ins(%k : f32) outs(%y : memref<8xf32>)
  call @called(%x, %y) : (memref<8xf32>, memref<8xf32>) -> ()
  %u = memref.cast %y : memref<8xf32> to memref<*xf32>
  // VALUES: [812,  612,  412,  212,  3,  3,  3,  3]
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  return
}
