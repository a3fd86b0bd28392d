// RUN: terrace-opt %s --convert-kernel-to-x86 --split-input-file | FileCheck %s

// A little work is a call; the points of the grid are counted in row-major order.
// CHECK-LABEL: func.func private @small
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %[[FROM:.*]]: index, %[[TO:.*]]: index)
// CHECK: scf.for %[[P:.*]] = %[[FROM]] to %[[TO]]
// CHECK: %[[J:.*]] = arith.remui %[[P]], %c4{{.*}} : index
// CHECK: %[[I:.*]] = arith.divui %[[P]], %c4{{.*}} : index
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]]]
kernel.func @small(%x: memref<6x4xf32>) grid(%i in 6, %j in 4) {
  %zero = arith.constant 0.0 : f32
  memref.store %zero, %x[%i, %j] : memref<6x4xf32>
  kernel.return
}
// CHECK-LABEL: func.func @main
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK: %[[C24:.*]] = arith.constant 24 : index
// CHECK: call @small(%{{.*}}, %[[C0]], %[[C24]])
// CHECK-NOT: kernel.
func.func @main(%x: memref<6x4xf32>) {
  kernel.launch @small grid [6, 4] (%x) : memref<6x4xf32>
  return
}

// -----

// An empty grid runs nothing.
// CHECK-LABEL: func.func @nothing
// CHECK-NOT: call @empty
kernel.func @empty(%x: memref<0x4xf32>) grid(%i in 0) {
  kernel.return
}
func.func @nothing(%x: memref<0x4xf32>) {
  kernel.launch @empty grid [0] (%x) : memref<0x4xf32>
  return
}

// -----

// Much work goes to the pool: arguments travel in a struct, which is allocated once a call of the function.
// CHECK: func.func private @large.task_1(%[[ARGUMENTS:.*]]: !llvm.ptr, %[[FROM:.*]]: index, %[[TO:.*]]: index)
// CHECK: %[[X:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK: %[[K:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK: call @large(%[[X]], %[[K]], %[[FROM]], %[[TO]])
kernel.func @large(%x: memref<4096x1024xf32>, %k: f32) grid(%i in 4096) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %t = tensor.splat %k : tensor<64xf32>
  scf.for %j = %c0 to %c1024 step %c64 {
    kernel.store %t, %x[%i, %j : 64] : tensor<64xf32>, memref<4096x1024xf32>
  }
  kernel.return
}
func.func private @large.task()
// CHECK: func.func private @terrace_rt_parallel_for(!llvm.ptr, !llvm.ptr, index, index)
// CHECK-LABEL: func.func @twice
// CHECK: llvm.alloca
// CHECK: scf.for
// CHECK-NOT: llvm.alloca
// CHECK: %[[N:.*]] = arith.constant 4096 : index
// CHECK: %[[F:.*]] = func.constant @large.task_1
// CHECK: %[[P:.*]] = builtin.unrealized_conversion_cast %[[F]]
// CHECK: call @terrace_rt_parallel_for(%[[P]], %{{.*}}, %[[N]], %{{.*}})
func.func @twice(%x: memref<4096x1024xf32>, %k: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    kernel.launch @large grid [4096] (%x, %k) : memref<4096x1024xf32>, f32
  }
  return
}

// -----

// An assertion records its message, once in the module, and the program goes on.
// CHECK: llvm.mlir.global internal constant @terrace.message("index out of range\00")
// CHECK-NOT: llvm.mlir.global
// CHECK: func.func private @k
// CHECK: %[[FAILS:.*]] = arith.xori
// CHECK: scf.if %[[FAILS]] {
// CHECK: %[[TEXT:.*]] = llvm.mlir.addressof @terrace.message
// CHECK: call @terrace_rt_set_error(%[[TEXT]])
// CHECK: }
// CHECK: memref.store
kernel.func @k(%x: memref<8xf32>, %i: index) grid() {
  %c8 = arith.constant 8 : index
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %in = arith.cmpi ult, %i, %c8 : index
  cf.assert %in, "index out of range"
  %at = arith.select %in, %i, %c0 : index
  memref.store %zero, %x[%at] : memref<8xf32>
  kernel.return
}
// CHECK-LABEL: func.func @main
// CHECK: call @terrace_rt_set_error
func.func @main(%t: i1) {
  cf.assert %t, "index out of range"
  return
}
