// RUN: terrace-opt %s --carry-in-place | FileCheck %s
// RUN: terrace-opt %s --carry-in-place --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --canonicalize --place-deallocations | FileCheck %s --check-prefix=BUFFER

func.func private @use(tensor<4xf32>)

// One gives a tensor from outside, one a new one: the first is copied, and the result is freed whichever it is.
// CHECK-LABEL: func.func @from_outside_and_new(
// CHECK-SAME: %{{.*}}: i1, %[[X:.*]]: tensor<4xf32>
// CHECK: scf.if
// CHECK-NEXT: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[X]])
// CHECK-NEXT: scf.yield %[[COPY]]
// CHECK: %[[S:.*]] = loop.pointwise
// CHECK: scf.yield %[[S]]
// BUFFER-LABEL: func.func @from_outside_and_new(
// BUFFER: %[[R:.*]] = scf.if
// BUFFER: memref.copy %[[R]], %[[ARGUMENT:.*]] :
// BUFFER-NEXT: memref.dealloc %[[R]]
// BUFFER-NEXT: call @use(%[[ARGUMENT]])
func.func @from_outside_and_new(%c: i1, %x: tensor<4xf32>) {
  %r = scf.if %c -> tensor<4xf32> {
    scf.yield %x : tensor<4xf32>
  } else {
    %new = tensor.empty() : tensor<4xf32>
    %s = loop.pointwise (%j = 4) into %new {
      %e = loop.load %x[%j] : tensor<4xf32>
      loop.yield %e : f32
    } : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  func.call @use(%r) : (tensor<4xf32>) -> ()
  return
}

// Both write, or leave, the same tensor: nothing is copied.
// CHECK-LABEL: func.func @same_tensor(
// CHECK-NOT: bufferization.alloc_tensor
// CHECK: return
// BUFFER-LABEL: func.func @same_tensor(
// BUFFER-NOT: memref.alloc
// BUFFER-NOT: memref.copy
// BUFFER: return
func.func @same_tensor(%c: i1, %x: tensor<4xf32>, %n: index, %k: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<4xf32> {
    %r = scf.if %c -> tensor<4xf32> {
      scf.yield %a : tensor<4xf32>
    } else {
      %s = loop.pointwise (%j = 4) into %a {
        %e = loop.load %a[%j] : tensor<4xf32>
        %f = arith.addf %e, %k : f32
        loop.yield %f : f32
      } : tensor<4xf32>
      scf.yield %s : tensor<4xf32>
    }
    scf.yield %r : tensor<4xf32>
  }
  return %l : tensor<4xf32>
}

// A select of what a loop carries and what it does not: bufferization would take both for one memory.
// CHECK-LABEL: func.func @select_in_loop(
// CHECK-SAME: %{{.*}}: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}})
// CHECK-NEXT: %[[R:.*]] = scf.if
// CHECK-NEXT: bufferization.alloc_tensor() copy(%[[A]])
// CHECK: } else {
// CHECK-NEXT: bufferization.alloc_tensor() copy(%[[Y]])
// CHECK: %[[OWN:.*]] = bufferization.materialize_in_destination %[[R]] in %[[A]]
// CHECK: scf.yield %[[OWN]]
// BUFFER-LABEL: func.func @select_in_loop(
// BUFFER: return
func.func @select_in_loop(%c: i1, %x: tensor<4xf32>, %y: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<4xf32> {
    %r = arith.select %c, %a, %y : tensor<4xf32>
    scf.yield %r : tensor<4xf32>
  }
  return %l, %y : tensor<4xf32>, tensor<4xf32>
}

// What a switch gives may be written, what its branches took it from may not: MLIR 22 doesn't see that one is the other.
// CHECK-LABEL: func.func @written_switch(
// CHECK: scf.index_switch
// CHECK: bufferization.alloc_tensor() copy(%{{.*}})
// CHECK: default
// CHECK: bufferization.alloc_tensor() copy(%{{.*}})
// BUFFER-LABEL: func.func @written_switch(
// BUFFER: %[[R:.*]] = scf.index_switch
// BUFFER: memref.copy
// BUFFER: memref.copy
// BUFFER: loop.pointwise {{.*}} into %[[R]]
func.func @written_switch(%k: index, %x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %r = scf.index_switch %k -> tensor<4xf32>
  case 0 {
    scf.yield %zero : tensor<4xf32>
  }
  default {
    scf.yield %x : tensor<4xf32>
  }
  %s = loop.pointwise (%j = 4) into %r {
    %e = loop.load %r[%j] : tensor<4xf32>
    %f = arith.negf %e : f32
    loop.yield %f : f32
  } : tensor<4xf32>
  return %s : tensor<4xf32>
}

// Each result has memory of its own.
// CHECK-LABEL: func.func @two_results(
// CHECK: scf.index_switch
// CHECK: %[[NEW:.*]] = loop.pointwise
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[NEW]])
// CHECK: scf.yield %[[NEW]], %[[COPY]]
func.func @two_results(%k: index, %f: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %r:2 = scf.index_switch %k -> tensor<4xf32>, tensor<4xf32>
  default {
    %new = tensor.empty() : tensor<4xf32>
    %s = loop.pointwise (%j = 4) into %new {
      loop.yield %f : f32
    } : tensor<4xf32>
    scf.yield %s, %s : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}
