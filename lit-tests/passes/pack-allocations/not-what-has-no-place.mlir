// RUN: terrace-opt %s --pack-allocations | FileCheck %s

func.func private @use(memref<16xf32>, memref<16xf32>)

// What is returned is the caller's.
// CHECK-LABEL: func.func @returned
// CHECK: memref.alloc() : memref<16xf32>
// CHECK: memref.alloc() : memref<16xf32>
func.func @returned() -> memref<16xf32> {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  call @use(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  memref.dealloc %a : memref<16xf32>
  return %b : memref<16xf32>
}

// What is freed in another block may live on.
// CHECK-LABEL: func.func @"freed-elsewhere"
// CHECK: memref.alloc() : memref<16xf32>
// CHECK: memref.alloc() : memref<16xf32>
func.func @"freed-elsewhere"(%on: i1) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  call @use(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  memref.dealloc %a : memref<16xf32>
  scf.if %on {
    memref.dealloc %b : memref<16xf32>
  }
  return
}

// Bytes that are not known, at a boundary that is none of a cache line, in another memory, or in an order of their own.
// CHECK-LABEL: func.func @others
// CHECK: memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK: memref.alloc() {alignment = 4096 : i64} : memref<16xf32>
// CHECK: memref.alloc() : memref<16xf32, 1>
// CHECK: memref.alloc() : memref<4x4xf32, strided<[8, 1]>>
// CHECK: memref.alloc() : memref<4xvector<4xf32>>
// CHECK: memref.alloc() : memref<16xf32>
func.func @others(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc() {alignment = 4096} : memref<16xf32>
  %c = memref.alloc() : memref<16xf32, 1>
  %d = memref.alloc() : memref<4x4xf32, strided<[8, 1]>>
  %e = memref.alloc() : memref<4xvector<4xf32>>
  %f = memref.alloc() : memref<16xf32>
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<16xf32>
  memref.dealloc %c : memref<16xf32, 1>
  memref.dealloc %d : memref<4x4xf32, strided<[8, 1]>>
  memref.dealloc %e : memref<4xvector<4xf32>>
  memref.dealloc %f : memref<16xf32>
  return
}

// A kernel runs many times at once, and has its memory in registers.
// CHECK-LABEL: kernel.func @kernel
// CHECK: memref.alloc() : memref<16xf32>
// CHECK: memref.alloc() : memref<16xf32>
kernel.func @kernel(%x: memref<16xf32>) grid() {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  memref.dealloc %b : memref<16xf32>
  kernel.return
}
