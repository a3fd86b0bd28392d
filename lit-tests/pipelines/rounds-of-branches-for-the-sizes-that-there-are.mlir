// A loop of branches has no value for what comes behind it while it goes on: what stands for that has the type of the tensors that there
// are, as all that it is handed on beside.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4]}}, "args": [{"storage": "x", "sizes": [2, 2], "strides": [1, 2]}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled
!t = !graph.tensor<?x?xf32>
func.func @main(%x: !t {graph.layout = "any"}) -> !t {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  cf.br ^round(%zero, %x : i64, !t)
^round(%i: i64, %own: !t):
  %goes_on = arith.cmpi slt, %i, %three : i64
  cf.cond_br %goes_on, ^body(%i, %own : i64, !t), ^done(%own : !t)
^body(%k: i64, %kept: !t):
  %dropped = graph.dropout_ %kept {p = 0.5 : f64, train = true} : !t
  %next = arith.addi %k, %one : i64
  cf.br ^round(%next, %dropped : i64, !t)
^done(%result: !t):
  return %result : !t
}
