// RUN: terrace-opt %s --kernel-schedule-templates=pairs --split-input-file | FileCheck %s
// RUN: terrace-opt %s --kernel-schedule-templates --split-input-file | FileCheck %s --check-prefix=NONE

// Words of two along the inner dimension; of the left factor they are there already.
// CHECK-LABEL: @words
// CHECK: pack [false, true] pairs
// NONE-LABEL: @words
// NONE: pack [true, true] : memref
func.func @words(%x: memref<64x250xbf16>, %w: memref<250x96xbf16>, %y: memref<64x96xf32>) {
  kernel.matmul (%m = 64, %n = 96) over (%k = 250) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<64x250xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<250x96xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } : memref<64x96xf32>
  return
}

// -----

// Rows that begin in the middle of a word, or that the inner dimension steps over, are packed.
// CHECK-LABEL: @no_words
// CHECK: pack [true, true] pairs
// CHECK: pack [true, true] pairs
func.func @no_words(%x: memref<64x250xbf16, strided<[251, 1]>>, %v: memref<250x64xbf16>, %w: memref<250x96xbf16>, %y: memref<64x96xf32>) {
  kernel.matmul (%m = 64, %n = 96) over (%k = 250) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<64x250xbf16, strided<[251, 1]>>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<250x96xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } : memref<64x96xf32>
  kernel.matmul (%m = 64, %n = 96) over (%k = 250) into %y lhs {
    %a = loop.load %v[%k, %m] : memref<250x64xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<250x96xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } : memref<64x96xf32>
  return
}

// -----

// Nor are elements words that a mask keeps from being read.
// CHECK-LABEL: @masked
// CHECK: pack [true, true] pairs
func.func @masked(%x: memref<64x250xbf16>, %mask: i1, %other: bf16, %w: memref<250x96xbf16>, %y: memref<64x96xf32>) {
  kernel.matmul (%m = 64, %n = 96) over (%k = 250) into %y lhs {
    %a = loop.load %x[%m, %k] if %mask else %other : memref<64x250xbf16>, bf16
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<250x96xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } : memref<64x96xf32>
  return
}

// -----

// An odd number, another type, more than an extension: no pairs.
// CHECK-LABEL: @no_pairs
// CHECK-NOT: pairs
func.func @no_pairs(%x: memref<64x249xbf16>, %w: memref<249x96xbf16>, %v: memref<249x96xf16>, %u: memref<64x96xbf16>, %y: memref<64x96xf32>) {
  kernel.matmul (%m = 64, %n = 96) over (%k = 249) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<64x249xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<249x96xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } : memref<64x96xf32>
  kernel.matmul (%m = 64, %n = 96) over (%k = 248) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<64x249xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } rhs {
    %a = loop.load %v[%k, %n] : memref<249x96xf16>
    %b = arith.extf %a : f16 to f32
    loop.yield %b : f32
  } : memref<64x96xf32>
  kernel.matmul (%m = 64, %n = 96) over (%k = 248) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<64x249xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<249x96xbf16>
    %b = arith.extf %a : bf16 to f32
    %c = arith.mulf %b, %b : f32
    loop.yield %c : f32
  } : memref<64x96xf32>
  return
}
