// RUN: terrace-opt %s --graph-functionalize | FileCheck %s

// The second half of one element and the first one of the next: the storage counts in halves, two for each element.
// CHECK-LABEL: func.func private @across.core
//  CHECK-SAME:   (%[[X:.*]]: tensor<4x2xi32>)
//       CHECK:   %[[ROW:.*]] = functional.view %[[X]] size [8]
//       CHECK:   %[[S:.*]] = functional.slice %[[ROW]] start [1] end [3]
//       CHECK:   functional.neg %[[S]]
// CHECK-LABEL: func.func @across(
//       CHECK:   %[[H:.*]] = graph.view.dtype %{{.*}} {dtype = i32} : !graph.tensor<4xf64>
//       CHECK:   %[[P:.*]] = graph.as_strided %[[H]] size [4, 2] stride [2, 1]
//       CHECK:   graph.value %[[P]] : !graph.tensor<4x2xi32>
func.func @across(%x: !graph.tensor<4xf64>) -> !graph.tensor<2xi32> {
  %h = graph.view.dtype %x {dtype = i32} : !graph.tensor<4xf64>
  %s = graph.slice %h start [1] end [3] step [1] : !graph.tensor<8xi32>
  %n = graph.neg %s : !graph.tensor<2xi32>
  return %n : !graph.tensor<2xi32>
}

// All parts, or one of each: it counts in its own elements.
// CHECK-LABEL: func.func private @all.core
//  CHECK-SAME:   (%{{.*}}: tensor<4xf64>)
func.func @all(%x: !graph.tensor<4xf64>) -> !graph.tensor<4xi32> {
  %h = graph.view.dtype %x {dtype = i32} : !graph.tensor<4xf64>
  %a = graph.neg_ %h : !graph.tensor<8xi32>
  %s = graph.slice %h start [1] end [8] step [2] : !graph.tensor<8xi32>
  %n = graph.neg %s : !graph.tensor<4xi32>
  return %n : !graph.tensor<4xi32>
}

// Two dtypes over one storage: it counts in the smaller elements, in bytes where these are of one byte.
// CHECK-LABEL: func.func private @shared.core
//  CHECK-SAME:   (%[[X:.*]]: tensor<2x4xui8>) -> (tensor<2xi32>, tensor<8xui8>)
//       CHECK:   %[[ROW:.*]] = functional.view %[[X]] size [8]
//       CHECK:   %[[B:.*]] = functional.view.dtype %[[ROW]] {dtype = i8}
//       CHECK:   %[[N:.*]] = functional.bitwise_not %[[B]]
//       CHECK:   %[[U:.*]] = functional.view.dtype %[[N]] {dtype = ui8}
//       CHECK:   %[[C:.*]] = functional.view %[[U]] size [2, 4]
//       CHECK:   functional.view.dtype %[[C]] {dtype = i32}
func.func @shared(%x: !graph.tensor<2xi32> {graph.storage = "s"}, %y: !graph.tensor<8xi8> {graph.storage = "s"}) -> !graph.tensor<2xi32> {
  %0 = graph.bitwise_not_ %y : !graph.tensor<8xi8>
  %1 = graph.neg %x : !graph.tensor<2xi32>
  return %1 : !graph.tensor<2xi32>
}
