// RUN: terrace-opt %s --expand-half-conversions | FileCheck %s

// CHECK-LABEL: @number
// CHECK: %[[F:.*]] = arith.sitofp %arg0 : i64 to f32
// CHECK-NEXT: arith.truncf %[[F]] : f32 to bf16
func.func @number(%x: i64) -> bf16 {
  %h = arith.sitofp %x : i64 to bf16
  return %h : bf16
}

// CHECK-LABEL: @vector
// CHECK: %[[F:.*]] = arith.uitofp %arg0 : vector<8xi1> to vector<8xf32>
// CHECK-NEXT: arith.truncf %[[F]] : vector<8xf32> to vector<8xf16>
func.func @vector(%x: vector<8xi1>) -> vector<8xf16> {
  %h = arith.uitofp %x : vector<8xi1> to vector<8xf16>
  return %h : vector<8xf16>
}

// CHECK-LABEL: @wide
// CHECK: arith.sitofp %arg0 : i64 to f64
// CHECK-NOT: arith.truncf
func.func @wide(%x: i64) -> f64 {
  %h = arith.sitofp %x : i64 to f64
  return %h : f64
}
