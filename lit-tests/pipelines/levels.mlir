// RUN: terrace-opt %s --terrace-to-functional | FileCheck %s --check-prefix=FUNCTIONAL
// RUN: terrace-opt %s --terrace-to-loop | FileCheck %s --check-prefix=LOOP
// RUN: terrace-opt %s --terrace-to-kernel | FileCheck %s --check-prefix=KERNEL
// RUN: terrace-opt %s --terrace-x86-64-v3 | FileCheck %s --check-prefix=LLVM
// RUN: not terrace-opt %s --pass-pipeline='builtin.module(terrace-x86{fast})' 2>&1 | FileCheck %s --check-prefix=OPTIONS

// FUNCTIONAL: func.func private @f.core(
// FUNCTIONAL: functional.add
// FUNCTIONAL: func.func @f(%{{.*}}: !graph.tensor<100xf32>)
// FUNCTIONAL: graph.write_back

// LOOP-LABEL: func.func @f(
// LOOP-SAME: %[[X:[a-z0-9]+]]: memref<100xf32>
// LOOP: loop.pointwise (%[[I:.*]] = 100) into %[[X]] {
// LOOP: loop.load %[[X]][%[[I]]]
// LOOP-NOT: memref.copy

// KERNEL: kernel.func @[[K:.*]](%[[X:[a-z0-9]+]]: memref<100xf32>) grid
// KERNEL: kernel.load %[[X]]
// KERNEL: kernel.store
// KERNEL: func.func @f(
// KERNEL: kernel.launch @[[K]]

// LLVM: llvm.func @f(
// LLVM-NOT: kernel.

// OPTIONS: takes no options
func.func @f(%x: !graph.tensor<100xf32>) {
  %k = arith.constant 2.0 : f64
  %0 = graph.add_ %x, %k : !graph.tensor<100xf32>, f64
  return
}
