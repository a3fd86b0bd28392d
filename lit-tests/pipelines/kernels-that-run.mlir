// How many kernels run for what models are made of. What a product packs in front of it is one, too.

// RUN: terrace-opt %s --terrace-to-kernel | grep -E "func.func|kernel.launch|kernel.concurrent" | FileCheck %s --implicit-check-not=kernel.launch

// CHECK-LABEL: func.func @softmax(
// CHECK-NEXT: kernel.launch @softmax.group_
func.func @softmax(%x: !graph.tensor<4096x1024xf32> {graph.storage = "x"}) -> !graph.tensor<4096x1024xf32> {
  %y = graph.softmax %x {dim = 1} : !graph.tensor<4096x1024xf32>
  return %y : !graph.tensor<4096x1024xf32>
}

// CHECK-LABEL: func.func @layer_norm(
// CHECK-NEXT: kernel.launch @layer_norm.group_
func.func @layer_norm(%x: !graph.tensor<4096x1024xf32> {graph.storage = "x"}, %w: !graph.tensor<1024xf32> {graph.storage = "w"}, %b: !graph.tensor<1024xf32> {graph.storage = "b"}) -> !graph.tensor<4096x1024xf32> {
  %y = graph.layer_norm %x weight %w : !graph.tensor<1024xf32> bias %b : !graph.tensor<1024xf32> {normalized_shape = array<i64: 1024>} : !graph.tensor<4096x1024xf32>
  return %y : !graph.tensor<4096x1024xf32>
}

// CHECK-LABEL: func.func @residual_layer_norm(
// CHECK-NEXT: kernel.launch @residual_layer_norm.group_
func.func @residual_layer_norm(%x: !graph.tensor<4096x1024xf32> {graph.storage = "x"}, %r: !graph.tensor<4096x1024xf32> {graph.storage = "r"}, %w: !graph.tensor<1024xf32> {graph.storage = "w"}, %b: !graph.tensor<1024xf32> {graph.storage = "b"}) -> !graph.tensor<4096x1024xf32> {
  %s = graph.add %x, %r : !graph.tensor<4096x1024xf32>, !graph.tensor<4096x1024xf32>
  %y = graph.layer_norm %s weight %w : !graph.tensor<1024xf32> bias %b : !graph.tensor<1024xf32> {normalized_shape = array<i64: 1024>} : !graph.tensor<4096x1024xf32>
  return %y : !graph.tensor<4096x1024xf32>
}

// CHECK-LABEL: func.func @rms_norm(
// CHECK-NEXT: kernel.launch @rms_norm.group_
func.func @rms_norm(%x: !graph.tensor<4096x1024xf32> {graph.storage = "x"}, %w: !graph.tensor<1024xf32> {graph.storage = "w"}) -> !graph.tensor<4096x1024xf32> {
  %eps = arith.constant 1.0e-05 : f64
  %0 = graph.mul %x, %x : !graph.tensor<4096x1024xf32>, !graph.tensor<4096x1024xf32>
  %1 = graph.mean %0 {dim = array<i64: 1>, keepdim = true} : !graph.tensor<4096x1024xf32>
  %2 = graph.add %1, %eps : !graph.tensor<4096x1xf32>, f64
  %3 = graph.rsqrt %2 : !graph.tensor<4096x1xf32>
  %4 = graph.mul %x, %3 : !graph.tensor<4096x1024xf32>, !graph.tensor<4096x1xf32>
  %5 = graph.mul %4, %w : !graph.tensor<4096x1024xf32>, !graph.tensor<1024xf32>
  return %5 : !graph.tensor<4096x1024xf32>
}

// CHECK-LABEL: func.func @group_norm(
// CHECK-NEXT: kernel.launch @group_norm.group_
func.func @group_norm(%x: !graph.tensor<16x64x32x32xf32> {graph.storage = "x"}, %w: !graph.tensor<64xf32> {graph.storage = "w"}, %b: !graph.tensor<64xf32> {graph.storage = "b"}) -> !graph.tensor<16x64x32x32xf32> {
  %y = graph.group_norm %x weight %w : !graph.tensor<64xf32> bias %b : !graph.tensor<64xf32> {num_groups = 8 : i64, eps = 1.0e-5 : f64} : !graph.tensor<16x64x32x32xf32>
  return %y : !graph.tensor<16x64x32x32xf32>
}

// CHECK-LABEL: func.func @batch_norm(
// CHECK-NEXT: kernel.launch @batch_norm.group_
func.func @batch_norm(%x: !graph.tensor<16x64x32x32xf32> {graph.storage = "x"}, %m: !graph.tensor<64xf32> {graph.storage = "m"}, %v: !graph.tensor<64xf32> {graph.storage = "v"}, %w: !graph.tensor<64xf32> {graph.storage = "w"}, %b: !graph.tensor<64xf32> {graph.storage = "b"}) -> !graph.tensor<16x64x32x32xf32> {
  %y = graph.batch_norm %x weight %w : !graph.tensor<64xf32> bias %b : !graph.tensor<64xf32> running_mean %m : !graph.tensor<64xf32> running_var %v : !graph.tensor<64xf32> {training = false, momentum = 0.1, eps = 1.0e-05, cudnn_enabled = false} : !graph.tensor<16x64x32x32xf32>
  return %y : !graph.tensor<16x64x32x32xf32>
}

// CHECK-LABEL: func.func @batch_norm_train(
// CHECK-NEXT: kernel.launch @batch_norm_train.group_
func.func @batch_norm_train(%x: !graph.tensor<16x64x32x32xf32> {graph.storage = "x"}, %w: !graph.tensor<64xf32> {graph.storage = "w"}, %b: !graph.tensor<64xf32> {graph.storage = "b"}) -> !graph.tensor<16x64x32x32xf32> {
  %y = graph.batch_norm %x weight %w : !graph.tensor<64xf32> bias %b : !graph.tensor<64xf32> {training = true, momentum = 0.1, eps = 1.0e-05, cudnn_enabled = false} : !graph.tensor<16x64x32x32xf32>
  return %y : !graph.tensor<16x64x32x32xf32>
}

// CHECK-LABEL: func.func @column_sum(
// CHECK-NEXT: kernel.launch @column_sum.reduction_
func.func @column_sum(%x: !graph.tensor<4096x1024xf32> {graph.storage = "x"}) -> !graph.tensor<1024xf32> {
  %y = graph.sum %x {dim = array<i64: 0>} : !graph.tensor<4096x1024xf32>
  return %y : !graph.tensor<1024xf32>
}

// The second adds up what blocks of the first came to.
// CHECK-LABEL: func.func @sum_of_all(
// CHECK-NEXT: kernel.launch @sum_of_all.reduction_
// CHECK-NEXT: kernel.launch @sum_of_all.reduction_
func.func @sum_of_all(%x: !graph.tensor<4096x1024xf32> {graph.storage = "x"}) -> !graph.tensor<f32> {
  %y = graph.sum %x : !graph.tensor<4096x1024xf32>
  return %y : !graph.tensor<f32>
}

// Behind the rows there are 4,096 numbers, for one point.
// CHECK-LABEL: func.func @loss(
// CHECK-NEXT: kernel.launch @loss.group_
// CHECK-NEXT: kernel.launch @loss.group_
func.func @loss(%x: !graph.tensor<4096x1024xf32> {graph.storage = "x"}, %t: !graph.tensor<4096xi64> {graph.storage = "t"}) -> !graph.tensor<f32> {
  %y = graph.cross_entropy_loss %x, %t : !graph.tensor<4096x1024xf32>, !graph.tensor<4096xi64>
  return %y : !graph.tensor<f32>
}

// CHECK-LABEL: func.func @cumsum_relu(
// CHECK-NEXT: kernel.launch @cumsum_relu.group_
func.func @cumsum_relu(%x: !graph.tensor<4096x1024xf32> {graph.storage = "x"}) -> !graph.tensor<4096x1024xf32> {
  %y = graph.cumsum %x {dim = 1 : i64} : !graph.tensor<4096x1024xf32>
  %z = graph.relu %y : !graph.tensor<4096x1024xf32>
  return %z : !graph.tensor<4096x1024xf32>
}

// CHECK-LABEL: func.func @attention(
// CHECK-NEXT: kernel.launch @attention.pack_
// CHECK-NEXT: kernel.launch @attention.blocks_
func.func @attention(%q: !graph.tensor<1x12x512x64xf32> {graph.storage = "q"}, %k: !graph.tensor<1x12x512x64xf32> {graph.storage = "k"}, %v: !graph.tensor<1x12x512x64xf32> {graph.storage = "v"}) -> !graph.tensor<1x12x512x64xf32> {
  %scale = arith.constant 0.125 : f64
  %0 = graph.transpose %k {dim0 = -1, dim1 = -2} : !graph.tensor<1x12x512x64xf32>
  %1 = graph.matmul %q, %0 : !graph.tensor<1x12x512x64xf32>, !graph.tensor<1x12x64x512xf32>
  %2 = graph.mul %1, %scale : !graph.tensor<1x12x512x512xf32>, f64
  %3 = graph.softmax %2 {dim = -1} : !graph.tensor<1x12x512x512xf32>
  %4 = graph.matmul %3, %v : !graph.tensor<1x12x512x512xf32>, !graph.tensor<1x12x512x64xf32>
  return %4 : !graph.tensor<1x12x512x64xf32>
}

// One parallel loop for all parts, each of which is written once.
// CHECK-LABEL: func.func @concat_relu(
// CHECK-NEXT: kernel.concurrent
// CHECK-NEXT: kernel.launch @concat_relu.pointwise_
// CHECK-NEXT: kernel.launch @concat_relu.pointwise_
func.func @concat_relu(%x: !graph.tensor<64x256xf32> {graph.storage = "x"}, %y: !graph.tensor<64x512xf32> {graph.storage = "y"}) -> !graph.tensor<64x768xf32> {
  %c = graph.cat %x, %y {dim = 1 : i64} : !graph.tensor<64x256xf32>, !graph.tensor<64x512xf32>
  %z = graph.relu %c : !graph.tensor<64x768xf32>
  return %z : !graph.tensor<64x768xf32>
}

// One parallel loop for all parameters.
// CHECK-LABEL: func.func @step(
// CHECK-NEXT: kernel.concurrent
// CHECK-NEXT: kernel.launch @step.pointwise_
// CHECK-NEXT: kernel.launch @step.pointwise_
// CHECK-NEXT: kernel.launch @step.pointwise_
// CHECK-NEXT: kernel.launch @step.pointwise_
func.func @step(%p0: !graph.tensor<64xf32> {graph.storage = "p0"}, %p1: !graph.tensor<768x64xf32> {graph.storage = "p1"}, %p2: !graph.tensor<256x256xf32> {graph.storage = "p2"}, %p3: !graph.tensor<10x128xf32> {graph.storage = "p3"}, %g0: !graph.tensor<64xf32> {graph.storage = "g0"}, %g1: !graph.tensor<768x64xf32> {graph.storage = "g1"}, %g2: !graph.tensor<256x256xf32> {graph.storage = "g2"}, %g3: !graph.tensor<10x128xf32> {graph.storage = "g3"}) -> !graph.tensor<64xf32> {
  %rate = arith.constant 0.1 : f64
  %u0 = graph.mul %g0, %rate : !graph.tensor<64xf32>, f64
  %v0 = graph.sub_ %p0, %u0 : !graph.tensor<64xf32>, !graph.tensor<64xf32>
  %u1 = graph.mul %g1, %rate : !graph.tensor<768x64xf32>, f64
  %v1 = graph.sub_ %p1, %u1 : !graph.tensor<768x64xf32>, !graph.tensor<768x64xf32>
  %u2 = graph.mul %g2, %rate : !graph.tensor<256x256xf32>, f64
  %v2 = graph.sub_ %p2, %u2 : !graph.tensor<256x256xf32>, !graph.tensor<256x256xf32>
  %u3 = graph.mul %g3, %rate : !graph.tensor<10x128xf32>, f64
  %v3 = graph.sub_ %p3, %u3 : !graph.tensor<10x128xf32>, !graph.tensor<10x128xf32>
  return %p0 : !graph.tensor<64xf32>
}
