// RUN: terrace-opt %s --kernel-schedule-templates --split-input-file | FileCheck %s

// Lines of 56 columns, 58 apart, are runs: five are 288 elements, nine whole tiles, where each alone would be two.
// CHECK-LABEL: @lines
// CHECK: } tile [8, 32] pack [false, false] span 5 : memref<1x64x56x56xf32>
func.func @lines(%x: memref<1x64x3364xf32>, %w: memref<64x64x3x3xf32>, %y: memref<1x64x56x56xf32>) {
  kernel.matmul (%b = 1, %i = 56, %o = 64, %j = 56) over (%c = 64, %h = 3, %v = 3) into %y lhs {
    %a = loop.load %w[%o, %c, %h, %v] : memref<64x64x3x3xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %x[%b, %c, (%i + %h) * 58 + %j + %v] : memref<1x64x3364xf32>
    loop.yield %a : f32
  } epilogue(%sum: f32) {
    loop.yield %sum at [%b, %o, %i, %j] : f32
  } : memref<1x64x56x56xf32>
  return
}

// -----

// Lines that are whole tiles stay alone,
// CHECK-LABEL: @whole_tiles
// CHECK: } tile [8, 32] pack [false, false] : memref<1x64x64x64xf32>
func.func @whole_tiles(%x: memref<1x64x4356xf32>, %w: memref<64x64x3x3xf32>, %y: memref<1x64x64x64xf32>) {
  kernel.matmul (%b = 1, %i = 64, %o = 64, %j = 64) over (%c = 64, %h = 3, %v = 3) into %y lhs {
    %a = loop.load %w[%o, %c, %h, %v] : memref<64x64x3x3xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %x[%b, %c, (%i + %h) * 66 + %j + %v] : memref<1x64x4356xf32>
    loop.yield %a : f32
  } epilogue(%sum: f32) {
    loop.yield %sum at [%b, %o, %i, %j] : f32
  } : memref<1x64x64x64xf32>
  return
}

// -----

// and so do those of which nobody knows how many there are.
// CHECK-LABEL: @of_the_run
// CHECK: } tile [8, 32] pack [false, false] : memref<64x?x56xf32>
func.func @of_the_run(%n: index, %x: memref<64x?xf32>, %w: memref<64x64x3x3xf32>, %y: memref<64x?x56xf32>) {
  kernel.matmul (%i = %n, %o = 64, %j = 56) over (%c = 64, %h = 3, %v = 3) into %y lhs {
    %a = loop.load %w[%o, %c, %h, %v] : memref<64x64x3x3xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %x[%c, (%i + %h) * 58 + %j + %v] : memref<64x?xf32>
    loop.yield %a : f32
  } epilogue(%sum: f32) {
    loop.yield %sum at [%o, %i, %j] : f32
  } : memref<64x?x56xf32>
  return
}

// -----

// Of very many lines no more are looked at than one run can have.
// CHECK-LABEL: @very_many
// CHECK: } tile [8, 32] pack [false, false] span 5 : memref<64x1099511627776x56xf32>
func.func @very_many(%x: memref<64x63771674411124xf32>, %w: memref<64x64x3x3xf32>, %y: memref<64x1099511627776x56xf32>) {
  kernel.matmul (%i = 1099511627776, %o = 64, %j = 56) over (%c = 64, %h = 3, %v = 3) into %y lhs {
    %a = loop.load %w[%o, %c, %h, %v] : memref<64x64x3x3xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %x[%c, (%i + %h) * 58 + %j + %v] : memref<64x63771674411124xf32>
    loop.yield %a : f32
  } epilogue(%sum: f32) {
    loop.yield %sum at [%o, %i, %j] : f32
  } : memref<64x1099511627776x56xf32>
  return
}
