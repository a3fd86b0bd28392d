// Sizes of the run are those of operands, or computed of these.
// RUN: terrace-opt %s --functional-decompose | FileCheck %s

// CHECK-LABEL: func.func @logaddexp(
// CHECK-NOT: functional.logaddexp
func.func @logaddexp(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %s = functional.logaddexp %a, %b : tensor<?xf32>, tensor<?xf32>
  return %s : tensor<?xf32>
}

// A place that stands nowhere is the size.
// CHECK-LABEL: func.func @place(
// CHECK: functional.arange {{.*}} size(%[[N:.*]]) : i64, i64 to tensor<?xi64>
// CHECK: functional.full %[[N]]
// CHECK: functional.amin
// CHECK: return %{{.*}} : tensor<?xi64>
func.func @place(%x: tensor<?x?xf32>) -> tensor<?xi64> {
  %0 = functional.argmax %x {dim = 1 : i64} : tensor<?x?xf32>
  return %0 : tensor<?xi64>
}

// A mean is over as many elements as there are.
// CHECK-LABEL: func.func @norm(
// CHECK: %[[SUM:.*]] = functional.sum
// CHECK: %[[N:.*]] = arith.muli
// CHECK: %[[COUNT:.*]] = functional.full %[[N]]
// CHECK: functional.div %[[SUM]], %[[COUNT]]
func.func @norm(%x: tensor<?x4x?xf32>) -> tensor<?x4x?xf32> {
  %0:3 = functional.native_batch_norm %x {training = true, momentum = 0.1 : f64, eps = 1.0e-5 : f64} : tensor<?x4x?xf32>
  return %0#0 : tensor<?x4x?xf32>
}

// Each head of the keys is there as often as goes into the heads of the query.
// CHECK-LABEL: func.func @groups(
// CHECK: %[[TIMES:.*]] = arith.floordivsi
// CHECK: functional.expand %{{.*}} size [%{{.*}}, %{{.*}}, %[[TIMES]], %{{.*}}, 8]
// CHECK-NOT: scaled_dot_product
func.func @groups(%q: tensor<?x?x?x8xf32>, %k: tensor<?x?x?x8xf32>, %v: tensor<?x?x?x8xf32>) -> tensor<?x?x?x8xf32> {
  %0 = functional.scaled_dot_product_attention %q, %k, %v {enable_gqa = true} : tensor<?x?x?x8xf32>, tensor<?x?x?x8xf32>, tensor<?x?x?x8xf32>
  return %0 : tensor<?x?x?x8xf32>
}
