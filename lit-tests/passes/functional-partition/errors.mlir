// RUN: terrace-opt %s --functional-partition --split-input-file --verify-diagnostics

// expected-error@+1 {{result 0 depends on a tangent: it belongs to the backward part, which functional.gradient says}}
func.func @result(%x: tensor<4xf32>, %g: tensor<4xf32> {functional.tangent}) -> tensor<4xf32> {
  %0 = functional.mul %x, %g : tensor<4xf32>, tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error@+1 {{has several blocks: a joint graph is one block, with control flow in scf operations}}
func.func @blocks(%x: tensor<4xf32>, %g: tensor<4xf32> {functional.tangent}) -> (tensor<4xf32> {functional.gradient}) {
  cf.br ^bb1
^bb1:
  %0 = functional.mul %x, %g : tensor<4xf32>, tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @unknown(%x: tensor<?xf32>, %g: tensor<?xf32> {functional.tangent}) -> (tensor<?xf32> {functional.gradient}) {
  // expected-error@+1 {{makes what can't be saved: tensor<?xf32> is saved for the backward part: a builtin tensor of static sizes or a number can be}}
  %s = functional.cumsum %x {dim = 0 : i64} : tensor<?xf32>
  %0 = functional.mul %s, %g : tensor<?xf32>, tensor<?xf32>
  return %0 : tensor<?xf32>
}
