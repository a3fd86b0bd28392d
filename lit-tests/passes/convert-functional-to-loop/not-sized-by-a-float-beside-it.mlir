// RUN: terrace-opt %s --pass-pipeline="builtin.module(func.func(convert-functional-to-loop))" | FileCheck %s

// What a loop carries has the size of the argument. The number that fills is no size, though a size may be
// taken for it.

// CHECK-LABEL: @f(
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>,
// CHECK: scf.yield
// CHECK: arith.constant {{.*}} : f32
// CHECK: %[[SIZE:.*]] = tensor.dim %[[X]], {{.*}}
// CHECK-NEXT: tensor.empty(%[[SIZE]])
// CHECK-NEXT: loop.pointwise (%{{.*}} = %[[SIZE]])
// CHECK: arith.mulf
func.func @f(%x: tensor<?xf32>, %n: i1) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %0 = scf.while (%carried = %x) : (tensor<?xf32>) -> (tensor<?xf32>) {
    scf.condition(%n) %carried : tensor<?xf32>
  } do {
  ^bb0(%carried: tensor<?xf32>):
    %ceil = functional.ceil %carried : tensor<?xf32>
    %dim = tensor.dim %x, %c0 : tensor<?xf32>
    %size = arith.index_cast %dim : index to i64
    %full = functional.full %zero size(%size) : f64 to tensor<?xf32>
    %to = functional.add %ceil, %full : tensor<?xf32>, tensor<?xf32>
    scf.yield %to : tensor<?xf32>
  }
  %dim = tensor.dim %x, %c0 : tensor<?xf32>
  %size = arith.index_cast %dim : index to i64
  %full = functional.full %zero size(%size) : f64 to tensor<?xf32>
  %1 = functional.mul %full, %0 : tensor<?xf32>, tensor<?xf32>
  return %1 : tensor<?xf32>
}
