// What views by strides reach beyond an argument its storage has to have: asserted where each call makes the view, else a guard asks.
// RUN: terrace-opt %s --graph-functionalize | FileCheck %s

// CHECK-LABEL: func.func @always(
// CHECK-SAME: %[[X:.*]]: !graph.tensor<4xf32>
// CHECK-NEXT: graph.assert_storage %[[X]] bytes [28] : !graph.tensor<4xf32>
// CHECK-NEXT: graph.as_strided %[[X]] size [2] stride [1] storage_offset [5]
func.func @always(%x: !graph.tensor<4xf32>) -> !graph.tensor<2xf32> {
  %0 = graph.as_strided %x size [2] stride [1] storage_offset [5] : !graph.tensor<4xf32>
  %1 = graph.neg_ %0 : !graph.tensor<2xf32>
  return %1 : !graph.tensor<2xf32>
}

// Not what nobody reads: eager looks when a view is made.
// CHECK-LABEL: func.func @unused(
// CHECK-NEXT: graph.assert_storage %{{.*}} bytes [28]
func.func @unused(%x: !graph.tensor<4xf32>) {
  %0 = graph.as_strided %x size [2] stride [1] storage_offset [5] : !graph.tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @some_calls(
// CHECK-SAME: %[[X:.*]]: !graph.tensor<4xf32>
// CHECK: %[[THERE:.*]] = graph.check_storage %[[X]] bytes [28] : !graph.tensor<4xf32>
// CHECK-NEXT: graph.guard %[[THERE]], "the storage of argument 0 has what views by strides name of it"
// CHECK-NOT: graph.assert_storage
// CHECK: return
func.func @some_calls(%x: !graph.tensor<4xf32>, %c: i1) -> !graph.tensor<f32> {
  %0 = graph.sum %x : !graph.tensor<4xf32>
  %1 = scf.if %c -> !graph.tensor<f32> {
    %2 = graph.as_strided %x size [2] stride [1] storage_offset [5] : !graph.tensor<4xf32>
    %3 = graph.sum %2 : !graph.tensor<2xf32>
    scf.yield %3 : !graph.tensor<f32>
  } else {
    scf.yield %0 : !graph.tensor<f32>
  }
  return %1 : !graph.tensor<f32>
}

// CHECK-LABEL: func.func @of_one_of_two(
// CHECK-DAG: graph.check_storage %[[X:[^ ]*]] bytes [28]
// CHECK-DAG: graph.check_storage %{{.*}} bytes [28]
// CHECK-NOT: graph.assert_storage
// CHECK: return
func.func @of_one_of_two(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>, %c: i1) -> !graph.tensor<2xf32> {
  %0 = scf.if %c -> !graph.tensor<4xf32> {
    scf.yield %x : !graph.tensor<4xf32>
  } else {
    scf.yield %y : !graph.tensor<4xf32>
  }
  %1 = graph.as_strided %0 size [2] stride [1] storage_offset [5] : !graph.tensor<4xf32>
  %2 = graph.neg %1 : !graph.tensor<2xf32>
  return %2 : !graph.tensor<2xf32>
}

// The number of bytes may be one of the run: it is asked, for 64 bits may not hold it.
// CHECK-LABEL: func.func @open(
// CHECK: %[[PART:.*]] = arith.mulf %{{.*}}, %{{.*}} : f64
// CHECK: arith.minimumf
// CHECK: arith.maximumf
// CHECK: %[[OVER:.*]] = arith.fptosi
// CHECK: %[[MOST:.*]] = arith.constant 9223372036854775807
// CHECK: %[[LEAST:.*]] = arith.muli %[[OVER]], %[[MOST]]
// CHECK: %[[BYTES:.*]] = arith.maxsi %{{.*}}, %[[LEAST]]
// CHECK: graph.check_storage %{{.*}} bytes [%[[BYTES]]] : !graph.tensor<?xf32>
// CHECK-NEXT: graph.guard
// CHECK-NOT: graph.assert_storage
// CHECK: return
func.func @open(%x: !graph.tensor<?xf32>, %n: i64) -> !graph.tensor<?xf32> {
  %0 = graph.as_strided %x size [%n] stride [2] storage_offset [5] : !graph.tensor<?xf32>
  %1 = graph.neg_ %0 : !graph.tensor<?xf32>
  return %1 : !graph.tensor<?xf32>
}

// An argument without elements may lie anywhere.
// CHECK-LABEL: func.func @of_nothing(
// CHECK-NEXT: graph.assert_storage %{{.*}} bytes [12]
func.func @of_nothing(%x: !graph.tensor<0x3xf32> {graph.layout = strided<[3, 1], offset: 9>}) -> !graph.tensor<1xf32> {
  %0 = graph.as_strided %x size [1] stride [1] storage_offset [2] : !graph.tensor<0x3xf32>
  %1 = graph.neg %0 : !graph.tensor<1xf32>
  return %1 : !graph.tensor<1xf32>
}

// CHECK-LABEL: func.func @within(
// CHECK-NOT: storage %
// CHECK: return
func.func @within(%x: !graph.tensor<4xf32>, %y: !graph.tensor<9xf32> {graph.storage = "s"}, %z: !graph.tensor<4xf32> {graph.storage = "s"}) -> !graph.tensor<2xf32> {
  %0 = graph.as_strided %x size [2] stride [2] storage_offset [1] : !graph.tensor<4xf32>
  // Nor what another argument of the storage reaches, nor what has no elements.
  %1 = graph.as_strided %z size [2] stride [1] storage_offset [5] : !graph.tensor<4xf32>
  %2 = graph.as_strided %x size [0] stride [1] storage_offset [5] : !graph.tensor<4xf32>
  %3 = graph.add %0, %1 : !graph.tensor<2xf32>, !graph.tensor<2xf32>
  return %3 : !graph.tensor<2xf32>
}
