// RUN: terrace-check %s
// RUN: terrace-check %s --compiled --runs=1 --forget=storages,layouts
// RUN: terrace-opt %s --graph-functionalize | FileCheck %s

// An output that is a view of an input has the input's offset, also where the input was written (pytorch/pytorch issue 198097).
// CHECK-LABEL: func.func @written(
// CHECK: graph.as_strided %arg0 size [2] stride [6] storage_offset [11]
func.func @written(%x: !graph.tensor<6xf32> {graph.layout = strided<[3], offset: 5>}) -> (!graph.tensor<2xf32>, !graph.tensor<6xf32>) {
  %v = graph.slice %x start [2] end [6] step [2] : !graph.tensor<6xf32>
  %w = graph.exp_ %v : !graph.tensor<2xf32>
  return %v, %x : !graph.tensor<2xf32>, !graph.tensor<6xf32>
}

// CHECK-LABEL: func.func @read(
// CHECK: graph.as_strided %arg0 size [3, 2] stride [1, 4] storage_offset [7]
func.func @read(%x: !graph.tensor<2x3xf32> {graph.layout = strided<[4, 1], offset: 7>}) -> !graph.tensor<3x2xf32> {
  %t = graph.t %x : !graph.tensor<2x3xf32>
  return %t : !graph.tensor<3x2xf32>
}

// Also where nothing but the rank is known of strides and offset.
func.func @any(%x: !graph.tensor<2x3xf32> {graph.layout = "any"}) -> !graph.tensor<3xf32> {
  %row = graph.select %x index [1] : !graph.tensor<2x3xf32>
  %w = graph.exp_ %row : !graph.tensor<3xf32>
  return %row : !graph.tensor<3xf32>
}
