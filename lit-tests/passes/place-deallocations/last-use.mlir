// RUN: terrace-opt %s --place-deallocations | FileCheck %s

func.func private @use(memref<4xf32>)

// Behind the last use of a view; in the block of the allocation.
// CHECK-LABEL: func.func @view
// CHECK: %[[M:.*]] = memref.alloc
// CHECK: scf.if
// CHECK: memref.store
// CHECK: }
// CHECK-NEXT: memref.dealloc %[[M]]
func.func @view(%on: i1, %f: f32) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<2x2xf32>
  %v = memref.collapse_shape %m [[0, 1]] : memref<2x2xf32> into memref<4xf32>
  func.call @use(%v) : (memref<4xf32>) -> ()
  scf.if %on {
    memref.store %f, %v[%c0] : memref<4xf32>
  }
  return
}

// CHECK-LABEL: func.func @"not-freed-when-a-view-is-returned"
// CHECK-NOT: memref.dealloc
func.func @"not-freed-when-a-view-is-returned"() -> memref<4xf32> {
  %m = memref.alloc() : memref<2x2xf32>
  %v = memref.collapse_shape %m [[0, 1]] : memref<2x2xf32> into memref<4xf32>
  return %v : memref<4xf32>
}

// CHECK-LABEL: func.func @"not-freed-twice"
// CHECK-COUNT-1: memref.dealloc
// CHECK-NOT: memref.dealloc
func.func @"not-freed-twice"() {
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return
}

func.func private @same(memref<4xf32>) -> memref<4xf32>
// A call may return what it was given.
// CHECK-LABEL: func.func @"not-freed-when-a-call-may-keep-it"
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @"not-freed-when-a-call-may-keep-it"() -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  %r = func.call @same(%m) : (memref<4xf32>) -> memref<4xf32>
  return %r : memref<4xf32>
}
