// How many elements a mask selects is asserted where something else has to be as many, and the result is never longer than that.

// RUN: terrace-run %s --arg '[1.0, 2.0]' --arg '[true, true]' --arg '[5.0, 6.0]' | FileCheck %s
// RUN: not terrace-run %s --arg '[1.0, 2.0]' --arg '[true, false]' --arg '[5.0, 6.0]' 2>&1 | FileCheck %s --check-prefix=OTHER

// CHECK: "sizes": [2]
// CHECK: "new0": {"dtype": "f32", "data": [1.0, 2.0]}
// OTHER: :[[#@LINE+3]]:8: error: @main: sizes that elements decide have to be equal, and are not [run-time-value]
func.func @main(%x: !graph.tensor<2xf32>, %m: !graph.tensor<2xi1>, %to: !graph.tensor<2xf32>) -> !graph.tensor<?xf32> {
  %0 = graph.masked_select %x, %m : !graph.tensor<2xf32>, !graph.tensor<2xi1>
  %1 = graph.copy_ %to, %0 : !graph.tensor<2xf32>, !graph.tensor<?xf32>
  return %0 : !graph.tensor<?xf32>
}
