// Points that meet, or that read what is written into, stay together: a part after another would be seen.

// RUN: terrace-opt %s --loop-split-domain | FileCheck %s

// CHECK: func.func @points_meet(
// CHECK: loop.scatter (%{{.+}} = 8)
// CHECK: loop.scatter (%{{.+}} = 8)
func.func @points_meet(%x: tensor<8xf32>, %to: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = loop.scatter (%i = 8) into %e {
    %a = loop.load %x[%i] : tensor<8xf32>
    loop.yield %a at [%i] : f32
  } : tensor<8xf32>
  %1 = loop.scatter (%i = 8) into %to {
    %a = loop.load %0[%i] : tensor<8xf32>
    loop.yield %a at [%i floordiv 2] : f32
  } : tensor<16xf32>
  return %1 : tensor<16xf32>
}

// CHECK: func.func @destination_is_read(
// CHECK: loop.scatter (%{{.+}} = 4)
// CHECK: loop.scatter (%{{.+}} = 4)
// CHECK: loop.scatter (%{{.+}} = 8)
func.func @destination_is_read(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<16xf32>) -> tensor<16xf32> {
  %d = tensor.empty() : tensor<16xf32>
  %to = loop.pointwise (%i = 16) into %d {
    %a = loop.load %z[%i] : tensor<16xf32>
    loop.yield %a : f32
  } : tensor<16xf32>
  %e = tensor.empty() : tensor<8xf32>
  %0 = loop.scatter (%i = 4) into %e {
    %a = loop.load %x[%i] : tensor<4xf32>
    loop.yield %a at [%i] : f32
  } : tensor<8xf32>
  %1 = loop.scatter (%i = 4) into %0 {
    %a = loop.load %y[%i] : tensor<4xf32>
    loop.yield %a at [%i + 4] : f32
  } : tensor<8xf32>
  %2 = loop.scatter (%i = 8) into %to {
    %a = loop.load %1[%i] : tensor<8xf32>
    %b = loop.load %to[15 - %i] : tensor<16xf32>
    %c = arith.addf %a, %b : f32
    loop.yield %c at [%i + 4] : f32
  } : tensor<16xf32>
  return %2 : tensor<16xf32>
}
