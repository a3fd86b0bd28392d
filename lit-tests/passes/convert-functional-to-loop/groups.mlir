// RUN: terrace-opt %s --convert-functional-to-loop --split-input-file | FileCheck %s

// Groups of rows, one after the other: each times its own matrix alone. Ends never descend, and are rows. What is
// behind the last group is 0.
// CHECK-LABEL: func.func @rows(
//  CHECK-SAME:   %[[X:.*]]: tensor<5x3xf32>, %[[W:.*]]: tensor<2x3x4xf32>, %[[O:.*]]: tensor<2xi32>
//       CHECK:   %[[EMPTY:.*]] = tensor.empty() : tensor<5x4xf32>
//       CHECK:   %[[ALL:.*]]:2 = scf.for %[[G:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[OUT:.*]] = %[[EMPTY]], %[[START:.*]] = %{{.*}})
//       CHECK:     %[[NUMBER:.*]] = tensor.extract %[[O]][%[[G]]]
//       CHECK:     %[[INDEX:.*]] = arith.index_cast %[[NUMBER]]
//       CHECK:     %[[UP:.*]] = arith.maxsi %[[INDEX]], %[[START]]
//       CHECK:     %[[END:.*]] = arith.minsi %[[UP]], %{{.*}}
//       CHECK:     %[[COUNT:.*]] = arith.subi %[[END]], %[[START]]
//       CHECK:     %[[PART:.*]] = loop.reduction add (%[[I:.*]] = %[[COUNT]], %[[J:.*]] = 4) over (%[[K:.*]] = 3) into
//       CHECK:       loop.load %[[X]][%[[I]] + %[[START]], %[[K]]]
//       CHECK:       loop.load %[[W]][%[[G]], %[[K]], %[[J]]]
//       CHECK:     %[[NEW:.*]] = loop.scatter (%[[I:.*]] = %[[COUNT]], %[[J:.*]] = 4) into %[[OUT]] {
//       CHECK:       %[[SUM:.*]] = loop.load %[[PART]][%[[I]], %[[J]]]
//       CHECK:       loop.yield %[[SUM]] at [%[[I]] + %[[START]], %[[J]]]
//       CHECK:     scf.yield %[[NEW]], %[[END]]
//       CHECK:   %[[REST:.*]] = arith.subi %{{.*}}, %[[ALL]]#1
//       CHECK:   loop.scatter (%[[I:.*]] = %[[REST]], %[[J:.*]] = 4) into %[[ALL]]#0 {
//       CHECK:     loop.yield %{{.*}} at [%[[I]] + %[[ALL]]#1, %[[J]]]
func.func @rows(%x: tensor<5x3xf32>, %w: tensor<2x3x4xf32>, %o: tensor<2xi32>) -> tensor<5x4xf32> {
  %0 = functional.transformers.grouped_mm_fallback %x, %w, %o : tensor<5x3xf32>, tensor<2x3x4xf32>, tensor<2xi32>
  return %0 : tensor<5x4xf32>
}

// -----

// The gradient of the rows has groups of rows too, that of the matrices groups of what is summed over, and nothing behind
// the last.
// CHECK-LABEL: func.func @gradients(
//  CHECK-SAME:   %[[X:.*]]: tensor<5x3xf32>, %[[W:.*]]: tensor<2x3x4xf32>, %{{.*}}: tensor<2xi32>, %[[D:.*]]: tensor<5x4xf32>
//       CHECK:   scf.for %[[G:.*]] = %{{.*}} iter_args(%{{.*}}, %[[START:.*]] = %{{.*}})
//       CHECK:     loop.reduction add (%[[I:.*]] = %{{.*}}, %[[J:.*]] = 3) over (%[[K:.*]] = 4) into
//       CHECK:       loop.load %[[D]][%[[I]] + %[[START]], %[[K]]]
//       CHECK:       loop.load %[[W]][%[[G]], %[[J]], %[[K]]]
//       CHECK:   loop.scatter
//       CHECK:   scf.for %[[G:.*]] = %{{.*}} iter_args(%[[OUT:.*]] = %{{.*}}, %[[START:.*]] = %{{.*}})
//       CHECK:     %[[COUNT:.*]] = arith.subi %{{.*}}, %[[START]]
//       CHECK:     loop.reduction add (%[[I:.*]] = 3, %[[J:.*]] = 4) over (%[[K:.*]] = %[[COUNT]]) into
//       CHECK:       loop.load %[[X]][%[[K]] + %[[START]], %[[I]]]
//       CHECK:       loop.load %[[D]][%[[K]] + %[[START]], %[[J]]]
//       CHECK:     loop.scatter (%[[I:.*]] = 3, %[[J:.*]] = 4) into %[[OUT]] {
//       CHECK:       loop.yield %{{.*}} at [%[[G]], %[[I]], %[[J]]]
//   CHECK-NOT:   loop.scatter
func.func @gradients(%x: tensor<5x3xf32>, %w: tensor<2x3x4xf32>, %o: tensor<2xi32>, %g: tensor<5x4xf32>) -> (tensor<5x3xf32>, tensor<2x3x4xf32>) {
  %0:2 = functional.transformers.grouped_mm_fallback_backward %x, %w, %o, %g : tensor<5x3xf32>, tensor<2x3x4xf32>, tensor<2xi32>, tensor<5x4xf32>
  return %0#0, %0#1 : tensor<5x3xf32>, tensor<2x3x4xf32>
}

// -----

// bf16 is summed in f32, and rounded once.
// CHECK-LABEL: func.func @summed_in_groups(
//       CHECK:   loop.reduction add (%{{.*}} = 4, %{{.*}} = 4) over (%{{.*}} = %{{.*}}) into
//       CHECK:     arith.extf %{{.*}} : bf16 to f32
//       CHECK:     arith.extf %{{.*}} : bf16 to f32
//       CHECK:     arith.mulf %{{.*}} : f32
//       CHECK:   } : tensor<4x4xf32>
//       CHECK:   loop.scatter
//       CHECK:     arith.truncf %{{.*}} : f32 to bf16
func.func @summed_in_groups(%a: tensor<4x8xbf16>, %b: tensor<8x4xbf16>, %o: tensor<2xi32>) -> tensor<2x4x4xbf16> {
  %0 = functional._grouped_mm %a, %b offs %o : tensor<2xi32> : tensor<4x8xbf16>, tensor<8x4xbf16>
  return %0 : tensor<2x4x4xbf16>
}

// -----

// CHECK-LABEL: func.func @columns_in_groups(
//       CHECK:   scf.for %[[G:.*]] = %{{.*}} iter_args(%{{.*}}, %[[START:.*]] = %{{.*}})
//       CHECK:     loop.reduction add (%[[I:.*]] = 4, %[[J:.*]] = %{{.*}}) over (%[[K:.*]] = 8) into
//       CHECK:       loop.load %{{.*}}[%[[G]], %[[I]], %[[K]]]
//       CHECK:       loop.load %{{.*}}[%[[K]], %[[J]] + %[[START]]]
//       CHECK:       loop.yield %{{.*}} at [%{{.*}}, %{{.*}} + %[[START]]]
func.func @columns_in_groups(%a: tensor<2x4x8xf32>, %b: tensor<8x4xf32>, %o: tensor<2xi32>) -> tensor<4x4xf32> {
  %0 = functional._grouped_mm %a, %b offs %o : tensor<2xi32> : tensor<2x4x8xf32>, tensor<8x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// CHECK-LABEL: func.func @two_batches(
//   CHECK-NOT:   scf.for
//       CHECK:   loop.reduction add (%{{.*}} = 2, %{{.*}} = 4, %{{.*}} = 4) over (%{{.*}} = 8) into
func.func @two_batches(%a: tensor<2x4x8xf32>, %b: tensor<2x8x4xf32>) -> tensor<2x4x4xf32> {
  %0 = functional._grouped_mm %a, %b : tensor<2x4x8xf32>, tensor<2x8x4xf32>
  return %0 : tensor<2x4x4xf32>
}
