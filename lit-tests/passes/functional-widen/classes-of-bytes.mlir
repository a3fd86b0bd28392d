// Bytes that say which class is right become i64: no loss takes classes of i32.
// RUN: terrace-opt %s --functional-widen | FileCheck %s

// CHECK-LABEL: func.func @loss
// CHECK: %[[CLASSES:.*]] = functional._to_copy %arg1 {dtype = i64} : tensor<2xui8>
// CHECK: functional.nll_loss_forward %{{.*}}, %[[CLASSES]] {{.*}} : tensor<2x4xf32>, tensor<2xi64>
// CHECK: %[[CLASSES:.*]] = functional._to_copy %arg1 {dtype = i64} : tensor<2xui8>
// CHECK: functional.nll_loss_backward %{{.*}}, %{{.*}}, %[[CLASSES]] {{.*}} : tensor<f32>, tensor<2x4xf32>, tensor<2xi64>, tensor<f32>
func.func @loss(%x: tensor<2x4xbf16>, %t: tensor<2xui8>) -> tensor<2x4xbf16> {
  %0, %total = functional.nll_loss_forward %x, %t {reduction = 1, ignore_index = -100} : tensor<2x4xbf16>, tensor<2xui8>
  %1 = functional.nll_loss_backward %0, %x, %t total %total {reduction = 1, ignore_index = -100} : tensor<bf16>, tensor<2x4xbf16>, tensor<2xui8>, tensor<bf16>
  return %1 : tensor<2x4xbf16>
}
