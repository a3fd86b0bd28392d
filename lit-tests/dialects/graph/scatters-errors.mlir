// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @gather_beyond(%x: !graph.tensor<2x3xf32>, %i: !graph.tensor<3x3xi64>) {
  // expected-error @+1 {{'graph.gather' op Size does not match at dimension 0 expected index [3, 3] to be no larger than self [2, 3] apart from dimension 1}}
  %0 = graph.gather %x, %i {dim = 1} : !graph.tensor<2x3xf32>, !graph.tensor<3x3xi64>
  return
}

// -----

func.func @scatter_dtype(%x: !graph.tensor<3xf32>, %i: !graph.tensor<3xi64>, %s: !graph.tensor<3xf64>) {
  // expected-error @+1 {{'graph.scatter_.src' op scatter(): Expected self.dtype to be equal to src.dtype}}
  %0 = graph.scatter_.src %x, %i, %s {dim = 0} : !graph.tensor<3xf32>, !graph.tensor<3xi64>, !graph.tensor<3xf64>
  return
}

// -----

func.func @scatter_beyond(%x: !graph.tensor<3xf32>, %i: !graph.tensor<4xi64>, %s: !graph.tensor<3xf32>) {
  // expected-error @+1 {{'graph.scatter_add' op Expected index [4] to be no larger than self [3] apart from dimension 0 and to be no larger size than src [3]}}
  %0 = graph.scatter_add %x, %i, %s {dim = 0} : !graph.tensor<3xf32>, !graph.tensor<4xi64>, !graph.tensor<3xf32>
  return
}

// -----

func.func @reduce(%x: !graph.tensor<3xf32>, %i: !graph.tensor<3xi64>) {
  // expected-error @+1 {{'graph.scatter_reduce.two' op reduce argument must be either sum, prod, mean, amax or amin, got median}}
  %0 = graph.scatter_reduce.two %x, %i, %x {dim = 0, reduce = "median"} : !graph.tensor<3xf32>, !graph.tensor<3xi64>, !graph.tensor<3xf32>
  return
}

// -----

func.func @copy_count(%x: !graph.tensor<3xf32>, %i: !graph.tensor<2xi64>) {
  // expected-error @+1 {{'graph.index_copy' op index_copy_(): Number of indices (2) should be equal to source.size(dim) (3)}}
  %0 = graph.index_copy %x, %i, %x {dim = 0} : !graph.tensor<3xf32>, !graph.tensor<2xi64>, !graph.tensor<3xf32>
  return
}

// -----

func.func @add_shape(%x: !graph.tensor<3x4xf32>, %i: !graph.tensor<2xi64>, %s: !graph.tensor<2x5xf32>) {
  // expected-error @+1 {{'graph.index_add_' op source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = [3, 4] source.shape = [2, 5]}}
  %0 = graph.index_add_ %x, %i, %s {dim = 0} : !graph.tensor<3x4xf32>, !graph.tensor<2xi64>, !graph.tensor<2x5xf32>
  return
}

// -----

func.func @fill_index(%x: !graph.tensor<3xf32>, %i: !graph.tensor<2xi32>) {
  %k = arith.constant 1 : i64
  // expected-error @+1 {{'graph.index_fill' op index_fill_(): Expected dtype int64 for index.}}
  %0 = graph.index_fill %x, %i, %k {dim = 0} : !graph.tensor<3xf32>, !graph.tensor<2xi32>, i64
  return
}

// -----

func.func @put_shape(%x: !graph.tensor<3xf32>, %i: !graph.tensor<2xi64>) {
  // expected-error @+1 {{'graph.index_put' op shape mismatch: value tensor of shape [3] cannot be broadcast to indexing result of shape [2]}}
  %0 = graph.index_put %x[%i], %x {present = array<i1: true>} : !graph.tensor<3xf32>[!graph.tensor<2xi64>], !graph.tensor<3xf32>
  return
}

// -----

func.func @mask_is_no_place(%x: !graph.tensor<3xf32>, %m: !graph.tensor<3xi1>) {
  // expected-error @+1 {{'graph._unsafe_index' op _unsafe_index found unexpected index type Bool}}
  %0 = graph._unsafe_index %x[%m] {present = array<i1: true>} : !graph.tensor<3xf32>[!graph.tensor<3xi1>]
  return
}

// -----

// What the mask chooses is counted when the program runs; the dimensions beside it are known.
func.func @put_shape_beside_a_mask(%x: !graph.tensor<4x3x3xf32>, %m: !graph.tensor<3xi1>, %v: !graph.tensor<2x1x3xf32>) {
  // expected-error @+1 {{'graph.index_put' op shape mismatch: value tensor of shape [2, 1, 3] cannot be broadcast to indexing result of shape [4, ?, 3]}}
  %0 = graph.index_put %x[%m], %v {present = array<i1: false, true, false>} : !graph.tensor<4x3x3xf32>[!graph.tensor<3xi1>], !graph.tensor<2x1x3xf32>
  return
}
