// RUN: terrace-opt %s --pack-allocations | FileCheck %s

func.func private @use(memref<16xf32>, memref<16xf32>)
func.func private @other(memref<16xf32>, memref<3xi16>)

// What is freed gives its place to what comes, with parts where cache lines begin; one buffer is freed in the place of the last.
// CHECK-LABEL: func.func @again
// CHECK: %[[POOL:.*]] = memref.alloc() {alignment = 64 : i64} : memref<128xi8>
// CHECK: %[[A_AT:.*]] = arith.constant 0
// CHECK: %[[A:.*]] = memref.view %[[POOL]][%[[A_AT]]][] : memref<128xi8> to memref<16xf32>
// CHECK: %[[B_AT:.*]] = arith.constant 64
// CHECK: %[[B:.*]] = memref.view %[[POOL]][%[[B_AT]]][] : memref<128xi8> to memref<16xf32>
// CHECK: call @use(%[[A]], %[[B]])
// CHECK: %[[C_AT:.*]] = arith.constant 0
// CHECK: %[[C:.*]] = memref.view %[[POOL]][%[[C_AT]]][] : memref<128xi8> to memref<3xi16>
// CHECK: call @other(%[[B]], %[[C]])
// CHECK-NEXT: memref.dealloc %[[POOL]]
// CHECK-NEXT: return
func.func @again() {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  call @use(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  memref.dealloc %a : memref<16xf32>
  %c = memref.alloc() : memref<3xi16>
  call @other(%b, %c) : (memref<16xf32>, memref<3xi16>) -> ()
  memref.dealloc %b : memref<16xf32>
  memref.dealloc %c : memref<3xi16>
  return
}

// Gaps beside each other are one, the smallest gap that is enough is taken, and what is free at the end grows.
// CHECK-LABEL: func.func @best
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<704xi8>
// CHECK: constant 0 : index
// CHECK: constant 64 : index
// CHECK: constant 128 : index
// CHECK: constant 192 : index
// CHECK: constant 256 : index
// CHECK: constant 448 : index
// The gap of 64 bytes at 192 is smaller than that of 128 at 0, and 448 is free to the end.
// CHECK: constant 192 : index
// CHECK: constant 0 : index
// CHECK: constant 448 : index
func.func @best() {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  %d = memref.alloc() : memref<16xf32>
  %e = memref.alloc() : memref<48xf32>
  %f = memref.alloc() : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  memref.dealloc %b : memref<16xf32>
  memref.dealloc %d : memref<16xf32>
  memref.dealloc %f : memref<16xf32>
  %g = memref.alloc() : memref<16xf32>
  %h = memref.alloc() : memref<32xf32>
  %i = memref.alloc() : memref<64xf32>
  memref.dealloc %c : memref<16xf32>
  memref.dealloc %e : memref<48xf32>
  memref.dealloc %g : memref<16xf32>
  memref.dealloc %h : memref<32xf32>
  memref.dealloc %i : memref<64xf32>
  return
}

// Each block has its own.
// CHECK-LABEL: func.func @rounds
// CHECK: scf.for
// CHECK-NEXT: %[[POOL:.*]] = memref.alloc()
// CHECK: func.call @use
// CHECK-NEXT: memref.dealloc %[[POOL]]
// CHECK-NEXT: }
func.func @rounds(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<16xf32>
    %b = memref.alloc() : memref<16xf32>
    func.call @use(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
    memref.dealloc %a : memref<16xf32>
    memref.dealloc %b : memref<16xf32>
  }
  return
}

// One buffer stays as it is.
// CHECK-LABEL: func.func @one
// CHECK: memref.alloc() : memref<16xf32>
func.func @one() {
  %a = memref.alloc() : memref<16xf32>
  call @use(%a, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  memref.dealloc %a : memref<16xf32>
  return
}
