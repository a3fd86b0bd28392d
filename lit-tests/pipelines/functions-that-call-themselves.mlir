// Functions that come to call themselves run as they are written.
// REQUIRES: x86
// RUN: echo '{"storages": {"a": {"dtype": "f32", "data": [1, 2, 3]}}, "args": [{"storage": "a", "sizes": [3]}, 3]}' > %t.json
// RUN: terrace-run %s --entry=powers --inputs %t.json > %t.compiled 2> %t.warnings
// RUN: FileCheck %s --check-prefix=WARNED < %t.warnings
// WARNED: warning: 'func.func' op runs as it is written, operation by operation: recursion on graph tensors is not supported; make it a loop of scf
// RUN: terrace-run %s --entry=powers --inputs %t.json --target=interpret | diff - %t.compiled
func.func private @power(%x: !graph.tensor<3xf32>, %n: i64) -> !graph.tensor<3xf32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %done = arith.cmpi eq, %n, %zero : i64
  %r = scf.if %done -> !graph.tensor<3xf32> {
    %k = graph.ones_like %x : !graph.tensor<3xf32>
    scf.yield %k : !graph.tensor<3xf32>
  } else {
    %m = arith.subi %n, %one : i64
    %p = func.call @power(%x, %m) : (!graph.tensor<3xf32>, i64) -> !graph.tensor<3xf32>
    %q = graph.mul_ %p, %x : !graph.tensor<3xf32>, !graph.tensor<3xf32>
    scf.yield %q : !graph.tensor<3xf32>
  }
  return %r : !graph.tensor<3xf32>
}
func.func @powers(%x: !graph.tensor<3xf32>, %n: i64) -> !graph.tensor<3xf32> {
  %r = func.call @power(%x, %n) : (!graph.tensor<3xf32>, i64) -> !graph.tensor<3xf32>
  return %r : !graph.tensor<3xf32>
}

// By turns; which tensor comes out is told when it runs.
// RUN: terrace-run %s --entry=turns --inputs %t.json 2> /dev/null > %t.compiled
// RUN: terrace-run %s --entry=turns --inputs %t.json --target=interpret | diff - %t.compiled
func.func private @even(%x: !graph.tensor<?xf32>, %y: !graph.tensor<?xf32>, %n: i64) -> (!graph.tensor<?xf32>, i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %done = arith.cmpi eq, %n, %zero : i64
  %r:2 = scf.if %done -> (!graph.tensor<?xf32>, i64) {
    scf.yield %x, %n : !graph.tensor<?xf32>, i64
  } else {
    %m = arith.subi %n, %one : i64
    %w = graph.neg_ %x : !graph.tensor<?xf32>
    %p:2 = func.call @odd(%x, %y, %m) : (!graph.tensor<?xf32>, !graph.tensor<?xf32>, i64) -> (!graph.tensor<?xf32>, i64)
    scf.yield %p#0, %p#1 : !graph.tensor<?xf32>, i64
  }
  return %r#0, %r#1 : !graph.tensor<?xf32>, i64
}
func.func private @odd(%x: !graph.tensor<?xf32>, %y: !graph.tensor<?xf32>, %n: i64) -> (!graph.tensor<?xf32>, i64) {
  %r:2 = func.call @even(%y, %x, %n) : (!graph.tensor<?xf32>, !graph.tensor<?xf32>, i64) -> (!graph.tensor<?xf32>, i64)
  return %r#0, %r#1 : !graph.tensor<?xf32>, i64
}
func.func @turns(%x: !graph.tensor<?xf32>, %n: i64) -> (!graph.tensor<?xf32>, i64) {
  %y = graph.exp %x : !graph.tensor<?xf32>
  %r:2 = func.call @even(%x, %y, %n) : (!graph.tensor<?xf32>, !graph.tensor<?xf32>, i64) -> (!graph.tensor<?xf32>, i64)
  return %r#0, %r#1 : !graph.tensor<?xf32>, i64
}

// Where it does not end it is stopped.
// RUN: sed 's/, 3]}$/, -1]}/' %t.json > %t.not.json
// RUN: not terrace-run %s --entry=powers --inputs %t.not.json 2>&1 | FileCheck %s --check-prefix=DEEP
// RUN: not terrace-run %s --entry=turns --inputs %t.not.json 2>&1 | FileCheck %s --check-prefix=DEEP
// RUN: not terrace-run %s --entry=powers --inputs %t.not.json --target=interpret 2>&1 | FileCheck %s --check-prefix=DEEP
// DEEP: calls nest more than 200 deep
