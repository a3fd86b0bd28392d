// RUN: terrace-opt %s --loop-inline-producers | FileCheck %s

// A load of merged dimensions reads what they are merged of, where the place of the load has both.
// CHECK-LABEL: func.func @both
// CHECK-NOT: tensor.collapse_shape
// CHECK: loop.reduction
// CHECK: loop.load %arg0[%[[B:.*]], %[[H:.*]], %[[I:.*]]] : tensor<2x3x8xf32>
func.func @both(%x: tensor<2x3x8xf32>) -> tensor<2x3xf32> {
  %merged = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x3x8xf32> into tensor<6x8xf32>
  %y0 = tensor.empty() : tensor<2x3xf32>
  %y = loop.reduction add (%b = 2, %h = 3) over (%i = 8) into %y0 {
    %a = loop.load %merged[%b * 3 + %h, %i] : tensor<6x8xf32>
    loop.yield %a : f32
  } : tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}

// A place that takes a division to find stays.
// CHECK-LABEL: func.func @divided
// CHECK: %[[MERGED:.*]] = tensor.collapse_shape %arg0
// CHECK: loop.load %[[MERGED]][%{{.*}}, %{{.*}}] : tensor<6x8xf32>
func.func @divided(%x: tensor<2x3x8xf32>) -> tensor<6xf32> {
  %merged = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x3x8xf32> into tensor<6x8xf32>
  %y0 = tensor.empty() : tensor<6xf32>
  %y = loop.reduction add (%b = 6) over (%i = 8) into %y0 {
    %a = loop.load %merged[%b, %i] : tensor<6x8xf32>
    loop.yield %a : f32
  } : tensor<6xf32>
  return %y : tensor<6xf32>
}

// A reshape that nobody reads keeps what it is made of.
// CHECK-LABEL: func.func @unread
// CHECK: loop.pointwise
func.func @unread(%x: tensor<4xf32>) -> tensor<4xf32> {
  %t0 = tensor.empty() : tensor<4xf32>
  %t = loop.pointwise (%i = 4) into %t0 {
    %a = loop.load %x[%i] : tensor<4xf32>
    loop.yield %a : f32
  } : tensor<4xf32>
  %unread = tensor.expand_shape %t [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %y0 = tensor.empty() : tensor<4xf32>
  %y = loop.pointwise (%i = 4) into %y0 {
    %a = loop.load %t[%i] : tensor<4xf32>
    loop.yield %a : f32
  } : tensor<4xf32>
  return %y : tensor<4xf32>
}
