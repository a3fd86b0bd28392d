// An operation of functional has no destination that says of what sizes its result is. In loops it has one.

// RUN: terrace-opt %s --resolve-ranked-shaped-type-result-dims | FileCheck %s --check-prefix=STAYS
// RUN: terrace-opt %s --convert-functional-to-loop --resolve-ranked-shaped-type-result-dims --canonicalize | FileCheck %s --check-prefix=LOOP

// STAYS: %[[Y:.*]] = functional.exp
// STAYS: tensor.dim %[[Y]]

// LOOP: func.func @size(%[[X:.*]]: tensor<?x8xf32>)
// LOOP: %[[N:.*]] = tensor.dim %[[X]]
// LOOP-NOT: tensor.dim
// LOOP: return %[[N]]
func.func @size(%x: tensor<?x8xf32>) -> index {
  %c0 = arith.constant 0 : index
  %y = functional.exp %x : tensor<?x8xf32>
  %n = tensor.dim %y, %c0 : tensor<?x8xf32>
  return %n : index
}
