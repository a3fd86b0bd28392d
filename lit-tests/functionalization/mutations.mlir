// Operators that write: through a view, with aliases read before and after.
// RUN: terrace-check %s
// RUN: terrace-check %s --compiled --runs=1 --forget=storages,layouts

func.func @"a-copy-casts-expands-and-keeps-strides"(%x: !graph.tensor<3x4xf32>, %y: !graph.tensor<3xi32>) -> (!graph.tensor<4x3xf32>, !graph.tensor<4x3xf32>) {
  %c = graph.clone %x : !graph.tensor<3x4xf32>
  %t = graph.t %c : !graph.tensor<3x4xf32>
  %old = graph.neg %t : !graph.tensor<4x3xf32>
  %w = graph.copy_ %t, %y : !graph.tensor<4x3xf32>, !graph.tensor<3xi32>
  return %t, %old : !graph.tensor<4x3xf32>, !graph.tensor<4x3xf32>
}

func.func @"a-full-overwrite-kills-earlier-writes"(%x: !graph.tensor<4xf32> {graph.storage = "a"}, %y: !graph.tensor<4xf32> {graph.storage = "b"}) {
  %0 = graph.exp_ %x : !graph.tensor<4xf32>
  %1 = graph.copy_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return
}

func.func @"fill-and-zero"(%x: !graph.tensor<4x3xf32>, %v: !graph.tensor<f32>) -> !graph.tensor<4x3xf32> {
  %c = graph.clone %x : !graph.tensor<4x3xf32>
  %a = graph.select %c index [1] {dim = 1 : i64} : !graph.tensor<4x3xf32>
  %b = graph.select %c index [2] : !graph.tensor<4x3xf32>
  %0 = graph.fill_ %a, %v : !graph.tensor<4xf32>, !graph.tensor<f32>
  %1 = graph.zero_ %b : !graph.tensor<3xf32>
  return %c : !graph.tensor<4x3xf32>
}

func.func @"index-put"(%x: !graph.tensor<4x3xf32>, %i: !graph.tensor<2xi64>, %s: !graph.tensor<3xf32>, %m: !graph.tensor<4xi1>) -> !graph.tensor<3x4xf32> {
  %c = graph.clone %x : !graph.tensor<4x3xf32>
  %t = graph.t %c : !graph.tensor<4x3xf32>
  %0 = graph.index_put_ %c[%i], %s {present = array<i1: true>} : !graph.tensor<4x3xf32>[!graph.tensor<2xi64>], !graph.tensor<3xf32>
  %1 = graph.index_put_ %c[%i], %s {present = array<i1: true>, accumulate = true} : !graph.tensor<4x3xf32>[!graph.tensor<2xi64>], !graph.tensor<3xf32>
  %one = graph.select %s index [0] : !graph.tensor<3xf32>
  %2 = graph.index_put_ %c[%i], %one {present = array<i1: false, true>} : !graph.tensor<4x3xf32>[!graph.tensor<2xi64>], !graph.tensor<f32>
  %3 = graph.index_put_ %c[%m], %one {present = array<i1: true>} : !graph.tensor<4x3xf32>[!graph.tensor<4xi1>], !graph.tensor<f32>
  return %t : !graph.tensor<3x4xf32>
}

func.func @"index-add-copy-fill"(%x: !graph.tensor<4x3xf32>, %i: !graph.tensor<2xi64>, %s: !graph.tensor<2x3xf32>) -> !graph.tensor<4x3xf32> {
  %c = graph.clone %x : !graph.tensor<4x3xf32>
  %k = arith.constant 2.0 : f64
  %0 = graph.index_add_ %c, %i, %s {dim = 0} : !graph.tensor<4x3xf32>, !graph.tensor<2xi64>, !graph.tensor<2x3xf32>
  %n = arith.constant 2 : i64
  %j = graph.arange end %n : i64 {dtype = i64}
  %1 = graph.index_copy_ %c, %j, %s {dim = 0} : !graph.tensor<4x3xf32>, !graph.tensor<2xi64>, !graph.tensor<2x3xf32>
  %2 = graph.index_fill_ %c, %i, %k {dim = 1} : !graph.tensor<4x3xf32>, !graph.tensor<2xi64>, f64
  return %c : !graph.tensor<4x3xf32>
}

func.func @scatters(%x: !graph.tensor<4x3xf32>, %i: !graph.tensor<2x3xi64>, %s: !graph.tensor<2x3xf32>) -> !graph.tensor<3x4xf32> {
  %c = graph.clone %x : !graph.tensor<4x3xf32>
  %t = graph.t %c : !graph.tensor<4x3xf32>
  %k = arith.constant 2.0 : f64
  %1 = graph.scatter_.value %c, %i, %k {dim = 0} : !graph.tensor<4x3xf32>, !graph.tensor<2x3xi64>, f64
  %2 = graph.scatter_add_ %c, %i, %s {dim = 0} : !graph.tensor<4x3xf32>, !graph.tensor<2x3xi64>, !graph.tensor<2x3xf32>
  %3 = graph.scatter_reduce_.two %c, %i, %s {dim = 0, reduce = "amax"} : !graph.tensor<4x3xf32>, !graph.tensor<2x3xi64>, !graph.tensor<2x3xf32>
  %4 = graph.scatter_.reduce %c, %i, %s {dim = 0, reduce = "multiply"} : !graph.tensor<4x3xf32>, !graph.tensor<2x3xi64>, !graph.tensor<2x3xf32>
  return %t : !graph.tensor<3x4xf32>
}

func.func @masks(%x: !graph.tensor<4x3xf32>, %m: !graph.tensor<4x1xi1>, %n: !graph.tensor<4x3xi1>, %s: !graph.tensor<12xf32>) -> !graph.tensor<4x3xf32> {
  %c = graph.clone %x : !graph.tensor<4x3xf32>
  %k = arith.constant 2.0 : f64
  %0 = graph.masked_fill_ %c, %m, %k : !graph.tensor<4x3xf32>, !graph.tensor<4x1xi1>, f64
  %1 = graph.masked_scatter_ %c, %n, %s : !graph.tensor<4x3xf32>, !graph.tensor<4x3xi1>, !graph.tensor<12xf32>
  return %c : !graph.tensor<4x3xf32>
}

func.func @"put-triangles-and-sums"(%x: !graph.tensor<3x3xf32>, %i: !graph.tensor<2xi64>, %s: !graph.tensor<2xf32>) -> !graph.tensor<3x3xf32> {
  %c = graph.clone %x : !graph.tensor<3x3xf32>
  %k = arith.constant 2.0 : f64
  %0 = graph.put_ %c, %i, %s {accumulate = true} : !graph.tensor<3x3xf32>, !graph.tensor<2xi64>, !graph.tensor<2xf32>
  %1 = graph.fill_diagonal_ %c, %k {wrap = false} : !graph.tensor<3x3xf32>, f64
  %2 = graph.tril_ %c {diagonal = 1 : i64} : !graph.tensor<3x3xf32>
  %3 = graph.cumsum_ %c {dim = 0 : i64} : !graph.tensor<3x3xf32>
  %4 = graph.cumprod_ %c {dim = 1 : i64} : !graph.tensor<3x3xf32>
  %5 = graph.triu_ %c {diagonal = -1 : i64} : !graph.tensor<3x3xf32>
  return %c : !graph.tensor<3x3xf32>
}

func.func @"products-and-pointwise"(%x: !graph.tensor<3x3xf32>, %a: !graph.tensor<3x2xf32>, %b: !graph.tensor<2x3xf32>) -> (!graph.tensor<3x3xf32>, !graph.tensor<3xf32>) {
  %c = graph.clone %x : !graph.tensor<3x3xf32>
  %low = arith.constant -1 : i64
  %half = arith.constant 0.5 : f64
  %row = graph.select %c index [1] {dim = 1 : i64} : !graph.tensor<3x3xf32>
  %0 = graph.addmm_ %c, %a, %b : !graph.tensor<3x3xf32>, !graph.tensor<3x2xf32>, !graph.tensor<2x3xf32>
  %1 = graph.lerp_ %c, %x, %half : !graph.tensor<3x3xf32>, !graph.tensor<3x3xf32>, f64
  %2 = graph.clamp_ %row min %low : i64 : !graph.tensor<3xf32>
  %3 = graph.addcmul_ %c, %x, %x : !graph.tensor<3x3xf32>, !graph.tensor<3x3xf32>, !graph.tensor<3x3xf32>
  return %c, %row : !graph.tensor<3x3xf32>, !graph.tensor<3xf32>
}

func.func @"lists-with-aliases"(%x: !graph.tensor<2x3xf32>) -> !graph.tensor<2x3xf32> {
  %c = graph.clone %x : !graph.tensor<2x3xf32>
  %row = graph.select %c index [0] : !graph.tensor<2x3xf32>
  graph._foreach_neg_ [%c, %row] : [!graph.tensor<2x3xf32>, !graph.tensor<3xf32>]
  return %c : !graph.tensor<2x3xf32>
}

// x[[0, 1]] = x[[1, 0]] and x[1:] = x[:-1].clone()
func.func @"clones-stay"(%x: !graph.tensor<3x2xf32>, %i: !graph.tensor<2xi64>) -> !graph.tensor<3x2xf32> {
  %c = graph.clone %x : !graph.tensor<3x2xf32>
  %j = graph.flip %i {dims = array<i64: 0>} : !graph.tensor<2xi64>
  %0 = graph.index %c[%i] {present = array<i1: true>} : !graph.tensor<3x2xf32>[!graph.tensor<2xi64>]
  %1 = graph.index_put_ %c[%j], %0 {present = array<i1: true>} : !graph.tensor<3x2xf32>[!graph.tensor<2xi64>], !graph.tensor<2x2xf32>
  %from = graph.slice %c start [0] end [2] step [1] : !graph.tensor<3x2xf32>
  %copy = graph.clone %from : !graph.tensor<2x2xf32>
  %to = graph.slice %c start [1] end [3] step [1] : !graph.tensor<3x2xf32>
  %2 = graph.copy_ %to, %copy : !graph.tensor<2x2xf32>, !graph.tensor<2x2xf32>
  return %c : !graph.tensor<3x2xf32>
}

func.func @"running-statistics"(%x: !graph.tensor<4x3xf32> {graph.storage = "x"}, %m: !graph.tensor<3xf32> {graph.storage = "m"}, %v: !graph.tensor<3xf32> {graph.storage = "v"}, %w: !graph.tensor<3xf32> {graph.storage = "w"}) -> !graph.tensor<4x3xf32> {
  %c = graph.clone %x : !graph.tensor<4x3xf32>
  %old = graph.neg %m : !graph.tensor<3xf32>
  %0 = graph.batch_norm %c weight %w : !graph.tensor<3xf32> running_mean %m : !graph.tensor<3xf32> running_var %v : !graph.tensor<3xf32> {training = true, momentum = 0.1, eps = 1.0e-5, cudnn_enabled = false} : !graph.tensor<4x3xf32>
  return %0 : !graph.tensor<4x3xf32>
}

// Each place once: no order matters.
func.func @"scatter-from-a-tensor"(%x: !graph.tensor<3x4xf32>, %s: !graph.tensor<2x4xf32>) -> !graph.tensor<4x3xf32> {
  %c = graph.clone %x : !graph.tensor<3x4xf32>
  %t = graph.t %c : !graph.tensor<3x4xf32>
  %k = arith.constant 3 : i64
  %ones = graph.ones [2, 4] {dtype = i64}
  %i = graph.cumsum %ones {dim = 0 : i64} : !graph.tensor<2x4xi64>
  %0 = graph.scatter_.src %c, %i, %s {dim = 0} : !graph.tensor<3x4xf32>, !graph.tensor<2x4xi64>, !graph.tensor<2x4xf32>
  %1 = graph.scatter_.value_reduce %c, %i, %k {dim = 0, reduce = "add"} : !graph.tensor<3x4xf32>, !graph.tensor<2x4xi64>, i64
  return %t : !graph.tensor<4x3xf32>
}

func.func @"the-same-place-twice"(%x: !graph.tensor<3x2xf32>, %s: !graph.tensor<4x2xf32>) -> !graph.tensor<3x2xf32> {
  %c = graph.clone %x : !graph.tensor<3x2xf32>
  %i = graph.zeros [4] {dtype = i64}
  %0 = graph.index_put_ %c[%i], %s {present = array<i1: true>, accumulate = true} : !graph.tensor<3x2xf32>[!graph.tensor<4xi64>], !graph.tensor<4x2xf32>
  %1 = graph.index_add_ %c, %i, %s {dim = 0} : !graph.tensor<3x2xf32>, !graph.tensor<4xi64>, !graph.tensor<4x2xf32>
  return %c : !graph.tensor<3x2xf32>
}

func.func @"products-of-other-shapes"(%x: !graph.tensor<3x3xf32>, %m: !graph.tensor<3x2xf32>, %v: !graph.tensor<2xf32>, %a: !graph.tensor<2x3x2xf32>, %b: !graph.tensor<2x2x3xf32>) -> !graph.tensor<3x3xf32> {
  %c = graph.clone %x : !graph.tensor<3x3xf32>
  %row = graph.select %c index [-1] {dim = 1 : i64} : !graph.tensor<3x3xf32>
  %0 = graph.addmv_ %row, %m, %v : !graph.tensor<3xf32>, !graph.tensor<3x2xf32>, !graph.tensor<2xf32>
  %1 = graph.addbmm_ %c, %a, %b : !graph.tensor<3x3xf32>, !graph.tensor<2x3x2xf32>, !graph.tensor<2x2x3xf32>
  %d = graph.zeros [2, 3, 3] {dtype = f32}
  %p = graph.select %d index [1] : !graph.tensor<2x3x3xf32>
  %2 = graph.baddbmm_ %d, %a, %b : !graph.tensor<2x3x3xf32>, !graph.tensor<2x3x2xf32>, !graph.tensor<2x2x3xf32>
  %3 = graph.add_ %c, %p : !graph.tensor<3x3xf32>, !graph.tensor<3x3xf32>
  return %c : !graph.tensor<3x3xf32>
}

// A tensor of no dimensions fills, and is filled.
func.func @"zeros-and-fills-of-no-dimensions"(%x: !graph.tensor<4xf32>, %v: !graph.tensor<f32>) -> (!graph.tensor<4xf32>, !graph.tensor<f32>) {
  %c = graph.clone %x : !graph.tensor<4xf32>
  %e = graph.select %c index [2] : !graph.tensor<4xf32>
  %0 = graph.fill_ %e, %v : !graph.tensor<f32>, !graph.tensor<f32>
  %w = graph.clone %v : !graph.tensor<f32>
  %u = graph.view %w size [1] : !graph.tensor<f32>
  %1 = graph.zero_ %w : !graph.tensor<f32>
  %2 = graph.fill_ %u, %e : !graph.tensor<1xf32>, !graph.tensor<f32>
  return %c, %w : !graph.tensor<4xf32>, !graph.tensor<f32>
}

func.func @"nothing-is-written"(%x: !graph.tensor<3x4xf32>, %n: !graph.tensor<0xi64>, %s: !graph.tensor<0x4xf32>) -> !graph.tensor<3x4xf32> {
  %c = graph.clone %x : !graph.tensor<3x4xf32>
  %e = graph.slice %c start [3] end [3] step [1] : !graph.tensor<3x4xf32>
  %0 = graph.copy_ %e, %s : !graph.tensor<0x4xf32>, !graph.tensor<0x4xf32>
  %1 = graph.index_add_ %c, %n, %s {dim = 0} : !graph.tensor<3x4xf32>, !graph.tensor<0xi64>, !graph.tensor<0x4xf32>
  %2 = graph.index_put_ %c[%n], %s {present = array<i1: true>} : !graph.tensor<3x4xf32>[!graph.tensor<0xi64>], !graph.tensor<0x4xf32>
  return %c : !graph.tensor<3x4xf32>
}
