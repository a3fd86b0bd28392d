// RUN: terrace-opt %s --loop-split-reduction="points=8 least=1024" --canonicalize --cse --split-input-file | FileCheck %s

// 4 elements of a group lie side by side, then those of the next one: 32 are summed up in lanes, and by fours later.
// CHECK-LABEL: func.func @blocks(
//       CHECK:   %[[P:.*]] = loop.reduction add (%[[B:.*]] = 16, %[[G:.*]] = 8, %[[C:.*]] = 4) over (%[[R:.*]] = 64)
//       CHECK:     loop.load %{{.*}}[%[[B]] * 64 + %[[R]], %[[G]] * 4 + %[[C]]]
//       CHECK:   %[[S:.*]] = loop.reduction add (%[[G:.*]] = 8) over (%[[B:.*]] = 16, %[[C:.*]] = 4) into
//       CHECK:     loop.load %[[P]][%[[B]], %[[G]], %[[C]]]
//       CHECK:   return %[[S]]
func.func @blocks(%x: tensor<1024x32xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %s = loop.reduction add (%g = 8) over (%c = 4, %r = 1024) into %e {
    %a = loop.load %x[%r, %g * 4 + %c] : tensor<1024x32xf32>
    loop.yield %a : f32
  } : tensor<8xf32>
  return %s : tensor<8xf32>
}

// -----

// What is left over has lanes as well.
// CHECK-LABEL: func.func @left_over(
//       CHECK:   loop.reduction add (%{{.*}} = 15, %{{.*}} = 8, %{{.*}} = 4) over (%{{.*}} = 63)
//       CHECK:   loop.reduction add (%{{.*}} = 8) over (%{{.*}} = 15, %{{.*}} = 4)
//       CHECK:   %[[P:.*]] = loop.reduction add (%[[G:.*]] = 8, %[[C:.*]] = 4) over (%[[R:.*]] = 55)
//       CHECK:     loop.load %{{.*}}[%[[R]] + 945, %[[G]] * 4 + %[[C]]]
//       CHECK:   loop.reduction add (%[[G:.*]] = 8) over (%[[C:.*]] = 4)
//       CHECK:   loop.pointwise
func.func @left_over(%x: tensor<1000x32xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %s = loop.reduction add (%g = 8) over (%c = 4, %r = 1000) into %e {
    %a = loop.load %x[%r, %g * 4 + %c] : tensor<1000x32xf32>
    loop.yield %a : f32
  } : tensor<8xf32>
  return %s : tensor<8xf32>
}

// -----

// There are points enough: no blocks.
// CHECK-LABEL: func.func @batches(
//       CHECK:   %[[P:.*]] = loop.reduction max (%[[B:.*]] = 64, %[[G:.*]] = 8, %[[C:.*]] = 4) over (%[[R:.*]] = 100)
//       CHECK:     loop.load %{{.*}}[%[[B]], %[[R]], %[[G]] * 4 + %[[C]]]
//       CHECK:   %[[M:.*]] = loop.reduction max (%[[B:.*]] = 64, %[[G:.*]] = 8) over (%[[C:.*]] = 4) into
//       CHECK:     loop.load %[[P]][%[[B]], %[[G]], %[[C]]]
func.func @batches(%x: tensor<64x100x32xf32>, %e: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %s = loop.reduction max (%b = 64, %g = 8) over (%c = 4, %r = 100) into %e {
    %a = loop.load %x[%b, %r, %g * 4 + %c] : tensor<64x100x32xf32>
    loop.yield %a : f32
  } : tensor<64x8xf32>
  return %s : tensor<64x8xf32>
}

// -----

// A run that fills a register has lanes of its own.
// CHECK-LABEL: func.func @long_runs(
//       CHECK:   loop.reduction max (%{{.*}} = 64, %{{.*}} = 8) over (%{{.*}} = 16, %{{.*}} = 100)
//   CHECK-NOT:   loop.reduction
func.func @long_runs(%x: tensor<64x100x128xf32>, %e: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %s = loop.reduction max (%b = 64, %g = 8) over (%c = 16, %r = 100) into %e {
    %a = loop.load %x[%b, %r, %g * 16 + %c] : tensor<64x100x128xf32>
    loop.yield %a : f32
  } : tensor<64x8xf32>
  return %s : tensor<64x8xf32>
}

// -----

// What is read beside lies along the other dimension: nothing is won.
// CHECK-LABEL: func.func @two_layouts(
//       CHECK:   loop.reduction add (%{{.*}} = 64, %{{.*}} = 8) over (%{{.*}} = 4, %{{.*}} = 100)
//   CHECK-NOT:   loop.reduction
func.func @two_layouts(%x: tensor<64x100x32xf32>, %y: tensor<64x32x100xf32>, %e: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %s = loop.reduction add (%b = 64, %g = 8) over (%c = 4, %r = 100) into %e {
    %a = loop.load %x[%b, %r, %g * 4 + %c] : tensor<64x100x32xf32>
    %d = loop.load %y[%b, %g * 4 + %c, %r] : tensor<64x32x100xf32>
    %f = arith.addf %a, %d : f32
    loop.yield %f : f32
  } : tensor<64x8xf32>
  return %s : tensor<64x8xf32>
}

// -----

// 4 groups of 2 are less than a register has.
// CHECK-LABEL: func.func @few_neighbours(
//       CHECK:   loop.reduction max (%{{.*}} = 64, %{{.*}} = 4) over (%{{.*}} = 2, %{{.*}} = 512)
//   CHECK-NOT:   loop.reduction
func.func @few_neighbours(%x: tensor<64x512x8xf32>, %e: tensor<64x4xf32>) -> tensor<64x4xf32> {
  %s = loop.reduction max (%b = 64, %g = 4) over (%c = 2, %r = 512) into %e {
    %a = loop.load %x[%b, %r, %g * 2 + %c] : tensor<64x512x8xf32>
    loop.yield %a : f32
  } : tensor<64x4xf32>
  return %s : tensor<64x4xf32>
}
