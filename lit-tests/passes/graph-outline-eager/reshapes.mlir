// RUN: terrace-opt %s --graph-outline-eager --split-input-file | FileCheck %s

// A view where strides allow, else of a copy: strides are known when the function runs.
// CHECK-LABEL: func.func @reshaped
// CHECK: %[[CAN:.*]] = graph.check_view %[[X:.*]] size [12]
// CHECK: scf.if %[[CAN]]
// CHECK-NEXT: graph.view %[[X]] size [12]
// CHECK: %[[COPY:.*]] = func.call @reshaped.clone(%[[X]])
// CHECK: graph.view %[[COPY]] size [12]
// CHECK: func.func private @reshaped.clone
// CHECK: graph.clone {{.*}}contiguous_format
func.func @reshaped(%x: !graph.tensor<3x4xf32> {graph.layout = "any"}) -> !graph.tensor<12xf32> attributes {graph.eager} {
  %0 = graph.reshape %x shape [12] : !graph.tensor<3x4xf32>
  return %0 : !graph.tensor<12xf32>
}

// -----

// CHECK-LABEL: func.func @packed
// CHECK: graph.sym_stride %[[X:.*]] {dim = 2 : i64}
// CHECK: graph.sym_stride %[[X]] {dim = 0 : i64}
// CHECK: scf.if
// CHECK-NEXT: scf.yield %[[X]]
func.func @packed(%x: !graph.tensor<3x1x4xf32> {graph.layout = "any"}) -> !graph.tensor<3x1x4xf32> attributes {graph.eager} {
  %0 = graph.contiguous %x : !graph.tensor<3x1x4xf32>
  return %0 : !graph.tensor<3x1x4xf32>
}

// -----

// Views that strides decide stay; of known strides they are known.
// CHECK-LABEL: func.func @views
// CHECK: graph.as_strided
// CHECK: graph.view
// CHECK: call @views.as_strided
func.func @views(%x: !graph.tensor<3x4xf32> {graph.layout = "any"}, %y: !graph.tensor<4xf32>) -> (!graph.tensor<2xf32>, !graph.tensor<12xf32>, !graph.tensor<2xf32>) attributes {graph.eager} {
  %0 = graph.as_strided %x size [2] stride [3] storage_offset [1] : !graph.tensor<3x4xf32>
  %1 = graph.view %x size [12] : !graph.tensor<3x4xf32>
  %2 = graph.as_strided %y size [2] stride [2] storage_offset [1] : !graph.tensor<4xf32>
  return %0, %1, %2 : !graph.tensor<2xf32>, !graph.tensor<12xf32>, !graph.tensor<2xf32>
}
