// Arguments that change their sizes, strides or storage: other views of the storage stay, writes reach the caller, and what the
// caller's tensor is afterwards is a fact about its object.
// RUN: terrace-check %s
// RUN: terrace-check %s --compiled --runs=1 --forget=storages,layouts
// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// CHECK-LABEL: func.func @t(
// CHECK: graph.t_ {{.*}}["f32[3, 2] strides [1, 3] storage 0 object 0"]
func.func @t(%x: !graph.tensor<2x3xf32>) -> (!graph.tensor<3x2xf32>, !graph.tensor<3xf32>) {
  %row = graph.select %x index [1] : !graph.tensor<2x3xf32>
  %t = graph.t_ %x : !graph.tensor<2x3xf32>
  %w = graph.exp_ %t : !graph.tensor<3x2xf32>
  return %t, %row : !graph.tensor<3x2xf32>, !graph.tensor<3xf32>
}

// CHECK-LABEL: func.func @transpose(
// CHECK: graph.transpose_ {{.*}}["f32[4, 3, 2] strides [1, 4, 12] storage 0 object 0"]
func.func @transpose(%x: !graph.tensor<2x3x4xf32>) -> !graph.tensor<2x3x4xf32> {
  %before = graph.alias %x : !graph.tensor<2x3x4xf32>
  %t = graph.transpose_ %x {dim0 = 0 : i64, dim1 = -1 : i64} : !graph.tensor<2x3x4xf32>
  %last = graph.select %t index [0] : !graph.tensor<4x3x2xf32>
  %w = graph.neg_ %last : !graph.tensor<3x2xf32>
  return %before : !graph.tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @squeeze(
// CHECK: graph.squeeze_ {{.*}}["f32[2, 3] strides [3, 1] storage 0 object 0"]
func.func @squeeze(%x: !graph.tensor<2x1x3xf32>) -> !graph.tensor<2x1x3xf32> {
  %before = graph.alias %x : !graph.tensor<2x1x3xf32>
  %s = graph.squeeze_ %x {dim = array<i64: 1>} : !graph.tensor<2x1x3xf32>
  %t = graph.t %s : !graph.tensor<2x3xf32>
  %w = graph.exp_ %t : !graph.tensor<3x2xf32>
  return %before : !graph.tensor<2x1x3xf32>
}

// CHECK-LABEL: func.func @unsqueeze(
// CHECK: graph.unsqueeze_ {{.*}}["f32[2, 1, 3] strides [3, 3, 1] storage 0 object 0"]
func.func @unsqueeze(%x: !graph.tensor<2x3xf32>, %y: !graph.tensor<2x5x3xf32>) -> (!graph.tensor<2x5x3xf32>, !graph.tensor<2x1x3xf32>) {
  %u = graph.unsqueeze_ %x {dim = 1 : i64} : !graph.tensor<2x3xf32>
  %s = graph.add %u, %y : !graph.tensor<2x1x3xf32>, !graph.tensor<2x5x3xf32>
  return %s, %u : !graph.tensor<2x5x3xf32>, !graph.tensor<2x1x3xf32>
}

// CHECK-LABEL: func.func @swapaxes(
// CHECK: graph.swapaxes_ {{.*}}["f32[3, 2] strides [1, 3] storage 0 object 0"]
func.func @swapaxes(%x: !graph.tensor<2x3xf32>) -> !graph.tensor<2xf32> {
  %s = graph.swapaxes_ %x {axis0 = 0 : i64, axis1 = 1 : i64} : !graph.tensor<2x3xf32>
  %row = graph.select %s index [2] : !graph.tensor<3x2xf32>
  %w = graph.exp_ %row : !graph.tensor<2xf32>
  return %row : !graph.tensor<2xf32>
}

// CHECK-LABEL: func.func @as_strided(
// CHECK: graph.as_strided_ {{.*}}["f32[2] strides [5] offset 2 storage 0 object 0"]
func.func @as_strided(%x: !graph.tensor<4x3xf32>) -> (!graph.tensor<4x3xf32>, !graph.tensor<2xf32>) {
  %before = graph.alias %x : !graph.tensor<4x3xf32>
  %s = graph.as_strided_ %x size [2] stride [5] storage_offset [2] : !graph.tensor<4x3xf32>
  %w = graph.exp_ %s : !graph.tensor<2xf32>
  return %before, %s : !graph.tensor<4x3xf32>, !graph.tensor<2xf32>
}

// CHECK-LABEL: func.func @"resized-to-less"(
// CHECK: graph.resize_ {{.*}}["f32[2, 2] strides [2, 1] storage 0 object 0"]
func.func @"resized-to-less"(%x: !graph.tensor<4x3xf32>) -> !graph.tensor<4x3xf32> {
  %before = graph.alias %x : !graph.tensor<4x3xf32>
  %s = graph.resize_ %x size [2, 2] : !graph.tensor<4x3xf32>
  %w = graph.exp_ %s : !graph.tensor<2x2xf32>
  return %before : !graph.tensor<4x3xf32>
}

// Which `x.data = y` is: the caller's tensor is a view of the other storage now, which it writes.
// CHECK-LABEL: func.func @set(
// CHECK: graph.set_ {{.*}}["f32[2, 2] strides [1, 2] storage 1 object 0"]
func.func @set(%x: !graph.tensor<3xf32> {graph.storage = "x"}, %y: !graph.tensor<2x2xf32> {graph.storage = "y", graph.layout = strided<[1, 2]>}) -> !graph.tensor<3xf32> {
  %old = graph.alias %x : !graph.tensor<3xf32>
  %s = graph.set_ %x source %y : !graph.tensor<2x2xf32> : !graph.tensor<3xf32>
  %w = graph.exp_ %s : !graph.tensor<2x2xf32>
  %v = graph.neg_ %old : !graph.tensor<3xf32>
  return %old : !graph.tensor<3xf32>
}

// There and back is no change.
// CHECK-LABEL: func.func @"set-there-and-back"(
// CHECK: graph.set_ {{.*}}["f32[3] strides [1] storage 1 object 0"]
// CHECK: graph.set_ {{.*}}["f32[3] strides [1] storage 0 object 0"]
func.func @"set-there-and-back"(%x: !graph.tensor<3xf32> {graph.storage = "x"}, %y: !graph.tensor<3xf32> {graph.storage = "y"}) {
  %own = graph.alias %x : !graph.tensor<3xf32>
  %there = graph.set_ %x source %y : !graph.tensor<3xf32> : !graph.tensor<3xf32>
  %w = graph.exp_ %there : !graph.tensor<3xf32>
  %back = graph.set_ %there source %own : !graph.tensor<3xf32> : !graph.tensor<3xf32>
  %v = graph.neg_ %back : !graph.tensor<3xf32>
  return
}

// Metadata alone writes no element: arguments may share storages as they like.
// CHECK-LABEL: func.func @"nothing-is-written"(
// CHECK: graph.t_ {{.*}}["f32[3, 2] strides [1, 3] storage 0 object 0"]
func.func @"nothing-is-written"(%x: !graph.tensor<2x3xf32>, %y: !graph.tensor<2x3xf32>) -> (!graph.tensor<3x2xf32>, !graph.tensor<2x3xf32>) {
  %t = graph.t_ %x : !graph.tensor<2x3xf32>
  %e = graph.exp %t : !graph.tensor<3x2xf32>
  %u = graph.neg %y : !graph.tensor<2x3xf32>
  return %e, %u : !graph.tensor<3x2xf32>, !graph.tensor<2x3xf32>
}

// In a branch: one object on both ways.
// CHECK-LABEL: func.func @"in-branches"(
func.func @"in-branches"(%c: i1, %x: !graph.tensor<2x3xf32>) -> !graph.tensor<3x2xf32> {
  %r = scf.if %c -> !graph.tensor<3x2xf32> {
    %t = graph.t_ %x : !graph.tensor<2x3xf32>
    scf.yield %t : !graph.tensor<3x2xf32>
  } else {
    %u = graph.resize_ %x size [3, 2] : !graph.tensor<2x3xf32>
    scf.yield %u : !graph.tensor<3x2xf32>
  }
  %w = graph.exp_ %r : !graph.tensor<3x2xf32>
  return %r : !graph.tensor<3x2xf32>
}
