// A function that does nothing but read values takes tensors as they are passed, where its caller runs as it is written.
// REQUIRES: x86
// RUN: echo '{"storages": {"a": {"dtype": "i16", "data": [-2, 7, 2]}}, "args": [{"storage": "a", "sizes": [1], "offset": 2}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled
func.func private @f0(%p30: !graph.tensor<1x?xi16>, %p38: !graph.tensor<1xi16>) -> (!graph.tensor<1x?xi16>) {
  %v31 = graph.alias %p38 : !graph.tensor<1xi16>
  %v33 = graph.value %p38 : !graph.tensor<1xi16>
  return %p30 : !graph.tensor<1x?xi16>
}
func.func @main(%a0: !graph.tensor<1xi16> {graph.layout = "any"}) -> (!graph.tensor<1x?xi16>) {
  %k29 = arith.constant -1 : i64
  %v28 = graph.unflatten %a0 sizes [1, %k29] {dim = 0 : i64} : !graph.tensor<1xi16>
  %v62 = func.call @f0(%v28, %a0) : (!graph.tensor<1x?xi16>, !graph.tensor<1xi16>) -> (!graph.tensor<1x?xi16>)
  return %v62 : !graph.tensor<1x?xi16>
}
