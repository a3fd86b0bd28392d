// Tiles without a layout get one: coalesced, of 128 bits, wrapping round, the same for what is computed together.
// RUN: terrace-opt %s --kernel-assign-layouts --mlir-print-local-scope --split-input-file | FileCheck %s
// RUN: terrace-opt %s --kernel-assign-layouts --split-input-file -o %t.mlir && terrace-opt %t.mlir --kernel-assign-layouts --split-input-file | diff %t.mlir -

// The largest tile has a thread for each four elements, at most 256; a larger one would wrap round.
// CHECK-LABEL: kernel.func @together
kernel.func @together(%x: memref<4096xf32>, %k: f32) grid() {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %c4096 = arith.constant 4096 : index
  // CHECK: tensor.splat %{{.*}} : tensor<1024xf32, #kernel.layout<threads = [256], vector = [4]>>
  %kt = tensor.splat %k : tensor<1024xf32>
  // CHECK: arith.constant dense<0.0{{.*}}> : tensor<1024xf32, #kernel.layout<threads = [256], vector = [4]>>
  %zero = arith.constant dense<0.0> : tensor<1024xf32>
  // CHECK: scf.for {{.*}} -> (tensor<1024xf32, #kernel.layout<threads = [256], vector = [4]>>)
  %sum = scf.for %j = %c0 to %c4096 step %c1024 iter_args(%s = %zero) -> (tensor<1024xf32>) {
    // CHECK: kernel.load %{{.*}}[%{{.*}} : 1024] layout <threads = [256], vector = [4]>
    %a = kernel.load %x[%j : 1024] : memref<4096xf32>
    // CHECK: arith.cmpf olt, {{.*}} : tensor<1024xf32, #kernel.layout<threads = [256], vector = [4]>>
    %less = arith.cmpf olt, %a, %kt : tensor<1024xf32>
    // CHECK: scf.if {{.*}} -> (tensor<1024xf32, #kernel.layout<threads = [256], vector = [4]>>)
    %first = arith.cmpi eq, %j, %c0 : index
    %b = scf.if %first -> (tensor<1024xf32>) {
      scf.yield %a : tensor<1024xf32>
    } else {
      %d = arith.addf %a, %a : tensor<1024xf32>
      scf.yield %d : tensor<1024xf32>
    }
    %c = arith.select %less, %b, %s : tensor<1024xi1>, tensor<1024xf32>
    scf.yield %c : tensor<1024xf32>
  }
  kernel.store %sum, %x[%c0 : 1024] : tensor<1024xf32>, memref<4096xf32>
  // Half of the threads have an element of it.
  // CHECK: kernel.load %{{.*}}[%{{.*}} : 128] layout <threads = [256], vector = [1]>
  %few = kernel.load %x[%c0 : 128] : memref<4096xf32>
  kernel.store %few, %x[%c1024 : 128] : tensor<128xf32>, memref<4096xf32>
  // 16 rounds; 33 is no number of whole vectors.
  // CHECK: kernel.load %{{.*}}[%{{.*}} : 2048] layout <threads = [256], vector = [4]>
  %many = kernel.load %x[%c0 : 2048] : memref<4096xf32>
  kernel.store %many, %x[%c1024 : 2048] : tensor<2048xf32>, memref<4096xf32>
  // CHECK: kernel.load %{{.*}}[%{{.*}} : 1026] layout <threads = [256], vector = [2]>
  %odd = kernel.load %x[%c0 : 1026] : memref<4096xf32>
  kernel.store %odd, %x[%c1024 : 1026] : tensor<1026xf32>, memref<4096xf32>
  kernel.return
}

// -----

// A vector is 128 bits of the widest element that goes to or from memory.
// CHECK-LABEL: kernel.func @widths
kernel.func @widths(%x: memref<2048xf16>, %y: memref<2048xf64>) grid() {
  %c0 = arith.constant 0 : index
  // CHECK: kernel.load %{{.*}} layout <threads = [256], vector = [8]> : memref<2048xf16>
  %a = kernel.load %x[%c0 : 2048] : memref<2048xf16>
  kernel.store %a, %x[%c0 : 2048] : tensor<2048xf16>, memref<2048xf16>
  // CHECK: kernel.load %{{.*}} layout <threads = [256], vector = [2]> : memref<2048xf16>
  %b = kernel.load %x[%c0 : 2048] : memref<2048xf16>
  %c = arith.extf %b : tensor<2048xf16> to tensor<2048xf64>
  kernel.store %c, %y[%c0 : 2048] : tensor<2048xf64>, memref<2048xf64>
  kernel.return
}

// -----

// Two dimensions; what a reduction leaves; what is computed with that, too.
// CHECK-LABEL: kernel.func @slices
kernel.func @slices(%x: memref<8x128xf32>, %bias: memref<8xf32>) grid() {
  %c0 = arith.constant 0 : index
  // CHECK: kernel.load %{{.*}} layout <threads = [8, 32], vector = [1, 4]> : memref<8x128xf32>
  %a = kernel.load %x[%c0 : 8, %c0 : 128] : memref<8x128xf32>
  // CHECK: kernel.load %{{.*}} layout <threads = [8, 32], vector = [1, 4], without = [1]> : memref<8xf32>
  %b = kernel.load %bias[%c0 : 8] : memref<8xf32>
  %m = kernel.reduce max %a along 1 : tensor<8x128xf32>
  %n = arith.addf %m, %b : tensor<8xf32>
  // CHECK-NOT: kernel.convert_layout
  // CHECK: kernel.broadcast {{.*}} : tensor<8xf32, #kernel.layout<threads = [8, 32], vector = [1, 4], without = [1]>> -> tensor<8x128xf32, #kernel.layout<threads = [8, 32], vector = [1, 4]>>
  %w = kernel.broadcast %n to [0] : tensor<8xf32> -> tensor<8x128xf32>
  %d = arith.subf %a, %w : tensor<8x128xf32>
  kernel.store %d, %x[%c0 : 8, %c0 : 128] : tensor<8x128xf32>, memref<8x128xf32>
  kernel.return
}

// -----

// What is left of one tile is used with what is left of another: a conversion stands between.
// CHECK-LABEL: kernel.func @converted
kernel.func @converted(%x: memref<8x128xf32>, %y: memref<128x8xf32>) grid() {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%c0 : 8, %c0 : 128] : memref<8x128xf32>
  %b = kernel.load %y[%c0 : 128, %c0 : 8] : memref<128x8xf32>
  // CHECK: kernel.reduce add %{{.*}} along 0 : tensor<8x128xf32
  %s = kernel.reduce add %a along 0 : tensor<8x128xf32>
  // CHECK: %[[T:.*]] = kernel.reduce add %{{.*}} along 1 : tensor<128x8xf32
  %t = kernel.reduce add %b along 1 : tensor<128x8xf32>
  // CHECK: kernel.convert_layout %[[T]] : tensor<128xf32, #kernel.layout<threads = [128, 2], vector = [1, 4], without = [1]>> -> tensor<128xf32, #kernel.layout<threads = [8, 32], vector = [1, 4], without = [0]>>
  %u = arith.addf %s, %t : tensor<128xf32>
  kernel.store %u, %x[%c0, %c0 : 128] : tensor<128xf32>, memref<8x128xf32>
  // CHECK: %[[C:.*]] = kernel.convert_layout %{{.*}} : {{.*}} -> tensor<128xf32, #kernel.layout<threads = [128, 2], vector = [1, 4], without = [1]>>
  // CHECK: kernel.broadcast %[[C]]
  %w = kernel.broadcast %u to [0] : tensor<128xf32> -> tensor<128x8xf32>
  %d = arith.subf %b, %w : tensor<128x8xf32>
  kernel.store %d, %y[%c0 : 128, %c0 : 8] : tensor<128x8xf32>, memref<128x8xf32>
  kernel.return
}

// -----

// The factors of a product are laid out as its sums, each thread with all of the inner dimension.
// CHECK-LABEL: kernel.func @product
kernel.func @product(%x: memref<64x2xf32>, %y: memref<2x64xf32>, %z: memref<64x64xf32>) grid() {
  %c0 = arith.constant 0 : index
  %acc = kernel.load %z[%c0 : 64, %c0 : 64] : memref<64x64xf32>
  // CHECK: kernel.load {{.*}} layout <threads = [16, 16], vector = [1, 2]> : memref<64x2xf32>
  %a = kernel.load %x[%c0 : 64, %c0 : 2] : memref<64x2xf32>
  // CHECK: kernel.load {{.*}} layout <threads = [16, 16], vector = [2, 4]> : memref<2x64xf32>
  %b = kernel.load %y[%c0 : 2, %c0 : 64] : memref<2x64xf32>
  // CHECK: kernel.dot {{.*}} tensor<64x64xf32, #kernel.layout<threads = [16, 16], vector = [1, 4]>>
  %d = kernel.dot %a, %b, %acc : tensor<64x2xf32>, tensor<2x64xf32>, tensor<64x64xf32>
  kernel.store %d, %z[%c0 : 64, %c0 : 64] : tensor<64x64xf32>, memref<64x64xf32>
  kernel.return
}

// -----

// Of two bytes a thread loads eight.
// CHECK-LABEL: kernel.func @halves
kernel.func @halves(%x: memref<1024xbf16>) grid() {
  %c0 = arith.constant 0 : index
  // CHECK: kernel.load %{{.*}}[%{{.*}} : 1024] layout <threads = [128], vector = [8]>
  %a = kernel.load %x[%c0 : 1024] : memref<1024xbf16>
  %b = arith.addf %a, %a : tensor<1024xbf16>
  kernel.store %b, %x[%c0 : 1024] : tensor<1024xbf16>, memref<1024xbf16>
  kernel.return
}

// -----

// Where the same elements are stored with four bytes, that is what counts.
// CHECK-LABEL: kernel.func @halves_and_floats
kernel.func @halves_and_floats(%x: memref<1024xbf16>, %y: memref<1024xf32>) grid() {
  %c0 = arith.constant 0 : index
  // CHECK: kernel.load %{{.*}}[%{{.*}} : 1024] layout <threads = [256], vector = [4]>
  %a = kernel.load %x[%c0 : 1024] : memref<1024xbf16>
  %b = arith.extf %a : tensor<1024xbf16> to tensor<1024xf32>
  kernel.store %b, %y[%c0 : 1024] : tensor<1024xf32>, memref<1024xf32>
  kernel.return
}
