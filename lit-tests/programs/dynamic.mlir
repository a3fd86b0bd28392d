// Linalg and affine of sizes that are known at run time only: ten programs, each run on two sizes, one of which is 1, and where nothing is combined.
// RUN: %upstream %s | %run > %t.upstream
// RUN: %ours %s | %run > %t.ours
// RUN: diff %t.upstream %t.ours
// RUN: FileCheck %s --check-prefix=VALUES < %t.ours
// RUN: %into %s | FileCheck %s

// CHECK-NOT: linalg.
// CHECK-NOT: affine.for

func.func private @printMemrefF32(tensor<*xf32> {bufferization.access = "read"})

#point = affine_map<(i, j) -> (i, j)>

// Small numbers, positive and negative, all of them exact.
func.func @numbers(%n: index, %m: index) -> tensor<?x?xf32> {
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#point], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<?x?xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c7 = arith.constant 7 : index
    %c3 = arith.constant 3 : index
    %c11 = arith.constant 11 : index
    %a = arith.muli %i, %c7 : index
    %b = arith.muli %j, %c3 : index
    %s = arith.addi %a, %b : index
    %k = arith.remui %s, %c11 : index
    %w = arith.index_cast %k : index to i32
    %f = arith.sitofp %w : i32 to f32
    %c4 = arith.constant 4.0 : f32
    %v = arith.subf %f, %c4 : f32
    linalg.yield %v : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}


// 1
func.func @add(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.add ins(%x, %y : tensor<?x?xf32>, tensor<?x?xf32>) outs(%x : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// 2
func.func @matmul(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%z : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.matmul ins(%x, %y : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// 3: x times y transposed, onto z.
func.func @matmul_transposed(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %y : tensor<?x?xf32>, tensor<?x?xf32>) outs(%z : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// 4
func.func @transpose(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.transpose ins(%x : tensor<?x?xf32>) outs(%y : tensor<?x?xf32>) permutation = [1, 0]
  return %r : tensor<?x?xf32>
}

// 5
func.func @row_sums(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.reduce { arith.addf } ins(%x : tensor<?x?xf32>) outs(%y : tensor<?xf32>) dimensions = [1]
  return %r : tensor<?xf32>
}

// 6
func.func @column_products(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.reduce { arith.mulf } ins(%x : tensor<?x?xf32>) outs(%y : tensor<?xf32>) dimensions = [0]
  return %r : tensor<?xf32>
}

// 7
func.func @matrix_vector(%x: tensor<?x?xf32>, %y: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.matvec ins(%x, %y : tensor<?x?xf32>, tensor<?xf32>) outs(%z : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// 8: a window of two along a row, and the place of the element.
func.func @neighbours(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %two: tensor<2xf32>) -> tensor<?x?xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j, w) -> (i, j + w)>, affine_map<(i, j, w) -> (w)>, affine_map<(i, j, w) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %two : tensor<?x?xf32>, tensor<2xf32>) outs(%y : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %p, %f : f32
    %s = arith.addf %o, %q : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// 9: affine, over as many as there are.
func.func @affine_scale(%x: memref<?x?xf32>, %k: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %a = affine.load %x[%i, %j] : memref<?x?xf32>
      %b = arith.mulf %a, %k : f32
      affine.store %b, %x[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// 10: affine, from a place on that a symbol says, by steps of two.
func.func @affine_from(%x: memref<?x?xf32>, %from: index, %k: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %n {
    affine.for %j = affine_map<()[s] -> (s)>()[%from] to affine_map<()[s] -> (s)>()[%m] step 2 {
      %a = affine.load %x[%i, %j] : memref<?x?xf32>
      %b = arith.addf %a, %k : f32
      affine.store %b, %x[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

func.func @each(%n: index, %m: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %three = arith.constant 3.0 : f32
  %x = call @numbers(%n, %m) : (index, index) -> tensor<?x?xf32>
  %y = call @numbers(%m, %n) : (index, index) -> tensor<?x?xf32>
  %z = call @numbers(%n, %n) : (index, index) -> tensor<?x?xf32>
  %m1 = arith.addi %m, %c1 : index
  %wide = call @numbers(%n, %m1) : (index, index) -> tensor<?x?xf32>
  %rows0 = call @numbers(%c1, %n) : (index, index) -> tensor<?x?xf32>
  %rows = tensor.extract_slice %rows0[0, 0] [1, %n] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
  %columns0 = call @numbers(%c1, %m) : (index, index) -> tensor<?x?xf32>
  %columns = tensor.extract_slice %columns0[0, 0] [1, %m] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
  %two = arith.constant dense<[2.0, -1.0]> : tensor<2xf32>
  %r0 = call @add(%x, %x) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %r0u = tensor.cast %r0 : tensor<?x?xf32> to tensor<*xf32>
  call @printMemrefF32(%r0u) : (tensor<*xf32>) -> ()
  %r1 = call @matmul(%x, %y, %z) : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %r1u = tensor.cast %r1 : tensor<?x?xf32> to tensor<*xf32>
  call @printMemrefF32(%r1u) : (tensor<*xf32>) -> ()
  %r2 = call @matmul_transposed(%x, %x, %z) : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %r2u = tensor.cast %r2 : tensor<?x?xf32> to tensor<*xf32>
  call @printMemrefF32(%r2u) : (tensor<*xf32>) -> ()
  %r3 = call @transpose(%x, %y) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %r3u = tensor.cast %r3 : tensor<?x?xf32> to tensor<*xf32>
  call @printMemrefF32(%r3u) : (tensor<*xf32>) -> ()
  %r4 = call @row_sums(%x, %rows) : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %r4u = tensor.cast %r4 : tensor<?xf32> to tensor<*xf32>
  call @printMemrefF32(%r4u) : (tensor<*xf32>) -> ()
  %r5 = call @column_products(%x, %columns) : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %r5u = tensor.cast %r5 : tensor<?xf32> to tensor<*xf32>
  call @printMemrefF32(%r5u) : (tensor<*xf32>) -> ()
  %r6 = call @matrix_vector(%x, %columns, %rows) : (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %r6u = tensor.cast %r6 : tensor<?xf32> to tensor<*xf32>
  call @printMemrefF32(%r6u) : (tensor<*xf32>) -> ()
  %r7 = call @neighbours(%wide, %x, %two) : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<2xf32>) -> tensor<?x?xf32>
  %r7u = tensor.cast %r7 : tensor<?x?xf32> to tensor<*xf32>
  call @printMemrefF32(%r7u) : (tensor<*xf32>) -> ()
  %copy = call @numbers(%n, %m) : (index, index) -> tensor<?x?xf32>
  %buffer = bufferization.to_buffer %copy : tensor<?x?xf32> to memref<?x?xf32>
  call @affine_scale(%buffer, %three) : (memref<?x?xf32>, f32) -> ()
  call @affine_from(%buffer, %c1, %three) : (memref<?x?xf32>, index, f32) -> ()
  %after = bufferization.to_tensor %buffer restrict : memref<?x?xf32> to tensor<?x?xf32>
  %afteru = tensor.cast %after : tensor<?x?xf32> to tensor<*xf32>
  call @printMemrefF32(%afteru) : (tensor<*xf32>) -> ()
  return
}

// Nothing is combined: what was there stays, and zeros are zeros.
func.func @nothing_inside(%n: index, %m: index) {
  %c1 = arith.constant 1 : index
  %x = call @numbers(%n, %m) : (index, index) -> tensor<?x?xf32>
  %y = call @numbers(%m, %n) : (index, index) -> tensor<?x?xf32>
  %z = call @numbers(%n, %n) : (index, index) -> tensor<?x?xf32>
  %rows0 = call @numbers(%c1, %n) : (index, index) -> tensor<?x?xf32>
  %rows = tensor.extract_slice %rows0[0, 0] [1, %n] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
  %r0 = call @matmul(%x, %y, %z) : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %r0u = tensor.cast %r0 : tensor<?x?xf32> to tensor<*xf32>
  call @printMemrefF32(%r0u) : (tensor<*xf32>) -> ()
  %r1 = call @matmul_transposed(%x, %x, %z) : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %r1u = tensor.cast %r1 : tensor<?x?xf32> to tensor<*xf32>
  call @printMemrefF32(%r1u) : (tensor<*xf32>) -> ()
  %r2 = call @row_sums(%x, %rows) : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %r2u = tensor.cast %r2 : tensor<?xf32> to tensor<*xf32>
  call @printMemrefF32(%r2u) : (tensor<*xf32>) -> ()
  return
}

func.func @main() {
  // VALUES: [-8,   -2,   4,   10,   -6]
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  call @each(%c3, %c5) : (index, index) -> ()
  call @each(%c1, %c3) : (index, index) -> ()
  call @nothing_inside(%c3, %c0) : (index, index) -> ()
  return
}
