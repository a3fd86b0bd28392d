// RUN: terrace-opt %s --convert-bf16-to-bits | FileCheck %s

// An instruction takes vectors of bf16; what else the LLVM dialect makes becomes bits like any value.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %{{.*}}: !llvm.ptr, %[[X:.*]]: vector<16xi32>, %[[S:.*]]: vector<16xf32>
// CHECK: %[[B:.*]] = llvm.bitcast %[[X]] : vector<16xi32> to vector<32xbf16>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%[[S]], %[[B]], %[[B]]) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
// CHECK: %[[N:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i16
// CHECK: call @take(%[[N]]) : (i16) -> ()
func.func private @take(bf16)
func.func @main(%p: !llvm.ptr, %x: vector<16xi32>, %s: vector<16xf32>) -> vector<16xf32> {
  %b = llvm.bitcast %x : vector<16xi32> to vector<32xbf16>
  %r = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%s, %b, %b) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
  %n = llvm.load %p : !llvm.ptr -> bf16
  call @take(%n) : (bf16) -> ()
  return %r : vector<16xf32>
}
