// What changes a storage to sizes that are operands, compiled for the numbers that there are or run by the reference: the same values.
// REQUIRES: x86
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [1.0, 0.5, -0.25, 1.0]}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [3], "strides": [1], "offset": 0}, 2]}' > %t.json
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [1.0, 0.5, -0.25, 1.0]}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [1], "strides": [1], "offset": 2}, 3]}' > %t.other.json

// A number that comes in, and constants.
// RUN: terrace-run %s --entry=given --inputs %t.json > %t.compiled
// RUN: terrace-run %s --entry=given --inputs %t.json --target=interpret | diff - %t.compiled
func.func @given(%x: !graph.tensor<?xf32>, %n: i64) -> (!graph.tensor<?x2xf32>, !graph.tensor<?x?xf32>) {
  %two = arith.constant 2 : i64
  %0 = graph.resize_ %x size [%n, 2] : !graph.tensor<?xf32>
  %1 = graph.ones [%two, %n] {dtype = f32}
  %2 = graph.resize_ %1 size [%n, %two] : !graph.tensor<?x?xf32>
  return %0, %2 : !graph.tensor<?x2xf32>, !graph.tensor<?x?xf32>
}

// Sizes that are computed, of sizes of tensors, too.
// RUN: terrace-run %s --entry=computed --inputs %t.json > %t.compiled
// RUN: terrace-run %s --entry=computed --inputs %t.json --target=interpret | diff - %t.compiled
// RUN: terrace-run %s --entry=computed --inputs %t.other.json > %t.compiled
// RUN: terrace-run %s --entry=computed --inputs %t.other.json --target=interpret | diff - %t.compiled
func.func @computed(%x: !graph.tensor<?xf32> {graph.storage = "x", graph.layout = "any"}, %n: i64) -> (!graph.tensor<?x?xf32>, !graph.tensor<?xf32>) {
  %two = arith.constant 2 : i64
  %rest = arith.remsi %n, %two : i64
  %more = arith.addi %rest, %two : i64
  %size = graph.sym_size %x {dim = 0 : i64} : !graph.tensor<?xf32>
  %product = arith.muli %size, %more : i64
  %0 = graph.resize_ %x size [%product, %n] : !graph.tensor<?xf32>
  %last = graph.sym_size %0 {dim = -1 : i64} : !graph.tensor<?x?xf32>
  %1 = graph.ones [%last] {dtype = f32}
  %2 = graph.resize_ %1 size [%last] : !graph.tensor<?xf32>
  return %0, %2 : !graph.tensor<?x?xf32>, !graph.tensor<?xf32>
}
