// Sizes of arguments that their types do not say: the core asks its own arguments, and what was taken for granted is tested.
// RUN: terrace-opt %s --graph-functionalize | FileCheck %s
// RUN: terrace-opt %s --graph-functionalize=remove=mutations-and-views --functional-verify-contiguous | FileCheck %s --check-prefix=COPIES
// A boundary stays one.
// RUN: terrace-opt %s --graph-functionalize > %t.mlir
// RUN: terrace-opt %t.mlir --graph-functionalize | diff %t.mlir -
// RUN: terrace-check %s --runs 30
// RUN: terrace-check %s --runs 30 --pipeline 'graph-functionalize{remove=mutations-and-views},canonicalize,functional-reinplace'

// No size matters: nothing is tested.
// CHECK-LABEL: func.func private @linear.core(
// CHECK-SAME: %{{.*}}: tensor<?x8xf32>
// CHECK: functional.linear
// CHECK: functional.relu
// CHECK: functional.softmax %{{.*}} : tensor<?x4xf32>
// CHECK-LABEL: func.func @linear(
// CHECK-NOT: scf.if
// CHECK: graph.fresh %{{.*}} : tensor<?x4xf32>
func.func @linear(%x: !graph.tensor<?x8xf32>, %w: !graph.tensor<4x8xf32>, %b: !graph.tensor<4xf32>) -> !graph.tensor<?x4xf32> {
  %y = graph.linear %x, %w bias %b : !graph.tensor<?x8xf32>, !graph.tensor<4x8xf32>, !graph.tensor<4xf32>
  %z = graph.relu_ %y : !graph.tensor<?x4xf32>
  %s = graph.softmax %z {dim = 1 : i64} : !graph.tensor<?x4xf32>
  return %s : !graph.tensor<?x4xf32>
}

// One column is written: a scatter of as many elements as the tensor has rows.
// CHECK-LABEL: func.func private @column.core(
// CHECK-SAME: %[[X:.*]]: tensor<?x4xf32>
// CHECK: %[[D:.*]] = tensor.dim %[[X]], %{{.*}}
// CHECK: %[[N:.*]] = arith.index_cast %[[D]]
// CHECK: %[[Y:.*]] = functional.mul %[[X]]
// CHECK: %[[Z:.*]] = functional.full %{{.*}} size(%[[N]]) : f64 to tensor<?xf32>
// CHECK: functional.select_scatter %[[Y]], %[[Z]] index [0]
// COPIES-LABEL: func.func private @column.core(
// COPIES: functional.select_scatter
func.func @column(%x: !graph.tensor<?x4xf32>) -> !graph.tensor<?x4xf32> {
  %k = arith.constant 2.0 : f64
  %y = graph.mul %x, %k : !graph.tensor<?x4xf32>, f64
  %c = graph.select %y index [0] {dim = 1 : i64} : !graph.tensor<?x4xf32>
  %z = graph.zero_ %c : !graph.tensor<?xf32>
  return %y : !graph.tensor<?x4xf32>
}

// Two sizes are compared. The usual answer is that they are equal; calls with others are refused.
// CHECK-LABEL: func.func private @add.core(
// CHECK: functional.add %{{.*}} : tensor<?x4xf32>
// CHECK-LABEL: func.func @add(
// CHECK-SAME: %[[A:[a-z0-9]+]]: !graph.tensor<?x4xf32> {graph.storage = "x"}, %[[B:[a-z0-9]+]]: !graph.tensor<?x4xf32>
// CHECK: %[[M:.*]] = graph.sym_size %[[A]] {dim = 0 : i64}
// CHECK: %[[N:.*]] = graph.sym_size %[[B]] {dim = 0 : i64}
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[M]], %[[N]]
// CHECK-NEXT: graph.guard %[[SAME]], "s0 == s1, where s0 is size 0 of argument 0, and s1 is size 0 of argument 1"
// CHECK-NEXT: graph.value
// CHECK: call @add.core
// CHECK: graph.write_back
func.func @add(%x: !graph.tensor<?x4xf32> {graph.storage = "x"}, %y: !graph.tensor<?x4xf32> {graph.storage = "y"}) -> !graph.tensor<?x4xf32> {
  %z = graph.add_ %x, %y : !graph.tensor<?x4xf32>, !graph.tensor<?x4xf32>
  return %z : !graph.tensor<?x4xf32>
}

// A cache of a length that is known when the program runs.
// CHECK-LABEL: func.func private @cache.core(
// CHECK-SAME: %[[C:.*]]: tensor<1x8x?x64xf32>, %[[K:.*]]: tensor<1x8x1x64xf32>, %[[AT:.*]]: i64
// CHECK: functional.select_scatter %[[C]], %{{.*}} index [%[[AT]]] {dim = 2 : i64}
func.func @cache(%c: !graph.tensor<1x8x?x64xf32> {graph.storage = "cache"}, %k: !graph.tensor<1x8x1x64xf32> {graph.storage = "k"}, %at: i64) {
  %p = graph.narrow %c start [%at] length [1] {dim = 2 : i64} : !graph.tensor<1x8x?x64xf32>
  %d = graph.copy_ %p, %k : !graph.tensor<1x8x1x64xf32>, !graph.tensor<1x8x1x64xf32>
  return
}

// Numbers that sizes depend on come in as arguments too.
// CHECK-LABEL: func.func private @part.core(
// CHECK-SAME: %{{.*}}: tensor<?xf32>, %[[N:.*]]: i64
// CHECK: functional.slice
func.func @part(%x: !graph.tensor<?xf32>, %n: i64) -> !graph.tensor<?xf32> {
  %p = graph.narrow %x start [1] length [%n] {dim = 0 : i64} : !graph.tensor<?xf32>
  %y = graph.exp %p : !graph.tensor<?xf32>
  return %y : !graph.tensor<?xf32>
}

// Through control flow.
// CHECK-LABEL: func.func private @loop.core(
// CHECK: scf.for {{.*}} -> (tensor<?x4xf32>)
func.func @loop(%x: !graph.tensor<?x4xf32>, %n: index) -> !graph.tensor<?x4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %y = graph.clone %x : !graph.tensor<?x4xf32>
  scf.for %i = %zero to %n step %one {
    %c = graph.select %y index [1] {dim = 1 : i64} : !graph.tensor<?x4xf32>
    %d = graph.cos_ %c : !graph.tensor<?xf32>
  }
  return %y : !graph.tensor<?x4xf32>
}
