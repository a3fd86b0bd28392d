// RUN: terrace-opt %s --graph-functionalize --split-input-file | FileCheck %s

// Operands are cast to the promoted dtype and broadcast; a number becomes a tensor.
// CHECK-LABEL: func.func private @broadcast.core
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<2x4xi32>, %[[Y:.*]]: tensor<4xf32>)
// CHECK: %[[C:.*]] = functional._to_copy %[[X]] {dtype = f32}
// CHECK: %[[E:.*]] = functional.expand %[[Y]] size [2, 4]
// CHECK: %[[M:.*]] = functional.mul %[[C]], %[[E]]
// CHECK: %[[F:.*]] = functional.full %{{.*}} : f64 to tensor<2x4xf32>
// CHECK: functional.pow %[[M]], %[[F]]
func.func @broadcast(%x: !graph.tensor<2x4xi32>, %y: !graph.tensor<4xf32>) -> !graph.tensor<2x4xf32> {
  %k = arith.constant 2.0 : f64
  %0 = graph.mul %x, %y : !graph.tensor<2x4xi32>, !graph.tensor<4xf32>
  %1 = graph.pow %0, %k : !graph.tensor<2x4xf32>, f64
  return %1 : !graph.tensor<2x4xf32>
}

// -----

// An in-place result is cast to the dtype of the tensor.
// CHECK-LABEL: func.func private @in_place.core
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<4xf32>)
// CHECK: %[[G:.*]] = functional.ge %[[X]], %{{.*}} : tensor<4xf32>, tensor<4xf32>
// CHECK: %[[C:.*]] = functional._to_copy %[[G]] {dtype = f32} : tensor<4xi1>
// CHECK: return %[[C]]
func.func @in_place(%x: !graph.tensor<4xf32>) {
  %k = arith.constant 0 : i64
  %w = graph.ge_ %x, %k : !graph.tensor<4xf32>, i64
  return
}

// -----

// A factor of 1 is no factor.
// CHECK-LABEL: func.func private @alpha.core
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<4xf32>, %[[A:.*]]: f64)
// CHECK: %[[F:.*]] = functional.full %[[A]] : f64 to tensor<4xf32>
// CHECK: %[[M:.*]] = functional.mul %[[X]], %[[F]]
// CHECK: %[[S:.*]] = functional.sub %[[X]], %[[M]]
// CHECK: functional.add %[[S]], %[[X]]
func.func @alpha(%x: !graph.tensor<4xf32>, %a: f64) -> !graph.tensor<4xf32> {
  %one = arith.constant 1 : i64
  %0 = graph.sub %x, %x alpha %a : !graph.tensor<4xf32>, !graph.tensor<4xf32>, f64
  %1 = graph.add %0, %x alpha %one : !graph.tensor<4xf32>, !graph.tensor<4xf32>, i64
  return %1 : !graph.tensor<4xf32>
}

// -----

// A beta of 0 ignores self; one that is known at run time only does so at run time.
// CHECK-LABEL: func.func private @addmm.core
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<4x4xf32>, %[[B:.*]]: f64)
// CHECK: %[[P:.*]] = functional.mm %[[X]], %[[X]]
// CHECK: %[[Q:.*]] = functional.mm %[[P]], %[[P]]
// CHECK: %[[F:.*]] = functional.full %[[B]]
// CHECK: %[[S:.*]] = functional.mul %[[X]], %[[F]]
// CHECK: %[[T:.*]] = functional.add %[[S]], %[[Q]]
// CHECK: %[[Z:.*]] = arith.cmpf oeq, %[[B]]
// CHECK: %[[I:.*]] = functional.full %[[Z]]
// CHECK: functional.where %[[I]], %[[Q]], %[[T]]
func.func @addmm(%x: !graph.tensor<4x4xf32>, %b: f64) -> !graph.tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f64
  %0 = graph.addmm %x, %x, %x beta %zero : f64
    : !graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>
  %1 = graph.addmm %x, %0, %0 beta %b : f64
    : !graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>
  return %1 : !graph.tensor<4x4xf32>
}

// -----

// Sums are computed in the dtype of the result.
// CHECK-LABEL: func.func private @sum.core
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<4xi32>)
// CHECK: %[[C:.*]] = functional._to_copy %[[X]] {dtype = i64}
// CHECK: functional.sum %[[C]] : tensor<4xi64>
func.func @sum(%x: !graph.tensor<4xi32>) -> !graph.tensor<i64> {
  %0 = graph.sum %x : !graph.tensor<4xi32>
  return %0 : !graph.tensor<i64>
}

// -----

// Operators that functional spells with others.
// CHECK-LABEL: func.func private @spelled.core
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<4xi32>, %[[Y:[a-z0-9]+]]: tensor<4xi32>, %[[T:[a-z0-9]+]]: tensor<4xi1>)
// CHECK: functional.div %[[X]], %[[Y]] {rounding_mode = "floor"} : tensor<4xi32>, tensor<4xi32>
// CHECK: %[[THREE:.*]] = functional.full %{{.*}} : i64 to tensor<4xi32>
// CHECK: %[[S:.*]] = functional.mul %[[X]], %[[THREE]]
// CHECK: functional.sub %[[Y]], %[[S]]
// CHECK: %[[I:.*]] = functional._to_copy %[[T]] {dtype = i64}
// CHECK: functional.mul %[[I]], %[[I]] : tensor<4xi64>, tensor<4xi64>
func.func @spelled(%x: !graph.tensor<4xi32>, %y: !graph.tensor<4xi32>, %t: !graph.tensor<4xi1>)
    -> (!graph.tensor<4xi32>, !graph.tensor<4xi32>, !graph.tensor<4xi64>) {
  %three = arith.constant 3 : i64
  %0 = graph.floor_divide %x, %y : !graph.tensor<4xi32>, !graph.tensor<4xi32>
  %1 = graph.rsub %x, %y alpha %three : !graph.tensor<4xi32>, !graph.tensor<4xi32>, i64
  %2 = graph.square %t : !graph.tensor<4xi1>
  return %0, %1, %2 : !graph.tensor<4xi32>, !graph.tensor<4xi32>, !graph.tensor<4xi64>
}

// -----

// Of integers the quotient of reals is a float's; with a rounding mode it stays an integer.
// CHECK-LABEL: func.func private @quotients.core
// CHECK: functional.div %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>
// CHECK: functional.div %{{.*}}, %{{.*}} {rounding_mode = "trunc"} : tensor<4xi64>, tensor<4xi64>
func.func @quotients(%x: !graph.tensor<4xi64>) -> (!graph.tensor<4xf32>, !graph.tensor<4xi64>) {
  %0 = graph.div %x, %x : !graph.tensor<4xi64>, !graph.tensor<4xi64>
  %1 = graph.div %x, %x {rounding_mode = "trunc"} : !graph.tensor<4xi64>, !graph.tensor<4xi64>
  return %0, %1 : !graph.tensor<4xf32>, !graph.tensor<4xi64>
}

// -----

// The fill is cast to the dtype of self; a copy of an expanded tensor is row-major.
// CHECK-LABEL: func.func private @masked.core
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<4xi64>, %[[M:[a-z0-9]+]]: tensor<3x1xi1>)
// CHECK-DAG: %[[ME:.*]] = functional.expand %[[M]] size [3, 4]
// CHECK-DAG: %[[XE:.*]] = functional.expand %[[X]] size [3, 4]
// CHECK-DAG: %[[F:.*]] = functional.full %{{.*}} : f64 to tensor<3x4xi64>
// CHECK: functional.where %[[ME]], %[[F]], %[[XE]]
func.func @masked(%x: !graph.tensor<4xi64>, %m: !graph.tensor<3x1xi1>) -> !graph.tensor<3x4xi64> {
  %value = arith.constant 2.5 : f64
  %0 = graph.masked_fill %x, %m, %value : !graph.tensor<4xi64>, !graph.tensor<3x1xi1>, f64
  return %0 : !graph.tensor<3x4xi64>
}

// -----

// Sums of integers along a dimension are of i64; in place they keep the dtype.
// CHECK-LABEL: func.func private @cumulative.core
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<2x4xi32>)
// CHECK: %[[C:.*]] = functional._to_copy %[[X]] {dtype = i64}
// CHECK: functional.cumsum %[[C]] {dim = 1 : i64} : tensor<2x4xi64>
// CHECK: functional.cumprod %[[X]] {dim = 0 : i64} : tensor<2x4xi32>
func.func @cumulative(%x: !graph.tensor<2x4xi32>) -> !graph.tensor<2x4xi64> {
  %0 = graph.cumsum %x {dim = 1 : i64} : !graph.tensor<2x4xi32>
  %1 = graph.cumprod_ %x {dim = 0 : i64} : !graph.tensor<2x4xi32>
  return %0 : !graph.tensor<2x4xi64>
}
