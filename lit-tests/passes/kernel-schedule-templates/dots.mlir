// RUN: terrace-opt %s --kernel-schedule-templates --split-input-file | FileCheck %s
// RUN: terrace-opt %s --kernel-schedule-templates=pairs --split-input-file | FileCheck %s --check-prefix=PAIRS
// RUN: terrace-opt %s --kernel-schedule-templates="dot-m=6 dot-n=16" --split-input-file | FileCheck %s --check-prefix=AVX2
// RUN: terrace-opt %s --kernel-schedule-templates=packing=false --split-input-file | FileCheck %s --check-prefix=PLAIN

// Few rows: lanes along what is summed over, of both factors as they lie; as many sums as registers hold.
// CHECK-LABEL: @few_rows
// CHECK: tile [4, 4] pack [false, false] dots
// AVX2-LABEL: @few_rows
// AVX2: tile [2, 4] pack [false, false] dots
// PLAIN-NOT: dots
func.func @few_rows(%x: memref<8x250xf32>, %w: memref<96x250xf32>, %y: memref<8x96xf32>) {
  kernel.matmul (%m = 8, %n = 96) over (%k = 250) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<8x250xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%n, %k] : memref<96x250xf32>
    loop.yield %a : f32
  } : memref<8x96xf32>
  return
}

// -----

// Of bf16 they are pairs, wherever rows begin.
// CHECK-LABEL: @few_rows_of_bf16
// CHECK: tile [4, 4] pack [false, false] dots
// PAIRS-LABEL: @few_rows_of_bf16
// PAIRS: tile [4, 4] pack [false, false] pairs dots
// PAIRS: tile [4, 4] pack [false, false] pairs dots
func.func @few_rows_of_bf16(%x: memref<8x250xbf16>, %v: memref<8x250xbf16, strided<[251, 1]>>, %w: memref<96x250xbf16>, %y: memref<8x96xf32>) {
  kernel.matmul (%m = 8, %n = 96) over (%k = 250) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<8x250xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } rhs {
    %a = loop.load %w[%n, %k] : memref<96x250xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } : memref<8x96xf32>
  kernel.matmul (%m = 8, %n = 96) over (%k = 250) into %y lhs {
    %a = loop.load %v[%m, %k] : memref<8x250xbf16, strided<[251, 1]>>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } rhs {
    %a = loop.load %w[%n, %k] : memref<96x250xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } : memref<8x96xf32>
  return
}

// -----

// More rows pay for a pass over the right factor, and short sums do not pay for adding up lanes; nor are columns lanes, or
// f64.
// CHECK-LABEL: @packed
// CHECK-NOT: dots
// PAIRS-LABEL: @packed
func.func @packed(%x: memref<65x1000xf32>, %w: memref<96x1000xf32>, %v: memref<1000x96xf32>, %y: memref<65x96xf32>, %z: memref<8x96xf32>, %d: memref<8x1000xf64>, %e: memref<96x1000xf64>, %f: memref<8x96xf64>) {
  kernel.matmul (%m = 65, %n = 96) over (%k = 1000) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<65x1000xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%n, %k] : memref<96x1000xf32>
    loop.yield %a : f32
  } : memref<65x96xf32>
  kernel.matmul (%m = 8, %n = 96) over (%k = 79) into %z lhs {
    %a = loop.load %x[%m, %k] : memref<65x1000xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%n, %k] : memref<96x1000xf32>
    loop.yield %a : f32
  } : memref<8x96xf32>
  kernel.matmul (%m = 8, %n = 96) over (%k = 1000) into %z lhs {
    %a = loop.load %x[%m, %k] : memref<65x1000xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %v[%k, %n] : memref<1000x96xf32>
    loop.yield %a : f32
  } : memref<8x96xf32>
  kernel.matmul (%m = 8, %n = 96) over (%k = 1000) into %f lhs {
    %a = loop.load %d[%m, %k] : memref<8x1000xf64>
    loop.yield %a : f64
  } rhs {
    %a = loop.load %e[%n, %k] : memref<96x1000xf64>
    loop.yield %a : f64
  } : memref<8x96xf64>
  return
}

// -----

// How many rows there are is known when the program runs: it chooses. Nothing is packed for few of them.
// CHECK-LABEL: @rows_of_the_run
// CHECK-SAME: , %[[N:[a-z0-9]+]]: index)
// CHECK: %[[FEW:.*]] = arith.cmpi sle, %[[N]], %[[MOST:.*]] : index
// CHECK: scf.if %[[FEW]] {
// CHECK: kernel.matmul
// CHECK: tile [4, 4] pack [false, false] dots
// CHECK: } else {
// CHECK: kernel.matmul
// CHECK: pack [false, true]
// PLAIN-LABEL: @rows_of_the_run
// PLAIN-NOT: scf.if
func.func @rows_of_the_run(%x: memref<?x256xf32>, %w: memref<96x256xf32>, %y: memref<?x96xf32>, %n: index) {
  kernel.matmul (%m = %n, %j = 96) over (%k = 256) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<?x256xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%j, %k] : memref<96x256xf32>
    loop.yield %a : f32
  } : memref<?x96xf32>
  return
}

// -----

// Where columns lie side by side nothing is packed for any number of rows.
// CHECK-LABEL: @columns_side_by_side
// CHECK-NOT: scf.if
func.func @columns_side_by_side(%x: memref<?x256xf32>, %w: memref<256x96xf32>, %y: memref<?x96xf32>, %n: index) {
  kernel.matmul (%m = %n, %j = 96) over (%k = 256) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<?x256xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %j] : memref<256x96xf32>
    loop.yield %a : f32
  } : memref<?x96xf32>
  return
}
