// RUN: terrace-opt %s --functional-view-to-copy --functional-verify-contiguous --split-input-file | FileCheck %s

// An argument with its dimensions in another order is copied at entry, once; a contiguous one is not, wherever it begins.
// CHECK-LABEL: func.func @declared(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x2xf32> {functional.layout = strided<[1, 2]>}
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<2x2xf32>
// CHECK-NEXT: %[[Z:.*]] = functional.view_copy %[[X]] size [2, 2]
// CHECK-NEXT: functional.add %[[Z]], %[[Y]]
func.func @declared(%x: tensor<2x2xf32> {functional.layout = strided<[1, 2]>}, %y: tensor<2x2xf32> {functional.layout = strided<[2, 1], offset: 3>}) -> tensor<2x2xf32> {
  %0 = functional.add %x, %y : tensor<2x2xf32>, tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
