// RUN: terrace-opt --graph-deferred-init %s | FileCheck %s

// CHECK-LABEL: func.func @row(
// CHECK-LABEL: func.func @row.materialize_0
// CHECK: graph.uniform_
// CHECK: graph.zero_
func.func @row() -> !graph.tensor<2x3xf32> {
  %e = graph.empty [2, 3]
  %0 = graph.uniform_ %e : !graph.tensor<2x3xf32>
  %r = graph.select %0 index [0] {dim = 0 : i64} : !graph.tensor<2x3xf32>
  %1 = graph.zero_ %r : !graph.tensor<3xf32>
  return %e : !graph.tensor<2x3xf32>
}

// All elements of the tensor, but not of its storage.
// CHECK-LABEL: func.func @gaps(
// CHECK-LABEL: func.func @gaps.materialize_0
// CHECK: graph.uniform_
// CHECK: graph.zero_
func.func @gaps() -> (!graph.tensor<6xf32>, !graph.tensor<3xf32>) {
  %e = graph.empty [6]
  %0 = graph.uniform_ %e : !graph.tensor<6xf32>
  %v = graph.as_strided %0 size [3] stride [2] storage_offset [0] : !graph.tensor<6xf32>
  %1 = graph.zero_ %v : !graph.tensor<3xf32>
  return %e, %v : !graph.tensor<6xf32>, !graph.tensor<3xf32>
}

// On one way alone.
// CHECK-LABEL: func.func @sometimes(
// CHECK-LABEL: func.func @sometimes.materialize_0
// CHECK: graph.uniform_
// CHECK: scf.if
// CHECK-NEXT: graph.zero_
func.func @sometimes(%which: i1) -> !graph.tensor<3xf32> {
  %e = graph.empty [3]
  %0 = graph.uniform_ %e : !graph.tensor<3xf32>
  scf.if %which {
    %1 = graph.zero_ %e : !graph.tensor<3xf32>
  }
  return %e : !graph.tensor<3xf32>
}

// One of two storages.
// CHECK-LABEL: func.func @either(
// CHECK-LABEL: func.func @either.materialize_0
// CHECK: graph.uniform_
// CHECK: graph.zero_
func.func @either(%which: i1) -> !graph.tensor<3xf32> {
  %e = graph.empty [3]
  %o = graph.empty [3]
  %0 = graph.uniform_ %e : !graph.tensor<3xf32>
  %s = arith.select %which, %e, %o : !graph.tensor<3xf32>
  %1 = graph.zero_ %s : !graph.tensor<3xf32>
  return %e : !graph.tensor<3xf32>
}

// It reads what it overwrites.
// CHECK-LABEL: func.func @reads(
// CHECK-LABEL: func.func @reads.materialize_0
// CHECK: graph.uniform_
// CHECK: graph.cumsum
// CHECK: graph.copy_
func.func @reads() -> !graph.tensor<3xf32> {
  %e = graph.empty [3]
  %0 = graph.uniform_ %e : !graph.tensor<3xf32>
  %s = graph.cumsum %0 {dim = 0 : i64} : !graph.tensor<3xf32>
  %1 = graph.copy_ %e, %s : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  return %e : !graph.tensor<3xf32>
}
