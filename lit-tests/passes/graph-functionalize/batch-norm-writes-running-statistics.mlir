// RUN: terrace-opt %s --graph-functionalize | FileCheck %s

// Its schema does not say so: in training it writes the running statistics.
// CHECK-LABEL: func.func private @training.core
// CHECK: %[[OUTPUT:.*]], %{{.*}}, %{{.*}}, %[[RUNNING:.*]]:2 = functional.native_batch_norm
// CHECK: return %[[OUTPUT]], %[[RUNNING]]#0, %[[RUNNING]]#1
// CHECK-LABEL: func.func @training(
// CHECK-SAME: %[[M:[a-z0-9]+]]: !graph.tensor<3xf32> {graph.storage = "m"}, %[[V:[a-z0-9]+]]: !graph.tensor<3xf32>
// CHECK: graph.write_back %{{.*}} into %[[M]]
// CHECK: graph.write_back %{{.*}} into %[[V]]
func.func @training(%x: !graph.tensor<2x3x4xf32> {graph.storage = "x"}, %m: !graph.tensor<3xf32> {graph.storage = "m"},
                    %v: !graph.tensor<3xf32> {graph.storage = "v"}) -> !graph.tensor<2x3x4xf32> {
  %0 = graph.batch_norm %x running_mean %m : !graph.tensor<3xf32> running_var %v : !graph.tensor<3xf32>
    {training = true, momentum = 0.1, eps = 1.0e-5, cudnn_enabled = false} : !graph.tensor<2x3x4xf32>
  return %0 : !graph.tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @evaluation(
// CHECK-NOT: graph.write_back
// CHECK: return
func.func @evaluation(%x: !graph.tensor<2x3x4xf32>, %m: !graph.tensor<3xf32>, %v: !graph.tensor<3xf32>) -> !graph.tensor<2x3x4xf32> {
  %0 = graph.batch_norm %x running_mean %m : !graph.tensor<3xf32> running_var %v : !graph.tensor<3xf32>
    {training = false, momentum = 0.1, eps = 1.0e-5, cudnn_enabled = false} : !graph.tensor<2x3x4xf32>
  return %0 : !graph.tensor<2x3x4xf32>
}
