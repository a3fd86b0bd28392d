// RUN: terrace-opt %s --loop-split-reduction="points=8 least=1024" --canonicalize --cse --split-input-file | FileCheck %s

// 16 blocks, and their sum into the destination that there was.
// CHECK-LABEL: func.func @all(
//  CHECK-SAME: %[[X:.*]]: tensor<65536xf32>, %[[E:.*]]: tensor<f32>)
//       CHECK:   %[[P:.*]] = loop.reduction add (%[[B:.*]] = 16) over (%[[K:.*]] = 4096)
//       CHECK:     loop.load %[[X]][%[[B]] * 4096 + %[[K]]]
//       CHECK:   %[[S:.*]] = loop.reduction add over (%[[B:.*]] = 16) into %[[E]]
//       CHECK:     loop.load %[[P]][%[[B]]]
//       CHECK:   return %[[S]]
func.func @all(%x: tensor<65536xf32>, %e: tensor<f32>) -> tensor<f32> {
  %s = loop.reduction add over (%k = 65536) into %e {
    %a = loop.load %x[%k] : tensor<65536xf32>
    loop.yield %a : f32
  } : tensor<f32>
  return %s : tensor<f32>
}

// -----

// Lanes are along the 128 columns: two points. What is behind the last whole block is reduced alone.
// CHECK-LABEL: func.func @columns(
//       CHECK:   %[[P:.*]] = loop.reduction max (%[[B:.*]] = 7, %[[C:.*]] = 128) over (%[[K:.*]] = 128)
//       CHECK:     loop.load %{{.*}}[%[[B]] * 128 + %[[K]], %[[C]]]
//       CHECK:   %[[M:.*]] = loop.reduction max (%[[C:.*]] = 128) over (%[[B:.*]] = 7)
//       CHECK:     loop.load %[[P]][%[[B]], %[[C]]]
//       CHECK:   %[[R:.*]] = loop.reduction max (%[[C:.*]] = 128) over (%[[K:.*]] = 104)
//       CHECK:     loop.load %{{.*}}[%[[K]] + 896, %[[C]]]
//       CHECK:   loop.pointwise
//       CHECK:     arith.maximumf
func.func @columns(%x: tensor<1000x128xf32>, %e: tensor<128xf32>) -> tensor<128xf32> {
  %s = loop.reduction max (%c = 128) over (%k = 1000) into %e {
    %a = loop.load %x[%k, %c] : tensor<1000x128xf32>
    loop.yield %a : f32
  } : tensor<128xf32>
  return %s : tensor<128xf32>
}

// -----

// Rows enough.
// CHECK-LABEL: func.func @rows(
//       CHECK:   loop.reduction add (%{{.*}} = 8) over (%{{.*}} = 1000)
//   CHECK-NOT:   loop.reduction
func.func @rows(%x: tensor<8x1000xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %s = loop.reduction add (%i = 8) over (%k = 1000) into %e {
    %a = loop.load %x[%i, %k] : tensor<8x1000xf32>
    loop.yield %a : f32
  } : tensor<8xf32>
  return %s : tensor<8xf32>
}

// -----

// A mean of each row is read along the rows: that puts no lanes there.
// CHECK-LABEL: func.func @centered(
//       CHECK:   loop.reduction add (%{{.*}} = 8) over (%{{.*}} = 1000)
//   CHECK-NOT:   loop.reduction
func.func @centered(%x: tensor<8x1000xf32>, %m: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %s = loop.reduction add (%i = 8) over (%k = 1000) into %e {
    %a = loop.load %x[%i, %k] : tensor<8x1000xf32>
    %b = loop.load %m[%i] : tensor<8xf32>
    %c = arith.subf %a, %b : f32
    loop.yield %c : f32
  } : tensor<8xf32>
  return %s : tensor<8xf32>
}

// -----

// Three columns: 16 rows lie side by side, of which there are 48 sums in each block; the second reduction is over both.
// CHECK-LABEL: func.func @narrow(
//       CHECK:   %[[P:.*]] = loop.reduction add (%[[B:.*]] = 15, %[[R:.*]] = 16, %[[C:.*]] = 3) over (%[[K:.*]] = 4)
//       CHECK:     loop.load %{{.*}}[%[[B]] * 64 + %[[R]] + %[[K]] * 16, %[[C]]] : tensor<1000x3xf32>
//       CHECK:   loop.reduction add (%[[C:.*]] = 3) over (%[[B:.*]] = 15, %[[R:.*]] = 16)
//       CHECK:     loop.load %[[P]][%[[B]], %[[R]], %[[C]]]
//       CHECK:   loop.reduction add (%[[C:.*]] = 3) over (%[[K:.*]] = 40)
//       CHECK:     loop.load %{{.*}}[%[[K]] + 960, %[[C]]]
func.func @narrow(%x: tensor<1000x3xf32>, %e: tensor<3xf32>) -> tensor<3xf32> {
  %s = loop.reduction add (%c = 3) over (%k = 1000) into %e {
    %a = loop.load %x[%k, %c] : tensor<1000x3xf32>
    loop.yield %a : f32
  } : tensor<3xf32>
  return %s : tensor<3xf32>
}
