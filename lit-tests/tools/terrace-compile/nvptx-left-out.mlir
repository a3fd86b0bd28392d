// A product has no form on threads yet: the rest is compiled, and it is said what is not.
// RUN: terrace-compile %s --target=nvptx --emit=ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=WARNING
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx

// WARNING: nvptx-left-out.mlir:[[#@LINE+5]]:8 {{.*}}warning: 'kernel.func' op '{{.*}}matmul_0' stays behind, it is not in the code for the GPU: 
// PTX: .visible .entry {{.*}}pointwise
// PTX-NOT: matmul
func.func @f(%x: !graph.tensor<64x32xf32>, %w: !graph.tensor<32x48xf32>) -> !graph.tensor<64x48xf32> {
  // The line of the product.
  %0 = graph.mm %x, %w : !graph.tensor<64x32xf32>, !graph.tensor<32x48xf32>
  %1 = graph.relu %0 : !graph.tensor<64x48xf32>
  return %1 : !graph.tensor<64x48xf32>
}
