// RUN: terrace-opt %s --graph-functionalize=remove=mutations-and-views | FileCheck %s
// RUN: terrace-opt %s --graph-functionalize=remove=mutations-and-views --functional-verify-contiguous
// RUN: not terrace-opt %s --graph-functionalize=remove=views 2>&1 | FileCheck %s --check-prefix=ERROR

// ERROR: 'remove' is 'mutations' or 'mutations-and-views', got 'views'

// CHECK-LABEL: func.func private @row.core
//       CHECK:   functional.select_copy
//   CHECK-NOT:   functional.select %
func.func @row(%x: !graph.tensor<2x3xf32>) -> !graph.tensor<3xf32> {
  %row = graph.select %x index [1] : !graph.tensor<2x3xf32>
  %y = graph.exp %row : !graph.tensor<3xf32>
  return %y : !graph.tensor<3xf32>
}
