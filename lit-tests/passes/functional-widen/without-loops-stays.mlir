// RUN: terrace-opt %s --functional-widen | FileCheck %s
// RUN: not terrace-opt %s --functional-widen --convert-functional-to-loop 2>&1 | FileCheck %s --check-prefix=REFUSED

// There is no kernel for i32: the operator is refused where loops are made, in words about itself.
// CHECK-LABEL: func.func @bytes
// CHECK-NEXT: functional.upsample_nearest2d %{{.*}} : tensor<1x1x2x2xui8>
// REFUSED: 'functional.upsample_nearest2d' op has no form as loops yet
func.func @bytes(%x: tensor<1x1x2x2xui8>) -> tensor<1x1x4x4xui8> {
  %0 = functional.upsample_nearest2d %x {output_size = array<i64: 4, 4>} : tensor<1x1x2x2xui8>
  return %0 : tensor<1x1x4x4xui8>
}
