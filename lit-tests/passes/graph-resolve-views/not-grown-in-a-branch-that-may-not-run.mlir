// RUN: terrace-opt %s --pass-pipeline="builtin.module(func.func(graph-resolve-views))" | FileCheck %s

// A storage that a branch makes larger has behind it what it had before, for the branch may not run.

// CHECK-LABEL: @grown
// CHECK: scf.if
// CHECK: graph.resize_storage {{.*}} bytes [7] {at_least}
// CHECK: }
// CHECK: graph.resize_storage {{.*}} bytes [7] {at_least}
// CHECK-NEXT: graph.as_strided
func.func @grown(%condition: i1) {
  %x = graph.ones [2] {dtype = i1}
  scf.if %condition {
    %0 = graph.set_ %x source %x : !graph.tensor<2xi1> {size = array<i64: 2, 2>, storage_offset = 3 : i64} : !graph.tensor<2xi1>
  }
  %1 = graph.set_ %x source %x : !graph.tensor<2xi1> {size = array<i64: 2, 2>, storage_offset = 3 : i64} : !graph.tensor<2xi1>
  return
}
