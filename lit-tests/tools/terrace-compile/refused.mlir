// REQUIRES: x86
// RUN: rm -f %t.o
// RUN: not terrace-compile %s -o %t.o 2>&1 | FileCheck %s
// RUN: not ls %t.o
// RUN: terrace-compile %s -o %t.o --skip-refused 2>&1 | FileCheck %s --check-prefix=SKIPPED
// RUN: terrace-compile %s --emit=header --skip-refused 2>/dev/null | FileCheck %s --check-prefix=HEADER
// RUN: not terrace-compile %s --target=nvptx --skip-refused 2>&1 | FileCheck %s --check-prefix=GPU

// Every function that is refused is an error, whichever pass refuses it, and nothing is written.
// CHECK-DAG: [[#@LINE+13]]:8: error: 'func.call' op calls @calls_itself
// CHECK-DAG: [[#@LINE+16]]:8: error: 'scf.if' op brings along tensors of different sizes
// SKIPPED-DAG: [[#@LINE+11]]:8: warning: @calls_itself is left out: 'func.call' op calls @calls_itself
// SKIPPED-DAG: [[#@LINE+14]]:8: warning: @sizes is left out: 'scf.if' op brings along tensors of different sizes
// HEADER-NOT: ciface_sizes
// HEADER: entry_good
// HEADER-NOT: ciface_sizes
// GPU: --skip-refused is for --target=x86
func.func @good(%x: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %0 = graph.relu %x : !graph.tensor<4xf32>
  return %0 : !graph.tensor<4xf32>
}
func.func @calls_itself(%x: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %0 = func.call @calls_itself(%x) : (!graph.tensor<4xf32>) -> !graph.tensor<4xf32>
  return %0 : !graph.tensor<4xf32>
}
func.func @sizes(%x: !graph.tensor<4xf32>, %c: i1) -> !graph.tensor<?xf32> {
  %0 = scf.if %c -> (!graph.tensor<?xf32>) {
    %1 = graph.cast %x : !graph.tensor<4xf32> to !graph.tensor<?xf32>
    scf.yield %1 : !graph.tensor<?xf32>
  } else {
    %1 = graph.slice %x start [0] end [2] step [1] : !graph.tensor<4xf32>
    %2 = graph.cast %1 : !graph.tensor<2xf32> to !graph.tensor<?xf32>
    scf.yield %2 : !graph.tensor<?xf32>
  }
  return %0 : !graph.tensor<?xf32>
}
