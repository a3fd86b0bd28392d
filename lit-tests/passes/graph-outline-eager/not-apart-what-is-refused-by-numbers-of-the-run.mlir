// A view by a number of the run stays, also where all else is known of the tensor: a function of its own would give what lies in other memory.
// RUN: terrace-opt %s --graph-outline-eager | FileCheck %s

// CHECK-LABEL: func.func @eager
// CHECK-NEXT: graph.select %arg0 index [%arg1]
// CHECK-NEXT: graph.as_strided %arg0 size [2] stride [%arg1] storage_offset [0]
func.func @eager(%x: !graph.tensor<3xf32>, %n: i64) -> (!graph.tensor<f32>, !graph.tensor<2xf32>) attributes {graph.eager} {
  %0 = graph.select %x index [%n] {dim = 0 : i64} : !graph.tensor<3xf32>
  %1 = graph.as_strided %x size [2] stride [%n] storage_offset [0] : !graph.tensor<3xf32>
  return %0, %1 : !graph.tensor<f32>, !graph.tensor<2xf32>
}
