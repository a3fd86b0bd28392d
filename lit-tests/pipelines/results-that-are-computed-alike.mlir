// Two new tensors are two storages, also where the same is computed for both.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "i64", "data": [1, 0, 2]}}, "args": [{"storage": "x", "sizes": [3]}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled
func.func @main(%x: !graph.tensor<?xi64>) -> (!graph.tensor<?xi1>, !graph.tensor<?xi1>) {
  %zero = arith.constant 0 : i64
  %0 = graph.ne %x, %zero : !graph.tensor<?xi64>, i64
  %1 = graph._to_copy %x {dtype = i1} : !graph.tensor<?xi64>
  return %0, %1 : !graph.tensor<?xi1>, !graph.tensor<?xi1>
}
