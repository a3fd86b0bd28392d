// RUN: terrace-opt --graph-propagate-fake %s | FileCheck %s

// Small tensors carry their elements: sizes that were put into one come out again, as expressions too.

// CHECK-LABEL: @a_size_through_a_tensor
func.func @a_size_through_a_tensor(%x: !graph.tensor<?x8xf32>) -> !graph.tensor<?x16xf32> {
  %c2 = arith.constant 2 : i64
  // CHECK: graph.sym_size {{.*}}graph.fake = ["s0"]
  %n = graph.sym_size %x {dim = 0 : i64} : !graph.tensor<?x8xf32>
  %t = graph.scalar_tensor %n {dtype = i64} : i64
  %h = graph.div %t, %c2 {rounding_mode = "floor"} : !graph.tensor<i64>, i64
  // CHECK: graph.item {{.*}}graph.fake = ["(s0 floordiv 2)"]
  %m = graph.item %h : !graph.tensor<i64>
  // CHECK: graph.view {{.*}}graph.fake = ["f32[(s0 floordiv 2), 16]
  %v = graph.view %x size [%m, 16] : !graph.tensor<?x8xf32>
  return %v : !graph.tensor<?x16xf32>
}

// CHECK-LABEL: @a_quotient_of_numbers
func.func @a_quotient_of_numbers() {
  %7 = arith.constant 7 : i64
  %2 = arith.constant 2 : i64
  %a = graph.scalar_tensor %7 {dtype = i64} : i64
  %q = graph.div %a, %2 : !graph.tensor<i64>, i64
  %i = graph.to %q {dtype = i64} : !graph.tensor<f32>
  // CHECK: graph.item {{.*}}graph.fake = ["3"]
  %n = graph.item %i : !graph.tensor<i64>
  // CHECK: graph.zeros {{.*}}graph.fake = ["f32[3]
  %z = graph.zeros [%n] {dtype = f32}
  return
}

// CHECK-LABEL: @a_mask_of_numbers
func.func @a_mask_of_numbers(%x: !graph.tensor<4xf32>) {
  %c = arith.constant dense<[3, -1, 4, 0]> : tensor<4xi64>
  %0 = arith.constant 0 : i64
  %t = graph.fresh %c : tensor<4xi64>
  %m = graph.gt %t, %0 : !graph.tensor<4xi64>, i64
  // CHECK: graph.nonzero {{.*}}graph.fake = ["i64[2, 1]
  %nz = graph.nonzero %m : !graph.tensor<4xi1>
  // What is chosen is not known, how much is.
  // CHECK: graph.masked_select {{.*}}graph.fake = ["f32[2]
  %s = graph.masked_select %x, %m : !graph.tensor<4xf32>, !graph.tensor<4xi1>
  // CHECK: graph.index {{.*}}graph.fake = ["f32[2]
  %i = graph.index %x[%m] {present = array<i1: true>} : !graph.tensor<4xf32>[!graph.tensor<4xi1>]
  return
}

// CHECK-LABEL: @written_through_a_view
func.func @written_through_a_view() {
  %c = arith.constant dense<[3, -1, 4, 0]> : tensor<4xi64>
  %t = graph.fresh %c : tensor<4xi64>
  %e = graph.select %t index [2] {dim = 0 : i64} : !graph.tensor<4xi64>
  // CHECK: graph.item {{.*}}graph.fake = ["4"]
  %before = graph.item %e : !graph.tensor<i64>
  %w = graph.zero_ %e : !graph.tensor<i64>
  // CHECK: graph.item {{.*}}graph.fake = ["0"]
  %after = graph.item %e : !graph.tensor<i64>
  // CHECK: graph.nonzero {{.*}}graph.fake = ["i64[2, 1]
  %nz = graph.nonzero %t : !graph.tensor<4xi64>
  return
}

// An element that is not known is a symbol, the same one until the storage is written.
// CHECK-LABEL: @elements_of_an_argument
func.func @elements_of_an_argument(%x: !graph.tensor<i64>) {
  // CHECK: graph.item {{.*}}graph.fake = ["s0"]
  %a = graph.item %x : !graph.tensor<i64>
  // CHECK: graph.item {{.*}}graph.fake = ["s0"]
  %b = graph.item %x : !graph.tensor<i64>
  %w = graph.neg_ %x : !graph.tensor<i64>
  // CHECK: graph.item {{.*}}graph.fake = ["s1"]
  %c = graph.item %x : !graph.tensor<i64>
  return
}
