// What comes of an operation stands where it stood: loops and stores at the operation, the body's operations at theirs.

// RUN: terrace-opt %s --convert-loop-to-scf --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @one(
//       CHECK:   scf.parallel
//       CHECK:     memref.load {{.*}} loc("load")
//       CHECK:     math.exp {{.*}} loc("exp")
//       CHECK:     memref.store {{.*}} loc("one")
//       CHECK:   } loc("one")
func.func @one(%x: memref<8xf32>, %y: memref<8xf32>) {
  loop.pointwise (%i = 8) into %y {
    %v = loop.load %x[%i] : memref<8xf32> loc("load")
    %w = math.exp %v : f32 loc("exp")
    loop.yield %w : f32
  } : memref<8xf32> loc("one")
  return
}

// CHECK-LABEL: func.func @strips(
//       CHECK:   scf.for
//       CHECK:     memref.load {{.*}} loc("load")
//       CHECK:     arith.addf {{.*}} loc("sum")
//       CHECK:   } loc("sum")
//       CHECK:   scf.for
//       CHECK:     math.exp {{.*}} loc("exp")
//       CHECK:     memref.store {{.*}} loc("insert")
//       CHECK:   } loc("group")
func.func @strips(%x: memref<100x64xf32>, %y: memref<64xf32>) {
  loop.group (%j = 64) into (%y as %p : memref<64xf32>) {
    %r = loop.reduction add over (%i = 100) {
      %v = loop.load %x[%i, %j] : memref<100x64xf32> loc("load")
      loop.yield %v : f32
    } : f32 loc("sum")
    %e = math.exp %r : f32 loc("exp")
    loop.in_parallel {
      loop.insert %e into %p at [%j] : f32 into memref<64xf32> loc("insert")
    }
  } loc("group")
  return
}
