// The scatter could not be in place any more: it would read what it writes over.
// RUN: terrace-opt %s --loop-inline-producers --remarks-filter="loop-inline-producers" 2>&1 | FileCheck %s

// CHECK-COUNT-7: not computed where it is read: it reads what its reader writes over (1 load)
// CHECK-LABEL: func.func @row
// CHECK: loop.pointwise
// CHECK: loop.scatter
func.func @row(%x: tensor<64x8xf32>, %e0: tensor<8xf32>) -> tensor<64x8xf32> {
  %e = loop.pointwise (%j = 8) into %e0 {
    %a = loop.load %x[7, %j] : tensor<64x8xf32>
    %b = arith.mulf %a, %a : f32
    loop.yield %b : f32
  } : tensor<8xf32>
  %y = loop.scatter (%j = 8) into %x {
    %a = loop.load %e[%j] : tensor<8xf32>
    loop.yield %a at [6, %j] : f32
  } : tensor<64x8xf32>
  return %y : tensor<64x8xf32>
}

// All points write one element, which the first of them changes.
func.func @one_place(%x: tensor<64x8xf32>, %e0: tensor<8xf32>) -> tensor<64x8xf32> {
  %e = loop.pointwise (%j = 8) into %e0 {
    %a = loop.load %x[7, 3] : tensor<64x8xf32>
    %b = arith.mulf %a, %a : f32
    loop.yield %b : f32
  } : tensor<8xf32>
  %y = loop.scatter (%j = 8) into %x {
    %a = loop.load %e[%j] : tensor<8xf32>
    loop.yield %a at [7, 3] : f32
  } : tensor<64x8xf32>
  return %y : tensor<64x8xf32>
}

// What is combined is no element of the destination alone.
func.func @combined(%x: tensor<64x8xf32>, %e0: tensor<8xf32>) -> tensor<64x8xf32> {
  %e = loop.pointwise (%j = 8) into %e0 {
    %a = loop.load %x[7, %j] : tensor<64x8xf32>
    %b = arith.mulf %a, %a : f32
    loop.yield %b : f32
  } : tensor<8xf32>
  %y = loop.scatter add (%j = 8) into %x {
    %a = loop.load %e[%j] : tensor<8xf32>
    loop.yield %a at [7, %j] : f32
  } : tensor<64x8xf32>
  return %y : tensor<64x8xf32>
}

// The producer reads at another point than it writes.
func.func @its_own_point(%x: tensor<8xf32>, %e0: tensor<8xf32>) -> tensor<8xf32> {
  %e = loop.pointwise (%j = 8) into %e0 {
    %a = loop.load %x[7 - %j] : tensor<8xf32>
    %b = arith.mulf %a, %a : f32
    loop.yield %b : f32
  } : tensor<8xf32>
  %y = loop.pointwise (%j = 8) into %x {
    %a = loop.load %e[%j] : tensor<8xf32>
    loop.yield %a : f32
  } : tensor<8xf32>
  return %y : tensor<8xf32>
}

// The reader reads at another point than it writes.
func.func @its_readers_point(%x: tensor<8xf32>, %e0: tensor<8xf32>) -> tensor<8xf32> {
  %e = loop.pointwise (%j = 8) into %e0 {
    %a = loop.load %x[%j] : tensor<8xf32>
    %b = arith.mulf %a, %a : f32
    loop.yield %b : f32
  } : tensor<8xf32>
  %y = loop.pointwise (%j = 8) into %x {
    %a = loop.load %e[7 - %j] : tensor<8xf32>
    loop.yield %a : f32
  } : tensor<8xf32>
  return %y : tensor<8xf32>
}

// Only a pointwise operation is done with a point when it writes it.
func.func @scan(%x: tensor<8xf32>, %e0: tensor<8xf32>) -> tensor<8xf32> {
  %e = loop.pointwise (%j = 8) into %e0 {
    %a = loop.load %x[%j] : tensor<8xf32>
    %b = arith.mulf %a, %a : f32
    loop.yield %b : f32
  } : tensor<8xf32>
  %y = loop.scan add (%j = 8) along %j into %x {
    %a = loop.load %e[%j] : tensor<8xf32>
    loop.yield %a : f32
  } : tensor<8xf32>
  return %y : tensor<8xf32>
}

// 0 is the index of one point of two.
func.func @first_of_two(%x: tensor<2x8xf32>, %e0: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %e = loop.pointwise (%b = 2, %j = 8) into %e0 {
    %a = loop.load %x[0, %j] : tensor<2x8xf32>
    %r = arith.mulf %a, %a : f32
    loop.yield %r : f32
  } : tensor<2x8xf32>
  %y = loop.pointwise (%b = 2, %j = 8) into %x {
    %a = loop.load %e[%b, %j] : tensor<2x8xf32>
    loop.yield %a : f32
  } : tensor<2x8xf32>
  return %y : tensor<2x8xf32>
}
