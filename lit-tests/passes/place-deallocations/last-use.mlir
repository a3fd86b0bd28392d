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

// What comes out of a branch may be it: it is freed behind the last use of that.
// CHECK-LABEL: func.func @branch(
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: %[[B:.*]] = scf.if
// CHECK-NOT: memref.dealloc %[[A]]
// CHECK: call @use(%[[B]])
// CHECK-NEXT: memref.dealloc %[[A]]
// CHECK-NEXT: return
func.func @branch(%c: i1, %x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = scf.if %c -> memref<4xf32> {
    scf.yield %x : memref<4xf32>
  } else {
    scf.yield %a : memref<4xf32>
  }
  func.call @use(%b) : (memref<4xf32>) -> ()
  return
}

// And returned it is not freed where it is what is returned.
// CHECK-LABEL: func.func @returned_branch(
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: %[[B:.*]] = scf.if
// CHECK: arith.cmpi ne
// CHECK-NEXT: scf.if
// CHECK-NEXT: memref.dealloc %[[A]]
// CHECK: return %[[B]]
func.func @returned_branch(%c: i1, %x: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %b = scf.if %c -> memref<4xf32> {
    scf.yield %x : memref<4xf32>
  } else {
    scf.yield %a : memref<4xf32>
  }
  return %b : memref<4xf32>
}

// A loop may hand it on.
// CHECK-LABEL: func.func @loop(
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @loop(%n: index, %x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %b = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> memref<4xf32> {
    func.call @use(%y) : (memref<4xf32>) -> ()
    scf.yield %a : memref<4xf32>
  }
  func.call @use(%b) : (memref<4xf32>) -> ()
  return
}

// What every branch allocates, and gives alone, is freed as the result.
// CHECK-LABEL: func.func @new_in_branches(
// CHECK: %[[R:.*]] = scf.if
// CHECK-NOT: memref.dealloc
// CHECK: call @use(%[[R]])
// CHECK-NEXT: memref.dealloc %[[R]]
// CHECK-NEXT: return
func.func @new_in_branches(%c: i1) {
  %r = scf.if %c -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    %b = memref.alloc() : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  func.call @use(%r) : (memref<4xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @"not-freed-when-a-branch-gives-what-is-not-new"(
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @"not-freed-when-a-branch-gives-what-is-not-new"(%c: i1, %x: memref<4xf32>) {
  %r = scf.if %c -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %x : memref<4xf32>
  }
  func.call @use(%r) : (memref<4xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @"not-freed-when-another-result-may-be-a-view-of-it"(
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @"not-freed-when-another-result-may-be-a-view-of-it"(%c: i1, %k: index) {
  %r:2 = scf.index_switch %k -> memref<4xf32>, memref<2x2xf32>
  default {
    %a = memref.alloc() : memref<4xf32>
    %v = memref.expand_shape %a [[0, 1]] output_shape [2, 2] : memref<4xf32> into memref<2x2xf32>
    scf.yield %a, %v : memref<4xf32>, memref<2x2xf32>
  }
  func.call @use(%r#0) : (memref<4xf32>) -> ()
  return
}
