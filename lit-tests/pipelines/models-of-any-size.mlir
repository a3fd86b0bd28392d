// What models of any batch and length are made of asks nothing of whether these are 0 or 1.
// RUN: terrace-opt %s --terrace-to-functional | FileCheck %s

// Heads are split off, and joined again.
// CHECK-LABEL: func.func @attention(
// CHECK-NOT: graph.guard
// CHECK: return
func.func @attention(%q: !graph.tensor<?x?x512xf32>) -> !graph.tensor<?x?x512xf32> {
  %n = graph.sym_size %q {dim = 0 : i64} : !graph.tensor<?x?x512xf32>
  %l = graph.sym_size %q {dim = 1 : i64} : !graph.tensor<?x?x512xf32>
  %0 = graph.view %q size [%n, %l, 8, 64] : !graph.tensor<?x?x512xf32>
  %1 = graph.transpose %0 {dim0 = 1 : i64, dim1 = 2 : i64} : !graph.tensor<?x?x8x64xf32>
  %2 = graph.scaled_dot_product_attention %1, %1, %1 {scale = 0.125 : f64} : !graph.tensor<?x8x?x64xf32>, !graph.tensor<?x8x?x64xf32>, !graph.tensor<?x8x?x64xf32>
  %3 = graph.transpose %2 {dim0 = 1 : i64, dim1 = 2 : i64} : !graph.tensor<?x8x?x64xf32>
  %4 = graph.reshape %3 shape [%n, %l, 512] : !graph.tensor<?x?x8x64xf32>
  return %4 : !graph.tensor<?x?x512xf32>
}

// Of a table of positions as many as there are tokens, which are meant to be within.
// CHECK-LABEL: func.func @positions(
// CHECK: graph.guard %{{.*}}, "s1 <= 512, where s1 is size 1 of argument 0"
// CHECK-NOT: graph.guard
// CHECK: return
func.func @positions(%x: !graph.tensor<?x?x8xf32>, %table: !graph.tensor<1x512xi64>, %w: !graph.tensor<512x8xf32>) -> !graph.tensor<?x?x8xf32> {
  %l = graph.sym_size %x {dim = 1 : i64} : !graph.tensor<?x?x8xf32>
  %0 = graph.slice %table start [0] end [%l] step [1] {dim = 1 : i64} : !graph.tensor<1x512xi64>
  %1 = graph.embedding %w, %0 : !graph.tensor<512x8xf32>, !graph.tensor<1x?xi64>
  %2 = graph.add %x, %1 : !graph.tensor<?x?x8xf32>, !graph.tensor<1x?x8xf32>
  return %2 : !graph.tensor<?x?x8xf32>
}

// A mask of the tokens that come before.
// CHECK-LABEL: func.func @mask(
// CHECK-NOT: graph.guard
// CHECK: return
func.func @mask(%x: !graph.tensor<?x?xf32>) -> !graph.tensor<?x?xi1> {
  %l = graph.sym_size %x {dim = 1 : i64} : !graph.tensor<?x?xf32>
  %0 = graph.arange end %l : i64 {dtype = i64}
  %1 = graph.unsqueeze %0 {dim = 1 : i64} : !graph.tensor<?xi64>
  %2 = graph.ge %1, %0 : !graph.tensor<?x1xi64>, !graph.tensor<?xi64>
  return %2 : !graph.tensor<?x?xi1>
}

// Of nothing batch norm checks nothing, which makes no difference where the checks hold.
// CHECK-LABEL: func.func @norm(
// CHECK-NOT: graph.guard
// CHECK: return
func.func @norm(%x: !graph.tensor<?x4x5x5xf32>, %s: !graph.tensor<4xf32>) -> !graph.tensor<?x4x5x5xf32> {
  %0 = graph.batch_norm %x weight %s : !graph.tensor<4xf32> bias %s : !graph.tensor<4xf32> running_mean %s : !graph.tensor<4xf32> running_var %s : !graph.tensor<4xf32> {cudnn_enabled = true, eps = 1.0e-5 : f64, momentum = 0.1 : f64, training = false} : !graph.tensor<?x4x5x5xf32>
  return %0 : !graph.tensor<?x4x5x5xf32>
}

// The first token alone: there has to be one.
// CHECK-LABEL: func.func @first(
// CHECK: graph.guard %{{.*}}, "0 < s1, where s1 is size 1 of argument 0"
// CHECK-NOT: graph.guard
// CHECK: return
func.func @first(%x: !graph.tensor<?x?x8xf32>) -> !graph.tensor<?x8xf32> {
  %0 = graph.select %x index [0] {dim = 1 : i64} : !graph.tensor<?x?x8xf32>
  %1 = graph.tanh %0 : !graph.tensor<?x8xf32>
  return %1 : !graph.tensor<?x8xf32>
}
