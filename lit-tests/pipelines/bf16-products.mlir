// RUN: terrace-opt %s --terrace-x86-64-v4-bf16 | FileCheck %s
// RUN: terrace-opt %s --terrace-x86-64-v4 | FileCheck %s --check-prefix=FLOATS

// A product of bf16 multiplies pairs where there is an instruction for it: both factors stay bf16 down to it.
// CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%{{.*}}) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
// FLOATS-NOT: dpbf16ps
// FLOATS: llvm.intr.fmuladd(%{{.*}}) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
func.func @linear(%x: !graph.tensor<64x128xbf16>, %w: !graph.tensor<96x128xbf16>) -> !graph.tensor<64x96xbf16> {
  %t = graph.t %w : !graph.tensor<96x128xbf16>
  %y = graph.mm %x, %t : !graph.tensor<64x128xbf16>, !graph.tensor<128x96xbf16>
  return %y : !graph.tensor<64x96xbf16>
}
