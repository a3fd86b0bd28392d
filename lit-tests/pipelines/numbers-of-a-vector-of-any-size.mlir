// What is not known of a vector whose elements are numbers for tensors is tested where a function runs as it is written, as in one that calls itself.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4]}, "k": {"dtype": "f32", "data": [2, 0, 3]}}, "args": [{"storage": "x", "sizes": [2]}, {"storage": "x", "sizes": [2], "offset": 2}, {"storage": "k", "sizes": [2]}, 2]}' > %t.json
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4]}, "k": {"dtype": "f32", "data": [2, 0, 3]}}, "args": [{"storage": "x", "sizes": [2]}, {"storage": "x", "sizes": [2], "offset": 2}, {"storage": "k", "sizes": [2], "strides": [2]}, 2]}' > %t.gaps.json
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4]}, "k": {"dtype": "f32", "data": [2, 0, 3]}}, "args": [{"storage": "x", "sizes": [2]}, {"storage": "x", "sizes": [2], "offset": 2}, {"storage": "k", "sizes": [3]}, 2]}' > %t.more.json
// RUN: terrace-run %s --inputs %t.json --entry=main 2> /dev/null > %t.compiled
// RUN: terrace-run %s --inputs %t.json --entry=main --target=interpret | diff - %t.compiled
// RUN: not terrace-run %s --inputs %t.gaps.json --entry=main 2>&1 | FileCheck %s --check-prefix=GAPS
// RUN: not terrace-run %s --inputs %t.gaps.json --entry=main --target=interpret 2>&1 | FileCheck %s --check-prefix=GAPS
// RUN: not terrace-run %s --inputs %t.more.json --entry=main 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: not terrace-run %s --inputs %t.more.json --entry=main --target=interpret 2>&1 | FileCheck %s --check-prefix=MORE
// GAPS: Expected scalars to be contiguous.
// MORE: Expected length of scalars to match input of length 2
func.func private @f(%x: !graph.tensor<?xf32>, %y: !graph.tensor<?xf32>, %k: !graph.tensor<?xf32>, %n: i64) {
  %one = arith.constant 1 : i64
  %more = arith.cmpi sgt, %n, %one : i64
  graph._foreach_addcmul_.Tensor [%x, %y], [%y, %x], [%x, %y], %k : [!graph.tensor<?xf32>, !graph.tensor<?xf32>], [!graph.tensor<?xf32>, !graph.tensor<?xf32>], [!graph.tensor<?xf32>, !graph.tensor<?xf32>], !graph.tensor<?xf32>
  scf.if %more {
    %m = arith.subi %n, %one : i64
    func.call @f(%y, %x, %k, %m) : (!graph.tensor<?xf32>, !graph.tensor<?xf32>, !graph.tensor<?xf32>, i64) -> ()
  }
  return
}
func.func @main(%x: !graph.tensor<?xf32> {graph.layout = "any"}, %y: !graph.tensor<?xf32> {graph.layout = "any"}, %k: !graph.tensor<?xf32> {graph.layout = "any"}, %n: i64) {
  func.call @f(%x, %y, %k, %n) : (!graph.tensor<?xf32>, !graph.tensor<?xf32>, !graph.tensor<?xf32>, i64) -> ()
  return
}
