// RUN: terrace-opt %s --graph-functionalize | FileCheck %s

// A returned view begins where its index says, which is tested on the boundary.
// CHECK-LABEL: func.func @row(
//  CHECK-SAME:   %[[X:.*]]: !graph.tensor<3x4xf32>, %{{.*}}: i64)
//       CHECK:   %[[I:.*]] = call @row.core(%{{.*}}) : (i64) -> i64
//       CHECK:   %[[V:.*]] = graph.as_strided %[[X]] size [4] stride [1] storage_offset [0]
//       CHECK:   %[[START:.*]] = arith.constant 0 : i64
//       CHECK:   %[[ALL:.*]] = arith.constant 3 : i64
//       CHECK:   %[[WRAPPED:.*]] = arith.addi %[[I]], %[[ALL]]
//       CHECK:   %[[AT:.*]] = arith.select %{{.*}}, %[[WRAPPED]], %[[I]]
//       CHECK:   %[[THERE:.*]] = arith.cmpi ult, %[[AT]], %[[ALL]]
//       CHECK:   cf.assert %[[THERE]], "index out of range of the dimension that is viewed"
//       CHECK:   %[[INSIDE:.*]] = arith.select %[[THERE]], %[[AT]], %c0{{.*}} : i64
//       CHECK:   %[[FAR:.*]] = arith.muli %[[INSIDE]], %{{.*}} : i64
//       CHECK:   %[[OFFSET:.*]] = arith.addi %[[START]], %[[FAR]]
//       CHECK:   graph.as_strided %[[V]] size [4] stride [1] storage_offset [%[[OFFSET]]]
func.func @row(%x: !graph.tensor<3x4xf32>, %i: i64) -> !graph.tensor<4xf32> {
  %0 = graph.select %x index [%i] : !graph.tensor<3x4xf32>
  return %0 : !graph.tensor<4xf32>
}
