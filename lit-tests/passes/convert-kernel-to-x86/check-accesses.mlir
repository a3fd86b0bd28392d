// RUN: terrace-opt %s --convert-kernel-to-x86="cpu=x86-64-v3 check-accesses" | FileCheck %s

// Each lane that the mask has lies within the sizes of the buffer, or the call ends before the access.
// CHECK: llvm.mlir.global internal constant @terrace.message("internal error: memref.load reaches beyond its buffer; please report it\00")
// CHECK-LABEL: func.func private @copy(
// CHECK-SAME: %[[X:.*]]: memref<?xf32>, %{{.*}}: !llvm.ptr, %[[K:[a-z0-9]*]]: index,
// CHECK: %[[Y:.*]] = builtin.unrealized_conversion_cast {{.*}} to memref<4xf32>
// CHECK: %[[SIZE:.*]] = memref.dim %[[X]]
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[K]], %[[SIZE]] : index
// CHECK: %[[OUT:.*]] = arith.xori %[[IN]]
// CHECK-NEXT: scf.if %[[OUT]]
// CHECK: llvm.mlir.addressof @terrace.message
// CHECK-NEXT: func.call @terrace_rt_set_error
// CHECK: memref.load %[[X]][%[[K]]]
// CHECK: %[[LANES:.*]] = vector.step
// CHECK: arith.cmpi ult, %{{.*}}, %{{.*}} : vector<4xindex>
// CHECK: vector.reduction <and>
// CHECK: vector.store %{{.*}}, %[[Y]]
kernel.func @copy(%x: memref<?xf32>, %y: memref<4xf32>, %k: index) grid(%i in 1) {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%k] : memref<?xf32>
  %b = tensor.splat %a : tensor<4xf32>
  kernel.store %b, %y[%c0 : 4] : tensor<4xf32>, memref<4xf32>
  kernel.return
}
func.func @f(%x: memref<?xf32>, %y: memref<4xf32>, %k: index) {
  kernel.launch @copy grid [1] (%x, %y, %k) : memref<?xf32>, memref<4xf32>, index
  return
}
