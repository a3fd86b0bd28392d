// RUN: terrace-opt %s --kernel-schedule-templates --split-input-file | FileCheck %s
// RUN: terrace-opt %s --kernel-schedule-templates="dot-m=6 dot-n=16" --split-input-file | FileCheck %s --check-prefix=AVX2
// RUN: not terrace-opt %s --kernel-schedule-templates=dot-m=0 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not terrace-opt %s --kernel-schedule-templates=dot-n=-1 2>&1 | FileCheck %s --check-prefix=COLUMNS

// ROWS: expects a dot-m of 1 or more, got 0
// COLUMNS: expects a dot-n of 1 or more, got -1

// Rows such that tiles come out even. Matrices as tiles read them are not packed.
// CHECK-LABEL: @as_they_lie
// CHECK: } tile [8, 32] pack [false, false] : memref<128x1000xf32>
// AVX2-LABEL: @as_they_lie
// AVX2: } tile [4, 16] pack [false, false] : memref<128x1000xf32>
func.func @as_they_lie(%x: memref<128x250xf32>, %w: memref<250x1000xf32>, %y: memref<128x1000xf32>) {
  kernel.matmul (%m = 128, %n = 1000) over (%k = 250) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<128x250xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<250x1000xf32>
    loop.yield %a : f32
  } : memref<128x1000xf32>
  return
}

// -----

// What is there is kept.
// CHECK-LABEL: @by_hand
// CHECK: } tile [4, 48] pack [true, false] : memref<128x1000xf32>
// CHECK: } tile [4, 48] pack [false, false] : memref<128x1000xf32>
func.func @by_hand(%x: memref<128x250xf32>, %w: memref<250x1000xf32>, %y: memref<128x1000xf32>) {
  kernel.matmul (%m = 128, %n = 1000) over (%k = 250) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<128x250xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<250x1000xf32>
    loop.yield %a : f32
  } tile [4, 48] pack [true, false] : memref<128x1000xf32>
  kernel.matmul (%m = 128, %n = 1000) over (%k = 250) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<128x250xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<250x1000xf32>
    loop.yield %a : f32
  } tile [4, 48] : memref<128x1000xf32>
  return
}

// -----

// Packed: rows and columns exchanged; a factor that is computed. An f64 takes the place of two columns.
// CHECK-LABEL: @packed
// CHECK: } tile [10, 16] pack [true, true] : memref<20x50xf64>
// CHECK: } tile [10, 16] pack [true, false] : memref<20x50xf64>
func.func @packed(%x: memref<64x20xf64>, %w: memref<50x64xf64>, %v: memref<64x50xf64>, %y: memref<20x50xf64>) {
  kernel.matmul (%m = 20, %n = 50) over (%k = 64) into %y lhs {
    %a = loop.load %x[%k, %m] : memref<64x20xf64>
    loop.yield %a : f64
  } rhs {
    %a = loop.load %w[%n, %k] : memref<50x64xf64>
    loop.yield %a : f64
  } : memref<20x50xf64>
  kernel.matmul (%m = 20, %n = 50) over (%k = 64) into %y lhs {
    %a = loop.load %x[%k, %m] : memref<64x20xf64>
    %b = arith.addf %a, %a : f64
    loop.yield %b : f64
  } rhs {
    %a = loop.load %v[%k, %n] : memref<64x50xf64>
    loop.yield %a : f64
  } : memref<20x50xf64>
  return
}

// -----

// Computed from a matrix: packed. An outer product, or the windows of a convolution: computed where they are used.
// CHECK-LABEL: @computed
// CHECK: } tile [10, 32] pack [true, false] : memref<100x64xf32>
// CHECK: } tile [10, 32] pack [false, false] : memref<100x64xf32>
// CHECK: } tile [10, 32] pack [false, false] : memref<100x64xf32>
func.func @computed(%x: memref<100x50xi32>, %u: memref<100xf32>, %v: memref<50xf32>, %s: memref<149xf32>, %w: memref<50x64xf32>, %y: memref<100x64xf32>) {
  kernel.matmul (%m = 100, %n = 64) over (%k = 50) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<100x50xi32>
    %b = arith.sitofp %a : i32 to f32
    loop.yield %b : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<50x64xf32>
    loop.yield %a : f32
  } : memref<100x64xf32>
  kernel.matmul (%m = 100, %n = 64) over (%k = 50) into %y lhs {
    %a = loop.load %u[%m] : memref<100xf32>
    %b = loop.load %v[%k] : memref<50xf32>
    %c = arith.mulf %a, %b : f32
    loop.yield %c : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<50x64xf32>
    loop.yield %a : f32
  } : memref<100x64xf32>
  kernel.matmul (%m = 100, %n = 64) over (%k = 50) into %y lhs {
    %a = loop.load %s[%m + %k] : memref<149xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<50x64xf32>
    loop.yield %a : f32
  } : memref<100x64xf32>
  return
}

// -----

// Of 49 columns two tiles of 32 would leave 15 lanes without work; one of 48 leaves one column.
// CHECK-LABEL: @places_of_an_image
// CHECK: } tile [8, 48] pack [false, false] : memref<512x49xf32>
// AVX2-LABEL: @places_of_an_image
// AVX2: } tile [4, 16] pack [false, false] : memref<512x49xf32>
func.func @places_of_an_image(%x: memref<512x250xf32>, %w: memref<250x49xf32>, %y: memref<512x49xf32>) {
  kernel.matmul (%m = 512, %n = 49) over (%k = 250) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<512x250xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<250x49xf32>
    loop.yield %a : f32
  } : memref<512x49xf32>
  return
}
