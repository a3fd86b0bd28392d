// RUN: terrace-opt %s --loop-fuse --remarks-filter="loop-fuse" --split-input-file 2>&1 | FileCheck %s

// Too few rows for a machine; too much for a point to keep.
// CHECK: does not join an operation that it depends on: they have too few points in common to keep the machine busy
func.func @few(%x: tensor<2x8192xf32>, %s0: tensor<2xf32>, %y0: tensor<2x8192xf32>) -> tensor<2x8192xf32> {
  %s = loop.reduction add (%i = 2) over (%j = 8192) into %s0 {
    %a = loop.load %x[%i, %j] : tensor<2x8192xf32>
    loop.yield %a : f32
  } : tensor<2xf32>
  %y = loop.pointwise (%i = 2, %j = 8192) into %y0 {
    %a = loop.load %x[%i, %j] : tensor<2x8192xf32>
    %b = loop.load %s[%i] : tensor<2xf32>
    %c = arith.divf %a, %b : f32
    loop.yield %c : f32
  } : tensor<2x8192xf32>
  return %y : tensor<2x8192xf32>
}

// -----

// CHECK: does not join an operation that it depends on: what a point keeps is too large
func.func @large(%x: tensor<64x65536xf32>, %e0: tensor<64x65536xf32>, %s0: tensor<64xf32>) -> tensor<64xf32> {
  %e = loop.pointwise (%i = 64, %j = 65536) into %e0 {
    %a = loop.load %x[%i, %j] : tensor<64x65536xf32>
    %b = math.exp %a : f32
    loop.yield %b : f32
  } : tensor<64x65536xf32>
  %s = loop.reduction add (%i = 64) over (%j = 65536) into %s0 {
    %a = loop.load %e[%i, %j] : tensor<64x65536xf32>
    %b = loop.load %e[%i, 65535 - %j] : tensor<64x65536xf32>
    %c = arith.mulf %a, %b : f32
    loop.yield %c : f32
  } : tensor<64xf32>
  return %s : tensor<64xf32>
}

// -----

// Halves of the same rows: nothing is read once in the place of twice.
// CHECK: does not join an operation that reads what it reads: they read different parts of it
func.func @halves(%x: tensor<64x2048xf32>, %y0: tensor<64x1024xf32>, %z0: tensor<64x1024xf32>) -> (tensor<64x1024xf32>, tensor<64x1024xf32>) {
  %y = loop.pointwise (%i = 64, %j = 1024) into %y0 {
    %a = loop.load %x[%i, %j] : tensor<64x2048xf32>
    %b = math.exp %a : f32
    loop.yield %b : f32
  } : tensor<64x1024xf32>
  %z = loop.pointwise (%i = 64, %j = 1024) into %z0 {
    %a = loop.load %x[%i, %j + 1024] : tensor<64x2048xf32>
    %b = math.absf %a : f32
    loop.yield %b : f32
  } : tensor<64x1024xf32>
  return %y, %z : tensor<64x1024xf32>, tensor<64x1024xf32>
}
