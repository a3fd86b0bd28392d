// RUN: terrace-opt %s | terrace-opt | FileCheck %s

// CHECK-LABEL: func.func @pointwise
func.func @pointwise(%x: !graph.tensor<2x3xf32>, %i: !graph.tensor<3xi64>, %b: !graph.tensor<2x1xi1>, %d: !graph.tensor<f64>) {
  %k = arith.constant 2.0 : f64
  %n = arith.constant 3 : i64
  // CHECK: graph.add %{{.*}}, %{{.*}} alpha %{{.*}} : !graph.tensor<2x3xf32>, !graph.tensor<3xi64>, i64
  %0 = graph.add %x, %i alpha %n : !graph.tensor<2x3xf32>, !graph.tensor<3xi64>, i64
  // A dimensioned tensor outranks a 0-dim one of its category, which outranks a number.
  // CHECK: %[[M:.*]] = graph.mul %{{.*}}, %{{.*}} : !graph.tensor<2x3xf32>, !graph.tensor<f64>
  // CHECK: graph.neg %[[M]] : !graph.tensor<2x3xf32>
  %1 = graph.mul %x, %d : !graph.tensor<2x3xf32>, !graph.tensor<f64>
  %2 = graph.neg %1 : !graph.tensor<2x3xf32>
  // An integer tensor and a float number: the default dtype.
  // CHECK: %[[F:.*]] = graph.sub %{{.*}}, %{{.*}} : !graph.tensor<3xi64>, f64
  // CHECK: graph.relu %[[F]] : !graph.tensor<3xf32>
  %3 = graph.sub %i, %k : !graph.tensor<3xi64>, f64
  %4 = graph.relu %3 : !graph.tensor<3xf32>
  // CHECK: %[[Q:.*]] = graph.div %{{.*}}, %{{.*}} : !graph.tensor<3xi64>, i64
  // CHECK: graph.exp %[[Q]] : !graph.tensor<3xf32>
  %5 = graph.div %i, %n : !graph.tensor<3xi64>, i64
  %6 = graph.exp %5 : !graph.tensor<3xf32>
  // CHECK: graph.gelu %{{.*}} {approximate = "tanh"} : !graph.tensor<2x3xf32>
  %7 = graph.gelu %x {approximate = "tanh"} : !graph.tensor<2x3xf32>
  // CHECK: %[[W:.*]] = graph.where %{{.*}}, %{{.*}}, %{{.*}} : !graph.tensor<2x1xi1>, !graph.tensor<2x3xf32>, !graph.tensor<3xi64>
  // CHECK: graph.abs_ %[[W]] : !graph.tensor<2x3xf32>
  %8 = graph.where %b, %x, %i : !graph.tensor<2x1xi1>, !graph.tensor<2x3xf32>, !graph.tensor<3xi64>
  %9 = graph.abs_ %8 : !graph.tensor<2x3xf32>
  // CHECK: graph.ge_ %{{.*}}, %{{.*}} : !graph.tensor<2x3xf32>, f64
  %10 = graph.ge_ %x, %k : !graph.tensor<2x3xf32>, f64
  // CHECK: graph.copy_ %{{.*}}, %{{.*}} : !graph.tensor<2x3xf32>, !graph.tensor<3xi64>
  %11 = graph.copy_ %x, %i : !graph.tensor<2x3xf32>, !graph.tensor<3xi64>
  // CHECK: graph._to_copy %{{.*}} {dtype = i32} : !graph.tensor<2x3xf32>
  %12 = graph._to_copy %x {dtype = i32} : !graph.tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @views
func.func @views(%x: !graph.tensor<4x6xf32>, %y: !graph.tensor<?x6xf32>, %n: i64) {
  // CHECK: graph.select %{{.*}} index [%{{.*}}] {dim = 1 : i64} : !graph.tensor<4x6xf32>
  %0 = graph.select %x index [%n] {dim = 1} : !graph.tensor<4x6xf32>
  // CHECK: %[[S:.*]] = graph.slice %{{.*}} start [-3] end [9223372036854775807] step [2] {dim = 1 : i64} : !graph.tensor<4x6xf32>
  // CHECK: graph.t %[[S]] : !graph.tensor<4x2xf32>
  %1 = graph.slice %x start [-3] end [9223372036854775807] step [2] {dim = 1} : !graph.tensor<4x6xf32>
  %2 = graph.t %1 : !graph.tensor<4x2xf32>
  // CHECK: %[[V:.*]] = graph.view %{{.*}} size [2, -1] : !graph.tensor<4x6xf32>
  // CHECK: graph.permute %[[V]] {dims = array<i64: 1, 0>} : !graph.tensor<2x12xf32>
  %3 = graph.view %x size [2, -1] : !graph.tensor<4x6xf32>
  %4 = graph.permute %3 {dims = array<i64: 1, 0>} : !graph.tensor<2x12xf32>
  // CHECK: graph.as_strided %{{.*}} size [2, 2] stride [6, 1] storage_offset [3] : !graph.tensor<4x6xf32>
  %5 = graph.as_strided %x size [2, 2] stride [6, 1] storage_offset [3] : !graph.tensor<4x6xf32>
  // CHECK: %[[D:.*]] = graph.diagonal %{{.*}} {offset = 3 : i64} : !graph.tensor<4x6xf32>
  // CHECK: graph.unsqueeze %[[D]] {dim = -1 : i64} : !graph.tensor<3xf32>
  %6 = graph.diagonal %x {offset = 3} : !graph.tensor<4x6xf32>
  %7 = graph.unsqueeze %6 {dim = -1} : !graph.tensor<3xf32>
  // CHECK: %[[P:.*]]:3 = graph.split %{{.*}} {dim = 1 : i64, split_size = 2 : i64} : !graph.tensor<4x6xf32>
  // CHECK: graph.expand %[[P]]#2 size [5, -1, 2] : !graph.tensor<4x2xf32>
  %8:3 = graph.split %x {split_size = 2, dim = 1} : !graph.tensor<4x6xf32>
  %9 = graph.expand %8#2 size [5, -1, 2] : !graph.tensor<4x2xf32>
  // CHECK: %[[U:.*]] = graph.unfold %{{.*}} {dimension = 1 : i64, size = 3 : i64, step = 2 : i64} : !graph.tensor<?x6xf32>
  // CHECK: graph.mT %[[U]] : !graph.tensor<?x2x3xf32>
  %10 = graph.unfold %y {dimension = 1, size = 3, step = 2} : !graph.tensor<?x6xf32>
  %11 = graph.mT %10 : !graph.tensor<?x2x3xf32>
  return
}

// CHECK-LABEL: func.func @others
func.func @others(%x: !graph.tensor<2x3xf32>, %w: !graph.tensor<4x3xf32>, %b: !graph.tensor<4xf32>, %i: !graph.tensor<5xi64>) {
  %k = arith.constant 2.0 : f64
  %c0 = arith.constant 0 : i64
  %c7 = arith.constant 7 : i64
  %c2 = arith.constant 2 : i64
  // CHECK: %[[L:.*]] = graph.linear %{{.*}}, %{{.*}} bias %{{.*}} : !graph.tensor<2x3xf32>, !graph.tensor<4x3xf32>, !graph.tensor<4xf32>
  %0 = graph.linear %x, %w bias %b : !graph.tensor<2x3xf32>, !graph.tensor<4x3xf32>, !graph.tensor<4xf32>
  // CHECK: graph.layer_norm %[[L]] weight %{{.*}} : !graph.tensor<4xf32> bias %{{.*}} : !graph.tensor<4xf32> {normalized_shape = array<i64: 4>} : !graph.tensor<2x4xf32>
  %1 = graph.layer_norm %0 weight %b : !graph.tensor<4xf32> bias %b : !graph.tensor<4xf32> {normalized_shape = array<i64: 4>} : !graph.tensor<2x4xf32>
  // CHECK: graph.softmax %{{.*}} {dim = -1 : i64} : !graph.tensor<2x4xf32>
  %2 = graph.softmax %1 {dim = -1} : !graph.tensor<2x4xf32>
  // CHECK: graph.addmm %{{.*}}, %{{.*}}, %{{.*}} beta %{{.*}} : f64 : !graph.tensor<4xf32>, !graph.tensor<2x3xf32>, !graph.tensor<3x4xf32>
  %t = graph.t %w : !graph.tensor<4x3xf32>
  %3 = graph.addmm %b, %x, %t beta %k : f64 : !graph.tensor<4xf32>, !graph.tensor<2x3xf32>, !graph.tensor<3x4xf32>
  // CHECK: %[[A:.*]] = graph.arange start %{{.*}} : i64 end %{{.*}} : i64 step %{{.*}} : i64 {dtype = i64}
  // CHECK: graph.view %[[A]] size [2, 2] : !graph.tensor<4xi64>
  %4 = graph.arange start %c0 : i64 end %c7 : i64 step %c2 : i64 {dtype = i64}
  %5 = graph.view %4 size [2, 2] : !graph.tensor<4xi64>
  // CHECK: %[[A:.*]] = graph.arange end %{{.*}} : i64 {dtype = f32}
  // CHECK: graph.t %[[A]] : !graph.tensor<7xf32>
  %a = graph.arange end %c7 : i64 {dtype = f32}
  %at = graph.t %a : !graph.tensor<7xf32>
  // CHECK: %[[E:.*]] = graph.embedding %{{.*}}, %{{.*}} : !graph.tensor<4x3xf32>, !graph.tensor<5xi64>
  // CHECK: graph.cat %[[E]], %{{.*}} : !graph.tensor<5x3xf32>, !graph.tensor<2x3xf32>
  %6 = graph.embedding %w, %i : !graph.tensor<4x3xf32>, !graph.tensor<5xi64>
  %7 = graph.cat %6, %x {dim = 0} : !graph.tensor<5x3xf32>, !graph.tensor<2x3xf32>
  // CHECK: %[[I:.*]] = graph.index %{{.*}}[%{{.*}}] {present = array<i1: false, true>} : !graph.tensor<4x3xf32>[!graph.tensor<5xi64>]
  // CHECK: graph.sum %[[I]] {dim = array<i64: 1>, keepdim = true} : !graph.tensor<4x5xf32>
  %8 = graph.index %w[%i] {present = array<i1: false, true>} : !graph.tensor<4x3xf32>[!graph.tensor<5xi64>]
  %9 = graph.sum %8 {dim = array<i64: 1>, keepdim = true} : !graph.tensor<4x5xf32>
  // CHECK: graph.zeros [3, %{{.*}}] {dtype = i32}
  %10 = graph.zeros [3, %c7] {dtype = i32}
  // CHECK: graph.full [], %{{.*}} {dtype = f32} : f64
  %11 = graph.full [], %k {dtype = f32} : f64
  // CHECK: %[[V:.*]] = graph.value %{{.*}} : !graph.tensor<2x3xf32>
  // CHECK: graph.write_back %[[V]] into %{{.*}} : tensor<2x3xf32>, !graph.tensor<2x3xf32>
  // CHECK: graph.fresh %[[V]] : tensor<2x3xf32>
  %12 = graph.value %x : !graph.tensor<2x3xf32>
  graph.write_back %12 into %x : tensor<2x3xf32>, !graph.tensor<2x3xf32>
  %13 = graph.fresh %12 : tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func private @device(!graph.tensor<8xi64, "cuda:0">, !graph.tensor<f16>, !graph.tensor<0x?xui8>)
func.func private @device(!graph.tensor<8xi64, "cuda:0">, !graph.tensor<f16>, !graph.tensor<0x?xui8>)

// Empty tensors of one dimension join nothing, along whatever dimension.
// CHECK-LABEL: func.func @nothing_joined
// CHECK-NEXT: graph.cat %{{.*}}, %{{.*}} {dim = 3 : i64} : !graph.tensor<0xf32>, !graph.tensor<0xi64>
func.func @nothing_joined(%x: !graph.tensor<0xf32>, %y: !graph.tensor<0xi64>) -> !graph.tensor<0xf32> {
  %0 = graph.cat %x, %y {dim = 3 : i64} : !graph.tensor<0xf32>, !graph.tensor<0xi64>
  return %0 : !graph.tensor<0xf32>
}
