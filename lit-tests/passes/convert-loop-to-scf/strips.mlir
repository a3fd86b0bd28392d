// Sums whose terms lie side by side: a strip of them goes on by one term, before the next one.

// RUN: terrace-opt %s --convert-loop-to-scf --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @columns(
//  CHECK-SAME:   %[[X:.*]]: memref<1000x9000xf32>, %[[Y:.*]]: memref<9000xf32>
//       CHECK:   scf.parallel (%[[J:.*]]) = (%c0) to (%c9000) step (%c8192)
//       CHECK:     %[[LEFT:.*]] = arith.subi %c9000, %[[J]]
//       CHECK:     %[[COUNT:.*]] = arith.minsi %[[LEFT]], %c8192
//       CHECK:     %[[SUMS:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8192xf32>
//       CHECK:     scf.for %{{.*}} = %c0 to %[[COUNT]]
//       CHECK:     scf.for %[[I:.*]] = %c0 to %c1000
//       CHECK:       scf.for %[[L:.*]] = %c0 to %[[COUNT]]
//       CHECK:         %[[AT:.*]] = arith.addi %[[J]], %[[L]]
//       CHECK:         memref.load %[[X]][%[[I]], %[[AT]]]
//       CHECK:         memref.load %[[SUMS]][%[[L]]]
//       CHECK:         arith.addf %{{.*}}, %{{.*}} : f32
//       CHECK:         memref.store %{{.*}}, %[[SUMS]][%[[L]]]
//       CHECK:     scf.for
//       CHECK:       memref.store %{{.*}}, %[[Y]]
//       CHECK:     memref.dealloc %[[SUMS]]
func.func @columns(%x: memref<1000x9000xf32>, %y: memref<9000xf32>) {
  loop.reduction add (%j = 9000) over (%i = 1000) into %y {
    %a = loop.load %x[%i, %j] : memref<1000x9000xf32>
    loop.yield %a : f32
  } : memref<9000xf32>
  return
}

// A product: rows of the right factor. What a point computes for its sum is computed there, and what is done with it behind all.
// CHECK-LABEL: func.func @product(
//       CHECK:   scf.parallel (%[[I:.*]]) = (%c0) to (%c40) step (%c1)
//       CHECK:     memref.alloc() {alignment = 64 : i64} : memref<48xf32>
//       CHECK:     scf.for %[[K:.*]] = %c0 to %c50
//       CHECK:       scf.for
//       CHECK:         %[[SCALE:.*]] = memref.load %{{.*}}[%[[I]]] : memref<40xf32>
//       CHECK:         arith.mulf %[[SCALE]]
//       CHECK:     scf.for
//       CHECK:       math.exp
//       CHECK:       memref.store
func.func @product(%x: memref<40x50xf32>, %y: memref<50x48xf32>, %s: memref<40xf32>, %z: memref<40x48xf32>) {
  loop.group (%i = 40, %j = 48) into (%z as %p : memref<40x48xf32>) {
    %c = loop.load %s[%i] : memref<40xf32>
    %r = loop.reduction add over (%k = 50) {
      %a = loop.load %x[%i, %k] : memref<40x50xf32>
      %b = loop.load %y[%k, %j] : memref<50x48xf32>
      %ca = arith.mulf %c, %a : f32
      %m = arith.mulf %ca, %b : f32
      loop.yield %m : f32
    } : f32
    %e = math.exp %r : f32
    loop.in_parallel {
      loop.insert %e into %p at [%i, %j] : f32 into memref<40x48xf32>
    }
  }
  return
}

// Rows lie as they are summed up, in any order.
// CHECK-LABEL: func.func @not_of_rows(
//   CHECK-NOT:   memref.alloc
//       CHECK:   scf.for
//       CHECK:     arith.addf %{{.*}}, %{{.*}} fastmath<reassoc> : f32
func.func @not_of_rows(%x: memref<700x1000xf32>, %y: memref<700xf32>) {
  loop.reduction add (%j = 700) over (%i = 1000) into %y {
    %a = loop.load %x[%j, %i] : memref<700x1000xf32>
    loop.yield %a : f32
  } : memref<700xf32>
  return
}

// CHECK-LABEL: func.func @not_where_tiles_are_said(
//   CHECK-NOT:   memref.alloc
func.func @not_where_tiles_are_said(%x: memref<1000x700xf32>, %y: memref<700xf32>) {
  loop.reduction add (%j = 700) over (%i = 1000) into %y {
    %a = loop.load %x[%i, %j] : memref<1000x700xf32>
    loop.yield %a : f32
  } tile [8] : memref<700xf32>
  return
}

// CHECK-LABEL: func.func @not_of_a_few(
//   CHECK-NOT:   memref.alloc
func.func @not_of_a_few(%x: memref<1000x8xf32>, %y: memref<8xf32>) {
  loop.reduction add (%j = 8) over (%i = 1000) into %y {
    %a = loop.load %x[%i, %j] : memref<1000x8xf32>
    loop.yield %a : f32
  } : memref<8xf32>
  return
}
