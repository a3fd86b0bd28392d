// RUN: terrace-opt %s --graph-functionalize --canonicalize --cse | FileCheck %s

// A loss that is not reduced has the strides of a pointwise operator; a mean is one number.
// CHECK-LABEL: func.func private @mse.core
// CHECK: %[[D:.*]] = functional.sub
// CHECK: %[[S:.*]] = functional.mul %[[D]], %[[D]]
// CHECK: functional.mean %[[S]]
func.func @mse(%x: !graph.tensor<2x3xf32>, %t: !graph.tensor<2x3xf32>) -> !graph.tensor<f32> {
  %0 = graph.mse_loss %x, %t : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
  return %0 : !graph.tensor<f32>
}

// Classes are brought last.
// CHECK-LABEL: func.func private @cross_entropy.core
// CHECK: functional.log_softmax %{{.*}} {dim = 1
// CHECK: functional.permute %{{.*}} {dims = array<i64: 0, 2, 1>}
// CHECK: functional.nll_loss_forward
func.func @cross_entropy(%x: !graph.tensor<2x3x4xf32>, %t: !graph.tensor<2x4xi64>) -> !graph.tensor<f32> {
  %0 = graph.cross_entropy_loss %x, %t : !graph.tensor<2x3x4xf32>, !graph.tensor<2x4xi64>
  return %0 : !graph.tensor<f32>
}

// One product for the gates of all inputs, and a loop over the steps, which carries the outputs and the state; the second direction walks
// back.
// CHECK-LABEL: func.func private @rnn.core
// CHECK-SAME: %[[X:[^:]*]]: tensor<2x1x3xf32>
// CHECK: %[[GATES:.*]] = functional.linear %[[X]]
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[ALL:.*]] = %{{.*}}, %[[H:.*]] = %{{.*}}) -> (tensor<2x1x4xf32>, tensor<1x4xf32>)
// CHECK: %[[T:.*]] = arith.index_cast %[[I]]
// CHECK: functional.linear %[[H]]
// CHECK: functional.select %[[GATES]] index [%[[T]]]
// CHECK: %[[NEW:.*]] = functional.tanh
// CHECK: %[[SET:.*]] = functional.select_scatter %[[ALL]], %[[NEW]] index [%[[T]]]
// CHECK: scf.yield %[[SET]], %[[NEW]]
// CHECK: scf.for
// CHECK: %[[T:.*]] = arith.subi
// CHECK: functional.select %[[GATES]] index [%[[T]]]
// CHECK: functional.cat {{.*}} {dim = -1
func.func @rnn(%x: !graph.tensor<2x1x3xf32>, %h: !graph.tensor<2x1x4xf32>, %w: !graph.tensor<4x3xf32>, %u: !graph.tensor<4x4xf32>) -> !graph.tensor<2x1x8xf32> {
  %0:2 = graph.rnn_tanh.input %x state %h params %w, %u, %w, %u {has_biases = false, num_layers = 1, dropout = 0.0, train = false, bidirectional = true, batch_first = false}
      : !graph.tensor<2x1x3xf32> state !graph.tensor<2x1x4xf32> params !graph.tensor<4x3xf32>, !graph.tensor<4x4xf32>, !graph.tensor<4x3xf32>, !graph.tensor<4x4xf32>
  return %0#0 : !graph.tensor<2x1x8xf32>
}

// CHECK-LABEL: func.func private @fma.core
// CHECK: %[[C:.*]] = functional.expand %{{.*}} size [2, 3]
// CHECK: functional.prims.fma %{{.*}}, %{{.*}}, %[[C]] : tensor<2x3xf32>
func.func @fma(%a: !graph.tensor<2x3xf32>, %c: !graph.tensor<3xf32>) -> !graph.tensor<2x3xf32> {
  %0 = graph.prims.fma %a, %a, %c : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>, !graph.tensor<3xf32>
  return %0 : !graph.tensor<2x3xf32>
}

// Places within windows are places of the image less where the windows begin.
// CHECK-LABEL: func.func private @offsets.core
// CHECK: %{{.*}}, %[[PLACES:.*]] = functional.max_pool2d_with_indices
// CHECK: functional.div %[[PLACES]], %{{.*}} {rounding_mode = "floor"}
// CHECK: functional._to_copy %{{.*}} {dtype = i8}
func.func @offsets(%x: !graph.tensor<1x4x4xf32>) -> !graph.tensor<1x2x2xi8> {
  %0:2 = graph.prims._low_memory_max_pool_with_offsets %x {kernel_size = array<i64: 2, 2>, stride = array<i64: 2, 2>, padding = array<i64: 0, 0>, dilation = array<i64: 1, 1>, ceil_mode = false} : !graph.tensor<1x4x4xf32>
  return %0#1 : !graph.tensor<1x2x2xi8>
}

// Only what the mask asks for is computed: the sum of the gradients of each channel.
// CHECK-LABEL: func.func private @batch_norm.core
// CHECK-NOT: functional.mul
// CHECK: functional.sum %{{.*}} {dim = array<i64: 0>
// CHECK-NEXT: return
func.func @batch_norm(%x: !graph.tensor<2x4xf32>, %m: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %0 = graph.native_batch_norm_backward %x, %x save_mean %m : !graph.tensor<4xf32> save_invstd %m : !graph.tensor<4xf32> {train = true, eps = 1.0e-5, output_mask = array<i1: false, false, true>} : !graph.tensor<2x4xf32>, !graph.tensor<2x4xf32>
  return %0 : !graph.tensor<4xf32>
}

// Rows become a table of steps and samples, of which samples that have ended keep their states.
// CHECK-LABEL: func.func private @packed.core
// CHECK: functional.cumsum
// CHECK: %[[THERE:.*]] = functional.lt %{{.*}}, %{{.*}} : tensor<2x3xi64>
// CHECK: functional.gather
// CHECK: functional.relu
// CHECK: functional.where
// CHECK: functional.gather
func.func @packed(%x: !graph.tensor<5x3xf32>, %n: !graph.tensor<2xi64>, %h: !graph.tensor<1x3x4xf32>, %v: !graph.tensor<4x3xf32>, %s: !graph.tensor<4x4xf32>)
    -> (!graph.tensor<5x4xf32>, !graph.tensor<1x3x4xf32>) {
  %0:2 = graph.rnn_relu.data %x, %n state %h params %v, %s {has_biases = false, num_layers = 1, dropout = 0.0, train = false, bidirectional = false}
      : !graph.tensor<5x3xf32>, !graph.tensor<2xi64> state !graph.tensor<1x3x4xf32> params !graph.tensor<4x3xf32>, !graph.tensor<4x4xf32>
  return %0#0, %0#1 : !graph.tensor<5x4xf32>, !graph.tensor<1x3x4xf32>
}
