// A guard that does not hold, and an assertion, are told to the runtime; one text for equal ones.
// RUN: terrace-opt %s --convert-kernel-to-x86=cpu=x86-64 | FileCheck %s

// CHECK-DAG: llvm.mlir.global internal constant @[[$SIZES:.*]]("sizes are equal\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[$INDEX:.*]]("index out of range\00")
// CHECK-DAG: func.func private @terrace_rt_refuse(!llvm.ptr)
// CHECK-DAG: func.func private @terrace_rt_set_error(!llvm.ptr)

// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[A:.*]]: i1, %[[B:.*]]: i1)
// CHECK: %[[FAILS:.*]] = arith.xori %[[A]], %{{.*}} : i1
// CHECK-NEXT: scf.if %[[FAILS]] {
// CHECK-NEXT: %[[TEXT:.*]] = llvm.mlir.addressof @[[$SIZES]]
// CHECK-NEXT: call @terrace_rt_refuse(%[[TEXT]])
// CHECK-NEXT: }
// CHECK: scf.if
// CHECK-NEXT: llvm.mlir.addressof @[[$INDEX]]
// CHECK-NEXT: call @terrace_rt_set_error
// CHECK: scf.if
// CHECK-NEXT: llvm.mlir.addressof @[[$SIZES]]
// CHECK-NEXT: call @terrace_rt_refuse
func.func @f(%a: i1, %b: i1) {
  graph.guard %a, "sizes are equal"
  cf.assert %b, "index out of range"
  graph.guard %b, "sizes are equal"
  return
}
