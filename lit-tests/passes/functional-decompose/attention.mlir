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

// The weights come from the logarithms that the forward pass left.
// CHECK-LABEL: func.func @gradients(
// CHECK: functional.bmm
// CHECK: functional.exp
// CHECK-COUNT-4: functional.bmm
func.func @gradients(%q: tensor<1x2x3x4xf32>, %l: tensor<1x2x3xf32>) -> (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) {
  %0:3 = functional._scaled_dot_product_flash_attention_for_cpu_backward %q, %q, %q, %q, %q, %l {dropout_p = 0.0, is_causal = false}
      : tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3xf32>
  return %0#0, %0#1, %0#2 : tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>
}
