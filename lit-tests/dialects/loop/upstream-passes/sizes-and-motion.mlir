// What passes of upstream ask of operations on tensors: their sizes are those of destinations, and they may be moved out of loops.

// RUN: terrace-opt %s --resolve-ranked-shaped-type-result-dims --canonicalize --loop-invariant-code-motion --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @size(
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[X]]
// CHECK-NOT: loop.pointwise
// CHECK: return %[[N]]
func.func @size(%x: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %p = loop.pointwise (%j = %n) into %e {
    %v = loop.load %x[%j] : tensor<?xf32>
    loop.yield %v : f32
  } : tensor<?xf32>
  %m = tensor.dim %p, %c0 : tensor<?xf32>
  return %m : index
}

// -----

// CHECK-LABEL: func.func @moved(
// CHECK: loop.pointwise
// CHECK: scf.for
// CHECK-NOT: loop.pointwise
func.func @moved(%x: tensor<8xf32>, %y: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> tensor<8xf32> {
    %p = loop.pointwise (%j = 8) into %e {
      %v = loop.load %x[%j] : tensor<8xf32>
      %w = math.exp %v : f32
      loop.yield %w : f32
    } : tensor<8xf32>
    scf.yield %p : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// Where the loop does not run, the index may be out of range.
// CHECK-LABEL: func.func @not_at_an_index_of_others(
// CHECK: scf.for
// CHECK: loop.pointwise
func.func @not_at_an_index_of_others(%x: tensor<8xf32>, %y: tensor<8xf32>, %n: index, %at: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> tensor<8xf32> {
    %p = loop.pointwise (%j = 8) into %e {
      %v = loop.load %x[%at] : tensor<8xf32>
      loop.yield %v : f32
    } : tensor<8xf32>
    scf.yield %p : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// A tensor of the run may have no elements, and the loop no rounds for that reason.
// CHECK-LABEL: func.func @not_where_it_may_be_beyond(
// CHECK: scf.for
// CHECK: loop.pointwise
// CHECK: loop.pointwise
func.func @not_where_it_may_be_beyond(%x: tensor<?xf32>, %z: tensor<8xf32>, %y: tensor<8xf32>, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y, %b = %y) -> (tensor<8xf32>, tensor<8xf32>) {
    %p = loop.pointwise (%j = 8) into %e {
      %v = loop.load %x[0] : tensor<?xf32>
      loop.yield %v : f32
    } : tensor<8xf32>
    %q = loop.pointwise (%j = 8) into %e {
      %v = loop.load %z[%j + 1] : tensor<8xf32>
      loop.yield %v : f32
    } : tensor<8xf32>
    scf.yield %p, %q : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// What divides may trap.
// CHECK-LABEL: func.func @not_what_may_trap(
// CHECK: scf.for
// CHECK: loop.pointwise
func.func @not_what_may_trap(%x: tensor<8xi32>, %y: tensor<8xi32>, %n: index) -> tensor<8xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8xi32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> tensor<8xi32> {
    %p = loop.pointwise (%j = 8) into %e {
      %v = loop.load %x[%j] : tensor<8xi32>
      %w = arith.divsi %v, %v : i32
      loop.yield %w : i32
    } : tensor<8xi32>
    scf.yield %p : tensor<8xi32>
  }
  return %r : tensor<8xi32>
}

// -----

// CHECK-LABEL: func.func @not_in_memory(
// CHECK: scf.for
// CHECK: loop.pointwise
func.func @not_in_memory(%x: memref<8xf32>, %y: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    loop.pointwise (%j = 8) into %y {
      %v = loop.load %x[%j] : memref<8xf32>
      loop.yield %v : f32
    } : memref<8xf32>
  }
  return
}
