// Functions keep their types, and the runtime gets no context: errors end the process.
// RUN: terrace-opt %s --add-call-context | FileCheck %s

// CHECK-DAG: llvm.func @terrace_rt_alloc(!llvm.ptr, i64, i64) -> !llvm.ptr
llvm.func @_mlir_memref_to_llvm_aligned_alloc(i64, i64) -> !llvm.ptr
llvm.func @terrace_rt_parallel_for(!llvm.ptr, !llvm.ptr, i64, i64)

// CHECK-LABEL: llvm.func @f(
// CHECK-SAME: %[[ALIGN:.*]]: i64, %[[N:.*]]: i64)
// CHECK-NEXT: %[[NULL:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT: %[[X:.*]] = llvm.call @terrace_rt_alloc(%[[NULL]], %[[N]], %[[ALIGN]])
// CHECK-NOT: cond_br
// CHECK: llvm.call @terrace_rt_parallel_for(%{{.*}}, %{{.*}}, %[[X]], %[[N]], %[[N]])
// CHECK-NEXT: llvm.return
llvm.func @f(%align: i64, %n: i64) {
  %0 = llvm.call @_mlir_memref_to_llvm_aligned_alloc(%align, %n) : (i64, i64) -> !llvm.ptr
  %1 = llvm.mlir.addressof @body : !llvm.ptr
  llvm.call @terrace_rt_parallel_for(%1, %0, %n, %n) : (!llvm.ptr, !llvm.ptr, i64, i64) -> ()
  llvm.return
}

// A body is called by the runtime, which hands it a context.
// CHECK-LABEL: llvm.func @body(
// CHECK-SAME: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64)
llvm.func @body(%captured: !llvm.ptr, %from: i64, %to: i64) {
  llvm.return
}

// CHECK-LABEL: llvm.func @_mlir_ciface_f(
// CHECK-SAME: %{{.*}}: i64, %{{.*}}: i64) {
llvm.func @_mlir_ciface_f(%align: i64, %n: i64) {
  llvm.call @f(%align, %n) : (i64, i64) -> ()
  llvm.return
}
