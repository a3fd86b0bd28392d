// The loss of what is no probability is refused, in functions of values and as it is written.
// REQUIRES: x86
// RUN: split-file %s %t
// RUN: not terrace-run %t/program.mlir --inputs %t/above.json 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: not terrace-run %t/program.mlir --inputs %t/above.json --target=interpret 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: not terrace-run %t/program.mlir --inputs %t/nan.json 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not terrace-run %t/program.mlir --inputs %t/nan.json --target=interpret 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: sed 's/ { \/\/ here/ {/' %t/program.mlir > %t/eager.mlir
// RUN: not terrace-run %t/eager.mlir --inputs %t/above.json 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: terrace-run %t/program.mlir --inputs %t/bounds.json > %t/compiled
// RUN: terrace-run %t/program.mlir --inputs %t/bounds.json --target=interpret | diff - %t/compiled
// INPUT: all elements of input should be between 0 and 1
// TARGET: all elements of target should be between 0 and 1
//--- program.mlir
!t = !graph.tensor<2xf16>
func.func @main(%x: !t {graph.layout = strided<[1]>}, %y: !t {graph.layout = strided<[1]>}) -> !graph.tensor<f16> { // here
  %0 = graph.binary_cross_entropy %x, %y : !t, !t
  return %0 : !graph.tensor<f16>
}
//--- above.json
{"storages": {"x": {"dtype": "f16", "data": [0.5, 1.5]}, "y": {"dtype": "f16", "data": [0, 1]}}, "args": [{"storage": "x", "sizes": [2]}, {"storage": "y", "sizes": [2]}]}
//--- nan.json
{"storages": {"x": {"dtype": "f16", "data": [0.5, 1]}, "y": {"dtype": "f16", "data": ["nan", 1]}}, "args": [{"storage": "x", "sizes": [2]}, {"storage": "y", "sizes": [2]}]}
//--- bounds.json
{"storages": {"x": {"dtype": "f16", "data": [0, 1]}, "y": {"dtype": "f16", "data": [0, 1]}}, "args": [{"storage": "x", "sizes": [2]}, {"storage": "y", "sizes": [2]}]}
