// RUN: terrace-opt %s --graph-functionalize | FileCheck %s
// RUN: terrace-check %s --runs=8
// RUN: terrace-check %s --compiled --runs=8

// Queries, keys and values of one projection, seen head by head: the rows stay, and what lies inside of a row are numbers. One row is as good as
// many. Attention lays its result out like the queries, between which there are gaps.
// CHECK-LABEL: func.func private @heads.core
// CHECK: functional.permute
// CHECK-LABEL: func.func @heads(
// CHECK-NOT: graph.guard
// CHECK: return
func.func @heads(%x: !graph.tensor<1x?x24xf32> {graph.storage = "x"}) -> !graph.tensor<1x2x?x4xf32> {
  %p:3 = graph.split_with_sizes %x {split_sizes = array<i64: 8, 8, 8>, dim = 2 : i64} : !graph.tensor<1x?x24xf32>
  %n = graph.sym_size %x {dim = 1 : i64} : !graph.tensor<1x?x24xf32>
  %q = graph.view %p#0 size [1, %n, 2, 4] : !graph.tensor<1x?x8xf32>
  %k = graph.view %p#1 size [1, %n, 2, 4] : !graph.tensor<1x?x8xf32>
  %v = graph.view %p#2 size [1, %n, 2, 4] : !graph.tensor<1x?x8xf32>
  %qt = graph.transpose %q {dim0 = 1 : i64, dim1 = 2 : i64} : !graph.tensor<1x?x2x4xf32>
  %kt = graph.transpose %k {dim0 = 1 : i64, dim1 = 2 : i64} : !graph.tensor<1x?x2x4xf32>
  %vt = graph.transpose %v {dim0 = 1 : i64, dim1 = 2 : i64} : !graph.tensor<1x?x2x4xf32>
  %a = graph.scaled_dot_product_attention %qt, %kt, %vt : !graph.tensor<1x2x?x4xf32>, !graph.tensor<1x2x?x4xf32>, !graph.tensor<1x2x?x4xf32>
  return %a : !graph.tensor<1x2x?x4xf32>
}

// The last of any number of rows: that there is one is all that is asked.
// CHECK-LABEL: func.func @last(
// CHECK: graph.guard %{{.*}}, "0 < s0, where s0 is size 1 of argument 0"
// CHECK-NOT: graph.guard
// CHECK: return
func.func @last(%x: !graph.tensor<1x?x8xf32> {graph.storage = "x"}) -> !graph.tensor<1x1x8xf32> {
  %l = graph.narrow %x start [-1] length [1] {dim = 1 : i64} : !graph.tensor<1x?x8xf32>
  %e = graph.exp %l : !graph.tensor<1x1x8xf32>
  return %e : !graph.tensor<1x1x8xf32>
}
