// What a branch in front of a loop's condition hands on comes through: MLIR 22.1's pattern WhileMoveIfDown forgets it, also where `inline`
// canonicalizes.
// RUN: terrace-opt %s --terrace-to-loop | FileCheck %s
// CHECK-LABEL: func.func @main(
// CHECK: scf.while
func.func private @core(%y: tensor<4xf32>, %z: tensor<4xf32>) -> i1 {
  %p = ub.poison : i64
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
  %true = arith.constant true
  %r:3 = scf.while (%i = %k0, %b = %true, %a = %z) : (i64, i1, tensor<4xf32>) -> (i64, i1, tensor<4xf32>) {
    %n = arith.select %b, %y, %a : tensor<4xf32>
    %more = arith.cmpi slt, %i, %k3 : i64
    %l = arith.select %more, %true, %b : i1
    %s:2 = scf.if %more -> (i64, tensor<4xf32>) {
      %j = arith.addi %i, %k1 : i64
      scf.yield %j, %n : i64, tensor<4xf32>
    } else {
      scf.yield %p, %z : i64, tensor<4xf32>
    }
    scf.condition(%more) %s#0, %l, %s#1 : i64, i1, tensor<4xf32>
  } do {
  ^bb0(%i: i64, %b: i1, %a: tensor<4xf32>):
    %f = arith.xori %b, %true : i1
    scf.yield %i, %f, %a : i64, i1, tensor<4xf32>
  }
  return %r#1 : i1
}
func.func @main(%y: tensor<4xf32>, %z: tensor<4xf32>) -> i1 {
  %2 = func.call @core(%y, %z) : (tensor<4xf32>, tensor<4xf32>) -> i1
  return %2 : i1
}
