// State that is no tensor of the function keeps its accesses, in their order, beside tensors that become values.
// RUN: terrace-check %s
// RUN: terrace-check %s --compiled --runs=1 --forget=storages,layouts

func.func @"read-and-written-in-order"(%n: i64) -> (!graph.tensor<3xi64>, i64) {
  %m = memref.alloc() : memref<i64>
  memref.store %n, %m[] : memref<i64>
  %a = memref.load %m[] : memref<i64>
  %x = graph.full [3], %a {dtype = i64} : i64
  %twice = arith.addi %a, %a : i64
  memref.store %twice, %m[] : memref<i64>
  %b = memref.load %m[] : memref<i64>
  %w = graph.add_ %x, %b : !graph.tensor<3xi64>, i64
  %c = memref.load %m[] : memref<i64>
  return %x, %c : !graph.tensor<3xi64>, i64
}

func.func @"in-a-loop"(%k: index) -> (!graph.tensor<2xi64>, i64) {
  %m = memref.alloc() : memref<i64>
  %start = arith.constant 5 : i64
  memref.store %start, %m[] : memref<i64>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %sum = graph.zeros [2] {dtype = i64}
  scf.for %i = %zero to %k step %one {
    %n = memref.load %m[] : memref<i64>
    %w = graph.add_ %sum, %n : !graph.tensor<2xi64>, i64
    %two = arith.addi %n, %n : i64
    memref.store %two, %m[] : memref<i64>
  }
  %last = memref.load %m[] : memref<i64>
  return %sum, %last : !graph.tensor<2xi64>, i64
}
