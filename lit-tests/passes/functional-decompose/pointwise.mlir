// RUN: terrace-opt %s --functional-decompose | FileCheck %s
// RUN: terrace-opt %s --functional-decompose="keep=logaddexp" | FileCheck %s --check-prefix=KEEP

// Two equal infinities have no difference: they are told apart first.
// CHECK-LABEL: func.func @logaddexp(
// CHECK-SAME: %[[A:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>
// CHECK: %[[MAX:.*]] = functional.maximum %[[A]], %[[B]]
// CHECK: %[[DIFFERENCE:.*]] = functional.sub %[[A]], %[[B]]
// CHECK: functional.abs %[[DIFFERENCE]]
// CHECK: functional.neg
// CHECK: functional.exp
// CHECK: %[[MORE:.*]] = functional.log1p
// CHECK: %[[SUM:.*]] = functional.add %[[MAX]], %[[MORE]]
// CHECK: %[[INFINITE:.*]] = functional.isinf %[[A]]
// CHECK: %[[EQUAL:.*]] = functional.eq %[[A]], %[[B]]
// CHECK: %[[SAME:.*]] = functional.bitwise_and %[[INFINITE]], %[[EQUAL]]
// CHECK: %[[S:.*]] = functional.where %[[SAME]], %[[A]], %[[SUM]]
// CHECK: return %[[S]]
// KEEP-LABEL: func.func @logaddexp(
// KEEP-NEXT: functional.logaddexp
// KEEP-NEXT: return
func.func @logaddexp(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %s = functional.logaddexp %a, %b : tensor<8xf32>, tensor<8xf32>
  return %s : tensor<8xf32>
}

// CHECK-LABEL: func.func @logaddexp2(
// CHECK: functional.exp2
// CHECK: functional.log1p
// CHECK: %[[LOG2_E:.*]] = arith.constant 1.4426950408889634 : f64
// CHECK: %[[FACTOR:.*]] = functional.full %[[LOG2_E]]
// CHECK: functional.mul %{{.*}}, %[[FACTOR]]
// KEEP-LABEL: func.func @logaddexp2(
// KEEP-NOT: functional.logaddexp2
// KEEP: return
func.func @logaddexp2(%a: tensor<8xf64>, %b: tensor<8xf64>) -> tensor<8xf64> {
  %s = functional.logaddexp2 %a, %b : tensor<8xf64>, tensor<8xf64>
  return %s : tensor<8xf64>
}
