// RUN: terrace-opt %s --functional-decompose | FileCheck %s
// RUN: terrace-opt %s --functional-decompose="keep=scaled_dot_product_attention" | FileCheck %s --check-prefix=KEEP

// A row of which every key is masked gives zeros: its largest score is -inf.
// CHECK-LABEL: func.func @masked(
// CHECK: functional.bmm
// CHECK: functional.where
// CHECK: %[[LARGEST:.*]] = functional.amax
// CHECK: %[[NOTHING:.*]] = functional.eq %[[LARGEST]]
// CHECK: functional.where %[[NOTHING]]
// CHECK: functional.exp
// CHECK: functional.bmm
// KEEP-LABEL: func.func @masked(
// KEEP: functional.scaled_dot_product_attention
func.func @masked(%q: tensor<2x3x4xf32>, %k: tensor<2x5x4xf32>, %m: tensor<3x5xi1>) -> tensor<2x3x4xf32> {
  %0 = functional.scaled_dot_product_attention %q, %k, %k mask %m : tensor<3x5xi1> : tensor<2x3x4xf32>, tensor<2x5x4xf32>, tensor<2x5x4xf32>
  return %0 : tensor<2x3x4xf32>
}
