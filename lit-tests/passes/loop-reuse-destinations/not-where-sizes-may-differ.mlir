// Two types that say `?` of a size do not say that it is the same.
// RUN: terrace-opt %s --loop-reuse-destinations | FileCheck %s

// All but the last: what is read has one element more than what is made.
// CHECK-LABEL: func.func @shorter(
// CHECK: %[[E:.*]] = tensor.empty
// CHECK: loop.pointwise {{.*}} into %[[E]]
func.func @shorter(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %y = loop.pointwise (%i = %n) into %e {
    %a = loop.load %x[%i] : tensor<?xf32>
    loop.yield %a : f32
  } : tensor<?xf32>
  return %y : tensor<?xf32>
}

// The domain is the tensor's own size, then that of what was made like it.
// CHECK-LABEL: func.func @same(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32>
// CHECK: %[[Y:.*]] = loop.pointwise {{.*}} into %[[X]]
// CHECK: loop.pointwise {{.*}} into %[[Y]]
func.func @same(%x: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %y = loop.pointwise (%i = %n) into %e {
    %a = loop.load %x[%i] : tensor<?xf32>
    loop.yield %a : f32
  } : tensor<?xf32>
  %f = tensor.empty(%n) : tensor<?xf32>
  %z = loop.pointwise (%i = %n) into %f {
    %a = loop.load %y[%i] : tensor<?xf32>
    loop.yield %a : f32
  } : tensor<?xf32>
  return %z : tensor<?xf32>
}
