// A function is compiled for the tensors that it is called with: the same values compiled and interpreted.
// REQUIRES: x86
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [1.0, 0.5, -0.25, 1.0, 0.5, -0.5, 2.0, 0.75]}, "s1": {"dtype": "f32", "data": [3, 1, 2, 5]}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [1, 2, 2, 2], "strides": [8, 4, 2, 1], "offset": 0}, {"storage": "s1", "dtype": "f32", "sizes": [2, 2], "strides": [1, 2], "offset": 0}, 3]}' > %t.json
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [1.0, 0.5, -0.25, 1.0]}, "s1": {"dtype": "f32", "data": [3, 1, 2, 5]}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [1, 1, 2, 2], "strides": [4, 4, 2, 1], "offset": 0}, {"storage": "s1", "dtype": "f32", "sizes": [2, 2], "strides": [0, 1], "offset": 1}, 1]}' > %t.other.json

// Sizes that no guard is for.
// RUN: terrace-run %s --entry=pads --inputs %t.json > %t.compiled
// RUN: terrace-run %s --entry=pads --inputs %t.json --target=interpret | diff - %t.compiled
// RUN: not terrace-run %s --entry=pads --inputs %t.other.json 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: Padding size should be less than the corresponding input dimension
func.func @pads(%x: !graph.tensor<?x?x?x?xf32>, %y: !graph.tensor<?x?xf32> {graph.layout = "any"}, %n: i64) -> (!graph.tensor<?x?x?x?xf32>, !graph.tensor<?x?x?x?xf32>) {
  %0 = graph.reflection_pad3d %x {padding = array<i64: 1, 1, 1, 1, 1, 1>} : !graph.tensor<?x?x?x?xf32>
  %1 = graph.replication_pad3d %0 {padding = array<i64: 1, 0, 0, 2, 0, 0>} : !graph.tensor<?x?x?x?xf32>
  return %0, %1 : !graph.tensor<?x?x?x?xf32>, !graph.tensor<?x?x?x?xf32>
}

// Strides decide whether there is a view, and a number what it begins at.
// RUN: terrace-run %s --entry=views --inputs %t.json > %t.compiled 2> %t.warnings
// RUN: terrace-run %s --entry=views --inputs %t.json --target=interpret | diff - %t.compiled
func.func @views(%x: !graph.tensor<?x?x?x?xf32> {graph.storage = "x"}, %y: !graph.tensor<?x?xf32> {graph.storage = "y", graph.layout = "any"}, %n: i64)
    -> (!graph.tensor<?xf32>, !graph.tensor<2xf32>) {
  %two = arith.constant 2.0 : f64
  %0 = graph.as_strided %y size [2] stride [1] storage_offset [1] : !graph.tensor<?x?xf32>
  %1 = graph.mul_ %0, %two : !graph.tensor<2xf32>, f64
  %2 = graph.flatten.using_ints %x {start_dim = 0 : i64, end_dim = -1 : i64} : !graph.tensor<?x?x?x?xf32>
  %3 = graph.narrow %2 start [%n] length [1] {dim = 0 : i64} : !graph.tensor<?xf32>
  %4 = graph.add_ %3, %two : !graph.tensor<1xf32>, f64
  return %2, %1 : !graph.tensor<?xf32>, !graph.tensor<2xf32>
}

// What changes the size of an argument's storage is compiled as a whole.
// RUN: terrace-run %s --entry=grows --inputs %t.json > %t.compiled
// RUN: terrace-run %s --entry=grows --inputs %t.json --target=interpret | diff - %t.compiled
// RUN: terrace-run %s --entry=grows --inputs %t.other.json > %t.compiled
// RUN: terrace-run %s --entry=grows --inputs %t.other.json --target=interpret | diff - %t.compiled
func.func @grows(%x: !graph.tensor<?x?x?x?xf32> {graph.storage = "x"}, %y: !graph.tensor<?x?xf32> {graph.storage = "y", graph.layout = "any"}, %n: i64)
    -> (!graph.tensor<5x6xf32>, !graph.tensor<?x?x?x?xf32>) {
  %two = arith.constant 2.0 : f64
  %0 = graph.resize_ %y size [6, 5] : !graph.tensor<?x?xf32>
  %1 = graph.fill_ %0, %two : !graph.tensor<6x5xf32>, f64
  %2 = graph.t %1 : !graph.tensor<6x5xf32>
  %3 = graph.mul_ %x, %two : !graph.tensor<?x?x?x?xf32>, f64
  return %2, %3 : !graph.tensor<5x6xf32>, !graph.tensor<?x?x?x?xf32>
}
