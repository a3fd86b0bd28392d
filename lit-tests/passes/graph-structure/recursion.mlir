// RUN: terrace-opt %s --graph-structure=fallback=true --verify-diagnostics | FileCheck %s

// With fallback functions that come to call themselves run as they are written, and so do those that call them. Calls of one another are counted.
// CHECK-DAG: func.func private @terrace_rt_enter() -> i64
// CHECK-DAG: func.func private @terrace_rt_leave()
// CHECK-LABEL: func.func private @power(
// CHECK-SAME: attributes {{{.*}}graph.eager
// CHECK: %[[DEPTH:.*]] = func.call @terrace_rt_enter() : () -> i64
// CHECK: %[[ENTERS:.*]] = arith.cmpi ne, %[[DEPTH]]
// CHECK: scf.if %[[ENTERS]]
// CHECK: %[[OWN:.*]] = func.call @power
// CHECK: func.call @terrace_rt_leave
// CHECK: scf.yield %[[OWN]]
// CHECK: else
// CHECK: %[[NONE:.*]] = graph.zeros [%{{.*}}] {dtype = f32}
// CHECK: scf.yield %[[NONE]]
// expected-warning @+1 {{runs as it is written, operation by operation: recursion on graph tensors is not supported}}
func.func private @power(%x: !graph.tensor<?xf32>, %n: i64, %done: i1) -> !graph.tensor<?xf32> {
  %r = scf.if %done -> !graph.tensor<?xf32> {
    scf.yield %x : !graph.tensor<?xf32>
  } else {
    %p = func.call @power(%x, %n, %done) : (!graph.tensor<?xf32>, i64, i1) -> !graph.tensor<?xf32>
    scf.yield %p : !graph.tensor<?xf32>
  }
  return %r : !graph.tensor<?xf32>
}
// CHECK-LABEL: func.func @calls(
// CHECK-SAME: attributes {{{.*}}graph.eager
// CHECK-NOT: terrace_rt_enter
// CHECK: call @power
// expected-warning @+1 {{runs as it is written, operation by operation: recursion}}
func.func @calls(%x: !graph.tensor<?xf32>, %n: i64, %done: i1) -> !graph.tensor<?xf32> {
  %r = func.call @power(%x, %n, %done) : (!graph.tensor<?xf32>, i64, i1) -> !graph.tensor<?xf32>
  return %r : !graph.tensor<?xf32>
}
// CHECK-LABEL: func.func @"not-where-nothing-calls-itself"(
// CHECK-NOT: graph.eager
func.func @"not-where-nothing-calls-itself"(%x: !graph.tensor<3xf32> {graph.storage = "x"}) -> !graph.tensor<3xf32> {
  %0 = graph.sin %x : !graph.tensor<3xf32>
  return %0 : !graph.tensor<3xf32>
}
