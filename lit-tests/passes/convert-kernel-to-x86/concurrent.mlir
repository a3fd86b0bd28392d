// RUN: terrace-opt %s --convert-kernel-to-x86="cpu=x86-64-v3" | FileCheck %s

// Shares of both launches are counted through: 64 of 64 points each, and one of all the 8 points of the second. Their buffers travel as
// addresses, for their types say all else.
// CHECK-LABEL: func.func private @large.concurrent(
// CHECK-SAME: %[[S:.*]]: !llvm.ptr, %[[FROM:.*]]: index, %[[TO:.*]]: index)
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK: arith.minsi %{{.*}}, %c[[N:.*]] : index
// CHECK: arith.cmpi slt
// CHECK: scf.if
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK: call @large(
// CHECK: arith.cmpi slt
// CHECK: scf.if
// CHECK: call @small(
// CHECK: return
kernel.func @large(%x: memref<4096x1024xf32>) grid(%i in 4096) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %t = arith.constant dense<1.0> : tensor<64xf32>
  scf.for %j = %c0 to %c1024 step %c64 {
    kernel.store %t, %x[%i, %j : 64] : tensor<64xf32>, memref<4096x1024xf32>
  }
  kernel.return
}
kernel.func @small(%x: memref<8x64xf32>) grid(%i in 8) {
  %c0 = arith.constant 0 : index
  %t = arith.constant dense<1.0> : tensor<64xf32>
  kernel.store %t, %x[%i, %c0 : 64] : tensor<64xf32>, memref<8x64xf32>
  kernel.return
}

// CHECK-LABEL: func.func @both(
// CHECK: llvm.alloca %{{.*}} x !llvm.struct<(ptr, ptr)>
// CHECK: %[[F:.*]] = constant @large.concurrent
// CHECK: %[[P:.*]] = builtin.unrealized_conversion_cast %[[F]]
// CHECK: call @terrace_rt_parallel_for(%[[P]],
// CHECK-NOT: call
func.func @both(%x: memref<4096x1024xf32>, %y: memref<8x64xf32>) {
  kernel.concurrent {
    kernel.launch @large grid [4096](%x) : memref<4096x1024xf32>
    kernel.launch @small grid [8](%y) : memref<8x64xf32>
  }
  return
}

// So little is called as it stands.
// CHECK-LABEL: func.func @little(
// CHECK-NOT: terrace_rt_parallel_for
// CHECK: call @small(
// CHECK: call @small(
func.func @little(%x: memref<8x64xf32>, %y: memref<8x64xf32>) {
  kernel.concurrent {
    kernel.launch @small grid [8](%x) : memref<8x64xf32>
    kernel.launch @small grid [8](%y) : memref<8x64xf32>
  }
  return
}
