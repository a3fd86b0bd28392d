// Where arguments may be the same memory, a test says at run time whether they are: loop operations where they are not, the loops as they
// were else.

// RUN: terrace-opt %s --convert-affine-to-loop=version-aliases --verify-diagnostics -o %t
// RUN: FileCheck %s < %t
// RUN: terrace-opt %t --convert-affine-to-loop=version-aliases --canonicalize | FileCheck %s --check-prefix=AGAIN

// Nests that follow each other stand under one test; what lies between them goes in front.
// CHECK-LABEL: func.func @two(
//  CHECK-SAME:   %[[X:.*]]: memref<16xf32>, %[[Y:.*]]: memref<16xf32>, %[[Z:.*]]: memref<16xf32>
//       CHECK:   %[[C:.*]] = arith.constant 2.000000e+00 : f32
//       CHECK:   %[[PY:.*]] = memref.extract_aligned_pointer_as_index %[[Y]]
//       CHECK:   %[[PX:.*]] = memref.extract_aligned_pointer_as_index %[[X]]
//       CHECK:   arith.cmpi sle
//       CHECK:   scf.if
//       CHECK:     %[[YX:.*]]:2 = memref.distinct_objects %[[Y]], %[[X]]
//       CHECK:     %[[YZ:.*]]:2 = memref.distinct_objects %[[YX]]#0, %[[Z]]
//       CHECK:     %[[XZ:.*]]:2 = memref.distinct_objects %[[YX]]#1, %[[YZ]]#1
//       CHECK:     loop.pointwise (%{{.*}} = 16) into %[[YZ]]#0
//       CHECK:       loop.load %[[XZ]]#0
//       CHECK:     loop.pointwise (%{{.*}} = 16) into %[[XZ]]#1
//       CHECK:       loop.load %[[YZ]]#0
//       CHECK:   } else {
//       CHECK:     affine.for
//       CHECK:       affine.store %{{.*}}, %[[Y]]
//       CHECK:     affine.for
//       CHECK:       affine.load %[[Y]]

// AGAIN-LABEL: func.func @two(
//       AGAIN:   scf.if
//   AGAIN-NOT:   scf.if
//       AGAIN:   affine.for
//   AGAIN-NOT:   scf.if
// AGAIN-LABEL: func.func @known(
func.func @two(%x: memref<16xf32>, %y: memref<16xf32>, %z: memref<16xf32>) {
  affine.for %i = 0 to 16 {
    %v = affine.load %x[%i] : memref<16xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %y[%i] : memref<16xf32>
  }
  %c = arith.constant 2.0 : f32
  affine.for %i = 0 to 16 {
    %v = affine.load %y[%i] : memref<16xf32>
    %w = arith.mulf %v, %c : f32
    affine.store %w, %z[%i] : memref<16xf32>
  }
  return
}

// What is known needs no test, nor does what is read.
// CHECK-LABEL: func.func @known(
//   CHECK-NOT:   scf.if
//       CHECK:   loop.pointwise
func.func @known(%x: memref<16xf32>, %y: memref<16xf32>) -> memref<16xf32> {
  %z = memref.alloc() : memref<16xf32>
  affine.for %i = 0 to 16 {
    %v = affine.load %x[%i] : memref<16xf32>
    %w = affine.load %y[%i] : memref<16xf32>
    %s = arith.addf %v, %w : f32
    affine.store %s, %z[%i] : memref<16xf32>
  }
  return %z : memref<16xf32>
}

// The first and the last byte of strides and sizes of the run, either way.
// CHECK-LABEL: func.func @strides(
//       CHECK:   %{{.*}}, %[[OFFSET:.*]], %[[N:.*]], %[[S:.*]] = memref.extract_strided_metadata
//       CHECK:   %[[LAST:.*]] = arith.subi %[[N]], %{{.*}}
//       CHECK:   %[[REACH:.*]] = arith.muli %[[LAST]], %[[S]]
//       CHECK:   %[[DOWN:.*]] = arith.minsi %[[REACH]], %{{.*}}
//       CHECK:   arith.addi %[[OFFSET]], %[[DOWN]]
//       CHECK:   %[[UP:.*]] = arith.maxsi %[[REACH]], %{{.*}}
//       CHECK:   arith.addi %[[OFFSET]], %[[UP]]
//       CHECK:   scf.if
func.func @strides(%x: memref<?xf32, strided<[?], offset: ?>>, %y: memref<16xf32>) {
  affine.for %i = 0 to 16 {
    %v = affine.load %x[%i] : memref<?xf32, strided<[?], offset: ?>>
    affine.store %v, %y[%i] : memref<16xf32>
  }
  return
}

// In each round of a loop that stays, a test has to be worth it.
// CHECK-LABEL: func.func @in_each_round(
//       CHECK:   affine.for
//   CHECK-NOT:     scf.if
//       CHECK:     affine.for %{{.*}} = 0 to 16
//       CHECK:     scf.if
//       CHECK:       loop.pointwise (%{{.*}} = 2048)
func.func @in_each_round(%x: memref<16xf32>, %y: memref<16xf32>, %u: memref<2048xf32>, %v: memref<2048xf32>) {
  // expected-remark @+1 {{stays: has a store that may write one element several times}}
  affine.for %t = 0 to 9 {
    // expected-remark @+1 {{stays: is too short for a test of addresses inside of another loop that stays}}
    affine.for %i = 0 to 16 {
      %a = affine.load %x[%i] : memref<16xf32>
      affine.store %a, %y[%i] : memref<16xf32>
    }
    affine.for %i = 0 to 2048 {
      %a = affine.load %u[%i] : memref<2048xf32>
      affine.store %a, %v[%i] : memref<2048xf32>
    }
  }
  return
}
