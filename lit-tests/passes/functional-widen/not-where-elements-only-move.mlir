// RUN: terrace-opt %s --functional-widen | FileCheck %s

// What moves elements keeps their bits and their bytes in memory.
// CHECK-LABEL: @moves
// CHECK-NOT: _to_copy
// CHECK: return
func.func @moves(%x: tensor<2x4xbf16>, %c: tensor<4x4xi1>, %i: tensor<3xi64>) -> tensor<4x3xbf16> {
  %t = functional.permute %x {dims = array<i64: 1, 0>} : tensor<2x4xbf16>
  %j = functional.cat %t, %t {dim = 1 : i64} : tensor<4x2xbf16>, tensor<4x2xbf16>
  %w = functional.where %c, %j, %j : tensor<4x4xi1>, tensor<4x4xbf16>, tensor<4x4xbf16>
  %s = functional.slice %w start [0] end [3] step [1] {dim = 1 : i64} : tensor<4x4xbf16>
  return %s : tensor<4x3xbf16>
}

// Other dtypes are computed in themselves.
// CHECK-LABEL: @wide
// CHECK-NOT: _to_copy
// CHECK: return
func.func @wide(%x: tensor<4xf32>, %y: tensor<4xi8>) -> (tensor<4xf32>, tensor<4xi8>) {
  %a = functional.exp %x : tensor<4xf32>
  %b = functional.neg %y : tensor<4xi8>
  return %a, %b : tensor<4xf32>, tensor<4xi8>
}

// CHECK-LABEL: @casts
// CHECK-COUNT-1: _to_copy
// CHECK-NOT: _to_copy
func.func @casts(%x: tensor<4xf16>) -> tensor<4xbf16> {
  %a = functional._to_copy %x {dtype = bf16} : tensor<4xf16>
  return %a : tensor<4xbf16>
}
