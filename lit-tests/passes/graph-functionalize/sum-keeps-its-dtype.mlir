// A sum of integers in a dtype that is asked for stays in it: without `dtype` functional.sum would be an i64.
// RUN: terrace-opt %s --graph-functionalize | FileCheck %s

// CHECK-LABEL: func.func private @f.core
// CHECK: functional.sum %{{.*}} {dtype = i32} : tensor<3xi32>
func.func @f(%x: !graph.tensor<3xi32>) -> !graph.tensor<i32> {
  %0 = graph.sum %x {dtype = i32} : !graph.tensor<3xi32>
  return %0 : !graph.tensor<i32>
}
