// RUN: terrace-run %s --arg '[1, 2, -3]' --arg '[4, 5, -6]' | FileCheck %s
// RUN: not terrace-run %s --arg '[1, 2, -3]' --arg '[4, -5, -6]' 2>&1 | FileCheck %s --check-prefix=OTHERS

// CHECK: "sizes": [2]
// CHECK: "data": [4.0, 10.0]
// OTHERS: sizes-that-elements-decide.mlir:[[@LINE+7]]:8: error: @main: sizes that elements decide have to be equal, and are not [run-time-value]
func.func @main(%x: !graph.tensor<3xf32>, %y: !graph.tensor<3xf32>) -> !graph.tensor<?xf32> {
  %k = arith.constant 0.0 : f64
  %m = graph.gt %x, %k : !graph.tensor<3xf32>, f64
  %n = graph.gt %y, %k : !graph.tensor<3xf32>, f64
  %a = graph.masked_select %x, %m : !graph.tensor<3xf32>, !graph.tensor<3xi1>
  %b = graph.masked_select %y, %n : !graph.tensor<3xf32>, !graph.tensor<3xi1>
  %c = graph.mul %a, %b : !graph.tensor<?xf32>, !graph.tensor<?xf32>
  return %c : !graph.tensor<?xf32>
}
