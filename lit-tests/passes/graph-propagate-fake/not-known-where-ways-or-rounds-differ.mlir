// RUN: terrace-opt --graph-propagate-fake %s | FileCheck %s

// What one way wrote is not there on the other; after both it is not known.
// CHECK-LABEL: @ways
func.func @ways(%b: i1) {
  %c = arith.constant dense<[3, -1]> : tensor<2xi64>
  %t = graph.fresh %c : tensor<2xi64>
  %kept = graph.fresh %c : tensor<2xi64>
  scf.if %b {
    %w = graph.zero_ %t : !graph.tensor<2xi64>
    // CHECK: graph.nonzero {{.*}}graph.fake = ["i64[0, 1]
    %nz = graph.nonzero %t : !graph.tensor<2xi64>
  } else {
    // CHECK: graph.nonzero {{.*}}graph.fake = ["i64[2, 1]
    %nz = graph.nonzero %t : !graph.tensor<2xi64>
  }
  // CHECK: graph.nonzero {{.*}}graph.fake = ["i64[s0, 1]
  %nz = graph.nonzero %t : !graph.tensor<2xi64>
  // CHECK: graph.nonzero {{.*}}graph.fake = ["i64[2, 1]
  %nzk = graph.nonzero %kept : !graph.tensor<2xi64>
  return
}

// The first round reads what was there before, the next ones what the last one wrote.
// CHECK-LABEL: @rounds
func.func @rounds(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = arith.constant dense<[3, -1]> : tensor<2xi64>
  %t = graph.fresh %c : tensor<2xi64>
  %kept = graph.fresh %c : tensor<2xi64>
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: graph.nonzero {{.*}}graph.fake = ["i64[s{{[0-9]+}}, 1]
    %nz = graph.nonzero %t : !graph.tensor<2xi64>
    %w = graph.zero_ %t : !graph.tensor<2xi64>
    // CHECK: graph.nonzero {{.*}}graph.fake = ["i64[2, 1]
    %nzk = graph.nonzero %kept : !graph.tensor<2xi64>
  }
  return
}
