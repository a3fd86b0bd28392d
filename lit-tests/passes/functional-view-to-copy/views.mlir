// RUN: terrace-opt %s --functional-view-to-copy --functional-verify-contiguous | FileCheck %s
// RUN: terrace-opt %s --functional-view-to-copy --functional-view-to-copy | FileCheck %s

// Every view of the dialect, with its attributes and dynamic numbers; scatters stay.
// CHECK-LABEL: func.func @views(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3xf32>, %[[I:[a-z0-9]+]]: i64
func.func @views(%x: tensor<2x3xf32>, %i: i64) -> (tensor<3x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<6xf32>, tensor<2x3xf32>, tensor<2x3xi32>, tensor<2x3xf32>) {
  // CHECK: functional.permute_copy %[[X]] {dims = array<i64: 1, 0>}
  %p = functional.permute %x {dims = array<i64: 1, 0>} : tensor<2x3xf32>
  // CHECK: functional.slice_copy %[[X]] start [0] end [2] step [1] {dim = 1 : i64}
  %a = functional.slice %x start [0] end [2] step [1] {dim = 1 : i64} : tensor<2x3xf32>
  // CHECK: %[[C:.*]] = functional.select_copy %[[X]] index [%[[I]]] {dim = 1 : i64}
  %c = functional.select %x index [%i] {dim = 1 : i64} : tensor<2x3xf32>
  // CHECK: functional.expand_copy %[[C]] size [4, 2]
  %e = functional.expand %c size [4, 2] : tensor<2xf32>
  // CHECK: functional.diagonal_copy %[[X]]
  %d = functional.diagonal %x : tensor<2x3xf32>
  // CHECK: functional.as_strided_copy %[[X]] size [2] stride [2] storage_offset [1]
  %s = functional.as_strided %x size [2] stride [2] storage_offset [1] : tensor<2x3xf32>
  // CHECK: functional.view_copy %[[X]] size [6]
  %v = functional.view %x size [6] : tensor<2x3xf32>
  // CHECK: %[[U:.*]] = functional.unsqueeze_copy %[[X]] {dim = 1 : i64}
  %u = functional.unsqueeze %x {dim = 1 : i64} : tensor<2x3xf32>
  // CHECK: functional.squeeze_copy %[[U]]
  %q = functional.squeeze %u : tensor<2x1x3xf32>
  // CHECK: functional.view_copy.dtype %[[X]] {dtype = i32}
  %w = functional.view.dtype %x {dtype = i32} : tensor<2x3xf32>
  // CHECK: functional.select_scatter %[[X]], %[[C]]
  %z = functional.select_scatter %x, %c index [0] {dim = 1 : i64} : tensor<2x3xf32>, tensor<2xf32>
  return %p, %a, %c, %e, %d, %s, %v, %q, %w, %z : tensor<3x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<6xf32>, tensor<2x3xf32>, tensor<2x3xi32>, tensor<2x3xf32>
}

// Bodies of control flow are entered.
// CHECK-LABEL: func.func @bodies(
// CHECK-COUNT-3: functional.permute_copy
// CHECK-NOT: functional.permute {{.*}}
func.func @bodies(%x: tensor<2x2xf32>, %c: i1, %n: index) -> tensor<2x2xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = scf.for %i = %zero to %n step %one iter_args(%a = %x) -> tensor<2x2xf32> {
    %t = functional.permute %a {dims = array<i64: 1, 0>} : tensor<2x2xf32>
    scf.yield %t : tensor<2x2xf32>
  }
  %1 = scf.if %c -> tensor<2x2xf32> {
    %t = functional.permute %0 {dims = array<i64: 1, 0>} : tensor<2x2xf32>
    scf.yield %t : tensor<2x2xf32>
  } else {
    scf.yield %0 : tensor<2x2xf32>
  }
  %2 = scf.while (%a = %1) : (tensor<2x2xf32>) -> tensor<2x2xf32> {
    %t = functional.permute %a {dims = array<i64: 1, 0>} : tensor<2x2xf32>
    scf.condition(%c) %t : tensor<2x2xf32>
  } do {
  ^bb0(%b: tensor<2x2xf32>):
    scf.yield %b : tensor<2x2xf32>
  }
  return %2 : tensor<2x2xf32>
}
