// Affine loops and linalg on memrefs that overlap as views of one memory: twelve programs.

// RUN: %upstream %s | %run > %t.upstream
// RUN: %ours %s | %run > %t.ours
// RUN: diff %t.upstream %t.ours
// RUN: FileCheck %s --check-prefix=VALUES < %t.ours
// RUN: %into %s | FileCheck %s

func.func private @printMemrefF32(memref<*xf32>)

// 0, 1, 2, ...
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

// 1: from the first half to the second: they do not meet.
// CHECK-LABEL: func.func @halves
//       CHECK:   loop.pointwise
//   CHECK-NOT:   affine.for
func.func @halves(%x: memref<16xf32>) {
  %low = memref.subview %x[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
  %high = memref.subview %x[8] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 8>>
  affine.for %i = 0 to 8 {
    %a = affine.load %low[%i] : memref<8xf32, strided<[1]>>
    %b = arith.addf %a, %a : f32
    affine.store %b, %high[%i] : memref<8xf32, strided<[1], offset: 8>>
  }
  return
}

// 2: from even places to odd ones.
// CHECK-LABEL: func.func @even_to_odd
//       CHECK:   loop.pointwise
//   CHECK-NOT:   affine.for
func.func @even_to_odd(%x: memref<16xf32>) {
  %even = memref.subview %x[0] [8] [2] : memref<16xf32> to memref<8xf32, strided<[2]>>
  %odd = memref.subview %x[1] [8] [2] : memref<16xf32> to memref<8xf32, strided<[2], offset: 1>>
  affine.for %i = 0 to 8 {
    %a = affine.load %even[%i] : memref<8xf32, strided<[2]>>
    %b = arith.negf %a : f32
    affine.store %b, %odd[%i] : memref<8xf32, strided<[2], offset: 1>>
  }
  return
}

// 3: each element needs the one before it, which was written just then.
// CHECK-LABEL: func.func @running
//   CHECK-NOT:   loop.
//       CHECK:   affine.for
func.func @running(%x: memref<16xf32>) {
  %first = memref.subview %x[0] [15] [1] : memref<16xf32> to memref<15xf32, strided<[1]>>
  %later = memref.subview %x[1] [15] [1] : memref<16xf32> to memref<15xf32, strided<[1], offset: 1>>
  affine.for %i = 0 to 15 {
    %a = affine.load %first[%i] : memref<15xf32, strided<[1]>>
    %b = affine.load %later[%i] : memref<15xf32, strided<[1], offset: 1>>
    %c = arith.addf %a, %b : f32
    affine.store %c, %later[%i] : memref<15xf32, strided<[1], offset: 1>>
  }
  return
}

// 4: each element needs the next one, as it was.
// CHECK-LABEL: func.func @shifted_back
//   CHECK-NOT:   loop.
//       CHECK:   affine.for
func.func @shifted_back(%x: memref<16xf32>) {
  %first = memref.subview %x[0] [15] [1] : memref<16xf32> to memref<15xf32, strided<[1]>>
  affine.for %i = 0 to 15 {
    %a = affine.load %x[%i + 1] : memref<16xf32>
    affine.store %a, %first[%i] : memref<15xf32, strided<[1]>>
  }
  return
}

// 5: the same element by two names.
// CHECK-LABEL: func.func @two_names
//       CHECK:   loop.pointwise
//   CHECK-NOT:   affine.for
func.func @two_names(%x: memref<16xf32>) {
  %flat = memref.reinterpret_cast %x to offset: [0], sizes: [4, 4], strides: [4, 1] : memref<16xf32> to memref<4x4xf32, strided<[4, 1]>>
  %square = memref.expand_shape %x [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      %a = affine.load %square[%i, %j] : memref<4x4xf32>
      %b = arith.addf %a, %a : f32
      affine.store %b, %flat[%i, %j] : memref<4x4xf32, strided<[4, 1]>>
    }
  }
  return
}

// 6: a transposition in place reads what it has written.
// CHECK-LABEL: func.func @transposed_in_place
//   CHECK-NOT:   loop.
//       CHECK:   affine.for
func.func @transposed_in_place(%x: memref<4x4xf32>) {
  %t = memref.transpose %x (i, j) -> (j, i) : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      %a = affine.load %t[%i, %j] : memref<4x4xf32, strided<[1, 4]>>
      affine.store %a, %x[%i, %j] : memref<4x4xf32>
    }
  }
  return
}

// 7: the first two rows into the last two, by a view of all elements in a row.
// CHECK-LABEL: func.func @rows
//       CHECK:   loop.scatter
//   CHECK-NOT:   affine.for
func.func @rows(%x: memref<4x4xf32>) {
  %flat = memref.collapse_shape %x [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 4 {
      %a = affine.load %x[%i, %j] : memref<4x4xf32>
      affine.store %a, %flat[%i * 4 + %j + 8] : memref<16xf32>
    }
  }
  return
}

// 8: rows that overlap: each is summed up into a place that the next one has, too.
// CHECK-LABEL: func.func @windows
//   CHECK-NOT:   loop.
//       CHECK:   affine.for
func.func @windows(%x: memref<16xf32>) {
  %w = memref.reinterpret_cast %x to offset: [0], sizes: [7, 4], strides: [2, 1] : memref<16xf32> to memref<7x4xf32, strided<[2, 1]>>
  affine.for %i = 0 to 7 {
    affine.for %j = 0 to 4 {
      %a = affine.load %w[%i, %j] : memref<7x4xf32, strided<[2, 1]>>
      %b = arith.addf %a, %a : f32
      affine.store %b, %w[%i, %j] : memref<7x4xf32, strided<[2, 1]>>
    }
  }
  return
}

// 9: windows that are only read may overlap.
// CHECK-LABEL: func.func @window_sums
//       CHECK:   loop.group
//   CHECK-NOT:   affine.for
func.func @window_sums(%x: memref<16xf32>, %y: memref<7xf32>) {
  %x1, %y1 = memref.distinct_objects %x, %y : memref<16xf32>, memref<7xf32>
  %w = memref.reinterpret_cast %x1 to offset: [0], sizes: [7, 4], strides: [2, 1] : memref<16xf32> to memref<7x4xf32, strided<[2, 1]>>
  affine.for %i = 0 to 7 {
    affine.for %j = 0 to 4 {
      %a = affine.load %w[%i, %j] : memref<7x4xf32, strided<[2, 1]>>
      %s = affine.load %y1[%i] : memref<7xf32>
      %b = arith.addf %s, %a : f32
      affine.store %b, %y1[%i] : memref<7xf32>
    }
  }
  return
}

// 10: what is stored first is read by the second loop through a view, at other places: two operations, in order.
// CHECK-LABEL: func.func @one_after_the_other
//       CHECK:   loop.pointwise
//       CHECK:   loop.pointwise
//   CHECK-NOT:   affine.for
func.func @one_after_the_other(%x: memref<16xf32>, %k: f32) {
  %y = memref.alloc() : memref<16xf32>
  %back = memref.subview %y[0] [16] [1] : memref<16xf32> to memref<16xf32, strided<[1]>>
  affine.for %i = 0 to 16 {
    %a = affine.load %x[%i] : memref<16xf32>
    %b = arith.addf %a, %k : f32
    affine.store %b, %back[%i] : memref<16xf32, strided<[1]>>
  }
  affine.for %i = 0 to 16 {
    %a = affine.load %y[15 - %i] : memref<16xf32>
    affine.store %a, %x[%i] : memref<16xf32>
  }
  memref.dealloc %y : memref<16xf32>
  return
}

// 11: two stores in one loop, the second of which reads what the first has stored for the next round.
// CHECK-LABEL: func.func @in_turns
//   CHECK-NOT:   loop.
//       CHECK:   affine.for
func.func @in_turns(%x: memref<16xf32>, %k: f32) {
  %odd = memref.subview %x[1] [8] [2] : memref<16xf32> to memref<8xf32, strided<[2], offset: 1>>
  %even = memref.subview %x[0] [8] [2] : memref<16xf32> to memref<8xf32, strided<[2]>>
  affine.for %i = 0 to 7 {
    %a = affine.load %even[%i] : memref<8xf32, strided<[2]>>
    affine.store %a, %odd[%i] : memref<8xf32, strided<[2], offset: 1>>
    %b = affine.load %x[%i * 2 + 1] : memref<16xf32>
    %c = arith.addf %b, %k : f32
    affine.store %c, %even[%i + 1] : memref<8xf32, strided<[2]>>
  }
  return
}

// 12: linalg: rows 0 and 1 onto rows 2 and 3; then onto rows 1 and 2, which overlap what is read and stay in upstream's hands.
// CHECK-LABEL: func.func @linalg_rows
//       CHECK:   loop.pointwise
//       CHECK:   linalg.generic
func.func @linalg_rows(%x: memref<4x4xf32>) {
  %top = memref.subview %x[0, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1]>>
  %bottom = memref.subview %x[2, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 8>>
  %middle = memref.subview %x[1, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 4>>
  linalg.add ins(%top, %bottom : memref<2x4xf32, strided<[4, 1]>>, memref<2x4xf32, strided<[4, 1], offset: 8>>)
      outs(%bottom : memref<2x4xf32, strided<[4, 1], offset: 8>>)
  linalg.add ins(%top, %middle : memref<2x4xf32, strided<[4, 1]>>, memref<2x4xf32, strided<[4, 1], offset: 4>>)
      outs(%middle : memref<2x4xf32, strided<[4, 1], offset: 4>>)
  return
}

func.func @main() {
  %two = arith.constant 2.0 : f32
  %zero = arith.constant 0.0 : f32
  %x = memref.alloc() : memref<16xf32>
  %y = memref.alloc() : memref<7xf32>
  %d = memref.cast %x : memref<16xf32> to memref<?xf32>
  %dy = memref.cast %y : memref<7xf32> to memref<?xf32>
  %s = memref.expand_shape %x [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  %u = memref.cast %x : memref<16xf32> to memref<*xf32>
  %uy = memref.cast %y : memref<7xf32> to memref<*xf32>

  call @count(%d) : (memref<?xf32>) -> ()
  call @halves(%x) : (memref<16xf32>) -> ()
  // VALUES: [0,  1,  2,  3,  4,  5,  6,  7,  0,  2,  4,  6,  8,  10,  12,  14]
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  call @count(%d) : (memref<?xf32>) -> ()
  call @even_to_odd(%x) : (memref<16xf32>) -> ()
  // VALUES: [0,  -0,  2,  -2,  4,  -4,  6,  -6,  8,  -8,  10,  -10,  12,  -12,  14,  -14]
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  call @count(%d) : (memref<?xf32>) -> ()
  call @running(%x) : (memref<16xf32>) -> ()
  // VALUES: [0,  1,  3,  6,  10,  15,  21,  28,  36,  45,  55,  66,  78,  91,  105,  120]
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  call @count(%d) : (memref<?xf32>) -> ()
  call @shifted_back(%x) : (memref<16xf32>) -> ()
  // VALUES: [1,  2,  3,  4,  5,  6,  7,  8,  9,  10,  11,  12,  13,  14,  15,  15]
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  call @two_names(%x) : (memref<16xf32>) -> ()
  // VALUES: [2,  4,  6,  8,  10,  12,  14,  16,  18,  20,  22,  24,  26,  28,  30,  30]
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  call @count(%d) : (memref<?xf32>) -> ()
  call @transposed_in_place(%s) : (memref<4x4xf32>) -> ()
  // VALUES: [0,  4,  8,  12,  4,  5,  9,  13,  8,  9,  10,  14,  12,  13,  14,  15]
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  call @count(%d) : (memref<?xf32>) -> ()
  call @rows(%s) : (memref<4x4xf32>) -> ()
  // VALUES: [0,  1,  2,  3,  4,  5,  6,  7,  0,  1,  2,  3,  4,  5,  6,  7]
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  call @count(%d) : (memref<?xf32>) -> ()
  call @windows(%x) : (memref<16xf32>) -> ()
  // VALUES: [0,  2,  8,  12,  16,  20,  24,  28,  32,  36,  40,  44,  48,  52,  28,  30]
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  call @count(%d) : (memref<?xf32>) -> ()
  call @count(%dy) : (memref<?xf32>) -> ()
  call @window_sums(%x, %y) : (memref<16xf32>, memref<7xf32>) -> ()
  // VALUES: [6,  15,  24,  33,  42,  51,  60]
  call @printMemrefF32(%uy) : (memref<*xf32>) -> ()
  call @one_after_the_other(%x, %two) : (memref<16xf32>, f32) -> ()
  // VALUES: [17,  16,  15,  14,  13,  12,  11,  10,  9,  8,  7,  6,  5,  4,  3,  2]
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  call @in_turns(%x, %two) : (memref<16xf32>, f32) -> ()
  // VALUES: [17,  17,  19,  19,  21,  21,  23,  23,  25,  25,  27,  27,  29,  29,  31,  2]
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  call @count(%d) : (memref<?xf32>) -> ()
  call @linalg_rows(%s) : (memref<4x4xf32>) -> ()
  // VALUES: [0,  1,  2,  3,  4,  6,  8,  10,  12,  16,  20,  24,  16,  18,  20,  22]
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  return
}
