// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// Arguments that do not say otherwise may be in one storage.
// CHECK-LABEL: func.func @undeclared
func.func @undeclared(%x: !graph.tensor<5xf32>, %y: !graph.tensor<5xf32>) -> !graph.tensor<?x1xi64> {
  %0 = graph.nonzero %x : !graph.tensor<5xf32>
  %1 = graph.neg_ %y : !graph.tensor<5xf32>
  %2 = graph.nonzero %x : !graph.tensor<5xf32>
  // CHECK: graph.cat {{.*}}i64[s0 + s1, 1]
  %3 = graph.cat %0, %2 : !graph.tensor<?x1xi64>, !graph.tensor<?x1xi64>
  return %3 : !graph.tensor<?x1xi64>
}

// CHECK-LABEL: func.func @declared
func.func @declared(%x: !graph.tensor<5xf32> {graph.storage = "a"}, %y: !graph.tensor<5xf32> {graph.storage = "b"})
    -> !graph.tensor<?x1xi64> {
  %0 = graph.nonzero %x : !graph.tensor<5xf32>
  %1 = graph.neg_ %y : !graph.tensor<5xf32>
  %2 = graph.nonzero %x : !graph.tensor<5xf32>
  // CHECK: graph.cat {{.*}}i64[2*s0, 1]
  %3 = graph.cat %0, %2 : !graph.tensor<?x1xi64>, !graph.tensor<?x1xi64>
  return %3 : !graph.tensor<?x1xi64>
}

// CHECK-LABEL: func.func @written_back
func.func @written_back(%x: !graph.tensor<5xf32>, %v: tensor<5xf32>) -> !graph.tensor<?x1xi64> {
  %0 = graph.nonzero %x : !graph.tensor<5xf32>
  graph.write_back %v into %x : tensor<5xf32>, !graph.tensor<5xf32>
  %1 = graph.nonzero %x : !graph.tensor<5xf32>
  // CHECK: graph.cat {{.*}}i64[s0 + s1, 1]
  %2 = graph.cat %0, %1 : !graph.tensor<?x1xi64>, !graph.tensor<?x1xi64>
  return %2 : !graph.tensor<?x1xi64>
}

// What an iteration writes, the next one reads.
// CHECK-LABEL: func.func @iterated
func.func @iterated(%n: index, %x: !graph.tensor<5xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // CHECK: graph.nonzero {{.*}}i64[s1, 1]
  %0 = graph.nonzero %x : !graph.tensor<5xf32>
  scf.for %i = %zero to %n step %one {
    // CHECK: graph.nonzero {{.*}}i64[s3, 1]
    %1 = graph.nonzero %x : !graph.tensor<5xf32>
    %2 = graph.logical_not_ %x : !graph.tensor<5xf32>
  }
  return
}
