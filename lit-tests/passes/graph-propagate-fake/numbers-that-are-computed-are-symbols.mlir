// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// A size that is read as a number is that size.
// CHECK-LABEL: func.func @size
func.func @size(%x: !graph.tensor<?x3xf32>, %y: !graph.tensor<?xi1>) -> !graph.tensor<?x1xi1> {
  %v = graph.value %x : !graph.tensor<?x3xf32>
  %zero = arith.constant 0 : index
  %size = tensor.dim %v, %zero : tensor<?x3xf32>
  %n = arith.index_cast %size : index to i64
  // CHECK: graph.view {{.*}}graph.guards = ["s0 == s1"
  %0 = graph.view %y size [%n, 1] : !graph.tensor<?xi1>
  return %0 : !graph.tensor<?x1xi1>
}

// An element is a number of which nothing is known, but it is the same one for all that use it.
// CHECK-LABEL: func.func @element
// CHECK-SAME: graph.symbols = ["s0: computed by operation 1", "s1: computed by operation 2"]
func.func @element(%x: !graph.tensor<i64>) {
  %v = graph.value %x : !graph.tensor<i64>
  %n = tensor.extract %v[] : tensor<i64>
  %m = arith.maxsi %n, %n : i64
  // CHECK: graph.zeros {{.*}}graph.fake = ["f32[s0, s0] strides [max(s0, 1), 1]
  %0 = graph.zeros [%n, %n] {dtype = f32}
  // CHECK: graph.as_strided {{.*}}graph.fake = ["f32[2] strides [1] offset s1 storage
  %1 = graph.as_strided %0 size [2] stride [1] storage_offset [%m] : !graph.tensor<?x?xf32>
  return
}

// So is the number of an iteration.
// CHECK-LABEL: func.func @iteration
func.func @iteration(%n: index, %x: !graph.tensor<8x2xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %j = arith.index_cast %i : index to i64
    // CHECK: graph.select {{.*}}graph.fake = ["f32[2] strides [1] offset 2*s1 storage 0
    %0 = graph.select %x index [%j] {dim = 0} : !graph.tensor<8x2xf32>
  }
  return
}
