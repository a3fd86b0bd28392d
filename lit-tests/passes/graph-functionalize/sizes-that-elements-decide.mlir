// RUN: terrace-opt %s --graph-functionalize | FileCheck %s
// RUN: terrace-check %s --runs=4
// RUN: terrace-check %s --compiled --runs=4

// What is flattened or squeezed asks nothing: there is one dimension however many elements there are.
// CHECK-LABEL: func.func private @flattened.core
// CHECK-NOT: cf.assert
// CHECK: return
func.func @flattened(%x: !graph.tensor<5xf32> {graph.storage = "x"}) -> (!graph.tensor<?xi64>, !graph.tensor<?xi64>) {
  %n = graph.nonzero %x : !graph.tensor<5xf32>
  %v = graph.view %n size [-1] : !graph.tensor<?x1xi64>
  %s = graph.squeeze %n {dim = array<i64: 1>} : !graph.tensor<?x1xi64>
  %w = graph.neg %v : !graph.tensor<?xi64>
  return %w, %s : !graph.tensor<?xi64>, !graph.tensor<?xi64>
}

// Two that elements decide have to be equal where they meet: nobody can test that before, so it is asserted in front of what asks.
// CHECK-LABEL: func.func private @met.core
// CHECK: %[[A:.*]] = functional.masked_select
// CHECK: %[[B:.*]] = functional.masked_select
// CHECK: %[[N:.*]] = arith.cmpi eq
// CHECK-NEXT: cf.assert %[[N]], "sizes that elements decide have to be equal, and are not [run-time-value]"
// CHECK-NEXT: functional.mul
func.func @met(%x: !graph.tensor<5xf32> {graph.storage = "x"}, %y: !graph.tensor<5xf32> {graph.storage = "y"}) -> !graph.tensor<?xf32> {
  %k = arith.constant 0.0 : f64
  %m = graph.gt %x, %k : !graph.tensor<5xf32>, f64
  %a = graph.masked_select %x, %m : !graph.tensor<5xf32>, !graph.tensor<5xi1>
  %b = graph.masked_select %y, %m : !graph.tensor<5xf32>, !graph.tensor<5xi1>
  %c = graph.mul %a, %b : !graph.tensor<?xf32>, !graph.tensor<?xf32>
  return %c : !graph.tensor<?xf32>
}

// What is in between takes the size for the one that is asked for later: it is asserted as soon as there is one.
// CHECK-LABEL: func.func private @asked_later.core
// CHECK: functional.masked_select
// CHECK: cf.assert %{{.*}}, "sizes that elements decide have to be equal, and are not [run-time-value]"
// CHECK: functional.exp
// CHECK-NOT: cf.assert
// CHECK: functional.mul
func.func @asked_later(%x: !graph.tensor<4xf32> {graph.storage = "x"}, %m: !graph.tensor<4xi1> {graph.storage = "m"}) -> !graph.tensor<4xf32> {
  %a = graph.masked_select %x, %m : !graph.tensor<4xf32>, !graph.tensor<4xi1>
  %b = graph.exp %a : !graph.tensor<?xf32>
  %c = graph.mul %b, %x : !graph.tensor<?xf32>, !graph.tensor<4xf32>
  return %c : !graph.tensor<4xf32>
}
