// RUN: terrace-opt %s --graph-functionalize --canonicalize | FileCheck %s

// Why: a function for sizes that are not the usual ones has a version for one row, which the first one leaves out.
// CHECK-LABEL: func.func private @pad(
//       CHECK:   arith.cmpi ne
//       CHECK:   call @pad.sized(
//       CHECK:   call @pad.general(
// CHECK-LABEL: func.func private @pad.general.core(%{{.*}}: tensor<1x?xf32>
// CHECK-LABEL: func.func private @pad.general(
//       CHECK:   %[[ONE:.*]] = arith.cmpi eq, %{{.*}}, %c1_i64
// Eager refuses what is empty, or as short as it is padded: the guards stay, and no version is for that.
//       CHECK:   arith.cmpi ne, %{{.*}}, %c0_i64
//       CHECK:   arith.cmpi sgt, %{{.*}}, %c1_i64
//       CHECK:   call @pad.sized_0(
//       CHECK:   call @pad.general_0(
//   CHECK-NOT:   func.func private @pad.general_0.core
// CHECK-LABEL: func.func private @pad.general_0(
//       CHECK:   graph.reflection_pad1d
func.func private @pad(%x: !graph.tensor<?x?xf32> {graph.layout = "any"}) -> !graph.tensor<?x?xf32> attributes {graph.partial, no_inline} {
  %0 = graph.reflection_pad1d %x {padding = array<i64: 1, 1>} : !graph.tensor<?x?xf32>
  return %0 : !graph.tensor<?x?xf32>
}
