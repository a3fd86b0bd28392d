// RUN: terrace-opt %s --loop-split-scan="points=8 least=1024" --split-input-file | FileCheck %s

// 16 blocks: their sums, the scan of these, and of each block from what is before it, into the destination that there was.
// CHECK-LABEL: func.func @row(
//  CHECK-SAME: %[[X:[^:]*]]: tensor<65536xf32>, %[[E:[^:]*]]: tensor<65536xf32>)
//       CHECK:   %[[S:.*]] = loop.reduction add (%[[B:.*]] = 16) over (%[[K:.*]] = 4096)
//       CHECK:     loop.load %[[X]][%[[B]] * 4096 + %[[K]]]
//       CHECK:   %[[P:.*]] = loop.scan add (%[[B:.*]] = 16) along %[[B]]
//       CHECK:     loop.load %[[S]][%[[B]]]
//       CHECK:   %[[I:.*]] = tensor.expand_shape %[[E]] {{\[\[}}0, 1]] output_shape [16, 4096]
//       CHECK:   %[[Z:.*]] = loop.scan add (%[[B:.*]] = 16, %[[K:.*]] = 4096) along %[[K]] into %[[I]]
//       CHECK:     %[[A:.*]] = loop.load %[[X]][%[[B]] * 4096 + %[[K]]]
//       CHECK:     %[[F:.*]] = arith.andi
//       CHECK:     %[[L:.*]] = loop.load %[[P]][%[[B]] - 1] if %[[F]] else
//       CHECK:     %[[T:.*]] = arith.addf %[[L]], %[[A]]
//       CHECK:     arith.select %[[F]], %[[T]], %[[A]]
//       CHECK:   tensor.collapse_shape %[[Z]] {{\[\[}}0, 1]]
func.func @row(%x: tensor<65536xf32>, %e: tensor<65536xf32>) -> tensor<65536xf32> {
  %y = loop.scan add (%i = 65536) along %i into %e {
    %a = loop.load %x[%i] : tensor<65536xf32>
    loop.yield %a : f32
  } : tensor<65536xf32>
  return %y : tensor<65536xf32>
}

// -----

// Lanes are along 128 columns: two points, and so 8 blocks.
// CHECK-LABEL: func.func @columns(
//       CHECK:   loop.reduction max (%{{.*}} = 8, %{{.*}} = 128) over (%{{.*}} = 125)
//       CHECK:   loop.scan max (%[[B:.*]] = 8, %{{.*}} = 128) along %[[B]]
//       CHECK:   loop.scan max (%{{.*}} = 8, %[[K:.*]] = 125, %{{.*}} = 128) along %[[K]]
func.func @columns(%x: tensor<1000x128xi32>, %e: tensor<1000x128xi32>) -> tensor<1000x128xi32> {
  %y = loop.scan max (%i = 1000, %c = 128) along %i into %e {
    %a = loop.load %x[%i, %c] : tensor<1000x128xi32>
    loop.yield %a : i32
  } : tensor<1000x128xi32>
  return %y : tensor<1000x128xi32>
}
