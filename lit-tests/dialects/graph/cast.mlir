// RUN: terrace-opt %s | terrace-opt | FileCheck %s
// RUN: terrace-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: func.func @cast
// CHECK: graph.cast %{{.*}} : !graph.tensor<4x8xf32> to !graph.tensor<?x8xf32>
// FOLD-LABEL: func.func @cast
func.func @cast(%x: !graph.tensor<4x8xf32>) -> !graph.tensor<?x8xf32> {
  %0 = graph.cast %x : !graph.tensor<4x8xf32> to !graph.tensor<?x8xf32>
  return %0 : !graph.tensor<?x8xf32>
}

// FOLD-LABEL: func.func @to_its_own_type(
// FOLD-SAME: %[[X:[a-z0-9]+]]: !graph.tensor<4xf32>
// FOLD-NEXT: return %[[X]]
func.func @to_its_own_type(%x: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %0 = graph.cast %x : !graph.tensor<4xf32> to !graph.tensor<4xf32>
  return %0 : !graph.tensor<4xf32>
}
