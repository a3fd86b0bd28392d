// The bytes of a buffer are counted before it is allocated, where the run knows its sizes and an element has a number of them.
// RUN: terrace-opt %s --convert-kernel-to-x86=cpu=x86-64 | FileCheck %s

// CHECK-DAG: func.func private @terrace_rt_capacity(index, index) -> index
// CHECK-DAG: func.func private @terrace_rt_check_capacity(index)

// CHECK-LABEL: func.func @open(
// CHECK-SAME: %[[M:.*]]: index, %[[N:.*]]: index)
// CHECK: %[[KNOWN:.*]] = arith.constant 12 : index
// CHECK: %[[A:.*]] = call @terrace_rt_capacity(%[[KNOWN]], %[[M]])
// CHECK: %[[B:.*]] = call @terrace_rt_capacity(%[[A]], %[[N]])
// CHECK: call @terrace_rt_check_capacity(%[[B]])
// CHECK: memref.alloc(%[[M]], %[[N]])
func.func @open(%m: index, %n: index) -> memref<?x3x?xf32> {
  %0 = memref.alloc(%m, %n) : memref<?x3x?xf32>
  return %0 : memref<?x3x?xf32>
}

// CHECK-LABEL: func.func @others(
// CHECK-NOT: call
// CHECK: return
func.func @others(%n: index) -> (memref<3xf32>, memref<?xvector<4xf32>>) {
  %0 = memref.alloc() : memref<3xf32>
  %1 = memref.alloc(%n) : memref<?xvector<4xf32>>
  return %0, %1 : memref<3xf32>, memref<?xvector<4xf32>>
}
