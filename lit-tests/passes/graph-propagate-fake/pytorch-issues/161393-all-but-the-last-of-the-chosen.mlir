// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/161393
// All but the last row of what nonzero gives had a size of its own, of which no more was known. It is one less, where there is one.
// CHECK-LABEL: func.func @but_the_last
func.func @but_the_last(%x: !graph.tensor<12xf32>) -> !graph.tensor<?x1xi64> {
  %0 = graph.nonzero %x : !graph.tensor<12xf32>
  // CHECK: graph.slice {{.*}}"i64[s0 - 1, 1] strides [1, s0] storage 1 {{.*}}graph.guards = ["0 < s0"]
  %1 = graph.slice %0 start [0] end [-1] step [1] {dim = 0} : !graph.tensor<?x1xi64>
  return %1 : !graph.tensor<?x1xi64>
}
