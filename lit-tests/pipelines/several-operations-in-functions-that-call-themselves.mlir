// What is several operations, and not known before it runs which, is compiled when the program comes to it: also in a function that calls itself.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4, 5, 6, 7, 8]}}, "args": [{"storage": "x", "sizes": [2, 2, 2], "strides": [1, 2, 4]}, 2]}' > %t.json
// RUN: terrace-run %s --inputs %t.json --entry=main 2> /dev/null > %t.compiled
// RUN: terrace-run %s --inputs %t.json --entry=main --target=interpret | diff - %t.compiled
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": []}}, "args": [{"storage": "x", "sizes": [0, 0, 0]}, 2]}' > %t.json
// RUN: terrace-run %s --inputs %t.json --entry=main 2> /dev/null > %t.compiled
// RUN: terrace-run %s --inputs %t.json --entry=main --target=interpret | diff - %t.compiled
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4]}}, "args": [{"storage": "x", "sizes": [2, 2], "strides": [0, 1], "offset": 1}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json --entry=repeats 2> /dev/null > %t.compiled
// RUN: terrace-run %s --inputs %t.json --entry=repeats --target=interpret | diff - %t.compiled
// What fills may repeat elements.
func.func @repeats(%x: !graph.tensor<?x?xf32> {graph.layout = "any"}) {
  %zero = arith.constant 0 : i64
  %0 = graph.fill_diagonal_ %x, %zero {wrap = true} : !graph.tensor<?x?xf32>, i64
  return
}
func.func private @f(%x: !graph.tensor<?x?x?xf32>, %n: i64) {
  %one = arith.constant 1 : i64
  %seven = arith.constant 7.0 : f64
  %more = arith.cmpi sgt, %n, %one : i64
  %0 = graph.dropout_ %x {p = 0.5 : f64, train = true} : !graph.tensor<?x?x?xf32>
  %1 = graph.fill_diagonal_ %x, %seven : !graph.tensor<?x?x?xf32>, f64
  scf.if %more {
    %m = arith.subi %n, %one : i64
    func.call @f(%x, %m) : (!graph.tensor<?x?x?xf32>, i64) -> ()
  }
  return
}
func.func @main(%x: !graph.tensor<?x?x?xf32> {graph.layout = "any"}, %n: i64) -> !graph.tensor<?x?x?xf32> {
  func.call @f(%x, %n) : (!graph.tensor<?x?x?xf32>, i64) -> ()
  %0 = graph.rand_like %x : !graph.tensor<?x?x?xf32>
  return %0 : !graph.tensor<?x?x?xf32>
}
