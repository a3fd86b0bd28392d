// The context goes from the C interface down to services of the runtime, and a function leaves behind a call that has failed.
// RUN: terrace-opt %s --add-call-context=entries=true | FileCheck %s

// What is called is declared as it is called; what nobody calls by its old type is gone.
// CHECK-NOT: _mlir_memref_to_llvm
// CHECK-DAG: llvm.mlir.global internal constant @[[$HERE:.*]]("sort.py:7:3\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[$TOLD:.*]]("model.py:9:1\00")
// CHECK-DAG: llvm.func @terrace_rt_alloc(!llvm.ptr, i64, i64) -> !llvm.ptr
// CHECK-DAG: llvm.func @terrace_rt_free(!llvm.ptr, !llvm.ptr)
// CHECK-DAG: llvm.func @terrace_rt_set_error(!llvm.ptr, !llvm.ptr, !llvm.ptr)
// CHECK-DAG: llvm.func @terrace_rt_locate(!llvm.ptr, !llvm.ptr)
// CHECK-NOT: _mlir_memref_to_llvm
llvm.func @_mlir_memref_to_llvm_alloc(i64) -> !llvm.ptr
llvm.func @_mlir_memref_to_llvm_aligned_alloc(i64, i64) -> !llvm.ptr
llvm.func @_mlir_memref_to_llvm_free(!llvm.ptr)
llvm.func @terrace_rt_sort(!llvm.ptr)
llvm.func @terrace_rt_set_error(!llvm.ptr)
llvm.func @terrace_rt_parallel_for(!llvm.ptr, !llvm.ptr, i64, i64)
llvm.func @somebody_elses(i64)

// CHECK-LABEL: llvm.func @f(
// CHECK-SAME: %[[CONTEXT:.*]]: !llvm.ptr, %[[N:.*]]: i64) -> !llvm.ptr
// CHECK: %[[ALIGN:.*]] = llvm.mlir.constant(64 : i64)
// CHECK: %[[MEMORY:.*]] = llvm.call @terrace_rt_alloc(%[[CONTEXT]], %[[N]], %[[ALIGN]])
// CHECK-NEXT: %[[ERROR:.*]] = llvm.load %[[CONTEXT]] : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[NULL:.*]] = llvm.mlir.zero
// CHECK-NEXT: %[[FAILED:.*]] = llvm.icmp "ne" %[[ERROR]], %[[NULL]]
// CHECK-NEXT: llvm.cond_br %[[FAILED]] weights([1, 1048576]), ^[[EXIT:.*]], ^[[REST:.*]]
// CHECK-NEXT: ^[[REST]]:
// CHECK-NEXT: llvm.call @terrace_rt_sort(%[[CONTEXT]], %[[MEMORY]])
// CHECK: llvm.cond_br %{{.*}} weights([1, 1048576]), ^[[WHERE:.*]], ^[[MORE:.*]]
// CHECK-NEXT: ^[[MORE]]:
// CHECK-NEXT: llvm.call @somebody_elses(%[[N]])
// CHECK-NEXT: llvm.call @terrace_rt_free(%[[CONTEXT]], %[[MEMORY]])
// CHECK-NEXT: llvm.return
// CHECK-NEXT: ^[[EXIT]]:
// CHECK: %[[NONE:.*]] = llvm.mlir.poison
// CHECK-NEXT: llvm.return %[[NONE]]
// CHECK-NEXT: ^[[WHERE]]:
// CHECK-NEXT: %[[PLACE:.*]] = llvm.mlir.addressof @[[$HERE]]
// CHECK-NEXT: llvm.call @terrace_rt_locate(%[[CONTEXT]], %[[PLACE]])
// CHECK-NEXT: llvm.br ^[[EXIT]]
llvm.func @f(%n: i64) -> !llvm.ptr {
  %0 = llvm.call @_mlir_memref_to_llvm_alloc(%n) : (i64) -> !llvm.ptr
  llvm.call @terrace_rt_sort(%0) : (!llvm.ptr) -> () loc("sort.py":7:3)
  llvm.call @somebody_elses(%n) : (i64) -> ()
  llvm.call @_mlir_memref_to_llvm_free(%0) : (!llvm.ptr) -> ()
  llvm.return %0 : !llvm.ptr
}

// CHECK-LABEL: llvm.func @_mlir_ciface_f(
// CHECK-SAME: %[[CONTEXT:.*]]: !llvm.ptr, %{{.*}}: i64) -> !llvm.ptr attributes {passthrough = ["terrace-context"]}
// CHECK: llvm.call @f(%[[CONTEXT]], %{{.*}}) : (!llvm.ptr, i64) -> !llvm.ptr
// CHECK: llvm.cond_br
llvm.func @_mlir_ciface_f(%n: i64) -> !llvm.ptr {
  %0 = llvm.call @f(%n) : (i64) -> !llvm.ptr
  llvm.return %0 : !llvm.ptr
}

// Who is told what went wrong goes at once, and threads run a body that takes the context, too.
// CHECK-LABEL: llvm.func @body(
// CHECK-SAME: %[[CONTEXT:.*]]: !llvm.ptr, %[[CAPTURED:.*]]: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64)
// CHECK: %[[PLACE:.*]] = llvm.mlir.addressof @[[$TOLD]]
// CHECK-NEXT: llvm.call @terrace_rt_set_error(%[[CONTEXT]], %[[CAPTURED]], %[[PLACE]])
// CHECK-NEXT: llvm.br ^[[EXIT:.*]]
// CHECK: ^[[EXIT]]:
// CHECK-NEXT: llvm.return
llvm.func @body(%captured: !llvm.ptr, %from: i64, %to: i64) {
  %0 = llvm.icmp "eq" %from, %to : i64
  llvm.cond_br %0, ^wrong, ^rest
^wrong:
  llvm.call @terrace_rt_set_error(%captured) : (!llvm.ptr) -> () loc("model.py":9:1)
  llvm.br ^rest
^rest:
  llvm.return
}

// CHECK-LABEL: llvm.func @sure_body(
// CHECK-SAME: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64)
llvm.func @sure_body(%captured: !llvm.ptr, %from: i64, %to: i64) {
  llvm.return
}

// A loop fails where its body can.
// CHECK-LABEL: llvm.func @loops(
// CHECK-SAME: %[[CONTEXT:.*]]: !llvm.ptr, %[[N:.*]]: i64, %[[X:.*]]: !llvm.ptr)
// CHECK: llvm.call @terrace_rt_parallel_for(%[[CONTEXT]], %{{.*}}, %[[X]], %[[N]], %[[N]])
// CHECK-NEXT: llvm.call @terrace_rt_parallel_for(%[[CONTEXT]], %{{.*}}, %[[X]], %[[N]], %[[N]])
// CHECK-NEXT: llvm.load %[[CONTEXT]]
// CHECK: llvm.cond_br
llvm.func @loops(%n: i64, %x: !llvm.ptr) {
  %0 = llvm.mlir.addressof @body : !llvm.ptr
  %1 = llvm.mlir.addressof @sure_body : !llvm.ptr
  llvm.call @terrace_rt_parallel_for(%1, %x, %n, %n) : (!llvm.ptr, !llvm.ptr, i64, i64) -> ()
  llvm.call @terrace_rt_parallel_for(%0, %x, %n, %n) : (!llvm.ptr, !llvm.ptr, i64, i64) -> ()
  llvm.return
}

// CHECK-LABEL: llvm.func @asks_for_nothing(
// CHECK-SAME: %{{.*}}: i64)
// CHECK-NEXT: llvm.return
llvm.func @asks_for_nothing(%n: i64) {
  llvm.return
}
