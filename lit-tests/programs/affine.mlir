// Nests of affine loops: ten programs.

// RUN: %upstream %s | %run > %t.upstream
// RUN: %ours %s | %run > %t.ours
// RUN: diff %t.upstream %t.ours
// RUN: FileCheck %s --check-prefix=VALUES < %t.ours
// RUN: %into %s | FileCheck %s

func.func private @printMemrefF32(memref<*xf32>)

func.func @count(%x: memref<?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%x : memref<?xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %w = arith.index_cast %i : index to i32
    %f = arith.sitofp %w : i32 to f32
    linalg.yield %f : f32
  }
  return
}

// 1: zeros, then what is summed up: two operations.
// CHECK-LABEL: func.func @matmul
//   CHECK-NOT:   affine.for
//       CHECK:   loop.pointwise (%{{.*}} = 2, %{{.*}} = 2)
//       CHECK:   loop.group (%{{.*}} = 2, %{{.*}} = 2)
//       CHECK:     loop.reduction add over (%{{.*}} = 3)
func.func @matmul(%x: memref<2x3xf32>, %y: memref<3x2xf32>) -> memref<2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %z = memref.alloc() : memref<2x2xf32>
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 2 {
      affine.store %zero, %z[%i, %j] : memref<2x2xf32>
      affine.for %k = 0 to 3 {
        %a = affine.load %x[%i, %k] : memref<2x3xf32>
        %b = affine.load %y[%k, %j] : memref<3x2xf32>
        %p = arith.mulf %a, %b : f32
        %s = affine.load %z[%i, %j] : memref<2x2xf32>
        %t = arith.addf %s, %p : f32
        affine.store %t, %z[%i, %j] : memref<2x2xf32>
      }
    }
  }
  return %z : memref<2x2xf32>
}

// 2: a value that loops carry, over two of them.
// CHECK-LABEL: func.func @carried
//   CHECK-NOT:   affine.for
//       CHECK:   loop.group (%{{.*}} = 2)
//       CHECK:     loop.reduction max over (%{{.*}} = 3, %{{.*}} = 2)
func.func @carried(%x: memref<2x3x2xf32>, %low: f32) -> memref<2xf32> {
  %z = memref.alloc() : memref<2xf32>
  affine.for %i = 0 to 2 {
    %m = affine.for %j = 0 to 3 iter_args(%a = %low) -> f32 {
      %n = affine.for %k = 0 to 2 iter_args(%b = %a) -> f32 {
        %e = affine.load %x[%i, %j, %k] : memref<2x3x2xf32>
        %c = arith.maximumf %b, %e : f32
        affine.yield %c : f32
      }
      affine.yield %n : f32
    }
    %half = arith.addf %m, %m : f32
    affine.store %half, %z[%i] : memref<2xf32>
  }
  return %z : memref<2xf32>
}

// 3: steps of time come one after the other, the points of each at once.
// CHECK-LABEL: func.func @stencil
//       CHECK:   affine.for
//       CHECK:     loop.scatter
//       CHECK:     loop.scatter
func.func @stencil(%x: memref<12xf32>) {
  %y = memref.alloc() : memref<12xf32>
  affine.for %t = 0 to 3 {
    affine.for %i = 1 to 11 {
      %a = affine.load %x[%i - 1] : memref<12xf32>
      %b = affine.load %x[%i + 1] : memref<12xf32>
      %s = arith.addf %a, %b : f32
      affine.store %s, %y[%i] : memref<12xf32>
    }
    affine.for %i = 1 to 11 {
      %a = affine.load %y[%i] : memref<12xf32>
      affine.store %a, %x[%i] : memref<12xf32>
    }
  }
  memref.dealloc %y : memref<12xf32>
  return
}

// 4: backwards, in steps, from a place on.
// CHECK-LABEL: func.func @steps
//   CHECK-NOT:   affine.for
//       CHECK:   loop.scatter (%[[I:.*]] = 4)
//       CHECK:     loop.yield %{{.*}} at [%[[I]] * -3 + 10]
func.func @steps(%x: memref<12xf32>, %k: f32) {
  affine.for %i = 1 to 12 step 3 {
    affine.store %k, %x[11 - %i] : memref<12xf32>
  }
  return
}

// 5: under a condition the old value stays.
// CHECK-LABEL: func.func @inner_points
//   CHECK-NOT:   affine.for
//       CHECK:   loop.pointwise
//       CHECK:     arith.select
#inner = affine_set<(i)[n] : (i - 1 >= 0, n - 2 - i >= 0)>
func.func @inner_points(%x: memref<12xf32>, %n: index) {
  affine.for %i = 0 to 12 {
    affine.if #inner(%i)[%n] {
      %a = affine.load %x[%i] : memref<12xf32>
      %b = arith.negf %a : f32
      affine.store %b, %x[%i] : memref<12xf32>
    }
  }
  return
}

// 6: what is summed up under a condition, and read where it holds only.
// CHECK-LABEL: func.func @lower_triangle
//   CHECK-NOT:   affine.for
//       CHECK:   loop.reduction add
//       CHECK:     loop.load %{{.*}} if %
#below = affine_set<(i, j) : (i - j - 1 >= 0)>
func.func @lower_triangle(%x: memref<3x4xf32>) -> memref<3xf32> {
  %z = memref.alloc() : memref<3xf32>
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 3 {
    affine.store %zero, %z[%i] : memref<3xf32>
  }
  affine.for %j = 0 to 4 {
    affine.for %i = 0 to 3 {
      affine.if #below(%i, %j) {
        %a = affine.load %x[%i, %j] : memref<3x4xf32>
        %s = affine.load %z[%i] : memref<3xf32>
        %t = arith.addf %s, %a : f32
        affine.store %t, %z[%i] : memref<3xf32>
      }
    }
  }
  return %z : memref<3xf32>
}

// 7: places that divide are not compared, so the loop stays.
// CHECK-LABEL: func.func @reshaped
//   CHECK-NOT:   loop.
//       CHECK:   affine.for
func.func @reshaped(%x: memref<12xf32>) -> memref<3x4xf32> {
  %z = memref.alloc() : memref<3x4xf32>
  affine.for %i = 0 to 12 {
    %a = affine.load %x[%i] : memref<12xf32>
    affine.store %a, %z[%i floordiv 4, %i mod 4] : memref<3x4xf32>
  }
  return %z : memref<3x4xf32>
}

// 8: the last one wins: an order, which stays.
// CHECK-LABEL: func.func @last
//   CHECK-NOT:   loop.
//       CHECK:   affine.for
func.func @last(%x: memref<12xf32>) -> memref<1xf32> {
  %z = memref.alloc() : memref<1xf32>
  affine.for %i = 0 to 12 {
    %a = affine.load %x[%i] : memref<12xf32>
    affine.store %a, %z[0] : memref<1xf32>
  }
  return %z : memref<1xf32>
}

// 9: bounds that depend on another loop stay; what is in it does not.
// CHECK-LABEL: func.func @triangle
//       CHECK:   affine.for
//       CHECK:     loop.scatter
func.func @triangle(%k: f32) -> memref<3x4xf32> {
  %z = memref.alloc() : memref<3x4xf32>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%z : memref<3x4xf32>)
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to affine_map<(i) -> (i + 1)>(%i) {
      affine.store %k, %z[%i, %j] : memref<3x4xf32>
    }
  }
  return %z : memref<3x4xf32>
}

// 10: no round at all.
// CHECK-LABEL: func.func @none
//   CHECK-NOT:   affine.for
func.func @none(%x: memref<12xf32>, %k: f32) {
  affine.for %i = 5 to 3 {
    affine.store %k, %x[%i] : memref<12xf32>
  }
  return
}

func.func @main() {
  %c7 = arith.constant 7 : index
  %k = arith.constant 100.0 : f32
  %low = arith.constant -1000.0 : f32
  %x = memref.alloc() : memref<12xf32>
  %d = memref.cast %x : memref<12xf32> to memref<?xf32>
  %u = memref.cast %x : memref<12xf32> to memref<*xf32>
  call @count(%d) : (memref<?xf32>) -> ()
  %a = memref.reinterpret_cast %x to offset: [0], sizes: [2, 3], strides: [3, 1] : memref<12xf32> to memref<2x3xf32>
  %b = memref.reinterpret_cast %x to offset: [0], sizes: [3, 2], strides: [2, 1] : memref<12xf32> to memref<3x2xf32>
  %z1 = call @matmul(%a, %b) : (memref<2x3xf32>, memref<3x2xf32>) -> memref<2x2xf32>
  %u1 = memref.cast %z1 : memref<2x2xf32> to memref<*xf32>
  // VALUES: {{\[}}[10,   13],
  // VALUES-NEXT: [28,   40]]
  call @printMemrefF32(%u1) : (memref<*xf32>) -> ()
  %c = memref.expand_shape %x [[0, 1, 2]] output_shape [2, 3, 2] : memref<12xf32> into memref<2x3x2xf32>
  %z2 = call @carried(%c, %low) : (memref<2x3x2xf32>, f32) -> memref<2xf32>
  %u2 = memref.cast %z2 : memref<2xf32> to memref<*xf32>
  // VALUES: [10,  22]
  call @printMemrefF32(%u2) : (memref<*xf32>) -> ()
  call @stencil(%x) : (memref<12xf32>) -> ()
  // VALUES: [0,  8,  16,  24,  32,  40,  48,  56,  64,  61,  47,  11]
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  call @count(%d) : (memref<?xf32>) -> ()
  call @steps(%x, %k) : (memref<12xf32>, f32) -> ()
  // VALUES: [0,  100,  2,  3,  100,  5,  6,  100,  8,  9,  100,  11]
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  call @count(%d) : (memref<?xf32>) -> ()
  call @inner_points(%x, %c7) : (memref<12xf32>, index) -> ()
  // VALUES: [0,  -1,  -2,  -3,  -4,  -5,  6,  7,  8,  9,  10,  11]
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  call @count(%d) : (memref<?xf32>) -> ()
  %e = memref.expand_shape %x [[0, 1]] output_shape [3, 4] : memref<12xf32> into memref<3x4xf32>
  %z6 = call @lower_triangle(%e) : (memref<3x4xf32>) -> memref<3xf32>
  %u6 = memref.cast %z6 : memref<3xf32> to memref<*xf32>
  // VALUES: [0,  4,  17]
  call @printMemrefF32(%u6) : (memref<*xf32>) -> ()
  %z7 = call @reshaped(%x) : (memref<12xf32>) -> memref<3x4xf32>
  %u7 = memref.cast %z7 : memref<3x4xf32> to memref<*xf32>
  // VALUES: {{\[}}[0,   1,   2,   3],
  // VALUES-NEXT: [4,   5,   6,   7],
  // VALUES-NEXT: [8,   9,   10,   11]]
  call @printMemrefF32(%u7) : (memref<*xf32>) -> ()
  %z8 = call @last(%x) : (memref<12xf32>) -> memref<1xf32>
  %u8 = memref.cast %z8 : memref<1xf32> to memref<*xf32>
  // VALUES: [11]
  call @printMemrefF32(%u8) : (memref<*xf32>) -> ()
  %z9 = call @triangle(%k) : (f32) -> memref<3x4xf32>
  %u9 = memref.cast %z9 : memref<3x4xf32> to memref<*xf32>
  // VALUES: {{\[}}[100,   0,   0,   0],
  // VALUES-NEXT: [100,   100,   0,   0],
  // VALUES-NEXT: [100,   100,   100,   0]]
  call @printMemrefF32(%u9) : (memref<*xf32>) -> ()
  call @none(%x, %k) : (memref<12xf32>, f32) -> ()
  // VALUES: [0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,  11]
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  return
}
