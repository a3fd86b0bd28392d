// RUN: terrace-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expects a vector for each of 2 dimensions of threads, got 1}}
#ranks = #kernel.layout<threads = [4, 8], vector = [1]>

// -----

// expected-error @+1 {{expects threads and vectors of a power of two, got 48}}
#threads = #kernel.layout<threads = [48], vector = [1]>

// -----

// expected-error @+1 {{expects threads and vectors of a power of two, got 3}}
#vector = #kernel.layout<threads = [32], vector = [3]>

// -----

// expected-error @+1 {{expects whole warps of 32, at most 1024 threads, got 16}}
#few = #kernel.layout<threads = [4, 4], vector = [1, 1]>

// -----

// expected-error @+1 {{expects whole warps of 32, at most 1024 threads, got 2048}}
#many = #kernel.layout<threads = [64, 32], vector = [1, 1]>

// -----

// expected-error @+1 {{expects an order of all 2 dimensions, fastest first, got [0, 0]}}
#order = #kernel.layout<threads = [4, 8], vector = [1, 1], order = [0, 0]>

// -----

// expected-error @+1 {{expects to be without some of 2 dimensions, in order, got [2]}}
#without = #kernel.layout<threads = [4, 8], vector = [1, 1], without = [2]>

// -----

// expected-error @+1 {{expected threads once}}
#twice = #kernel.layout<threads = [4], threads = [8], vector = [1, 1]>

// -----

// expected-error @+1 {{expected threads, vector, order or without}}
#word = #kernel.layout<warps = [4]>

// -----

// expected-error @+1 {{expects a layout of 1 dimensions for the tile, got one of 2}}
func.func private @rank(tensor<8xf32, #kernel.layout<threads = [4, 8], vector = [1, 1]>>)

// -----

// expected-error @+1 {{expects sizes in whole vectors, got 6 in vectors of 4}}
func.func private @size(tensor<6xf32, #kernel.layout<threads = [32], vector = [4]>>)

// -----

kernel.func @load(%x: memref<8xf32>) grid() {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{'kernel.load' op expects sizes in whole vectors, got 6 in vectors of 4}}
  %t = kernel.load %x[%c0 : 6] layout <threads = [32], vector = [4]> : memref<8xf32>
  kernel.return
}

// -----

kernel.func @other_threads(%x: memref<64xf32>) grid() {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%c0 : 64] layout <threads = [32], vector = [1]> : memref<64xf32>
  // expected-error @+1 {{'kernel.load' op has a tile over 64 threads in a kernel of 32: all tiles are laid out over the same number}}
  %b = kernel.load %x[%c0 : 64] layout <threads = [64], vector = [1]> : memref<64xf32>
  kernel.return
}

// -----

kernel.func @two_layouts_in_one_operation(%x: memref<64xf32>, %n: memref<64xi32>) grid() {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%c0 : 64] layout <threads = [32], vector = [1]> : memref<64xf32>
  %b = kernel.load %n[%c0 : 64] layout <threads = [32], vector = [2]> : memref<64xi32>
  // expected-error @+1 {{'math.fpowi' op expects tiles of one layout, got #kernel.layout<threads = [32], vector = [1]> and #kernel.layout<threads = [32], vector = [2]>: convert one by 'kernel.convert_layout'}}
  %c = math.fpowi %a, %b : tensor<64xf32, #kernel.layout<threads = [32], vector = [1]>>, tensor<64xi32, #kernel.layout<threads = [32], vector = [2]>>
  kernel.return
}

// -----

kernel.func @some_layout_in_one_operation(%x: memref<64xf32>, %n: memref<64xi32>) grid() {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%c0 : 64] layout <threads = [32], vector = [1]> : memref<64xf32>
  %b = kernel.load %n[%c0 : 64] : memref<64xi32>
  // expected-error @+1 {{'math.fpowi' op expects tiles of one layout, got #kernel.layout<threads = [32], vector = [1]> and no layout}}
  %c = math.fpowi %a, %b : tensor<64xf32, #kernel.layout<threads = [32], vector = [1]>>, tensor<64xi32>
  kernel.return
}

// -----

kernel.func @gather(%x: memref<64xf32>) grid() {
  %i = kernel.iota : tensor<64xindex, #kernel.layout<threads = [32], vector = [2]>>
  // expected-error @+1 {{'kernel.gather' op expects tiles of one layout}}
  %b = kernel.gather %x[%i] : memref<64xf32>, tensor<64xindex, #kernel.layout<threads = [32], vector = [2]>> -> tensor<64xf32, #kernel.layout<threads = [32], vector = [1]>>
  kernel.return
}

// -----

kernel.func @broadcast(%x: memref<8xf32>) grid() {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%c0 : 8] layout <threads = [64], vector = [1]> : memref<8xf32>
  // expected-error @+1 {{'kernel.broadcast' op expects a tile with the result's layout without the new dimensions, #kernel.layout<threads = [2, 32], vector = [1, 4], without = [1]>: convert it by 'kernel.convert_layout'}}
  %b = kernel.broadcast %a to [0] : tensor<8xf32, #kernel.layout<threads = [64], vector = [1]>> -> tensor<8x128xf32, #kernel.layout<threads = [2, 32], vector = [1, 4]>>
  kernel.return
}

// -----

kernel.func @conversion(%x: memref<8xf32>) grid() {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%c0 : 8] : memref<8xf32>
  // expected-error @+1 {{'kernel.convert_layout' op makes tensor<8xi32> of tensor<8xf32>: only the layout changes}}
  %b = kernel.convert_layout %a : tensor<8xf32> -> tensor<8xi32>
  kernel.return
}

// -----

kernel.func @factor_without_all_of_the_inner_dimension(%x: memref<8x8xf32>) grid() {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%c0 : 8, %c0 : 8] layout <threads = [4, 8], vector = [1, 1]> : memref<8x8xf32>
  // expected-error @below {{expects a left factor laid out over threads as the accumulator, with #kernel.layout<threads = [4, 8], vector = [1, 8]>}}
  %b = kernel.dot %a, %a, %a : tensor<8x8xf32, #kernel.layout<threads = [4, 8], vector = [1, 1]>>,
    tensor<8x8xf32, #kernel.layout<threads = [4, 8], vector = [1, 1]>>,
    tensor<8x8xf32, #kernel.layout<threads = [4, 8], vector = [1, 1]>>
  kernel.return
}
