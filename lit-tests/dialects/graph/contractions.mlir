// RUN: terrace-opt %s | terrace-opt | FileCheck %s

// CHECK-LABEL: func.func @products
// CHECK: graph.matmul %{{.*}}, %{{.*}} : !graph.tensor<5x1x2x3xf32>, !graph.tensor<4x3x2xf32>
// CHECK: graph.einsum "...ij,jk->...ik", %{{.*}}, %{{.*}} : !graph.tensor<5x1x2x3xf32>, !graph.tensor<3x7xf32>
// CHECK: graph.baddbmm_ %{{.*}}, %{{.*}}, %{{.*}} beta %{{.*}} : f64
func.func @products(%a: !graph.tensor<5x1x2x3xf32>, %b: !graph.tensor<4x3x2xf32>, %c: !graph.tensor<3x7xf32>, %d: !graph.tensor<4x3x3xf32>,
                    %e: !graph.tensor<4x2x3xf32>) -> (!graph.tensor<5x4x2x2xf32>, !graph.tensor<5x1x2x7xf32>) {
  %0 = graph.matmul %a, %b : !graph.tensor<5x1x2x3xf32>, !graph.tensor<4x3x2xf32>
  %1 = graph.einsum "...ij,jk->...ik", %a, %c : !graph.tensor<5x1x2x3xf32>, !graph.tensor<3x7xf32>
  %half = arith.constant 0.5 : f64
  %2 = graph.baddbmm_ %d, %b, %e beta %half : f64 : !graph.tensor<4x3x3xf32>, !graph.tensor<4x3x2xf32>, !graph.tensor<4x2x3xf32>
  return %0, %1 : !graph.tensor<5x4x2x2xf32>, !graph.tensor<5x1x2x7xf32>
}

// CHECK-LABEL: func.func @convolutions
// CHECK: graph.conv1d %{{.*}}, %{{.*}} {padding = array<i64: 1>} : !graph.tensor<3x5xf32>, !graph.tensor<4x3x2xf32>
// CHECK: graph.conv1d.padding %{{.*}}, %{{.*}} {padding = "same"}
// CHECK: graph.conv_transpose1d
func.func @convolutions(%x: !graph.tensor<3x5xf32>, %w: !graph.tensor<4x3x2xf32>, %t: !graph.tensor<3x2x2xf32>)
    -> (!graph.tensor<4x6xf32>, !graph.tensor<4x5xf32>, !graph.tensor<2x6xf32>) {
  %0 = graph.conv1d %x, %w {padding = array<i64: 1>} : !graph.tensor<3x5xf32>, !graph.tensor<4x3x2xf32>
  %1 = graph.conv1d.padding %x, %w {padding = "same"} : !graph.tensor<3x5xf32>, !graph.tensor<4x3x2xf32>
  %2 = graph.conv_transpose1d %x, %t : !graph.tensor<3x5xf32>, !graph.tensor<3x2x2xf32>
  return %0, %1, %2 : !graph.tensor<4x6xf32>, !graph.tensor<4x5xf32>, !graph.tensor<2x6xf32>
}

// CHECK-LABEL: func.func @attention
// CHECK: graph.scaled_dot_product_attention %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} : !graph.tensor<3x5xi1>
func.func @attention(%q: !graph.tensor<2x2x3x4xf32>, %k: !graph.tensor<2x2x5x4xf32>, %m: !graph.tensor<3x5xi1>) -> !graph.tensor<2x2x3xf32> {
  %0 = graph.scaled_dot_product_attention %q, %k, %k mask %m : !graph.tensor<3x5xi1>
    : !graph.tensor<2x2x3x4xf32>, !graph.tensor<2x2x5x4xf32>, !graph.tensor<2x2x5x4xf32>
  %1:2 = graph._scaled_dot_product_flash_attention_for_cpu %q, %k, %k {is_causal = true}
    : !graph.tensor<2x2x3x4xf32>, !graph.tensor<2x2x5x4xf32>, !graph.tensor<2x2x5x4xf32>
  return %1#1 : !graph.tensor<2x2x3xf32>
}
