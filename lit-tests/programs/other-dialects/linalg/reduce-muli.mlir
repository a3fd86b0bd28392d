// RUN: terrace-run %s --arg '[[-2, 3, 1], [-1, 4, 2]]' --arg '[1, -1]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[-2, 3, 1], [-1, 4, 2]]' --arg '[1, -1]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [-6, 8]
func.func @main(%a0: tensor<2x3xi32>, %a1: tensor<2xi32>) -> tensor<2xi32> {
  %r = linalg.reduce { arith.muli } ins(%a0 : tensor<2x3xi32>) outs(%a1 : tensor<2xi32>) dimensions = [1]
  return %r : tensor<2xi32>
}
