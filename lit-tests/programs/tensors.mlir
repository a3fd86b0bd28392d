// Linalg on tensors of static sizes: five programs.
// RUN: %upstream %s | %run > %t.upstream
// RUN: %ours %s | %run > %t.ours
// RUN: diff %t.upstream %t.ours
// RUN: FileCheck %s --check-prefix=VALUES < %t.ours
// RUN: %into %s | FileCheck %s

// CHECK-NOT: linalg.

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

// 1: two operands of other layouts; rows of one are columns of the other.
func.func @transposed_and_broadcast(%x: tensor<4x6xf32>, %y: tensor<6x4xf32>, %z: tensor<6xf32>) -> tensor<4x6xf32> {
  %e = tensor.empty() : tensor<4x6xf32>
  %r = linalg.generic {
      indexing_maps = [#point, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (j)>, #point],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %y, %z : tensor<4x6xf32>, tensor<6x4xf32>, tensor<6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    %t = arith.subf %s, %c : f32
    linalg.yield %t : f32
  } -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// 2: into zeros, which are not computed for themselves.
func.func @matmul(%x: tensor<4x6xf32>, %y: tensor<6x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = linalg.matmul ins(%x, %y : tensor<4x6xf32>, tensor<6x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// 3: onto what is there.
func.func @matmul_onto(%x: tensor<4x6xf32>, %y: tensor<6x4xf32>, %z: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.matmul ins(%x, %y : tensor<4x6xf32>, tensor<6x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// 4: linalg.map, linalg.transpose, linalg.broadcast, linalg.reduce in a row.
func.func @named(%x: tensor<4x6xf32>) -> tensor<6x4xf32> {
  %e = tensor.empty() : tensor<6x4xf32>
  %v = tensor.empty() : tensor<6xf32>
  %one = arith.constant 1.0 : f32
  %ones = linalg.fill ins(%one : f32) outs(%v : tensor<6xf32>) -> tensor<6xf32>
  %t = linalg.transpose ins(%x : tensor<4x6xf32>) outs(%e : tensor<6x4xf32>) permutation = [1, 0]
  %s = linalg.reduce { arith.addf } ins(%t : tensor<6x4xf32>) outs(%ones : tensor<6xf32>) dimensions = [1]
  %b = linalg.broadcast ins(%s : tensor<6xf32>) outs(%e : tensor<6x4xf32>) dimensions = [1]
  %m = linalg.map { arith.mulf } ins(%b, %t : tensor<6x4xf32>, tensor<6x4xf32>) outs(%e : tensor<6x4xf32>)
  return %m : tensor<6x4xf32>
}

// 5: a softmax without the exponential: its values stay exact.
func.func @normalized(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %v = tensor.empty() : tensor<4xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %lows = linalg.fill ins(%low : f32) outs(%v : tensor<4xf32>) -> tensor<4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%v : tensor<4xf32>) -> tensor<4xf32>
  %max = linalg.reduce { arith.maximumf } ins(%x : tensor<4x6xf32>) outs(%lows : tensor<4xf32>) dimensions = [1]
  %d = linalg.generic {indexing_maps = [#point, affine_map<(i, j) -> (i)>, #point], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<4x6xf32>, tensor<4xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %s = arith.subf %a, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  %sum = linalg.reduce { arith.addf } ins(%d : tensor<4x6xf32>) outs(%zeros : tensor<4xf32>) dimensions = [1]
  %r = linalg.generic {indexing_maps = [#point, affine_map<(i, j) -> (i)>, #point], iterator_types = ["parallel", "parallel"]}
      ins(%d, %sum : tensor<4x6xf32>, tensor<4xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %s = arith.mulf %a, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

func.func @main() {
  // VALUES: [13,   -9,   0,   29,   -10,   4]
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %xd = call @numbers(%c4, %c6) : (index, index) -> tensor<?x?xf32>
  %x = tensor.cast %xd : tensor<?x?xf32> to tensor<4x6xf32>
  %yd = call @numbers(%c6, %c4) : (index, index) -> tensor<?x?xf32>
  %y = tensor.cast %yd : tensor<?x?xf32> to tensor<6x4xf32>
  %zzd = call @numbers(%c4, %c4) : (index, index) -> tensor<?x?xf32>
  %zz = tensor.cast %zzd : tensor<?x?xf32> to tensor<4x4xf32>
  %row = tensor.extract_slice %x[1, 0] [1, 6] [1, 1] : tensor<4x6xf32> to tensor<6xf32>
  %r1 = call @transposed_and_broadcast(%x, %y, %row) : (tensor<4x6xf32>, tensor<6x4xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  %r1u = tensor.cast %r1 : tensor<4x6xf32> to tensor<*xf32>
  call @printMemrefF32(%r1u) : (tensor<*xf32>) -> ()
  %r2 = call @matmul(%x, %y) : (tensor<4x6xf32>, tensor<6x4xf32>) -> tensor<4x4xf32>
  %r2u = tensor.cast %r2 : tensor<4x4xf32> to tensor<*xf32>
  call @printMemrefF32(%r2u) : (tensor<*xf32>) -> ()
  %r3 = call @matmul_onto(%x, %y, %zz) : (tensor<4x6xf32>, tensor<6x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %r3u = tensor.cast %r3 : tensor<4x4xf32> to tensor<*xf32>
  call @printMemrefF32(%r3u) : (tensor<*xf32>) -> ()
  %r4 = call @named(%x) : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %r4u = tensor.cast %r4 : tensor<6x4xf32> to tensor<*xf32>
  call @printMemrefF32(%r4u) : (tensor<*xf32>) -> ()
  %r5 = call @normalized(%x) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %r5u = tensor.cast %r5 : tensor<4x6xf32> to tensor<*xf32>
  call @printMemrefF32(%r5u) : (tensor<*xf32>) -> ()
  return
}
