// RUN: terrace-opt %s --functional-widen | FileCheck %s
// RUN: not terrace-opt %s --functional-widen --convert-functional-to-loop 2>&1 | FileCheck %s --check-prefix=REFUSED

// Its kernels may look at the dtype: the operator is refused where loops are made, in words about itself.
// CHECK-LABEL: func.func @count
// CHECK-NEXT: functional.bincount %{{.*}} : tensor<0xui8>
// REFUSED: 'functional.bincount' op has no form as loops yet
func.func @count(%x: tensor<0xui8>) -> tensor<4xi64> {
  %0 = functional.bincount %x {minlength = 4 : i64} : tensor<0xui8>
  return %0 : tensor<4xi64>
}
