// Whether there are elements is asked only where eager would refuse a tensor that has some.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": []}, "i": {"dtype": "i64", "data": []}}, "args": [{"storage": "x", "sizes": [0, 3]}, {"storage": "i", "sizes": [0, 3]}]}' > %t.none.json
// RUN: terrace-run %s --inputs %t.none.json > %t.compiled
// RUN: terrace-run %s --inputs %t.none.json --target=interpret | diff - %t.compiled
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4, 5, 6]}, "i": {"dtype": "i64", "data": [1, 0, 1, 1, 0, 0]}}, "args": [{"storage": "x", "sizes": [2, 3]}, {"storage": "i", "sizes": [2, 3]}]}' > %t.some.json
// RUN: terrace-run %s --inputs %t.some.json > %t.compiled
// RUN: terrace-run %s --inputs %t.some.json --target=interpret | diff - %t.compiled
func.func @main(%x: !graph.tensor<?x?xf32>, %i: !graph.tensor<?x?xi64>)
    -> (!graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>) {
  %0 = graph.cumsum %x {dim = 1} : !graph.tensor<?x?xf32>
  %1 = graph.gather %x, %i {dim = 0} : !graph.tensor<?x?xf32>, !graph.tensor<?x?xi64>
  %2 = graph.scatter.src %x, %i, %0 {dim = 0} : !graph.tensor<?x?xf32>, !graph.tensor<?x?xi64>, !graph.tensor<?x?xf32>
  return %0, %1, %2 : !graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>
}
