// A loop operation writes into the slice where its result goes, as one of linalg does.

// RUN: terrace-opt %s --eliminate-empty-tensors | FileCheck %s

// CHECK-LABEL: func.func @of_linalg(
//       CHECK:   %[[S:.*]] = tensor.extract_slice
//       CHECK:   linalg.exp ins(%{{.*}}) outs(%[[S]]
func.func @of_linalg(%x: tensor<4x8xf32>, %y: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %p = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = tensor.insert_slice %p into %y[4, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}

// CHECK-LABEL: func.func @of_loop(
//       CHECK:   %[[S:.*]] = tensor.extract_slice
//       CHECK:   loop.pointwise (%{{.*}} = 4, %{{.*}} = 8) into %[[S]]
func.func @of_loop(%x: tensor<4x8xf32>, %y: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %p = loop.pointwise (%i = 4, %j = 8) into %e {
    %v = loop.load %x[%i, %j] : tensor<4x8xf32>
    %w = math.exp %v : f32
    loop.yield %w : f32
  } : tensor<4x8xf32>
  %r = tensor.insert_slice %p into %y[4, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}

// The tiles of a loop operation go where all of them do.
// CHECK-LABEL: func.func @of_tiles(
//       CHECK:   scf.forall (%[[I:.*]]) in (4) shared_outs(%[[O:.*]] = %{{.*}})
//       CHECK:     %[[S:.*]] = tensor.extract_slice %[[O]]
//       CHECK:     loop.pointwise (%{{.*}} = 16) into %[[S]]
func.func @of_tiles(%x: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %r = scf.forall (%t) in (4) shared_outs(%o = %e) -> tensor<64xf32> {
    %at = affine.apply affine_map<(d0) -> (d0 * 16)>(%t)
    %n = tensor.empty() : tensor<16xf32>
    %p = loop.pointwise (%i = 16) into %n {
      %v = loop.load %x[%i + %at] : tensor<64xf32>
      loop.yield %v : f32
    } : tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%at] [16] [1] : tensor<16xf32> into tensor<64xf32>
    }
  }
  return %r : tensor<64xf32>
}
