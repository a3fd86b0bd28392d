// RUN: terrace-opt %s --functional-reinplace --split-input-file | FileCheck %s

// Each scatter of a chain takes the memory of the one before; of what reads between, the value is read in time.
// CHECK-LABEL: func.func @chain(
func.func @chain(%x: tensor<4x4xf32>, %r: tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  // CHECK: functional.neg %{{.*}} : tensor<4x4xf32>
  %0 = functional.neg %x : tensor<4x4xf32>
  // CHECK: functional.select_scatter {{.*}}functional.in_place = 0 : i64
  %1 = functional.select_scatter %0, %r index [1] : tensor<4x4xf32>, tensor<4xf32>
  // CHECK: functional.exp %{{.*}} : tensor<4x4xf32>
  %e = functional.exp %1 : tensor<4x4xf32>
  // CHECK: functional.diagonal_scatter {{.*}}functional.in_place = 0 : i64
  %2 = functional.diagonal_scatter %1, %r : tensor<4x4xf32>, tensor<4xf32>
  // CHECK: functional.as_strided_scatter {{.*}}functional.in_place = 0 : i64
  %3 = functional.as_strided_scatter %2, %r size [4] stride [4] storage_offset [1] : tensor<4x4xf32>, tensor<4xf32>
  return %3, %e : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// Scatters by indices are scatters too.
// CHECK-LABEL: func.func @indices(
func.func @indices(%x: tensor<4xf32>, %i: tensor<2xi64>, %s: tensor<2xf32>) -> tensor<4xf32> {
  %0 = functional.neg %x : tensor<4xf32>
  // CHECK: functional.scatter.src {{.*}}functional.in_place = 0 : i64
  %1 = functional.scatter.src %0, %i, %s {dim = 0 : i64} : tensor<4xf32>, tensor<2xi64>, tensor<2xf32>
  // CHECK: functional.index_put {{.*}}functional.in_place = 0 : i64
  %2 = functional.index_put %1[%i], %s {present = array<i1: true>} : tensor<4xf32>[tensor<2xi64>], tensor<2xf32>
  return %2 : tensor<4xf32>
}

// -----

// A pointwise operation takes the memory of an operand that nobody reads any more: here the second one's.
// CHECK-LABEL: func.func @pointwise(
func.func @pointwise(%x: tensor<4xf32>, %y: tensor<4xf32> {functional.donated = 0 : i64}) -> tensor<4xf32> {
  // CHECK: functional.add {{.*}} {functional.in_place = 1 : i64}
  %0 = functional.add %x, %y : tensor<4xf32>, tensor<4xf32>
  // CHECK: functional.mul {{.*}} {functional.in_place = 0 : i64}
  %1 = functional.mul %0, %0 : tensor<4xf32>, tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// A view that is read later, of elements that the scatter leaves alone, becomes a view of the new value.
// CHECK-LABEL: func.func @apart(
func.func @apart(%x: tensor<4x4xf32> {functional.donated = 0 : i64}, %r: tensor<4xf32>) -> (tensor<4x4xf32>, tensor<3x4xf32>) {
  // CHECK: %[[NEW:.*]] = functional.select_scatter {{.*}}functional.in_place = 0 : i64
  %0 = functional.select_scatter %x, %r index [0] : tensor<4x4xf32>, tensor<4xf32>
  // CHECK: functional.slice %[[NEW]] start [1]
  %1 = functional.slice %x start [1] end [4] step [1] : tensor<4x4xf32>
  %2 = functional.neg %1 : tensor<3x4xf32>
  return %0, %2 : tensor<4x4xf32>, tensor<3x4xf32>
}
