// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @destination(%x: memref<4x8xf32>, %w: memref<8x6xf32>, %y: memref<6x4xf32>) {
  // expected-error @+1 {{'kernel.matmul' op expects a destination of the outer domain's sizes [4, 6], got [6, 4]}}
  kernel.matmul (%m = 4, %n = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<8x6xf32>
    loop.yield %a : f32
  } : memref<6x4xf32>
  return
}

// -----

func.func @element(%x: memref<4x8xf32>, %w: memref<8x6xf32>, %y: memref<4x6xf64>) {
  // expected-error @+1 {{'kernel.matmul' op stores f32 into a destination of f64}}
  kernel.matmul (%m = 4, %n = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<8x6xf32>
    loop.yield %a : f32
  } : memref<4x6xf64>
  return
}

// -----

func.func @types(%x: memref<4x8xf32>, %w: memref<8x6xf32>, %y: memref<4x6xf32>) {
  // expected-error @+1 {{'kernel.matmul' op multiplies f64 by f32}}
  kernel.matmul (%m = 4, %n = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xf32>
    %b = arith.extf %a : f32 to f64
    loop.yield %b : f64
  } rhs {
    %a = loop.load %w[%k, %n] : memref<8x6xf32>
    loop.yield %a : f32
  } : memref<4x6xf32>
  return
}

// -----

func.func @integers(%x: memref<4x8xf32>, %w: memref<8x6xf32>, %y: memref<4x6xf32>) {
  // expected-error @+1 {{'kernel.matmul' op multiplies elements of i64, expects f32, f64, or i32, which is two of bf16: convert them in its left factor}}
  kernel.matmul (%m = 4, %n = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xf32>
    %b = arith.fptosi %a : f32 to i64
    loop.yield %b : i64
  } rhs {
    %a = loop.load %w[%k, %n] : memref<8x6xf32>
    loop.yield %a : f32
  } : memref<4x6xf32>
  return
}

// -----

func.func @left_column(%x: memref<4x8xf32>, %w: memref<8x6xf32>, %y: memref<4x6xf32>) {
  // expected-error @+1 {{'kernel.matmul' op uses the column in its left factor}}
  kernel.matmul (%m = 4, %n = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %n] : memref<4x8xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<8x6xf32>
    loop.yield %a : f32
  } : memref<4x6xf32>
  return
}

// -----

func.func @right_row(%x: memref<4x8xf32>, %w: memref<8x6xf32>, %y: memref<4x6xf32>) {
  // expected-error @+1 {{'kernel.matmul' op uses the row in its right factor}}
  kernel.matmul (%m = 4, %n = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%m, %n] : memref<8x6xf32>
    loop.yield %a : f32
  } : memref<4x6xf32>
  return
}

// -----

func.func @factor_at(%x: memref<4x8xf32>, %w: memref<8x6xf32>, %y: memref<4x6xf32>) {
  // expected-error @+1 {{'kernel.matmul' op yields 'at' a place in its left factor: only the epilogue chooses one}}
  kernel.matmul (%m = 4, %n = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xf32>
    loop.yield %a at [%m, %k] : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<8x6xf32>
    loop.yield %a : f32
  } : memref<4x6xf32>
  return
}

// -----

func.func @factor_of_destination(%x: memref<4x8xf32>, %w: memref<8x6xf32>, %y: memref<4x6xf32>) {
  // expected-error @+1 {{'kernel.matmul' op loads from its destination in its left factor}}
  kernel.matmul (%m = 4, %n = 6) over (%k = 8) into %y lhs {
    %a = loop.load %y[%m, %k] : memref<4x6xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<8x6xf32>
    loop.yield %a : f32
  } : memref<4x6xf32>
  return
}

// -----

func.func @place(%x: memref<4x8xf32>, %w: memref<8x6xf32>, %y: memref<4x6xf32>) {
  // expected-error @+1 {{expects 2 indices, one per dimension, got 1}}
  kernel.matmul (%m = 4, %n = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<8x6xf32>
    loop.yield %a : f32
  } epilogue(%s: f32) {
    loop.yield %s at [%m] : f32
  } : memref<4x6xf32>
  return
}

// -----

func.func @stored(%x: memref<4x8xf32>, %w: memref<8x6xf32>, %y: memref<4x6xf32>) {
  // expected-error @+1 {{'kernel.matmul' op stores f64 into a destination of f32}}
  kernel.matmul (%m = 4, %n = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<8x6xf32>
    loop.yield %a : f32
  } epilogue(%s: f32) {
    %t = arith.extf %s : f32 to f64
    loop.yield %t : f64
  } : memref<4x6xf32>
  return
}

// -----

func.func @tile(%x: memref<4x8xf32>, %w: memref<8x6xf32>, %y: memref<4x6xf32>) {
  // expected-error @+1 {{'kernel.matmul' op expects a tile of rows and columns, 1 or more of each, got [4]}}
  kernel.matmul (%m = 4, %n = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<8x6xf32>
    loop.yield %a : f32
  } tile [4] : memref<4x6xf32>
  return
}

// -----

func.func @empty_tile(%x: memref<4x8xf32>, %w: memref<8x6xf32>, %y: memref<4x6xf32>) {
  // expected-error @+1 {{'kernel.matmul' op expects a tile of rows and columns, 1 or more of each, got [4, 0]}}
  kernel.matmul (%m = 4, %n = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<8x6xf32>
    loop.yield %a : f32
  } tile [4, 0] : memref<4x6xf32>
  return
}

// -----

func.func @large_tile(%x: memref<4x8xf32>, %w: memref<8x6xf32>, %y: memref<4x6xf32>) {
  // expected-error @+1 {{'kernel.matmul' op expects a tile of 65536 elements at most, got [256, 512]}}
  kernel.matmul (%m = 4, %n = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<8x6xf32>
    loop.yield %a : f32
  } tile [256, 512] : memref<4x6xf32>
  return
}

// -----

func.func @pack(%x: memref<4x8xf32>, %w: memref<8x6xf32>, %y: memref<4x6xf32>) {
  // expected-error @+1 {{'kernel.matmul' op expects 'pack' to say it of the left factor and of the right one}}
  kernel.matmul (%m = 4, %n = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<8x6xf32>
    loop.yield %a : f32
  } pack [true] : memref<4x6xf32>
  return
}

// -----

func.func @domain(%x: memref<4x8xf32>, %w: memref<8x6xf32>, %y: memref<4x6xf32>) {
  // expected-error @+1 {{expected sizes of rows and columns, over one inner dimension}}
  kernel.matmul (%m = 4) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<8x6xf32>
    loop.yield %a : f32
  } : memref<4x6xf32>
  return
}

// -----

func.func @several(%x: memref<4x8xf32>, %w: memref<8x6xf32>, %y: memref<4x6xf32>) {
  // expected-error @+1 {{sums over several dimensions: expects neither 'pairs' nor 'dots', nor a packed factor}}
  kernel.matmul (%m = 4, %n = 6) over (%k = 4, %l = 2) into %y lhs {
    %a = loop.load %x[%m, %k * 2 + %l] : memref<4x8xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k * 2 + %l, %n] : memref<8x6xf32>
    loop.yield %a : f32
  } tile [4, 8] pack [true, false] : memref<4x6xf32>
  return
}

// -----

func.func @span_packed(%x: memref<4x8xf32>, %w: memref<3x8x6xf32>, %y: memref<3x4x6xf32>) {
  // expected-error @+1 {{has a 'span': expects neither 'pairs' nor 'dots', nor a packed factor}}
  kernel.matmul (%b = 3, %m = 4, %n = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%b, %k, %n] : memref<3x8x6xf32>
    loop.yield %a : f32
  } tile [4, 8] pack [false, true] span 3 : memref<3x4x6xf32>
  return
}

// -----

func.func @span_of_nothing(%x: memref<4x8xf32>, %w: memref<3x8x6xf32>, %y: memref<3x4x6xf32>) {
  // expected-error @+1 {{expects a 'span' of 1 or more, got 0}}
  kernel.matmul (%b = 3, %m = 4, %n = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%b, %k, %n] : memref<3x8x6xf32>
    loop.yield %a : f32
  } span 0 : memref<3x4x6xf32>
  return
}

// -----

func.func @span_without_batches(%x: memref<4x8xf32>, %w: memref<8x6xf32>, %y: memref<4x6xf32>) {
  // expected-error @+1 {{has a 'span' and no batches: expects a dimension in front of its rows}}
  kernel.matmul (%m = 4, %n = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<8x6xf32>
    loop.yield %a : f32
  } span 2 : memref<4x6xf32>
  return
}

// -----

func.func @sums_over_nothing(%x: memref<4x8xf32>, %w: memref<8x6xf32>, %y: memref<4x6xf32>) {
  // expected-error @+1 {{expected sizes of rows and columns, over one inner dimension or more}}
  kernel.matmul (%m = 4, %n = 6) over () into %y lhs {
    %a = loop.load %x[%m, 0] : memref<4x8xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[0, %n] : memref<8x6xf32>
    loop.yield %a : f32
  } : memref<4x6xf32>
  return
}

// -----

func.func @sum(%x: memref<4x8xf32>, %w: memref<8x6xf32>, %y: memref<4x6xf64>) {
  // expected-error @+1 {{'kernel.matmul' op expects 2 indices and the sum, f32 as arguments of its epilogue}}
  kernel.matmul (%m = 4, %n = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<8x6xf32>
    loop.yield %a : f32
  } epilogue(%s: f64) {
    loop.yield %s : f64
  } : memref<4x6xf64>
  return
}

// -----

func.func @yield(%x: memref<4xf32>) {
  %c0 = arith.constant 0.0 : f32
  scf.execute_region {
    // expected-error @+1 {{'loop.yield' op expects to be in a loop operation or a template}}
    loop.yield %c0 : f32
  }
  return
}

// -----

func.func @pairs_of_an_odd_number(%x: memref<4x7xbf16>, %w: memref<7x6xbf16>, %y: memref<4x6xf32>) {
  // expected-error @+1 {{'kernel.matmul' op expects an inner size that is a number and even, for 'pairs'}}
  kernel.matmul (%m = 4, %n_ = 6) over (%k = 7) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x7xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } rhs {
    %a = loop.load %w[%k, %n_] : memref<7x6xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } pairs : memref<4x6xf32>
  return
}

// -----

func.func @pairs_of_a_size_of_the_run(%x: memref<4x?xbf16>, %w: memref<?x6xbf16>, %y: memref<4x6xf32>, %n: index) {
  // expected-error @+1 {{'kernel.matmul' op expects an inner size that is a number and even, for 'pairs'}}
  kernel.matmul (%m = 4, %n_ = 6) over (%k = %n) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x?xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } rhs {
    %a = loop.load %w[%k, %n_] : memref<?x6xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } pairs : memref<4x6xf32>
  return
}

// -----

func.func @pairs_of_f16(%x: memref<4x8xbf16>, %w: memref<8x6xf16>, %y: memref<4x6xf32>) {
  // expected-error @+1 {{'kernel.matmul' op expects its right factor to yield the 'arith.extf' of a bf16, for 'pairs'}}
  kernel.matmul (%m = 4, %n_ = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } rhs {
    %a = loop.load %w[%k, %n_] : memref<8x6xf16>
    %b = arith.extf %a : f16 to f32
    loop.yield %b : f32
  } pairs : memref<4x6xf32>
  return
}

// -----

func.func @pairs_of_f32(%x: memref<4x8xf32>, %w: memref<8x6xbf16>, %y: memref<4x6xf32>) {
  // expected-error @+1 {{'kernel.matmul' op expects its left factor to yield the 'arith.extf' of a bf16, for 'pairs'}}
  kernel.matmul (%m = 4, %n_ = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %n_] : memref<8x6xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } pairs : memref<4x6xf32>
  return
}

// -----

func.func @pairs_of_a_right_factor_as_it_lies(%x: memref<4x8xbf16>, %w: memref<8x6xbf16>, %y: memref<4x6xf32>) {
  // expected-error @+1 {{'kernel.matmul' op expects its right factor to be packed, for 'pairs'}}
  kernel.matmul (%m = 4, %n_ = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } rhs {
    %a = loop.load %w[%k, %n_] : memref<8x6xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } pack [true, false] pairs : memref<4x6xf32>
  return
}

// -----

func.func @words_and_numbers(%x: memref<4x8xi32>, %w: memref<8x6xf32>, %y: memref<4x6xf32>) {
  // expected-error @+1 {{'kernel.matmul' op multiplies i32 by f32}}
  kernel.matmul (%m = 4, %n = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xi32>
    loop.yield %a : i32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<8x6xf32>
    loop.yield %a : f32
  } : memref<4x6xf32>
  return
}

// -----

func.func @pairs_of_words(%x: memref<4x8xi32>, %w: memref<8x6xi32>, %y: memref<4x6xf32>) {
  // expected-error @+1 {{'kernel.matmul' op expects its left factor to yield the 'arith.extf' of a bf16, for 'pairs'}}
  kernel.matmul (%m = 4, %n = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xi32>
    loop.yield %a : i32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<8x6xi32>
    loop.yield %a : i32
  } pack [true, true] pairs : memref<4x6xf32>
  return
}

// -----

func.func @dots_of_words(%x: memref<4x8xi32>, %w: memref<6x8xi32>, %y: memref<4x6xf32>) {
  // expected-error @+1 {{'kernel.matmul' op multiplies i32, expects f32 for 'dots'}}
  kernel.matmul (%m = 4, %n = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xi32>
    loop.yield %a : i32
  } rhs {
    %a = loop.load %w[%n, %k] : memref<6x8xi32>
    loop.yield %a : i32
  } dots : memref<4x6xf32>
  return
}

// -----

func.func @dots_of_f64(%x: memref<4x8xf64>, %w: memref<6x8xf64>, %y: memref<4x6xf64>) {
  // expected-error @+1 {{'kernel.matmul' op multiplies f64, expects f32 for 'dots'}}
  kernel.matmul (%m = 4, %n = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xf64>
    loop.yield %a : f64
  } rhs {
    %a = loop.load %w[%n, %k] : memref<6x8xf64>
    loop.yield %a : f64
  } dots : memref<4x6xf64>
  return
}

// -----

func.func @dots_of_a_packed_factor(%x: memref<4x8xf32>, %w: memref<6x8xf32>, %y: memref<4x6xf32>) {
  // expected-error @+1 {{'kernel.matmul' op packs a factor, whose rows are read as they lie for 'dots'}}
  kernel.matmul (%m = 4, %n = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%n, %k] : memref<6x8xf32>
    loop.yield %a : f32
  } pack [false, true] dots : memref<4x6xf32>
  return
}
