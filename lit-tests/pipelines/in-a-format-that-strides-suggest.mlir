// What is in a memory format already is itself, which strides say when the program runs.
// REQUIRES: x86
// RUN: echo '{"storages": {"a": {"dtype": "bool", "data": [0, 1, 1, 1]}}, "args": [{"storage": "a", "sizes": [1, 1, 1, 2], "strides": [2, 2, 2, 1]}, 3]}' > %t.json
// RUN: terrace-run %s --inputs %t.json 2> /dev/null > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled
// RUN: sed 's/2, 2, 2, 1/2, 1, 4, 1/' %t.json > %t.other.json
// RUN: terrace-run %s --inputs %t.other.json 2> /dev/null > %t.compiled
// RUN: terrace-run %s --inputs %t.other.json --target=interpret | diff - %t.compiled
func.func @main(%x: !graph.tensor<1x1x1x2xi1> {graph.layout = "any"}, %n: i64) -> !graph.tensor<1x1x1x2xi1> {
  %0 = graph.to %x {memory_format = "contiguous_format"} : !graph.tensor<1x1x1x2xi1>
  return %0 : !graph.tensor<1x1x1x2xi1>
}
