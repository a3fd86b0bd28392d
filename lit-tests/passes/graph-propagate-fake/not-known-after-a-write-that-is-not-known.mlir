// RUN: terrace-opt --graph-propagate-fake %s | FileCheck %s

// CHECK-LABEL: @written
func.func @written(%x: !graph.tensor<2xi64>) {
  %c = arith.constant dense<[3, -1]> : tensor<2xi64>
  %t = graph.fresh %c : tensor<2xi64>
  %w = graph.copy_ %t, %x : !graph.tensor<2xi64>, !graph.tensor<2xi64>
  // CHECK: graph.nonzero {{.*}}graph.fake = ["i64[s0, 1]
  %nz = graph.nonzero %t : !graph.tensor<2xi64>
  return
}

// Draws are other numbers each time.
// CHECK-LABEL: @drawn
func.func @drawn() {
  %r = graph.randint [2] {high = 5 : i64, dtype = i64}
  // CHECK: graph.nonzero {{.*}}graph.fake = ["i64[s0, 1]
  %nz = graph.nonzero %r : !graph.tensor<2xi64>
  return
}

// CHECK-LABEL: @empty
func.func @empty() {
  %e = graph.empty [2] {dtype = i64}
  // CHECK: graph.nonzero {{.*}}graph.fake = ["i64[s0, 1]
  %nz = graph.nonzero %e : !graph.tensor<2xi64>
  return
}
