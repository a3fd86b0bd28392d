// The transform dialect tiles loop operations as it tiles linalg's. Tiles read whole tensors at indices further on.

// RUN: split-file %s %t
// RUN: terrace-opt %t/pointwise.mlir --transform-interpreter --canonicalize | FileCheck %s --check-prefix=POINTWISE
// RUN: terrace-check %t/pointwise.mlir --pipeline transform-interpreter
// RUN: terrace-opt %t/reduction.mlir --transform-interpreter --canonicalize | FileCheck %s --check-prefix=REDUCTION
// RUN: terrace-check %t/reduction.mlir --pipeline transform-interpreter
// RUN: terrace-opt %t/scan.mlir --transform-interpreter --canonicalize | FileCheck %s --check-prefix=SCAN
// RUN: terrace-check %t/scan.mlir --pipeline transform-interpreter
// RUN: terrace-opt %t/fused.mlir --transform-interpreter --canonicalize | FileCheck %s --check-prefix=FUSED
// RUN: terrace-check %t/fused.mlir --pipeline transform-interpreter
// RUN: not terrace-opt %t/not-of-what-is-summed-up.mlir --transform-interpreter 2>&1 | FileCheck %s --check-prefix=SUMMED
// RUN: not terrace-opt %t/not-in-memory.mlir --transform-interpreter 2>&1 | FileCheck %s --check-prefix=MEMORY

// linalg takes slices of its operands, a loop operation an offset.
// POINTWISE-LABEL: func.func @main(
//  POINTWISE-SAME:   %[[X:[^:]*]]: tensor<66x32xf32>
//       POINTWISE:   scf.forall
//       POINTWISE:     linalg.generic {{.*}} ins(%extracted_slice{{.*}} : tensor<16x8xf32>)
//       POINTWISE:   scf.forall (%[[T:.*]], %[[U:.*]]) in (4, 4) shared_outs(%[[INTO:.*]] = %{{.*}})
//       POINTWISE:     %[[I0:.*]] = affine.apply #{{.*}}(%[[T]])
//       POINTWISE:     %[[J0:.*]] = affine.apply #{{.*}}(%[[U]])
//       POINTWISE:     %[[E:.*]] = tensor.empty() : tensor<16x8xf32>
//       POINTWISE:     %[[TILE:.*]] = loop.pointwise (%[[I:.*]] = 16, %[[J:.*]] = 8) into %[[E]]
//       POINTWISE:       loop.load %[[X]][%[[I]] + %[[I0]] + 2, %[[J]] + %[[J0]]]
//       POINTWISE:     tensor.parallel_insert_slice %[[TILE]] into %[[INTO]][%[[I0]], %[[J0]]] [16, 8] [1, 1]

// A size of the run; the index is a number, too.
// REDUCTION-LABEL: func.func @main(
//       REDUCTION:   scf.forall (%[[T:.*]]) in
//       REDUCTION:     %[[I0:.*]] = affine.apply #{{.*}}(%[[T]])
//       REDUCTION:     %[[SIZE:.*]] = affine.min #{{.*}}(%[[T]])
//       REDUCTION:     tensor.empty(%[[SIZE]]) : tensor<?xf32>
//       REDUCTION:     loop.reduction add (%[[I:.*]] = %[[SIZE]]) over (%[[J:.*]] = 32)
//       REDUCTION:       %[[AT:.*]] = arith.addi %[[I]], %[[I0]]
//       REDUCTION:       loop.load %{{.*}}[%[[I]] + %[[I0]], %[[J]]]
//       REDUCTION:       arith.index_cast %[[AT]]

// SCAN-LABEL: func.func @main(
//       SCAN:   scf.for
//       SCAN:     loop.scan add (%{{.*}} = 4, %[[J:.*]] = 32) along %[[J]]

// A producer goes into the tiles of a consumer of linalg, which reads a slice of it.
// FUSED-LABEL: func.func @main(
//       FUSED:   scf.forall
//       FUSED:     %[[P:.*]] = loop.pointwise (%{{.*}} = 16, %{{.*}} = 32)
//       FUSED:       math.exp
//       FUSED:     linalg.generic {{.*}} ins(%[[P]] : tensor<16x32xf32>)

// SUMMED: error: 'loop.reduction' op has no tiles of dimension 1, which is combined along: expects it whole

// MEMORY: error: 'loop.pointwise' op has no tiles: expects a tensor behind 'into'

//--- pointwise.mlir
#id = affine_map<(i, j) -> (i, j)>
module attributes {transform.with_named_sequence} {
  func.func @main(%x: tensor<66x32xf32>, %y: tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>) {
    %e = tensor.empty() : tensor<64x32xf32>
    %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%y : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) {
    ^bb0(%v: f32, %o: f32):
      %w = math.exp %v : f32
      linalg.yield %w : f32
    } -> tensor<64x32xf32>
    %p = loop.pointwise (%i = 64, %j = 32) into %e {
      %v = loop.load %x[%i + 2, %j] : tensor<66x32xf32>
      %w = math.exp %v : f32
      loop.yield %w : f32
    } : tensor<64x32xf32>
    return %p, %q : tensor<64x32xf32>, tensor<64x32xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %p = transform.structured.match ops{["loop.pointwise", "linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %f = transform.structured.tile_using_forall %p tile_sizes [16, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- reduction.mlir
module attributes {transform.with_named_sequence} {
  func.func @main(%x: tensor<?x32xf32>) -> tensor<?xf32> {
    %c0 = arith.constant 0 : index
    %n = tensor.dim %x, %c0 : tensor<?x32xf32>
    %d = tensor.empty(%n) : tensor<?xf32>
    %s = loop.reduction add (%i = %n) over (%j = 32) into %d {
      %v = loop.load %x[%i, %j] : tensor<?x32xf32>
      %z = arith.index_cast %i : index to i32
      %f = arith.sitofp %z : i32 to f32
      %w = arith.addf %v, %f : f32
      loop.yield %w : f32
    } : tensor<?xf32>
    return %s : tensor<?xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %s = transform.structured.match ops{["loop.reduction"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %f = transform.structured.tile_using_forall %s tile_sizes [3, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- scan.mlir
module attributes {transform.with_named_sequence} {
  func.func @main(%x: tensor<16x32xf32>) -> tensor<16x32xf32> {
    %e = tensor.empty() : tensor<16x32xf32>
    %s = loop.scan add (%i = 16, %j = 32) along %j into %e {
      %v = loop.load %x[%i, %j] : tensor<16x32xf32>
      loop.yield %v : f32
    } : tensor<16x32xf32>
    return %s : tensor<16x32xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %s = transform.structured.match ops{["loop.scan"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %f = transform.structured.tile_using_for %s tile_sizes [4, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- fused.mlir
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
module attributes {transform.with_named_sequence} {
  func.func @main(%x: tensor<64x32xf32>) -> tensor<64xf32> {
    %e = tensor.empty() : tensor<64x32xf32>
    %p = loop.pointwise (%i = 64, %j = 32) into %e {
      %v = loop.load %x[%i, %j] : tensor<64x32xf32>
      %w = math.exp %v : f32
      loop.yield %w : f32
    } : tensor<64x32xf32>
    %zero = arith.constant dense<0.0> : tensor<64xf32>
    %q = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%p : tensor<64x32xf32>) outs(%zero : tensor<64xf32>) {
    ^bb0(%v: f32, %o: f32):
      %w = arith.addf %v, %o : f32
      linalg.yield %w : f32
    } -> tensor<64xf32>
    return %q : tensor<64xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %p = transform.structured.match ops{["loop.pointwise"]} in %root : (!transform.any_op) -> !transform.any_op
    %q = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %f = transform.structured.tile_using_forall %q tile_sizes [16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %u, %g = transform.structured.fuse_into_containing_op %p into %f
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- not-of-what-is-summed-up.mlir
module attributes {transform.with_named_sequence} {
  func.func @main(%x: tensor<64x32xf32>) -> tensor<64xf32> {
    %d = tensor.empty() : tensor<64xf32>
    %s = loop.reduction add (%i = 64) over (%j = 32) into %d {
      %v = loop.load %x[%i, %j] : tensor<64x32xf32>
      loop.yield %v : f32
    } : tensor<64xf32>
    return %s : tensor<64xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %s = transform.structured.match ops{["loop.reduction"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %f, %g = transform.structured.tile_using_for %s tile_sizes [16, 8]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- not-in-memory.mlir
module attributes {transform.with_named_sequence} {
  func.func @main(%x: memref<64xf32>, %y: memref<64xf32>) {
    loop.pointwise (%i = 64) into %y {
      %v = loop.load %x[%i] : memref<64xf32>
      loop.yield %v : f32
    } : memref<64xf32>
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %s = transform.structured.match ops{["loop.pointwise"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %f = transform.structured.tile_using_for %s tile_sizes [16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
