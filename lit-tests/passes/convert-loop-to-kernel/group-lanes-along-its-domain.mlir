// A group of one sum a point has its lanes where the loads are side by side: along its own domain here, as a reduction alone would.

// RUN: terrace-opt %s --convert-loop-to-kernel | FileCheck %s

// CHECK-LABEL: kernel.func @columns.group_0(
//       CHECK:   %[[S:.*]] = scf.for %[[I:.*]] = %{{.*}} to %c300
//       CHECK:     kernel.load %{{.*}}[%[[I]], %[[J:.*]] : 64]
//       CHECK:   %[[OLD:.*]] = kernel.load %[[Y:.*]][%[[J]] : 64]
//       CHECK:   %[[E:.*]] = math.exp %[[S]] : tensor<64xf64>
//       CHECK:   %[[NEW:.*]] = arith.addf %[[OLD]], %[[E]] : tensor<64xf64>
//       CHECK:   kernel.store %[[NEW]], %[[Y]][%[[J]] : 64]
func.func @columns(%x: memref<300x64xf64>, %y: memref<64xf64>) {
  loop.group (%j = 64) into (%y as %p : memref<64xf64>) {
    %r = loop.reduction add over (%i = 300) {
      %v = loop.load %x[%i, %j] : memref<300x64xf64>
      loop.yield %v : f64
    } : f64
    %o = loop.load %y[%j] : memref<64xf64>
    %e = math.exp %r : f64
    %n = arith.addf %o, %e : f64
    loop.in_parallel {
      loop.insert %n into %p at [%j] : f64 into memref<64xf64>
    }
  }
  return
}

// CHECK-LABEL: kernel.func @rows.group_0(
//       CHECK:   kernel.reduce add
func.func @rows(%x: memref<64x300xf64>, %y: memref<64xf64>) {
  loop.group (%j = 64) into (%y as %p : memref<64xf64>) {
    %r = loop.reduction add over (%i = 300) {
      %v = loop.load %x[%j, %i] : memref<64x300xf64>
      loop.yield %v : f64
    } : f64
    %e = math.exp %r : f64
    loop.in_parallel {
      loop.insert %e into %p at [%j] : f64 into memref<64xf64>
    }
  }
  return
}
