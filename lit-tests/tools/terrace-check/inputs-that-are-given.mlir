// RUN: rm -rf %t && split-file %s %t
// RUN: terrace-check %t/program.mlir --entry=f --inputs %t/in.json | FileCheck %s
// RUN: not terrace-check %t/program.mlir --entry=f --inputs %t/in.json --pipeline='func.func(convert-arith-to-llvm)' | FileCheck %s --check-prefix=DIFFERS

// CHECK: @f: 1 calls do the same, 0 are refused
// DIFFERS: @f: is refused after the passes only: 'llvm.add' op is not known to the interpreter

//--- program.mlir
func.func @f(%x: !graph.tensor<2xf32>, %n: i64) -> !graph.tensor<2xf32> {
  %s = arith.addi %n, %n : i64
  %w = graph.mul_ %x, %s : !graph.tensor<2xf32>, i64
  return %x : !graph.tensor<2xf32>
}

//--- in.json
{"storages": {"s": {"dtype": "f32", "data": [1, 2]}}, "args": [{"storage": "s", "sizes": [2], "strides": [1], "offset": 0}, 3]}
