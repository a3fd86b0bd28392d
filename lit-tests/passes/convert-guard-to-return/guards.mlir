// RUN: terrace-opt %s --convert-guard-to-return | FileCheck %s

// One text for equal guards; what is behind a guard goes on in a block of its own.
// CHECK-DAG: llvm.mlir.global internal constant @terrace.guard.0("sizes are equal\00")
// CHECK-DAG: llvm.mlir.global internal constant @terrace.guard.1("no element is repeated\00")
// CHECK-DAG: func.func private @terrace_rt_refuse(!llvm.ptr)

// CHECK-LABEL: func.func @two(
// CHECK-SAME: %[[A:.*]]: i1, %[[B:.*]]: i1, %[[X:.*]]: memref<4xf32>
// CHECK-NEXT: cf.cond_br %[[A]], ^[[SECOND:.*]], ^[[FIRST_REFUSED:.*]]
// CHECK-NEXT: ^[[SECOND]]:
// CHECK-NEXT: cf.cond_br %[[B]], ^[[REST:.*]], ^[[SECOND_REFUSED:.*]]
// CHECK-NEXT: ^[[REST]]:
// CHECK-NEXT: return %[[X]], %[[A]]
// CHECK: ^[[FIRST_REFUSED]]:
// CHECK-NEXT: %[[TEXT:.*]] = llvm.mlir.addressof @terrace.guard.0
// CHECK-NEXT: call @terrace_rt_refuse(%[[TEXT]])
// CHECK-NEXT: %[[NONE:.*]] = ub.poison : memref<4xf32>
// CHECK-NEXT: %[[NEITHER:.*]] = ub.poison : i1
// CHECK-NEXT: return %[[NONE]], %[[NEITHER]]
// CHECK: ^[[SECOND_REFUSED]]:
// CHECK-NEXT: llvm.mlir.addressof @terrace.guard.1
func.func @two(%a: i1, %b: i1, %x: memref<4xf32>) -> (memref<4xf32>, i1) {
  graph.guard %a, "sizes are equal"
  graph.guard %b, "no element is repeated"
  return %x, %a : memref<4xf32>, i1
}

// CHECK-LABEL: func.func @again(
// CHECK: llvm.mlir.addressof @terrace.guard.0
func.func @again(%a: i1) {
  graph.guard %a, "sizes are equal"
  return
}

// CHECK-LABEL: func.func @"not-where-there-is-no-guard"(
// CHECK-NEXT: return
func.func @"not-where-there-is-no-guard"(%a: i1) {
  return
}
