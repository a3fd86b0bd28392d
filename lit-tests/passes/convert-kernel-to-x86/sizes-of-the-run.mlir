// A grid whose size the launch says.
// RUN: terrace-opt %s --convert-kernel-to-x86 --split-input-file | FileCheck %s

// Its sizes are arguments; how much there is to do decides at the launch what a thread takes at once.
// CHECK-LABEL: func.func private @rows(
// CHECK-SAME: %{{.*}}: memref<?x4xf32>, %[[N:[a-z0-9]+]]: index, %[[G:[a-z0-9]+]]: index, %{{.*}}: index, %{{.*}}: index)
// CHECK: arith.divui %{{.*}}, %c4
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[SIZE:[a-z0-9]+]]: index
// CHECK: %[[POINTS:.*]] = arith.muli %[[SIZE]], %c4
// CHECK: %[[WORK:.*]] = arith.muli
// CHECK: %[[ALONE:.*]] = arith.cmpi slt
// CHECK: %[[GRAIN:.*]] = arith.select %[[ALONE]], %[[POINTS]], %{{.*}}
// CHECK: call @terrace_rt_parallel_for(%{{.*}}, %{{.*}}, %[[POINTS]], %[[GRAIN]])
kernel.func @rows(%x: memref<?x4xf32>, %n: index) grid(%i in ?, %j in 4) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %k = %c0 to %n step %c1 {
    memref.store %zero, %x[%i, %j] : memref<?x4xf32>
  }
  kernel.return
}
func.func @main(%x: memref<?x4xf32>, %n: index) {
  kernel.launch @rows grid [%n, 4] (%x, %n) : memref<?x4xf32>, index
  return
}

// -----

// Scratch memory of a size of the run is on the heap.
// CHECK-LABEL: func.func private @scratch(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index,
// CHECK: %[[M:.*]] = memref.alloc(%[[N]]) : memref<?xf32>
// CHECK: scf.for
// CHECK: memref.dealloc %[[M]]
kernel.func @scratch(%n: index) grid(%i in 4) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = memref.alloca(%n) : memref<?xf32>
  memref.store %zero, %m[%c0] : memref<?xf32>
  kernel.return
}
