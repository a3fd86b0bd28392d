// RUN: terrace-opt %s --carry-in-place | FileCheck %s
// RUN: terrace-opt %s --carry-in-place --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --canonicalize | FileCheck %s --check-prefix=BUFFER

// Computed in place: nothing is left of it.
// CHECK-LABEL: func.func @in_place(
// BUFFER-LABEL: func.func @in_place(
// BUFFER-SAME: %[[X:.*]]: memref<4xf32>, %{{.*}}: index
// BUFFER-NOT: memref.alloc
// BUFFER-NOT: memref.copy
// BUFFER: loop.pointwise (%{{.*}} = 4) into %[[X]]
func.func @in_place(%x: tensor<4xf32>, %n: index, %k: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<4xf32> {
    %s = loop.pointwise (%j = 4) into %a {
      %e = loop.load %a[%j] : tensor<4xf32>
      %f = arith.addf %e, %k : f32
      loop.yield %f : f32
    } : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// Tensors that change places are copied before the first is written.
// CHECK-LABEL: func.func @change_places(
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK: %[[OLD_B:.*]] = bufferization.alloc_tensor() copy(%[[B]])
// CHECK: %[[OLD_A:.*]] = bufferization.alloc_tensor() copy(%[[A]])
// CHECK: %[[NEW_A:.*]] = bufferization.materialize_in_destination %[[OLD_B]] in %[[A]]
// CHECK: %[[NEW_B:.*]] = bufferization.materialize_in_destination %[[OLD_A]] in %[[B]]
// CHECK: scf.yield %[[NEW_A]], %[[NEW_B]]
func.func @change_places(%x: tensor<4xf32>, %y: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// Who writes over another tensor than its own gets a destination of this round.
// CHECK-LABEL: func.func @over_another(
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK: %[[NEW:.*]] = tensor.empty() : tensor<4xf32>
// CHECK: %[[S:.*]] = loop.pointwise (%{{.*}} = 4) into %[[NEW]]
// CHECK: bufferization.materialize_in_destination %[[S]] in %[[B]]
func.func @over_another(%x: tensor<4xf32>, %y: tensor<4xf32>, %n: index, %k: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<4xf32>, tensor<4xf32>) {
    %s = loop.pointwise (%j = 4) into %a {
      %e = loop.load %a[%j] : tensor<4xf32>
      %f = arith.addf %e, %k : f32
      loop.yield %f : f32
    } : tensor<4xf32>
    scf.yield %a, %s : tensor<4xf32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}

// What comes in and what the condition passes on differ: what came in is carried, and behind it what is new.
// CHECK-LABEL: func.func @other_types(
// CHECK: scf.while (%[[I:.*]] = %{{.*}}, %[[A:.*]] = %{{.*}}, %[[D:.*]] = %{{.*}}) : (i64, tensor<4xf32>, tensor<2xf32>) -> (i64, tensor<4xf32>, tensor<2xf32>)
// CHECK: %[[OLD:.*]] = bufferization.alloc_tensor() copy(%{{.*}}) : tensor<2xf32>
// CHECK: %[[NEW:.*]] = bufferization.materialize_in_destination %[[OLD]] in %[[D]]
// CHECK: scf.condition(%{{.*}}) %[[I]], %[[A]], %[[NEW]]
// BUFFER-LABEL: func.func @other_types(
// BUFFER: scf.while (%{{.*}} = %{{.*}}) : (i64) -> i64
func.func @other_types(%x: tensor<4xf32>, %y: tensor<2xf32>, %n: i64) -> tensor<2xf32> {
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %r:2 = scf.while (%i = %k0, %a = %x) : (i64, tensor<4xf32>) -> (tensor<2xf32>, i64) {
    %more = arith.cmpi slt, %i, %n : i64
    scf.condition(%more) %y, %i : tensor<2xf32>, i64
  } do {
  ^bb0(%b: tensor<2xf32>, %i: i64):
    %j = arith.addi %i, %k1 : i64
    scf.yield %j, %x : i64, tensor<4xf32>
  }
  return %r#0 : tensor<2xf32>
}

// What an inner loop leaves of a tensor is where that was, if nobody looks at the tensor behind it.
// CHECK-LABEL: func.func @loop_in_loop(
// CHECK-NOT: bufferization
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}})
// CHECK-NEXT: %[[R:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[A]])
// CHECK: scf.yield %[[R]]
// BUFFER-LABEL: func.func @loop_in_loop(
// BUFFER-NOT: memref.copy
// BUFFER: return
func.func @loop_in_loop(%x: tensor<4xf32>, %n: index, %k: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<4xf32> {
    %q = scf.for %l = %c0 to %n step %c1 iter_args(%b = %a) -> tensor<4xf32> {
      %s = loop.pointwise (%j = 4) into %b {
        %e = loop.load %b[%j] : tensor<4xf32>
        %f = arith.addf %e, %k : f32
        loop.yield %f : f32
      } : tensor<4xf32>
      scf.yield %s : tensor<4xf32>
    }
    scf.yield %q : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// Else it is copied.
// CHECK-LABEL: func.func @read_behind_it(
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[A]])
// CHECK: bufferization.alloc_tensor() copy(%[[R]])
// BUFFER-LABEL: func.func @read_behind_it(
// BUFFER: memref.copy
func.func @read_behind_it(%x: tensor<4xf32>, %y: tensor<4xf32>, %n: index, %k: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %o = %y) -> (tensor<4xf32>, tensor<4xf32>) {
    %q = scf.for %l = %c0 to %n step %c1 iter_args(%b = %a) -> tensor<4xf32> {
      %s = loop.pointwise (%j = 4) into %b {
        %e = loop.load %b[%j] : tensor<4xf32>
        %f = arith.addf %e, %k : f32
        loop.yield %f : f32
      } : tensor<4xf32>
      scf.yield %s : tensor<4xf32>
    }
    %t = loop.pointwise (%j = 4) into %o {
      %e = loop.load %a[%j] : tensor<4xf32>
      loop.yield %e : f32
    } : tensor<4xf32>
    scf.yield %q, %t : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// So is what a branch does to what an inner loop leaves: without the copy bufferization refuses the `while`.
// CHECK-LABEL: func.func @branch_behind_a_loop(
// CHECK: %[[R:.*]] = scf.if
// CHECK: bufferization.alloc_tensor() copy(%[[R]])
// BUFFER-LABEL: func.func @branch_behind_a_loop(
// BUFFER: memref.copy
func.func @branch_behind_a_loop(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %r = scf.while (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %q = scf.while (%b = %a) : (tensor<4xf32>) -> tensor<4xf32> {
      %s = loop.pointwise (%j = 4) into %b {
        %e = loop.load %b[%j] : tensor<4xf32>
        %f = math.log %e : f32
        loop.yield %f : f32
      } : tensor<4xf32>
      scf.condition(%c) %s : tensor<4xf32>
    } do {
    ^bb0(%b: tensor<4xf32>):
      scf.yield %b : tensor<4xf32>
    }
    %t = scf.if %c -> tensor<4xf32> {
      %s = loop.pointwise (%j = 4) into %q {
        %e = loop.load %q[%j] : tensor<4xf32>
        %f = math.erf %e : f32
        loop.yield %f : f32
      } : tensor<4xf32>
      scf.yield %s : tensor<4xf32>
    } else {
      scf.yield %q : tensor<4xf32>
    }
    scf.condition(%c) %t : tensor<4xf32>
  } do {
  ^bb0(%a: tensor<4xf32>):
    scf.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
