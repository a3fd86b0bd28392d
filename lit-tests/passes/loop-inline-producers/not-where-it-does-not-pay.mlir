// RUN: terrace-opt %s --loop-inline-producers --remarks-filter="loop-inline-producers" --split-input-file 2>&1 | FileCheck %s

// CHECK: not computed where it is read: several loads read it (2 loads)
func.func @twice(%x: tensor<8xf32>, %e0: tensor<8xf32>, %y0: tensor<8xf32>) -> tensor<8xf32> {
  %e = loop.pointwise (%i = 8) into %e0 {
    %a = loop.load %x[%i] : tensor<8xf32>
    %b = math.exp %a : f32
    loop.yield %b : f32
  } : tensor<8xf32>
  %y = loop.pointwise (%i = 8) into %y0 {
    %a = loop.load %e[%i] : tensor<8xf32>
    %b = loop.load %e[7 - %i] : tensor<8xf32>
    %c = arith.addf %a, %b : f32
    loop.yield %c : f32
  } : tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// CHECK: not computed where it is read: it is needed in memory as well (1 load)
func.func @returned(%x: tensor<8xf32>, %e0: tensor<8xf32>, %y0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = loop.pointwise (%i = 8) into %e0 {
    %a = loop.load %x[%i] : tensor<8xf32>
    %b = math.exp %a : f32
    loop.yield %b : f32
  } : tensor<8xf32>
  %y = loop.pointwise (%i = 8) into %y0 {
    %a = loop.load %e[%i] : tensor<8xf32>
    %b = math.log %a : f32
    loop.yield %b : f32
  } : tensor<8xf32>
  return %e, %y : tensor<8xf32>, tensor<8xf32>
}

// -----

// CHECK: not computed where it is read: a factor of a product would be computed again for each row or column (1 load)
func.func @factor(%x: tensor<16x32xf32>, %w: tensor<32x16xf32>, %e0: tensor<16x32xf32>, %y0: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %e = loop.pointwise (%i = 16, %j = 32) into %e0 {
    %a = loop.load %x[%i, %j] : tensor<16x32xf32>
    %b = math.exp %a : f32
    loop.yield %b : f32
  } : tensor<16x32xf32>
  %y = loop.reduction add (%i = 16, %j = 16) over (%k = 32) into %y0 {
    %a = loop.load %e[%i, %k] : tensor<16x32xf32>
    %b = loop.load %w[%k, %j] : tensor<32x16xf32>
    %c = arith.mulf %a, %b : f32
    loop.yield %c : f32
  } : tensor<16x16xf32>
  return %y : tensor<16x16xf32>
}

// -----

// CHECK: computed where it is read: it costs less than storing it (2 loads)
func.func @cheap(%x: tensor<8xf32>, %e0: tensor<8xf32>, %y0: tensor<8xf32>) -> tensor<8xf32> {
  %e = loop.pointwise (%i = 8) into %e0 {
    %a = loop.load %x[%i] : tensor<8xf32>
    %b = arith.addf %a, %a : f32
    loop.yield %b : f32
  } : tensor<8xf32>
  %y = loop.pointwise (%i = 8) into %y0 {
    %a = loop.load %e[%i] : tensor<8xf32>
    %b = loop.load %e[7 - %i] : tensor<8xf32>
    %c = arith.addf %a, %b : f32
    loop.yield %c : f32
  } : tensor<8xf32>
  return %y : tensor<8xf32>
}
