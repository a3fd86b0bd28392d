// Maps that are no projections, and windows: ten programs.
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


// 1: every second element.
func.func @strided(%x: tensor<4x6xf32>) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i * 2, j * 2)>, #point], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x6xf32>) outs(%e : tensor<2x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// 2: the diagonal.
func.func @diagonal(%x: tensor<4x4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4x4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// 3: the trace, onto 0.
func.func @trace(%x: tensor<4x4xf32>) -> tensor<f32> {
  %z = arith.constant dense<0.0> : tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<4x4xf32>) outs(%z : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

// 4: writes the diagonal of what is there.
func.func @onto_diagonal(%x: tensor<4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i, i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%y : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// 5: a convolution, with steps and holes.
func.func @convolution(%x: tensor<1x9x9x2xf32>, %w: tensor<3x3x2x2xf32>) -> tensor<1x3x3x2xf32> {
  %e = arith.constant dense<1.0> : tensor<1x3x3x2xf32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<1x9x9x2xf32>, tensor<3x3x2x2xf32>) outs(%e : tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32>
  return %r : tensor<1x3x3x2xf32>
}

// 6: each channel by itself.
func.func @depthwise(%x: tensor<1x9x9x2xf32>, %w: tensor<3x3x2xf32>) -> tensor<1x7x7x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x7x7x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x7x7x2xf32>) -> tensor<1x7x7x2xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<1x9x9x2xf32>, tensor<3x3x2xf32>) outs(%f : tensor<1x7x7x2xf32>) -> tensor<1x7x7x2xf32>
  return %r : tensor<1x7x7x2xf32>
}

// 7: the largest of a window.
func.func @max_pool(%x: tensor<1x9x9x2xf32>) -> tensor<1x4x4x2xf32> {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x4x4x2xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %w = tensor.empty() : tensor<2x2xf32>
  %r = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<1x9x9x2xf32>, tensor<2x2xf32>) outs(%f : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  return %r : tensor<1x4x4x2xf32>
}

// 8: the sum of a window, onto what is there.
func.func @sum_pool(%x: tensor<1x9x9x2xf32>) -> tensor<1x4x4x2xf32> {
  %f = arith.constant dense<-2.0> : tensor<1x4x4x2xf32>
  %w = tensor.empty() : tensor<3x3xf32>
  %r = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<1x9x9x2xf32>, tensor<3x3xf32>) outs(%f : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  return %r : tensor<1x4x4x2xf32>
}

// 9: one row for all, by a constant.
func.func @one_row(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %row = tensor.extract_slice %x[2, 0] [1, 4] [1, 1] : tensor<4x4xf32> to tensor<1x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (0, j)>, #point, #point], iterator_types = ["parallel", "parallel"]}
      ins(%row, %x : tensor<1x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// 10: at indices that are computed.
func.func @gather(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %c3 = arith.constant 3 : index
  %r = linalg.generic {indexing_maps = [#point], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.subi %c3, %i : index
    %s = arith.addi %i, %j : index
    %l = arith.andi %s, %c3 : index
    %a = tensor.extract %x[%k, %l] : tensor<4x4xf32>
    linalg.yield %a : f32
  } -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

func.func @main() {
  // VALUES: [-4,   2,   -3]
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c9 = arith.constant 9 : index
  %c18 = arith.constant 18 : index
  %xd = call @numbers(%c4, %c6) : (index, index) -> tensor<?x?xf32>
  %x = tensor.cast %xd : tensor<?x?xf32> to tensor<4x6xf32>
  %yd = call @numbers(%c4, %c4) : (index, index) -> tensor<?x?xf32>
  %y = tensor.cast %yd : tensor<?x?xf32> to tensor<4x4xf32>
  %rowsd = call @numbers(%c9, %c18) : (index, index) -> tensor<?x?xf32>
  %rows = tensor.cast %rowsd : tensor<?x?xf32> to tensor<9x18xf32>
  %wsd = call @numbers(%c9, %c4) : (index, index) -> tensor<?x?xf32>
  %ws = tensor.cast %wsd : tensor<?x?xf32> to tensor<9x4xf32>
  %image = tensor.expand_shape %rows [[0, 1], [2, 3]] output_shape [1, 9, 9, 2] : tensor<9x18xf32> into tensor<1x9x9x2xf32>
  %filter = tensor.expand_shape %ws [[0, 1], [2, 3]] output_shape [3, 3, 2, 2] : tensor<9x4xf32> into tensor<3x3x2x2xf32>
  %slice = tensor.extract_slice %filter[0, 0, 0, 1] [3, 3, 2, 1] [1, 1, 1, 1] : tensor<3x3x2x2xf32> to tensor<3x3x2xf32>
  %r0 = call @strided(%x) : (tensor<4x6xf32>) -> tensor<2x3xf32>
  %r0u = tensor.cast %r0 : tensor<2x3xf32> to tensor<*xf32>
  call @printMemrefF32(%r0u) : (tensor<*xf32>) -> ()
  %r1 = call @diagonal(%y) : (tensor<4x4xf32>) -> tensor<4xf32>
  %r1u = tensor.cast %r1 : tensor<4xf32> to tensor<*xf32>
  call @printMemrefF32(%r1u) : (tensor<*xf32>) -> ()
  %r2 = call @trace(%y) : (tensor<4x4xf32>) -> tensor<f32>
  %r2u = tensor.cast %r2 : tensor<f32> to tensor<*xf32>
  call @printMemrefF32(%r2u) : (tensor<*xf32>) -> ()
  %r3 = call @onto_diagonal(%r1, %y) : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %r3u = tensor.cast %r3 : tensor<4x4xf32> to tensor<*xf32>
  call @printMemrefF32(%r3u) : (tensor<*xf32>) -> ()
  %r4 = call @convolution(%image, %filter) : (tensor<1x9x9x2xf32>, tensor<3x3x2x2xf32>) -> tensor<1x3x3x2xf32>
  %r4u = tensor.cast %r4 : tensor<1x3x3x2xf32> to tensor<*xf32>
  call @printMemrefF32(%r4u) : (tensor<*xf32>) -> ()
  %r5 = call @depthwise(%image, %slice) : (tensor<1x9x9x2xf32>, tensor<3x3x2xf32>) -> tensor<1x7x7x2xf32>
  %r5u = tensor.cast %r5 : tensor<1x7x7x2xf32> to tensor<*xf32>
  call @printMemrefF32(%r5u) : (tensor<*xf32>) -> ()
  %r6 = call @max_pool(%image) : (tensor<1x9x9x2xf32>) -> tensor<1x4x4x2xf32>
  %r6u = tensor.cast %r6 : tensor<1x4x4x2xf32> to tensor<*xf32>
  call @printMemrefF32(%r6u) : (tensor<*xf32>) -> ()
  %r7 = call @sum_pool(%image) : (tensor<1x9x9x2xf32>) -> tensor<1x4x4x2xf32>
  %r7u = tensor.cast %r7 : tensor<1x4x4x2xf32> to tensor<*xf32>
  call @printMemrefF32(%r7u) : (tensor<*xf32>) -> ()
  %r8 = call @one_row(%y) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %r8u = tensor.cast %r8 : tensor<4x4xf32> to tensor<*xf32>
  call @printMemrefF32(%r8u) : (tensor<*xf32>) -> ()
  %r9 = call @gather(%y) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %r9u = tensor.cast %r9 : tensor<4x4xf32> to tensor<*xf32>
  call @printMemrefF32(%r9u) : (tensor<*xf32>) -> ()
  return
}
