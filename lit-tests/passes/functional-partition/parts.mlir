// RUN: terrace-opt %s --functional-partition --split-input-file 2>&1 | FileCheck %s
// RUN: terrace-opt %s --functional-partition --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// One value of four is saved; who calls the function sees no difference.
// REMARK: remark: {{.*}}saves 16 bytes in 1 values for its backward part
// CHECK-LABEL: func.func private @f.forward(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>, %[[W:[a-z0-9]+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK: %[[Y:.*]] = functional.tanh
// CHECK: %[[YY:.*]] = functional.mul %[[Y]], %[[Y]]
// CHECK: return %[[Y]], %[[YY]]
// CHECK-LABEL: func.func private @f.backward(
// CHECK-SAME: %[[YY:[a-z0-9]+]]: tensor<4xf32>, %[[G:[a-z0-9]+]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[D:.*]] = functional.mul %[[G]], %[[YY]]
// CHECK-NEXT: return %[[D]]
// CHECK-LABEL: func.func @f(
// CHECK: %[[F:.*]]:2 = call @f.forward(%arg0, %arg1)
// CHECK: %[[B:.*]] = call @f.backward(%[[F]]#1, %arg2)
// CHECK: return %[[F]]#0, %[[B]]
func.func @f(%x: tensor<4xf32>, %w: tensor<4xf32>, %g: tensor<4xf32> {functional.tangent})
    -> (tensor<4xf32>, tensor<4xf32> {functional.gradient}) {
  %p = functional.mul %x, %w : tensor<4xf32>, tensor<4xf32>
  %y = functional.tanh %p : tensor<4xf32>
  %yy = functional.mul %y, %y : tensor<4xf32>, tensor<4xf32>
  %d = functional.mul %g, %yy : tensor<4xf32>, tensor<4xf32>
  return %y, %d : tensor<4xf32>, tensor<4xf32>
}

// -----

// Wide values made of a narrow one are made again of it.
// CHECK-LABEL: func.func private @wide.forward(
// CHECK: return %{{.*}}, %arg0 : tensor<f32>, tensor<4xf32>
// CHECK-LABEL: func.func private @wide.backward(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>, %[[G:[a-z0-9]+]]: tensor<64x4xf32>
// CHECK: functional.expand %[[X]]
// CHECK: functional.exp
// CHECK: functional.mul %[[G]]
func.func @wide(%x: tensor<4xf32>, %g: tensor<64x4xf32> {functional.tangent}) -> (tensor<f32>, tensor<64x4xf32> {functional.gradient}) {
  %e = functional.expand %x size [64, 4] : tensor<4xf32>
  %v = functional.exp %e : tensor<64x4xf32>
  %s = functional.sum %v {dim = array<i64: 0, 1>} : tensor<64x4xf32>
  %d = functional.mul %g, %v : tensor<64x4xf32>, tensor<64x4xf32>
  return %s, %d : tensor<f32>, tensor<64x4xf32>
}

// -----

// The backward part reads in a body what it captures.
// CHECK-LABEL: func.func private @body.backward(
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1, %[[V:[a-z0-9]+]]: tensor<4xf32>, %[[G:[a-z0-9]+]]: tensor<4xf32>
// CHECK: scf.if %[[C]]
// CHECK: functional.mul %[[G]], %[[V]]
func.func @body(%x: tensor<4xf32>, %c: i1, %g: tensor<4xf32> {functional.tangent}) -> (tensor<4xf32> {functional.gradient}, tensor<4xf32>) {
  %v = functional.cumsum %x {dim = 0 : i64} : tensor<4xf32>
  %d = scf.if %c -> tensor<4xf32> {
    %m = functional.mul %g, %v : tensor<4xf32>, tensor<4xf32>
    scf.yield %m : tensor<4xf32>
  } else {
    scf.yield %g : tensor<4xf32>
  }
  return %d, %v : tensor<4xf32>, tensor<4xf32>
}

// -----

// No tangents, no gradients: nothing to split.
// CHECK-LABEL: func.func @other(
// CHECK-NOT: call
func.func @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = functional.tanh %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
