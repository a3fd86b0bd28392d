// Arguments of any size that overlap in any way: what the interpreter says, in its words.
// REQUIRES: x86
// RUN: rm -rf %t && split-file %s %t
// RUN: terrace-run %t/program.mlir --inputs %t/apart.json > %t/apart.compiled
// RUN: terrace-run %t/program.mlir --inputs %t/apart.json --target=interpret > %t/apart.interpreted
// RUN: diff %t/apart.compiled %t/apart.interpreted
// RUN: FileCheck %s --check-prefix=APART < %t/apart.compiled
// RUN: terrace-run %t/program.mlir --inputs %t/same.json > %t/same.compiled
// RUN: terrace-run %t/program.mlir --inputs %t/same.json --target=interpret > %t/same.interpreted
// RUN: diff %t/same.compiled %t/same.interpreted
// RUN: FileCheck %s --check-prefix=SAME < %t/same.compiled
// RUN: terrace-run %t/program.mlir --inputs %t/broadcast.json > %t/broadcast.compiled
// RUN: terrace-run %t/program.mlir --inputs %t/broadcast.json --target=interpret > %t/broadcast.interpreted
// RUN: diff %t/broadcast.compiled %t/broadcast.interpreted
// RUN: not terrace-run %t/program.mlir --inputs %t/mismatch.json 2>&1 | FileCheck %s --check-prefix=MISMATCH
// RUN: not terrace-run %t/program.mlir --inputs %t/mismatch.json --target=interpret 2>&1 | FileCheck %s --check-prefix=OTHERWISE
// RUN: not terrace-run %t/program.mlir --inputs %t/partly.json 2>&1 | FileCheck %s --check-prefix=PARTLY
// RUN: not terrace-run %t/program.mlir --inputs %t/partly.json --target=interpret 2>&1 | FileCheck %s --check-prefix=PARTLY
// The rows that are added lie in columns: what is new does, too, and to join its dimensions takes a copy.

// APART: {"same_as": "args[0]"}
// APART: "sizes": [2, 3], "strides": [1, 2]
// APART: "data": [11.0, 22.0, 33.0, 44.0, 55.0, 66.0]
// SAME: {"same_as": "args[0]"}
// MISMATCH: The size of tensor a {{.*}}must match the size of tensor b {{.*}}at non-singleton dimension
// OTHERWISE: error: 'graph.add_' op
// PARTLY: some elements of the input tensor and the written-to tensor refer to a single memory location

//--- program.mlir
func.func @main(%x: !graph.tensor<?x?xf32> {graph.layout = "any"}, %y: !graph.tensor<?x?xf32> {graph.layout = "any"}, %n: i64)
    -> (!graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>, !graph.tensor<?xf32>, !graph.tensor<?x?xf32>) {
  %0 = graph.add_ %x, %y : !graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>
  %1 = graph.exp %0 : !graph.tensor<?x?xf32>
  %2 = graph.add %x, %y : !graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>
  %3 = graph.reshape %2 shape [-1] : !graph.tensor<?x?xf32>
  %4 = graph.t %2 : !graph.tensor<?x?xf32>
  %5 = graph.slice %4 start [%n] end [9223372036854775807] step [1] {dim = 0 : i64} : !graph.tensor<?x?xf32>
  %6 = graph.neg_ %5 : !graph.tensor<?x?xf32>
  return %0, %2, %3, %6 : !graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>, !graph.tensor<?xf32>, !graph.tensor<?x?xf32>
}

//--- apart.json
{"storages": {"s": {"dtype": "f32", "data": [1, 2, 3, 4, 5, 6]}, "t": {"dtype": "f32", "data": [10, 20, 30, 40, 50, 60]}},
 "args": [{"storage": "s", "dtype": "f32", "sizes": [2, 3], "strides": [1, 2], "offset": 0, "flags": []},
          {"storage": "t", "dtype": "f32", "sizes": [2, 3], "strides": [1, 2], "offset": 0, "flags": []}, 1]}
//--- same.json
{"storages": {"s": {"dtype": "f32", "data": [1, 2, 3, 4]}},
 "args": [{"storage": "s", "dtype": "f32", "sizes": [2, 2], "strides": [2, 1], "offset": 0, "flags": []},
          {"storage": "s", "dtype": "f32", "sizes": [2, 2], "strides": [2, 1], "offset": 0, "flags": []}, 0]}
//--- partly.json
{"storages": {"s": {"dtype": "f32", "data": [1, 2, 3, 4, 5]}},
 "args": [{"storage": "s", "dtype": "f32", "sizes": [2, 2], "strides": [2, 1], "offset": 0, "flags": []},
          {"storage": "s", "dtype": "f32", "sizes": [2, 2], "strides": [2, 1], "offset": 1, "flags": []}, 0]}
//--- broadcast.json
{"storages": {"s": {"dtype": "f32", "data": [1, 2, 3, 4, 5, 6]}, "t": {"dtype": "f32", "data": [10, 20]}},
 "args": [{"storage": "s", "dtype": "f32", "sizes": [2, 3], "strides": [1, 2], "offset": 0, "flags": []},
          {"storage": "t", "dtype": "f32", "sizes": [2, 1], "strides": [1, 1], "offset": 0, "flags": []}, -1]}
//--- mismatch.json
{"storages": {"s": {"dtype": "f32", "data": [1, 2, 3, 4, 5, 6]}, "t": {"dtype": "f32", "data": [10, 20, 30, 40]}},
 "args": [{"storage": "s", "dtype": "f32", "sizes": [2, 3], "strides": [1, 2], "offset": 0, "flags": []},
          {"storage": "t", "dtype": "f32", "sizes": [2, 2], "strides": [1, 2], "offset": 0, "flags": []}, 0]}
