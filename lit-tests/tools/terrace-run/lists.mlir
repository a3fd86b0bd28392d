// REQUIRES: x86
// RUN: terrace-run %s --arg '[[1, -2], [3, 4.5]]' --arg 3 | FileCheck %s
// RUN: not terrace-run %s --arg '[[1, -2], [3]]' --arg 3 2>&1 | FileCheck %s --check-prefix=RAGGED
// RUN: not terrace-run %s --arg '[[1, -2], [3, 4]]' --arg '[3]' 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not terrace-run %s --arg '[1, -2]' --arg 3 2>&1 | FileCheck %s --check-prefix=RANK

// A tensor as a list has the dtype and as many dimensions as the function says.
// CHECK: "new0": {"dtype": "f32", "data": [1.0, 0.0, 3.0, 4.5]}
// RAGGED: argument 0: [1]: expected a list of 2, as the one before, found 1
// NUMBER: argument 1 is a list, but the function has no tensor there
// RANK: argument 0: [0]: expected a list for each of 1 dimensions, found 1
func.func @main(%x: !graph.tensor<?x?xf32>, %n: i64) -> !graph.tensor<?x?xf32> {
  %0 = graph.relu %x : !graph.tensor<?x?xf32>
  return %0 : !graph.tensor<?x?xf32>
}
