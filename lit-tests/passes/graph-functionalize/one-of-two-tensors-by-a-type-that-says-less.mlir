// One of two tensors that is given twice, once by a type that says less of its sizes, is cast.
// RUN: terrace-opt %s --graph-functionalize | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: %[[R:.*]] = arith.select
// CHECK: %[[LESS:.*]] = graph.cast %[[R]] : !graph.tensor<1x2xi32> to !graph.tensor<?x2xi32>
// CHECK: return %[[R]], %[[LESS]], %[[R]]
func.func @main(%x: !graph.tensor<3x2xi32> {graph.storage = "s0"}, %c: i1) -> (!graph.tensor<1x2xi32>, !graph.tensor<?x2xi32>, !graph.tensor<1x2xi32>) {
  %0 = scf.if %c -> (!graph.tensor<3x2xi32>) {
    scf.yield %x : !graph.tensor<3x2xi32>
  } else {
    %1 = graph.add %x, %x : !graph.tensor<3x2xi32>, !graph.tensor<3x2xi32>
    scf.yield %1 : !graph.tensor<3x2xi32>
  }
  %2 = graph.slice %0 start [2] end [4] step [1] {dim = 0 : i64} : !graph.tensor<3x2xi32>
  %3 = graph.cast %2 : !graph.tensor<1x2xi32> to !graph.tensor<?x2xi32>
  return %2, %3, %2 : !graph.tensor<1x2xi32>, !graph.tensor<?x2xi32>, !graph.tensor<1x2xi32>
}

// CHECK-LABEL: func.func @less_first
// CHECK: %[[R:.*]] = arith.select {{.*}} : !graph.tensor<1x2xi32>
// CHECK: %[[LESS:.*]] = graph.cast %[[R]] : !graph.tensor<1x2xi32> to !graph.tensor<?x2xi32>
// CHECK: return %[[LESS]], %[[R]]
func.func @less_first(%x: !graph.tensor<3x2xi32> {graph.storage = "s0"}, %c: i1) -> (!graph.tensor<?x2xi32>, !graph.tensor<1x2xi32>) {
  %0 = scf.if %c -> (!graph.tensor<3x2xi32>) {
    scf.yield %x : !graph.tensor<3x2xi32>
  } else {
    %1 = graph.add %x, %x : !graph.tensor<3x2xi32>, !graph.tensor<3x2xi32>
    scf.yield %1 : !graph.tensor<3x2xi32>
  }
  %2 = graph.slice %0 start [2] end [4] step [1] {dim = 0 : i64} : !graph.tensor<3x2xi32>
  %3 = graph.cast %2 : !graph.tensor<1x2xi32> to !graph.tensor<?x2xi32>
  return %3, %2 : !graph.tensor<?x2xi32>, !graph.tensor<1x2xi32>
}

// A tensor that is given alone and as one of two is one view of its type, also where the argument's sizes are not known.
// CHECK-LABEL: func.func @alone_too(
// CHECK: %[[V:.*]] = graph.as_strided {{.*}} size [2]
// CHECK: %[[LESS:.*]] = graph.cast %[[V]] : !graph.tensor<2xf32> to !graph.tensor<?xf32>
// CHECK: %[[R:.*]] = arith.select {{.*}}, %[[LESS]], %{{.*}} : !graph.tensor<?xf32>
// CHECK: return %[[V]], %[[R]]
func.func @alone_too(%x: !graph.tensor<?xf32> {graph.storage = "s0"}, %c: i1) -> (!graph.tensor<2xf32>, !graph.tensor<?xf32>) {
  %0 = graph.expand %x size [2] : !graph.tensor<?xf32>
  %1 = graph.cast %0 : !graph.tensor<2xf32> to !graph.tensor<?xf32>
  %2 = arith.select %c, %1, %x : !graph.tensor<?xf32>
  return %0, %2 : !graph.tensor<2xf32>, !graph.tensor<?xf32>
}
