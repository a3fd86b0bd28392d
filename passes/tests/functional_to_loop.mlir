// Every operator of the functional dialect: functional_to_loop.rs runs each function before and after the pass.
// Integer elements are -2 to 2, floats multiples of 1/4 between -3 and 3.

func.func @arithmetic(%x: tensor<4x5xf32>, %y: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %0 = functional.add %x, %y : tensor<4x5xf32>, tensor<4x5xf32>
  %1 = functional.sub %0, %x : tensor<4x5xf32>, tensor<4x5xf32>
  %2 = functional.mul %1, %0 : tensor<4x5xf32>, tensor<4x5xf32>
  %3 = functional.div %2, %y : tensor<4x5xf32>, tensor<4x5xf32>
  %4 = functional.maximum %3, %x : tensor<4x5xf32>, tensor<4x5xf32>
  %5 = functional.minimum %4, %y : tensor<4x5xf32>, tensor<4x5xf32>
  %6 = functional.neg %5 : tensor<4x5xf32>
  return %6 : tensor<4x5xf32>
}

func.func @integers(%x: tensor<4x5xi32>, %y: tensor<4x5xi32>) -> (tensor<4x5xi32>, tensor<4x5xi32>) {
  %0 = functional.abs %x : tensor<4x5xi32>
  %1 = functional.mul %0, %y : tensor<4x5xi32>, tensor<4x5xi32>
  %2 = functional.relu %1 : tensor<4x5xi32>
  %3 = functional.bitwise_not %2 : tensor<4x5xi32>
  %4 = functional.bitwise_and %3, %x : tensor<4x5xi32>, tensor<4x5xi32>
  %5 = functional.pow %y, %0 : tensor<4x5xi32>, tensor<4x5xi32>
  return %4, %5 : tensor<4x5xi32>, tensor<4x5xi32>
}

func.func @comparisons(%x: tensor<30xf64>, %y: tensor<30xf64>) -> (tensor<30xi1>, tensor<30xi1>, tensor<30xf64>) {
  %0 = functional.eq %x, %y : tensor<30xf64>, tensor<30xf64>
  %1 = functional.ne %x, %y : tensor<30xf64>, tensor<30xf64>
  %2 = functional.lt %x, %y : tensor<30xf64>, tensor<30xf64>
  %3 = functional.le %x, %y : tensor<30xf64>, tensor<30xf64>
  %4 = functional.gt %x, %y : tensor<30xf64>, tensor<30xf64>
  %5 = functional.ge %x, %y : tensor<30xf64>, tensor<30xf64>
  %6 = functional.logical_not %0 : tensor<30xi1>
  %7 = functional.lt %6, %2 : tensor<30xi1>, tensor<30xi1>
  %8 = functional.add %3, %7 : tensor<30xi1>, tensor<30xi1>
  %9 = functional.mul %8, %1 : tensor<30xi1>, tensor<30xi1>
  %10 = functional.minimum %4, %5 : tensor<30xi1>, tensor<30xi1>
  %11 = functional.where %9, %x, %y : tensor<30xi1>, tensor<30xf64>, tensor<30xf64>
  return %9, %10, %11 : tensor<30xi1>, tensor<30xi1>, tensor<30xf64>
}

func.func @functions(%x: tensor<30xf32>) -> (tensor<30xf32>, tensor<30xf32>, tensor<30xf32>, tensor<30xf32>, tensor<30xf32>) {
  %0 = functional.exp %x : tensor<30xf32>
  %1 = functional.sqrt %0 : tensor<30xf32>
  %2 = functional.rsqrt %0 : tensor<30xf32>
  %3 = functional.sigmoid %x : tensor<30xf32>
  %4 = functional.tanh %x : tensor<30xf32>
  %5 = functional.cos %3 : tensor<30xf32>
  %6 = functional.sin %4 : tensor<30xf32>
  %7 = functional.gelu %x : tensor<30xf32>
  %8 = functional.gelu %x {approximate = "tanh"} : tensor<30xf32>
  %9 = functional.add %1, %2 : tensor<30xf32>, tensor<30xf32>
  return %9, %5, %6, %7, %8 : tensor<30xf32>, tensor<30xf32>, tensor<30xf32>, tensor<30xf32>, tensor<30xf32>
}

func.func @powers(%x: tensor<30xf32>, %n: tensor<30xi64>) -> (tensor<30xf32>, tensor<30xf32>, tensor<30xi64>) {
  %three = arith.constant dense<3.0> : tensor<30xf32>
  %root = arith.constant dense<-0.5> : tensor<30xf32>
  %five = arith.constant dense<5> : tensor<30xi64>
  %0 = functional.pow %x, %three : tensor<30xf32>, tensor<30xf32>
  %1 = functional.pow %x, %root : tensor<30xf32>, tensor<30xf32>
  %2 = functional.pow %n, %five : tensor<30xi64>, tensor<30xi64>
  return %0, %1, %2 : tensor<30xf32>, tensor<30xf32>, tensor<30xi64>
}

func.func @casts(%x: tensor<30xf64>) -> (tensor<30xi1>, tensor<30xi64>, tensor<30xf32>) {
  %0 = functional._to_copy %x {dtype = i1} : tensor<30xf64>
  %1 = functional._to_copy %x {dtype = i32} : tensor<30xf64>
  %2 = functional._to_copy %1 {dtype = i64} : tensor<30xi32>
  %3 = functional._to_copy %2 {dtype = f32} : tensor<30xi64>
  return %0, %2, %3 : tensor<30xi1>, tensor<30xi64>, tensor<30xf32>
}

func.func @creation(%k: f64, %n: i64) -> (tensor<3xi32>, tensor<3xf32>, tensor<2x2xi1>) {
  %0 = functional.arange %n step %n : i64, i64 to tensor<3xi32>
  %1 = functional.arange %k step %n : f64, i64 to tensor<3xf32>
  %2 = functional.full %k : f64 to tensor<2x2xi1>
  return %0, %1, %2 : tensor<3xi32>, tensor<3xf32>, tensor<2x2xi1>
}

func.func @views(%x: tensor<4x6xf32>) -> (tensor<3x2x4xf32>, tensor<4xf32>, tensor<6xf32>, tensor<2x2xf32>, tensor<2x4x6xf32>) {
  %p = functional.permute %x {dims = array<i64: 1, 0>} : tensor<4x6xf32>
  %v = functional.view %p size [3, 2, 4] : tensor<6x4xf32>
  %0 = functional.neg %v : tensor<3x2x4xf32>
  %d = functional.diagonal %x {offset = 1 : i64} : tensor<4x6xf32>
  %1 = functional.neg %d : tensor<4xf32>
  %s = functional.select %x index [-2] : tensor<4x6xf32>
  %u = functional.unsqueeze %s {dim = 1 : i64} : tensor<6xf32>
  %q = functional.squeeze %u : tensor<6x1xf32>
  %w = functional.slice %p start [1] end [6] step [3] : tensor<6x4xf32>
  %c = functional.slice %w start [1] end [-1] step [1] {dim = 1 : i64} : tensor<2x4xf32>
  %3 = functional.neg %c : tensor<2x2xf32>
  %e = functional.expand %x size [2, 4, 6] : tensor<4x6xf32>
  return %0, %1, %q, %3, %e : tensor<3x2x4xf32>, tensor<4xf32>, tensor<6xf32>, tensor<2x2xf32>, tensor<2x4x6xf32>
}

func.func @flips(%x: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<6xf32>) {
  %f = functional.flip %x {dims = array<i64: 1, 0>} : tensor<4x6xf32>
  %0 = functional.neg %f : tensor<4x6xf32>
  %g = functional.flip %x {dims = array<i64: -1>} : tensor<4x6xf32>
  %s = functional.select %g index [1] : tensor<4x6xf32>
  return %0, %s : tensor<4x6xf32>, tensor<6xf32>
}

func.func @reshapes(%x: tensor<4x6xf32>, %y: tensor<1x1xf32>) -> (tensor<6x4xf32>, tensor<24xf32>, tensor<f32>, tensor<3x2xf32>) {
  %0 = functional.view %x size [6, 4] : tensor<4x6xf32>
  %p = functional.permute %x {dims = array<i64: 1, 0>} : tensor<4x6xf32>
  %v = functional.view %p size [-1] : tensor<6x4xf32>
  %1 = functional.neg %v : tensor<24xf32>
  %2 = functional.view %y size [] : tensor<1x1xf32>
  %a = functional.as_strided %p size [3, 2] stride [2, 7] storage_offset [1] : tensor<6x4xf32>
  %3 = functional.neg %a : tensor<3x2xf32>
  return %0, %1, %2, %3 : tensor<6x4xf32>, tensor<24xf32>, tensor<f32>, tensor<3x2xf32>
}

func.func @scatters(%x: tensor<4x6xf32>, %r: tensor<6xf32>, %s: tensor<4x2xf32>, %d: tensor<3xf32>, %a: tensor<2x2xf32>) -> tensor<4x6xf32> {
  %0 = functional.select_scatter %x, %r index [1] : tensor<4x6xf32>, tensor<6xf32>
  %1 = functional.slice_scatter %0, %s start [1] end [5] step [2] {dim = 1 : i64} : tensor<4x6xf32>, tensor<4x2xf32>
  %2 = functional.diagonal_scatter %1, %d {offset = -1 : i64} : tensor<4x6xf32>, tensor<3xf32>
  %3 = functional.as_strided_scatter %2, %a size [2, 2] stride [9, 2] storage_offset [3] : tensor<4x6xf32>, tensor<2x2xf32>
  return %3 : tensor<4x6xf32>
}

func.func @copies(%x: tensor<4x6xf32>, %n: i64) -> (tensor<3x2x4xf32>, tensor<4xf32>, tensor<6xf32>, tensor<2x2xf32>, tensor<2x4x6xf32>, tensor<3x2xf32>, tensor<4x6xf32>, tensor<2x4xi16>) {
  %p = functional.permute_copy %x {dims = array<i64: 1, 0>} : tensor<4x6xf32>
  %v = functional.view_copy %p size [3, 2, 4] : tensor<6x4xf32>
  %0 = functional.neg %v : tensor<3x2x4xf32>
  %t = functional.permute %x {dims = array<i64: 1, 0>} : tensor<4x6xf32>
  %d = functional.diagonal_copy %t {offset = -1 : i64} : tensor<6x4xf32>
  %s = functional.select_copy %x index [%n] : tensor<4x6xf32>
  %u = functional.unsqueeze_copy %s {dim = 1 : i64} : tensor<6xf32>
  %q = functional.squeeze_copy %u : tensor<6x1xf32>
  %w = functional.slice_copy %p start [1] end [6] step [3] : tensor<6x4xf32>
  %c = functional.slice_copy %w start [1] end [-1] step [1] {dim = 1 : i64} : tensor<2x4xf32>
  %e = functional.expand_copy %x size [2, 4, 6] : tensor<4x6xf32>
  %a = functional.as_strided_copy %t size [3, 2] stride [2, 7] storage_offset [1] : tensor<6x4xf32>
  %y = functional.view_copy %x size [4, 6] : tensor<4x6xf32>
  // What is the same everywhere is read as that number.
  %k = arith.constant 3 : i64
  %f = functional.full %k : i64 to tensor<4xi16>
  %m = functional.expand_copy %f size [2, 4] : tensor<4xi16>
  %b = functional.neg %m : tensor<2x4xi16>
  return %0, %d, %q, %c, %e, %a, %y, %b : tensor<3x2x4xf32>, tensor<4xf32>, tensor<6xf32>, tensor<2x2xf32>, tensor<2x4x6xf32>, tensor<3x2xf32>, tensor<4x6xf32>, tensor<2x4xi16>
}

func.func @at_run_time(%x: tensor<4x6xf32>, %r: tensor<4xf32>, %n: i64) -> tensor<4x6xf32> {
  %s = functional.select %x index [%n] {dim = 1 : i64} : tensor<4x6xf32>
  %0 = functional.add %s, %r : tensor<4xf32>, tensor<4xf32>
  %1 = functional.select_scatter %x, %0 index [%n] {dim = 1 : i64} : tensor<4x6xf32>, tensor<4xf32>
  return %1 : tensor<4x6xf32>
}

func.func @reductions(%x: tensor<4x6xf32>, %n: tensor<4x6xi32>, %z: tensor<0x3xf32>) -> (tensor<6xf32>, tensor<4x1xf32>, tensor<f32>, tensor<i64>, tensor<4xi1>, tensor<4x6xi1>, tensor<3xf32>) {
  %0 = functional.sum %x {dim = array<i64: 0>} : tensor<4x6xf32>
  %1 = functional.mean %x {dim = array<i64: -1>, keepdim = true} : tensor<4x6xf32>
  %2 = functional.amax %x : tensor<4x6xf32>
  %3 = functional.sum %n : tensor<4x6xi32>
  %4 = functional.any %n {dim = array<i64: 1>} : tensor<4x6xi32>
  %5 = functional.any %n {dim = array<i64>} : tensor<4x6xi32>
  %6 = functional.mean %z {dim = array<i64: 0>} : tensor<0x3xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<6xf32>, tensor<4x1xf32>, tensor<f32>, tensor<i64>, tensor<4xi1>, tensor<4x6xi1>, tensor<3xf32>
}

func.func @normalization(%x: tensor<2x3x5xf32>, %w: tensor<3x5xf32>, %b: tensor<3x5xf32>) -> (tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>) {
  %0 = functional.softmax %x {dim = 1 : i64} : tensor<2x3x5xf32>
  %1 = functional.layer_norm %x weight %w : tensor<3x5xf32> bias %b : tensor<3x5xf32> {normalized_shape = array<i64: 3, 5>} : tensor<2x3x5xf32>
  %2, %3, %4 = functional.native_layer_norm %x {normalized_shape = array<i64: 5>, eps = 1.0e-5} : tensor<2x3x5xf32>
  return %0, %1, %2, %3, %4 : tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>
}

func.func @products(%a: tensor<3x4xf32>, %b: tensor<5x4xf32>, %c: tensor<2x3x4xi64>, %d: tensor<2x4x2xi64>, %x: tensor<2x3x4xf32>, %v: tensor<5xf32>) -> (tensor<3x5xf32>, tensor<2x3x2xi64>, tensor<2x3x5xf32>) {
  %t = functional.permute %b {dims = array<i64: 1, 0>} : tensor<5x4xf32>
  %0 = functional.mm %a, %t : tensor<3x4xf32>, tensor<4x5xf32>
  %1 = functional.bmm %c, %d : tensor<2x3x4xi64>, tensor<2x4x2xi64>
  %2 = functional.linear %x, %b bias %v : tensor<2x3x4xf32>, tensor<5x4xf32>, tensor<5xf32>
  return %0, %1, %2 : tensor<3x5xf32>, tensor<2x3x2xi64>, tensor<2x3x5xf32>
}

func.func @convolutions(%x: tensor<2x4x5x6xf32>, %w: tensor<6x2x3x2xf32>, %b: tensor<6xf32>, %t: tensor<4x3x3x2xf32>) -> (tensor<2x6x2x7xf32>, tensor<2x6x9x11xf32>) {
  %0 = functional.convolution %x, %w bias %b {stride = array<i64: 2, 1>, padding = array<i64: 0, 1>, dilation = array<i64: 1>, output_padding = array<i64: 0>, groups = 2 : i64} : tensor<2x4x5x6xf32>, tensor<6x2x3x2xf32>, tensor<6xf32>
  %1 = functional.convolution %x, %t {stride = array<i64: 2>, padding = array<i64: 1>, dilation = array<i64: 1, 2>, transposed = true, output_padding = array<i64: 0>, groups = 2 : i64} : tensor<2x4x5x6xf32>, tensor<4x3x3x2xf32>
  return %0, %1 : tensor<2x6x2x7xf32>, tensor<2x6x9x11xf32>
}

func.func @indexing(%x: tensor<4x6x3xf32>, %w: tensor<7x3xf32>, %i: tensor<4xi64>, %j: tensor<2x1xi32>) -> (tensor<4x3xf32>, tensor<2x4x3xf32>, tensor<2x4x6xf32>, tensor<4x2x1x3xf32>) {
  %rows = functional.abs %i : tensor<4xi64>
  %0 = functional.embedding %w, %rows : tensor<7x3xf32>, tensor<4xi64>
  %1 = functional.index %x[%i, %j] {present = array<i1: true, true>} : tensor<4x6x3xf32>[tensor<4xi64>, tensor<2x1xi32>]
  %2 = functional.index %x[%i, %j] {present = array<i1: true, false, true>} : tensor<4x6x3xf32>[tensor<4xi64>, tensor<2x1xi32>]
  %3 = functional.index %x[%j] {present = array<i1: false, true>} : tensor<4x6x3xf32>[tensor<2x1xi32>]
  return %0, %1, %2, %3 : tensor<4x3xf32>, tensor<2x4x3xf32>, tensor<2x4x6xf32>, tensor<4x2x1x3xf32>
}

func.func @joins(%x: tensor<4x3xf32>, %y: tensor<4x2xf32>, %z: tensor<4x0xf32>) -> tensor<4x8xf32> {
  %s = functional.slice %x start [0] end [3] step [1] {dim = 1 : i64} : tensor<4x3xf32>
  %0 = functional.cat %x, %z, %y, %s {dim = 1 : i64} : tensor<4x3xf32>, tensor<4x0xf32>, tensor<4x2xf32>, tensor<4x3xf32>
  return %0 : tensor<4x8xf32>
}

func.func @more_functions(%x: tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>) {
  %0 = functional.reciprocal %x : tensor<4x5xf32>
  %1 = functional.exp2 %x : tensor<4x5xf32>
  %2 = functional.expm1 %x : tensor<4x5xf32>
  %3 = functional.log %x : tensor<4x5xf32>
  %4 = functional.log2 %x : tensor<4x5xf32>
  %5 = functional.log10 %x : tensor<4x5xf32>
  %6 = functional.log1p %x : tensor<4x5xf32>
  %7 = functional.sinh %x : tensor<4x5xf32>
  %8 = functional.cosh %x : tensor<4x5xf32>
  %9 = functional.asinh %x : tensor<4x5xf32>
  %10 = functional.acosh %x : tensor<4x5xf32>
  %11 = functional.atanh %x : tensor<4x5xf32>
  %12 = functional.tan %x : tensor<4x5xf32>
  %13 = functional.asin %x : tensor<4x5xf32>
  %14 = functional.acos %x : tensor<4x5xf32>
  %15 = functional.atan %x : tensor<4x5xf32>
  %16 = functional.erf %x : tensor<4x5xf32>
  %17 = functional.erfc %x : tensor<4x5xf32>
  %18 = functional.ceil %x : tensor<4x5xf32>
  %19 = functional.floor %x : tensor<4x5xf32>
  %20 = functional.round %x : tensor<4x5xf32>
  %21 = functional.trunc %x : tensor<4x5xf32>
  %22 = functional.frac %x : tensor<4x5xf32>
  %23 = functional.sign %x : tensor<4x5xf32>
  %24 = functional.silu %x : tensor<4x5xf32>
  %25 = functional.mish %x : tensor<4x5xf32>
  %26 = functional.hardsigmoid %x : tensor<4x5xf32>
  %27 = functional.hardswish %x : tensor<4x5xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27
      : tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>
}

func.func @divisions(%x: tensor<4x5xi32>, %y: tensor<4x5xi32>, %a: tensor<4x5xf32>, %b: tensor<4x5xf32>)
    -> (tensor<4x5xi32>, tensor<4x5xi32>, tensor<4x5xi32>, tensor<4x5xi32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>) {
  %one = arith.constant 1 : i64
  %ones = functional.full %one : i64 to tensor<4x5xi32>
  %d = functional.bitwise_or %y, %ones : tensor<4x5xi32>, tensor<4x5xi32>
  %0 = functional.div %x, %d {rounding_mode = "floor"} : tensor<4x5xi32>, tensor<4x5xi32>
  %1 = functional.div %x, %d {rounding_mode = "trunc"} : tensor<4x5xi32>, tensor<4x5xi32>
  %2 = functional.remainder %x, %d : tensor<4x5xi32>, tensor<4x5xi32>
  %3 = functional.fmod %x, %d : tensor<4x5xi32>, tensor<4x5xi32>
  %4 = functional.div %a, %b {rounding_mode = "floor"} : tensor<4x5xf32>, tensor<4x5xf32>
  %5 = functional.div %a, %b {rounding_mode = "trunc"} : tensor<4x5xf32>, tensor<4x5xf32>
  %6 = functional.remainder %a, %b : tensor<4x5xf32>, tensor<4x5xf32>
  %7 = functional.fmod %a, %b : tensor<4x5xf32>, tensor<4x5xf32>
  %8 = functional.atan2 %a, %b : tensor<4x5xf32>, tensor<4x5xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<4x5xi32>, tensor<4x5xi32>, tensor<4x5xi32>, tensor<4x5xi32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>
}

func.func @truths(%x: tensor<4x5xi32>, %y: tensor<4x5xi32>, %a: tensor<4x5xf32>) -> (tensor<4x5xi32>, tensor<4x5xi1>, tensor<4x5xi1>, tensor<4x5xi1>, tensor<4x5xi1>, tensor<4x5xi1>, tensor<4x5xi1>) {
  %0 = functional.bitwise_xor %x, %y : tensor<4x5xi32>, tensor<4x5xi32>
  %1 = functional.logical_and %x, %y : tensor<4x5xi32>, tensor<4x5xi32>
  %2 = functional.logical_or %x, %y : tensor<4x5xi32>, tensor<4x5xi32>
  %3 = functional.logical_xor %x, %y : tensor<4x5xi32>, tensor<4x5xi32>
  %n = functional.log %a : tensor<4x5xf32>
  %4 = functional.isnan %n : tensor<4x5xf32>
  %5 = functional.isinf %n : tensor<4x5xf32>
  %6 = functional.isfinite %n : tensor<4x5xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<4x5xi32>, tensor<4x5xi1>, tensor<4x5xi1>, tensor<4x5xi1>, tensor<4x5xi1>, tensor<4x5xi1>, tensor<4x5xi1>
}

func.func @cumulative(%x: tensor<4x5xf32>, %y: tensor<4x5xi32>)
    -> (tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xi32>, tensor<5xf32>, tensor<4x1xi32>, tensor<5xi32>, tensor<5xi1>, tensor<4x5xf32>, tensor<4x5xf32>) {
  %0 = functional.cumsum %x {dim = 0 : i64} : tensor<4x5xf32>
  %1 = functional.cumprod %x {dim = -1 : i64} : tensor<4x5xf32>
  %2 = functional.cumsum %y {dim = 1 : i64, dtype = i32} : tensor<4x5xi32>
  %3 = functional.prod %x {dim = array<i64: 0>} : tensor<4x5xf32>
  %4 = functional.amin %y {dim = array<i64: 1>, keepdim = true} : tensor<4x5xi32>
  %5 = functional.amin %y {dim = array<i64: 0>} : tensor<4x5xi32>
  %6 = functional.all %y {dim = array<i64: 0>} : tensor<4x5xi32>
  %7 = functional.log_softmax %x {dim = 1 : i64} : tensor<4x5xf32>
  %8 = functional.logcumsumexp %x {dim = 1 : i64} : tensor<4x5xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8
      : tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xi32>, tensor<5xf32>, tensor<4x1xi32>, tensor<5xi32>, tensor<5xi1>, tensor<4x5xf32>, tensor<4x5xf32>
}

func.func @extremes_with_places(%x: tensor<4x5xf32>, %y: tensor<4x5xi32>)
    -> (tensor<i64>, tensor<4x1xi64>, tensor<5xf32>, tensor<5xi64>, tensor<4x1xi32>, tensor<4x1xi64>) {
  %0 = functional.argmax %x : tensor<4x5xf32>
  %1 = functional.argmin %y {dim = -1 : i64, keepdim = true} : tensor<4x5xi32>
  %2:2 = functional.max.dim %x {dim = 0 : i64} : tensor<4x5xf32>
  %3:2 = functional.min.dim %y {dim = 1 : i64, keepdim = true} : tensor<4x5xi32>
  return %0, %1, %2#0, %2#1, %3#0, %3#1
      : tensor<i64>, tensor<4x1xi64>, tensor<5xf32>, tensor<5xi64>, tensor<4x1xi32>, tensor<4x1xi64>
}

func.func @gathers(%x: tensor<4x5xf32>, %y: tensor<4x5xi32>) -> (tensor<4x5xf32>, tensor<3x2xf32>) {
  %low = arith.constant dense<0> : tensor<4x5xi32>
  %high = arith.constant dense<3> : tensor<4x5xi32>
  %from = functional.maximum %y, %low : tensor<4x5xi32>, tensor<4x5xi32>
  %to = functional.minimum %from, %high : tensor<4x5xi32>, tensor<4x5xi32>
  %0 = functional.gather %x, %to {dim = 0 : i64} : tensor<4x5xf32>, tensor<4x5xi32>
  %i = arith.constant dense<[[4, 0], [2, 2], [1, 3]]> : tensor<3x2xi64>
  %1 = functional.gather %x, %i {dim = 1 : i64} : tensor<4x5xf32>, tensor<3x2xi64>
  return %0, %1 : tensor<4x5xf32>, tensor<3x2xf32>
}

func.func @sums_of_exponentials(%x: tensor<30xf64>, %y: tensor<30xf64>) -> (tensor<30xf64>, tensor<30xf64>) {
  %0 = functional.logaddexp %x, %y : tensor<30xf64>, tensor<30xf64>
  %1 = functional.logaddexp2 %x, %y : tensor<30xf64>, tensor<30xf64>
  return %0, %1 : tensor<30xf64>, tensor<30xf64>
}

// Half precision and bytes, which are computed in wider dtypes.
func.func @half_precision(%x: tensor<2x5xbf16>, %y: tensor<2x5xbf16>, %w: tensor<5xf32>) -> (tensor<2x5xbf16>, tensor<2xbf16>, tensor<2x5xbf16>, tensor<2x5xf16>, tensor<2x5xi1>) {
  %a = functional.mul %x, %y : tensor<2x5xbf16>, tensor<2x5xbf16>
  %s = functional.sum %a {dim = array<i64: 1>} : tensor<2x5xbf16>
  %n = functional.layer_norm %x weight %w : tensor<5xf32> {normalized_shape = array<i64: 5>} : tensor<2x5xbf16>
  %h = functional._to_copy %a {dtype = f16} : tensor<2x5xbf16>
  %t = functional.tanh %h : tensor<2x5xf16>
  %l = functional.lt %x, %y : tensor<2x5xbf16>, tensor<2x5xbf16>
  return %a, %s, %n, %t, %l : tensor<2x5xbf16>, tensor<2xbf16>, tensor<2x5xbf16>, tensor<2x5xf16>, tensor<2x5xi1>
}

func.func @bytes(%x: tensor<2x5xui8>, %y: tensor<2x5xui8>, %f: tensor<2x5xf32>) -> (tensor<2x5xui8>, tensor<2x5xi1>, tensor<2xui8>, tensor<2x5xui8>, tensor<5x2xf32>, tensor<2x10xui8>) {
  %n = arith.constant 200 : i64
  %c = functional.full %n : i64 to tensor<2x5xui8>
  %a = functional.add %x, %c : tensor<2x5xui8>, tensor<2x5xui8>
  %l = functional.lt %a, %y : tensor<2x5xui8>, tensor<2x5xui8>
  %s = functional.any %x {dim = array<i64: 1>} : tensor<2x5xui8>
  %m = functional.neg %y : tensor<2x5xui8>
  %t = functional.permute %x {dims = array<i64: 1, 0>} : tensor<2x5xui8>
  %w = functional._to_copy %t {dtype = f32} : tensor<5x2xui8>
  %j = functional.cat %x, %c {dim = 1 : i64} : tensor<2x5xui8>, tensor<2x5xui8>
  return %a, %l, %s, %m, %w, %j : tensor<2x5xui8>, tensor<2x5xi1>, tensor<2xui8>, tensor<2x5xui8>, tensor<5x2xf32>, tensor<2x10xui8>
}

func.func @norms(%x: tensor<2x4x3xf32>, %w: tensor<4xf32>, %r: tensor<3xf32>) -> (tensor<2x4x3xf32>, tensor<4xf32>, tensor<2x4x3xf32>, tensor<2x4x3xf32>) {
  %0:3 = functional.native_batch_norm %x weight %w : tensor<4xf32> bias %w : tensor<4xf32> {training = true, momentum = 1.0e-1, eps = 1.0e-5} : tensor<2x4x3xf32>
  %1:3 = functional.native_group_norm %x {N = 2, C = 4, HxW = 3, group = 2, eps = 1.0e-5} : tensor<2x4x3xf32>
  %2 = functional.rms_norm %x weight %r : tensor<3xf32> {normalized_shape = array<i64: 3>} : tensor<2x4x3xf32>
  return %0#0, %0#1, %1#0, %2 : tensor<2x4x3xf32>, tensor<4xf32>, tensor<2x4x3xf32>, tensor<2x4x3xf32>
}

func.func @attention(%q: tensor<2x3x4xf32>, %k: tensor<2x5x4xf32>, %h: tensor<1x2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3xf32>) {
  %0 = functional.scaled_dot_product_attention %q, %k, %k : tensor<2x3x4xf32>, tensor<2x5x4xf32>, tensor<2x5x4xf32>
  %1:2 = functional._scaled_dot_product_flash_attention_for_cpu %h, %h, %h {is_causal = true} : tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>
  return %0, %1#0, %1#1 : tensor<2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3xf32>
}

func.func @attention_backward(%q: tensor<1x2x3x4xf32>) -> (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) {
  %0:2 = functional._scaled_dot_product_flash_attention_for_cpu %q, %q, %q {is_causal = true} : tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>
  %1:3 = functional._scaled_dot_product_flash_attention_for_cpu_backward %q, %q, %q, %q, %0#0, %0#1 {dropout_p = 0.0, is_causal = true}
      : tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3xf32>
  return %1#0, %1#1, %1#2 : tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>
}

func.func @grouped(%x: tensor<5x3xf32>, %w: tensor<2x3x4xf32>, %g: tensor<5x4xf32>) -> (tensor<5x4xf32>, tensor<5x3xf32>, tensor<2x3x4xf32>) {
  %two = arith.constant 2 : i64
  %ends = functional.arange %two step %two : i64, i64 to tensor<2xi64>
  %0 = functional.transformers.grouped_mm_fallback %x, %w, %ends : tensor<5x3xf32>, tensor<2x3x4xf32>, tensor<2xi64>
  %1:2 = functional.transformers.grouped_mm_fallback_backward %x, %w, %ends, %g : tensor<5x3xf32>, tensor<2x3x4xf32>, tensor<2xi64>, tensor<5x4xf32>
  return %0, %1#0, %1#1 : tensor<5x4xf32>, tensor<5x3xf32>, tensor<2x3x4xf32>
}

func.func @groups(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %as: tensor<2x4x8xf32>, %bs: tensor<2x8x4xf32>)
    -> (tensor<4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<4x4xf32>) {
  %two = arith.constant 2 : i64
  %i = functional.arange %two step %two : i64, i64 to tensor<2xi64>
  %ends = functional._to_copy %i {dtype = i32} : tensor<2xi64>
  %0 = functional._grouped_mm %a, %bs offs %ends : tensor<2xi32> : tensor<4x8xf32>, tensor<2x8x4xf32>
  %1 = functional._grouped_mm %a, %b offs %ends : tensor<2xi32> : tensor<4x8xf32>, tensor<8x4xf32>
  %2 = functional._grouped_mm %as, %bs : tensor<2x4x8xf32>, tensor<2x8x4xf32>
  %3 = functional._grouped_mm %as, %b offs %ends : tensor<2xi32> : tensor<2x4x8xf32>, tensor<8x4xf32>
  return %0, %1, %2, %3 : tensor<4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<4x4xf32>
}

func.func @fma(%a: tensor<4xf32>, %b: tensor<4xf32>, %i: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %0 = functional.prims.fma %a, %b, %a : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %1 = functional.prims.fma %i, %i, %i : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
  return %0, %1 : tensor<4xf32>, tensor<4xi32>
}

// Of real numbers.
func.func @signs(%x: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %0 = functional.angle %x : tensor<3x4xf32>
  %1 = functional.sgn %x : tensor<3x4xf32>
  return %0, %1 : tensor<3x4xf32>, tensor<3x4xf32>
}

func.func @magnitudes(%x: tensor<3x4xf32>, %y: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) {
  %0 = functional.copysign %x, %y : tensor<3x4xf32>, tensor<3x4xf32>
  %1 = functional.fmax %x, %y : tensor<3x4xf32>, tensor<3x4xf32>
  %2 = functional.fmin %x, %y : tensor<3x4xf32>, tensor<3x4xf32>
  return %0, %1, %2 : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
}

func.func @shifts(%x: tensor<3x4xi32>, %n: tensor<3x4xi32>) -> (tensor<3x4xi32>, tensor<3x4xi32>) {
  %0 = functional.bitwise_left_shift %x, %n : tensor<3x4xi32>, tensor<3x4xi32>
  %1 = functional.bitwise_right_shift %x, %n : tensor<3x4xi32>, tensor<3x4xi32>
  return %0, %1 : tensor<3x4xi32>, tensor<3x4xi32>
}

func.func @draws(%state: tensor<2xi64>, %x: tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<7xf64>, tensor<3x2xf16>, tensor<20xbf16>, tensor<9xf32>, tensor<3x4xf16>) {
  %next = functional.skip_draws %state {count = 3 : i64} : tensor<2xi64>
  %0 = functional.random_uniform %state {from = 0.0 : f64, to = 1.0 : f64} : tensor<2xi64> to tensor<4x5xf32>
  %1 = functional.random_uniform %next {from = -2.5 : f64, to = 3.0 : f64} : tensor<2xi64> to tensor<7xf64>
  %2 = functional.random_uniform %next {from = 0.0 : f64, to = 1.0 : f64} : tensor<2xi64> to tensor<3x2xf16>
  %3 = functional.random_uniform %state {from = -1.0 : f64, to = 0.7 : f64} : tensor<2xi64> to tensor<20xbf16>
  %4 = functional.random_normal %next {mean = 1.0 : f64, std = 2.0 : f64} : tensor<2xi64> to tensor<9xf32>
  %5 = functional.random_normal %state {mean = 0.0 : f64, std = 1.0 : f64} : tensor<2xi64> to tensor<3x4xf16>
  return %0, %1, %2, %3, %4, %5 : tensor<4x5xf32>, tensor<7xf64>, tensor<3x2xf16>, tensor<20xbf16>, tensor<9xf32>, tensor<3x4xf16>
}

func.func @integers_drawn(%state: tensor<2xi64>, %x: tensor<4x5xf32>) -> (tensor<2xi64>, tensor<4x5xi64>, tensor<30xui8>, tensor<3xi8>, tensor<13xf32>, tensor<4x5xf32>, tensor<17xi64>, tensor<6xi16>) {
  %next = functional.skip_draws %state {count = 1 : i64} : tensor<2xi64>
  %0 = functional.random_integers %state {low = -3 : i64, high = 4 : i64} : tensor<2xi64> to tensor<4x5xi64>
  %1 = functional.random_integers %next {low = 0 : i64, high = 256 : i64} : tensor<2xi64> to tensor<30xui8>
  %2 = functional.random_integers %next {low = -9223372036854775808 : i64, high = 9223372036854775807 : i64} : tensor<2xi64> to tensor<3xi8>
  %3 = functional.random_integers %state {low = 10 : i64, high = 20 : i64} : tensor<2xi64> to tensor<13xf32>
  %p = functional.sigmoid %x : tensor<4x5xf32>
  %4 = functional.bernoulli %p, %state : tensor<4x5xf32>, tensor<2xi64>
  %5 = functional.randperm %state : tensor<2xi64> to tensor<17xi64>
  %6 = functional.randperm %next : tensor<2xi64> to tensor<6xi16>
  return %next, %0, %1, %2, %3, %4, %5, %6 : tensor<2xi64>, tensor<4x5xi64>, tensor<30xui8>, tensor<3xi8>, tensor<13xf32>, tensor<4x5xf32>, tensor<17xi64>, tensor<6xi16>
}

func.func @samples(%state: tensor<2xi64>, %x: tensor<3x5xf32>, %y: tensor<6xf64>) -> (tensor<3x4xi64>, tensor<3x9xi64>, tensor<3xi64>) {
  %w = functional.exp %x : tensor<3x5xf32>
  %v = functional.relu %y : tensor<6xf64>
  %0 = functional.multinomial %w, %state {num_samples = 4 : i64} : tensor<3x5xf32>, tensor<2xi64>
  %1 = functional.multinomial %w, %state {num_samples = 9 : i64, replacement = true} : tensor<3x5xf32>, tensor<2xi64>
  %2 = functional.multinomial %v, %state {num_samples = 3 : i64, replacement = true} : tensor<6xf64>, tensor<2xi64>
  return %0, %1, %2 : tensor<3x4xi64>, tensor<3x9xi64>, tensor<3xi64>
}

func.func @special_functions(%x: tensor<30xf32>, %y: tensor<30xf64>, %h: tensor<30xf16>, %b: tensor<30xbf16>) -> (tensor<30xf32>, tensor<30xf64>, tensor<30xf32>, tensor<30xf32>, tensor<30xf64>, tensor<30xf32>, tensor<30xf16>, tensor<30xbf16>, tensor<30xf64>, tensor<30xf32>) {
  %s = functional.sigmoid %x : tensor<30xf32>
  %t = functional.exp %y : tensor<30xf64>
  %0 = functional.lgamma %s : tensor<30xf32>
  %1 = functional.digamma %t : tensor<30xf64>
  %2 = functional.erfinv %s : tensor<30xf32>
  %3 = functional.i0 %x : tensor<30xf32>
  %4 = functional.lgamma %t : tensor<30xf64>
  %5 = functional.nextafter %x, %s : tensor<30xf32>, tensor<30xf32>
  %6 = functional.nextafter %h, %h : tensor<30xf16>, tensor<30xf16>
  %c = functional.relu %b : tensor<30xbf16>
  %7 = functional.nextafter %b, %c : tensor<30xbf16>, tensor<30xbf16>
  %8 = functional.special_i0e %t : tensor<30xf64>
  %9 = functional.special_ndtr %x : tensor<30xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<30xf32>, tensor<30xf64>, tensor<30xf32>, tensor<30xf32>, tensor<30xf64>, tensor<30xf32>, tensor<30xf16>, tensor<30xbf16>, tensor<30xf64>, tensor<30xf32>
}

func.func @divisors(%x: tensor<30xi64>, %y: tensor<30xi64>, %a: tensor<30xui8>, %b: tensor<30xui8>) -> (tensor<30xi64>, tensor<30xi64>, tensor<30xui8>, tensor<30xui8>) {
  %c = arith.constant dense<360> : tensor<30xi64>
  %z = functional.mul %y, %c : tensor<30xi64>, tensor<30xi64>
  %0 = functional.gcd %x, %z : tensor<30xi64>, tensor<30xi64>
  %1 = functional.lcm %x, %z : tensor<30xi64>, tensor<30xi64>
  %2 = functional.gcd %a, %b : tensor<30xui8>, tensor<30xui8>
  %3 = functional.lcm %a, %b : tensor<30xui8>, tensor<30xui8>
  return %0, %1, %2, %3 : tensor<30xi64>, tensor<30xi64>, tensor<30xui8>, tensor<30xui8>
}

func.func @orders(%x: tensor<4x5xf32>, %b: tensor<3x4xi1>, %u: tensor<30xui8>, %s: tensor<f32>) -> (tensor<4x5xf32>, tensor<4x5xi64>, tensor<3x4xi1>, tensor<30xui8>, tensor<4x2xf32>, tensor<4x2xi64>, tensor<f32>, tensor<i64>) {
  %0:2 = functional.sort %x {dim = 0 : i64, descending = true} : tensor<4x5xf32>
  %1:2 = functional.sort %b : tensor<3x4xi1>
  %2:2 = functional.sort %u {descending = true} : tensor<30xui8>
  %t = functional.permute %x {dims = array<i64: 1, 0>} : tensor<4x5xf32>
  %r = functional.permute %t {dims = array<i64: 1, 0>} : tensor<5x4xf32>
  %3:2 = functional.topk %r {k = 2 : i64} : tensor<4x5xf32>
  %4:2 = functional.topk %s {k = 1 : i64, largest = false} : tensor<f32>
  return %0#0, %0#1, %1#0, %2#0, %3#0, %3#1, %4#0, %4#1 : tensor<4x5xf32>, tensor<4x5xi64>, tensor<3x4xi1>, tensor<30xui8>, tensor<4x2xf32>, tensor<4x2xi64>, tensor<f32>, tensor<i64>
}

func.func @histograms(%x: tensor<4x5xf32>, %h: tensor<30xf16>, %low: f32, %high: i64) -> (tensor<7xf32>, tensor<5xf16>, tensor<100xf32>) {
  %0 = functional.histc %x {bins = 7 : i64} : tensor<4x5xf32>
  %c = arith.constant -1 : i64
  %1 = functional.histc %h min %c : i64 max %high : i64 {bins = 5 : i64} : tensor<30xf16>
  %2 = functional.histc %x : tensor<4x5xf32>
  return %0, %1, %2 : tensor<7xf32>, tensor<5xf16>, tensor<100xf32>
}

func.func @combined(%x: tensor<4x3xf32>, %s: tensor<5x3xf32>, %n: tensor<4xi32>, %m: tensor<6xi32>)
    -> (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4xi32>) {
  %i = arith.constant dense<[[0, 1, 3], [0, 3, 3], [2, 1, 0], [0, 0, 3]]> : tensor<4x3xi64>
  %j = arith.constant dense<[1, 1, 3, 0, 3, 1]> : tensor<6xi64>
  %0 = functional.scatter.src %x, %i, %s {dim = 0 : i64} : tensor<4x3xf32>, tensor<4x3xi64>, tensor<5x3xf32>
  %1 = functional.scatter_add %x, %i, %s {dim = 0 : i64} : tensor<4x3xf32>, tensor<4x3xi64>, tensor<5x3xf32>
  %2 = functional.scatter_reduce.two %x, %i, %s {dim = 0 : i64, reduce = "prod"} : tensor<4x3xf32>, tensor<4x3xi64>, tensor<5x3xf32>
  %3 = functional.scatter_reduce.two %x, %i, %s {dim = 0 : i64, reduce = "amax", include_self = false} : tensor<4x3xf32>, tensor<4x3xi64>, tensor<5x3xf32>
  %4 = functional.scatter_reduce.two %x, %i, %s {dim = 0 : i64, reduce = "mean", include_self = false} : tensor<4x3xf32>, tensor<4x3xi64>, tensor<5x3xf32>
  %5 = functional.scatter_reduce.two %n, %j, %m {dim = 0 : i64, reduce = "mean"} : tensor<4xi32>, tensor<6xi64>, tensor<6xi32>
  return %0, %1, %2, %3, %4, %5 : tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4xi32>
}

func.func @put(%x: tensor<3x4x2xf32>, %v: tensor<5x2xf32>, %w: tensor<1x2xf32>, %m: tensor<3x4xi1>, %one: tensor<1xf32>)
    -> (tensor<3x4x2xf32>, tensor<3x4x2xf32>, tensor<3x4x2xf32>) {
  %i = arith.constant dense<[0, 2, -1, 0, 0]> : tensor<5xi64>
  %j = arith.constant dense<[1, -4, 0, 1, 1]> : tensor<5xi64>
  %0 = functional.index_put %x[%i, %j], %v {present = array<i1: true, true>} : tensor<3x4x2xf32>[tensor<5xi64>, tensor<5xi64>], tensor<5x2xf32>
  %1 = functional.index_put %x[%i, %j], %w {present = array<i1: true, true>, accumulate = true} : tensor<3x4x2xf32>[tensor<5xi64>, tensor<5xi64>], tensor<1x2xf32>
  %2 = functional.index_put %x[%m], %one {present = array<i1: true>} : tensor<3x4x2xf32>[tensor<3x4xi1>], tensor<1xf32>
  return %0, %1, %2 : tensor<3x4x2xf32>, tensor<3x4x2xf32>, tensor<3x4x2xf32>
}

func.func @tables(%w: tensor<6x3xf32>, %g: tensor<7x3xf32>, %h: tensor<3x3xf32>)
    -> (tensor<6x3xf32>, tensor<3x3xf32>, tensor<7xi64>, tensor<3xi64>, tensor<3x3xi64>, tensor<6x3xf32>, tensor<6x3xf32>) {
  %i = arith.constant dense<[0, 5, 2, 2, 1, 0, 2]> : tensor<7xi64>
  %o = arith.constant dense<[0, 3, 3]> : tensor<3xi64>
  %0 = functional.embedding_dense_backward %g, %i {num_weights = 6 : i64, padding_idx = 1 : i64, scale_grad_by_freq = true} : tensor<7x3xf32>, tensor<7xi64>
  %1:4 = functional._embedding_bag %w, %i, %o {mode = 2 : i64} : tensor<6x3xf32>, tensor<7xi64>, tensor<3xi64>
  %2 = functional._embedding_bag_dense_backward %h, %i, %1#1, %1#2, %1#3 {num_weights = 6 : i64, scale_grad_by_freq = false, mode = 2 : i64}
      : tensor<3x3xf32>, tensor<7xi64>, tensor<7xi64>, tensor<3xi64>, tensor<3x3xi64>
  %3 = functional._embedding_bag_backward %h, %i, %o, %1#1, %1#2, %1#3 {num_weights = 6 : i64, scale_grad_by_freq = true, mode = 1 : i64, sparse = false}
      : tensor<3x3xf32>, tensor<7xi64>, tensor<3xi64>, tensor<7xi64>, tensor<3xi64>, tensor<3x3xi64>
  return %0, %1#0, %1#1, %1#2, %1#3, %2, %3 : tensor<6x3xf32>, tensor<3x3xf32>, tensor<7xi64>, tensor<3xi64>, tensor<3x3xi64>, tensor<6x3xf32>, tensor<6x3xf32>
}

func.func @range(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %0 = functional.within %x {low = -3.0 : f64, high = 3.0 : f64, message = "is out of range"} : tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

func.func @classes(%x: tensor<4x5xf32>, %w: tensor<5xf32>, %g: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<4x5xf32>) {
  %t = arith.constant dense<[0, 4, -100, 2]> : tensor<4xi64>
  %0:2 = functional.nll_loss_forward %x, %t weight %w : tensor<5xf32> {reduction = 1 : i64, ignore_index = -100 : i64} : tensor<4x5xf32>, tensor<4xi64>
  %1 = functional.nll_loss_backward %g, %x, %t total %0#1 weight %w : tensor<5xf32> {reduction = 1 : i64, ignore_index = -100 : i64}
      : tensor<f32>, tensor<4x5xf32>, tensor<4xi64>, tensor<f32>
  return %0#0, %0#1, %1 : tensor<f32>, tensor<f32>, tensor<4x5xf32>
}

func.func @windows(%x: tensor<2x5x6xf32>, %g: tensor<2x3x3xf32>)
    -> (tensor<2x3x3xf32>, tensor<2x3x3xi64>, tensor<2x5x6xf32>, tensor<2x3x3xf32>, tensor<2x5x6xf32>, tensor<2x2x4xf32>, tensor<2x5x6xf32>) {
  %0:2 = functional.max_pool2d_with_indices %x {kernel_size = array<i64: 2, 3>, stride = array<i64: 2>, padding = array<i64: 1>} : tensor<2x5x6xf32>
  %1 = functional.max_pool2d_with_indices_backward %g, %x, %0#1
      {kernel_size = array<i64: 2, 3>, stride = array<i64: 2>, padding = array<i64: 1>, dilation = array<i64: 1>, ceil_mode = false}
      : tensor<2x3x3xf32>, tensor<2x5x6xf32>, tensor<2x3x3xi64>
  %2 = functional.avg_pool2d %x {kernel_size = array<i64: 2>, padding = array<i64: 1, 0>, count_include_pad = false} : tensor<2x5x6xf32>
  %3 = functional.avg_pool2d_backward %g, %x
      {kernel_size = array<i64: 2>, stride = array<i64: 2>, padding = array<i64: 1, 0>, ceil_mode = false, count_include_pad = false}
      : tensor<2x3x3xf32>, tensor<2x5x6xf32>
  %4 = functional._adaptive_avg_pool2d %x {output_size = array<i64: 2, 4>} : tensor<2x5x6xf32>
  %5 = functional._adaptive_avg_pool2d_backward %4, %x : tensor<2x2x4xf32>, tensor<2x5x6xf32>
  return %0#0, %0#1, %1, %2, %3, %4, %5
      : tensor<2x3x3xf32>, tensor<2x3x3xi64>, tensor<2x5x6xf32>, tensor<2x3x3xf32>, tensor<2x5x6xf32>, tensor<2x2x4xf32>, tensor<2x5x6xf32>
}

func.func @volumes(%x: tensor<1x3x4x5xf32>, %g: tensor<1x2x2x3xf32>)
    -> (tensor<1x2x2x3xf32>, tensor<1x2x2x3xi64>, tensor<1x3x4x5xf32>, tensor<1x2x2x3xf32>, tensor<1x3x4x5xf32>, tensor<1x2x3x2xf32>) {
  %0:2 = functional.max_pool3d_with_indices %x {kernel_size = array<i64: 2>, ceil_mode = true} : tensor<1x3x4x5xf32>
  %1 = functional.max_pool3d_with_indices_backward %g, %x, %0#1
      {kernel_size = array<i64: 2>, stride = array<i64: 2>, padding = array<i64: 0>, dilation = array<i64: 1>, ceil_mode = true}
      : tensor<1x2x2x3xf32>, tensor<1x3x4x5xf32>, tensor<1x2x2x3xi64>
  %2 = functional.avg_pool3d %x {kernel_size = array<i64: 2>, ceil_mode = true} : tensor<1x3x4x5xf32>
  %3 = functional.avg_pool3d_backward %g, %x
      {kernel_size = array<i64: 2>, stride = array<i64: 2>, padding = array<i64: 0>, ceil_mode = true, count_include_pad = true}
      : tensor<1x2x2x3xf32>, tensor<1x3x4x5xf32>
  %4 = functional._adaptive_avg_pool3d %x {output_size = array<i64: 2, 3, 2>} : tensor<1x3x4x5xf32>
  return %0#0, %0#1, %1, %2, %3, %4
      : tensor<1x2x2x3xf32>, tensor<1x2x2x3xi64>, tensor<1x3x4x5xf32>, tensor<1x2x2x3xf32>, tensor<1x3x4x5xf32>, tensor<1x2x3x2xf32>
}

func.func @largest_of_even_parts(%x: tensor<2x5x6xf32>, %v: tensor<1x3x4x5xf32>)
    -> (tensor<2x2x4xf32>, tensor<2x2x4xi64>, tensor<2x5x6xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xi64>, tensor<1x3x4x5xf32>) {
  %0:2 = functional.adaptive_max_pool2d %x {output_size = array<i64: 2, 4>} : tensor<2x5x6xf32>
  %1 = functional.adaptive_max_pool2d_backward %0#0, %x, %0#1 : tensor<2x2x4xf32>, tensor<2x5x6xf32>, tensor<2x2x4xi64>
  %2:2 = functional.adaptive_max_pool3d %v {output_size = array<i64: 2, 3, 2>} : tensor<1x3x4x5xf32>
  %3 = functional.adaptive_max_pool3d_backward %2#0, %v, %2#1 : tensor<1x2x3x2xf32>, tensor<1x3x4x5xf32>, tensor<1x2x3x2xi64>
  return %0#0, %0#1, %1, %2#0, %2#1, %3
      : tensor<2x2x4xf32>, tensor<2x2x4xi64>, tensor<2x5x6xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xi64>, tensor<1x3x4x5xf32>
}

func.func @sizes(%x: tensor<1x2x3x4xf32>, %b: tensor<1x1x3x4xui8>)
    -> (tensor<1x2x5x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x8xf32>, tensor<1x1x5x7xui8>) {
  %0 = functional.upsample_nearest2d %x output_size [5, 8] : tensor<1x2x3x4xf32>
  %1 = functional.upsample_bilinear2d %x output_size [5, 8] {align_corners = false} : tensor<1x2x3x4xf32>
  %2 = functional.upsample_bicubic2d %x output_size [5, 8] {align_corners = true} : tensor<1x2x3x4xf32>
  %3 = functional.upsample_bicubic2d %b output_size [5, 7] {align_corners = false} : tensor<1x1x3x4xui8>
  return %0, %1, %2, %3 : tensor<1x2x5x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x8xf32>, tensor<1x1x5x7xui8>
}

func.func @sizes_backward(%g: tensor<1x2x5x8xf32>) -> (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) {
  %0 = functional.upsample_nearest2d_backward %g output_size [5, 8] input_size [1, 2, 3, 4] : tensor<1x2x5x8xf32>
  %1 = functional.upsample_bilinear2d_backward %g output_size [5, 8] input_size [1, 2, 3, 4] {align_corners = true} : tensor<1x2x5x8xf32>
  %2 = functional.upsample_bicubic2d_backward %g output_size [5, 8] input_size [1, 2, 3, 4] {align_corners = false} : tensor<1x2x5x8xf32>
  return %0, %1, %2 : tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>
}

func.func @sampled(%x: tensor<1x2x3x4xf32>, %at: tensor<1x2x3x2xf32>, %g: tensor<1x2x2x3xf32>, %v: tensor<1x1x2x3x4xf32>, %w: tensor<1x1x2x2x3xf32>, %h: tensor<1x1x1x2x2xf32>)
    -> (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x2xf32>, tensor<1x1x1x2x2xf32>, tensor<1x1x2x3x4xf32>, tensor<1x1x2x2x3xf32>) {
  %0 = functional.grid_sampler_2d %x, %at {interpolation_mode = 0 : i64, padding_mode = 2 : i64, align_corners = false} : tensor<1x2x3x4xf32>, tensor<1x2x3x2xf32>
  %1 = functional.grid_sampler_2d %x, %at {interpolation_mode = 2 : i64, padding_mode = 1 : i64, align_corners = true} : tensor<1x2x3x4xf32>, tensor<1x2x3x2xf32>
  %2:2 = functional.grid_sampler_2d_backward %g, %x, %at {interpolation_mode = 2 : i64, padding_mode = 0 : i64, align_corners = false, output_mask = array<i1: true, true>}
      : tensor<1x2x2x3xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x2xf32>
  %3 = functional.grid_sampler_3d %v, %w {interpolation_mode = 0 : i64, padding_mode = 1 : i64, align_corners = true} : tensor<1x1x2x3x4xf32>, tensor<1x1x2x2x3xf32>
  %4:2 = functional.grid_sampler_3d_backward %h, %v, %w {interpolation_mode = 0 : i64, padding_mode = 0 : i64, align_corners = false, output_mask = array<i1: true, true>}
      : tensor<1x1x1x2x2xf32>, tensor<1x1x2x3x4xf32>, tensor<1x1x2x2x3xf32>
  return %0, %1, %2#0, %2#1, %3, %4#0, %4#1
      : tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x2xf32>, tensor<1x1x1x2x2xf32>, tensor<1x1x2x3x4xf32>, tensor<1x1x2x2x3xf32>
}

func.func @convolution_backward(%g: tensor<2x6x3x4xf32>, %x: tensor<2x4x6x4xf32>, %w: tensor<6x2x3x3xf32>, %h: tensor<1x2x8xf32>, %y: tensor<1x3x4xf32>, %v: tensor<3x2x2xf32>)
    -> (tensor<2x4x6x4xf32>, tensor<6x2x3x3xf32>, tensor<6xf32>, tensor<1x3x4xf32>, tensor<3x2x2xf32>) {
  %0:3 = functional.convolution_backward %g, %x, %w {stride = array<i64: 2, 1>, padding = array<i64: 1, 1>, dilation = array<i64: 1, 1>, transposed = false,
      output_padding = array<i64: 0, 0>, groups = 2 : i64, output_mask = array<i1: true, true, true>} : tensor<2x6x3x4xf32>, tensor<2x4x6x4xf32>, tensor<6x2x3x3xf32>
  %1:2 = functional.convolution_backward %h, %y, %v {stride = array<i64: 2>, padding = array<i64: 0>, dilation = array<i64: 1>, transposed = true,
      output_padding = array<i64: 0>, groups = 1 : i64, output_mask = array<i1: true, true, false>} : tensor<1x2x8xf32>, tensor<1x3x4xf32>, tensor<3x2x2xf32>
  return %0#0, %0#1, %0#2, %1#0, %1#1 : tensor<2x4x6x4xf32>, tensor<6x2x3x3xf32>, tensor<6xf32>, tensor<1x3x4xf32>, tensor<3x2x2xf32>
}

func.func @extremes_so_far(%x: tensor<3x4xf32>, %i: tensor<6xi32>) -> (tensor<3x4xf32>, tensor<3x4xi64>, tensor<6xi32>, tensor<6xi64>) {
  %0:2 = functional.cummax %x {dim = 0 : i64} : tensor<3x4xf32>
  %1:2 = functional.cummin %i {dim = -1 : i64} : tensor<6xi32>
  return %0#0, %0#1, %1#0, %1#1 : tensor<3x4xf32>, tensor<3x4xi64>, tensor<6xi32>, tensor<6xi64>
}

func.func @complex_numbers(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>, %z: tensor<3x4xcomplex<f32>>)
    -> (tensor<3x4xcomplex<f32>>, tensor<3x4xcomplex<f32>>, tensor<3x4xcomplex<f32>>, tensor<3x4xcomplex<f32>>, tensor<3xcomplex<f32>>) {
  %0 = functional.complex %a, %b : tensor<3x4xf32>, tensor<3x4xf32>
  %1 = functional.polar %a, %b : tensor<3x4xf32>, tensor<3x4xf32>
  %2 = functional.conj_physical %z : tensor<3x4xcomplex<f32>>
  %3 = functional.mul %z, %z : tensor<3x4xcomplex<f32>>, tensor<3x4xcomplex<f32>>
  %4 = functional.sum %3 {dim = array<i64: 1>} : tensor<3x4xcomplex<f32>>
  return %0, %1, %2, %3, %4
      : tensor<3x4xcomplex<f32>>, tensor<3x4xcomplex<f32>>, tensor<3x4xcomplex<f32>>, tensor<3x4xcomplex<f32>>, tensor<3xcomplex<f32>>
}

func.func @other_elements(%a: tensor<3x4xf32>) -> (tensor<3x4xi32>, tensor<3x8xi16>) {
  %0 = functional.view.dtype %a {dtype = i32} : tensor<3x4xf32>
  %1 = functional.view_copy.dtype %a {dtype = i16} : tensor<3x4xf32>
  return %0, %1 : tensor<3x4xi32>, tensor<3x8xi16>
}

func.func @transforms(%x: tensor<3x6xf32>, %z: tensor<4x5xcomplex<f64>>)
    -> (tensor<3x4xcomplex<f32>>, tensor<3x6xcomplex<f32>>, tensor<4x5xcomplex<f64>>, tensor<4x5xcomplex<f64>>, tensor<4x8xf64>) {
  %0 = functional._fft_r2c %x {dim = array<i64: 0, 1>, normalization = 0 : i64, onesided = true} : tensor<3x6xf32>
  %1 = functional._fft_r2c %x {dim = array<i64: 1>, normalization = 1 : i64, onesided = false} : tensor<3x6xf32>
  %2 = functional._fft_c2c %z {dim = array<i64: 1, 0>, normalization = 2 : i64, forward = false} : tensor<4x5xcomplex<f64>>
  %3 = functional._fft_c2c %z {dim = array<i64>, normalization = 0 : i64, forward = true} : tensor<4x5xcomplex<f64>>
  %4 = functional._fft_c2r %z last_dim_size [8] {dim = array<i64: 1>, normalization = 2 : i64} : tensor<4x5xcomplex<f64>>
  return %0, %1, %2, %3, %4
      : tensor<3x4xcomplex<f32>>, tensor<3x6xcomplex<f32>>, tensor<4x5xcomplex<f64>>, tensor<4x5xcomplex<f64>>, tensor<4x8xf64>
}

func.func @counted(%x: tensor<3x4xf32>, %m: tensor<3x4xi1>, %row: tensor<4xi1>, %b: tensor<3xi1>, %z: tensor<2xcomplex<f64>>)
    -> (tensor<?x2xi64>, tensor<?x1xi64>, tensor<?xf32>, tensor<?xf32>, tensor<?xi64>, tensor<5xi64>, tensor<?xf64>) {
  %0 = functional.nonzero %x : tensor<3x4xf32>
  %1 = functional.nonzero %z : tensor<2xcomplex<f64>>
  %2 = functional.masked_select %x, %m : tensor<3x4xf32>, tensor<3x4xi1>
  %3 = functional.masked_select %x, %row : tensor<3x4xf32>, tensor<4xi1>
  %c = arith.constant dense<[4, 0, 2, 2]> : tensor<4xi64>
  %w = arith.constant dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf16>
  %none = arith.constant dense<[]> : tensor<0xi64>
  %4 = functional.bincount %c : tensor<4xi64>
  %5 = functional.bincount %none {minlength = 5 : i64} : tensor<0xi64>
  %6 = functional.bincount %c weights %w : tensor<4xf16> {minlength = 7 : i64} : tensor<4xi64>
  return %0, %1, %2, %3, %4, %5, %6
      : tensor<?x2xi64>, tensor<?x1xi64>, tensor<?xf32>, tensor<?xf32>, tensor<?xi64>, tensor<5xi64>, tensor<?xf64>
}

func.func @masks_among_indices(%x: tensor<3x4x2xf32>, %m: tensor<3x4xi1>, %row: tensor<4xi1>)
    -> (tensor<?x2xf32>, tensor<3x?x2xf32>, tensor<2x2xf32>, tensor<3x4x2xf32>, tensor<3x4x2xf32>) {
  %0 = functional.index %x[%m] {present = array<i1: true>} : tensor<3x4x2xf32>[tensor<3x4xi1>]
  %1 = functional.index %x[%row] {present = array<i1: false, true>} : tensor<3x4x2xf32>[tensor<4xi1>]
  %i = arith.constant dense<[2, 0]> : tensor<2xi64>
  %two = arith.constant dense<[false, true, true, false]> : tensor<4xi1>
  %one = arith.constant dense<[0, 0, 7, 0]> : tensor<4xui8>
  %v = arith.constant dense<[0.5, 1.5]> : tensor<2xf32>
  %2 = functional.index %x[%i, %two] {present = array<i1: true, true>} : tensor<3x4x2xf32>[tensor<2xi64>, tensor<4xi1>]
  %3 = functional.index_put %x[%i, %one], %v {present = array<i1: true, true>} : tensor<3x4x2xf32>[tensor<2xi64>, tensor<4xui8>], tensor<2xf32>
  %4 = functional.index_put %x[%i, %two], %v {present = array<i1: true, true>, accumulate = true} : tensor<3x4x2xf32>[tensor<2xi64>, tensor<4xi1>], tensor<2xf32>
  return %0, %1, %2, %3, %4 : tensor<?x2xf32>, tensor<3x?x2xf32>, tensor<2x2xf32>, tensor<3x4x2xf32>, tensor<3x4x2xf32>
}
