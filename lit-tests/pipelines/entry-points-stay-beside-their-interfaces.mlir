// Who links the LLVM dialect may call a function by its own name or by its C interface.
// RUN: terrace-opt %s --terrace-x86-64 | FileCheck %s

// CHECK: llvm.func @f(
// CHECK: llvm.func @_mlir_ciface_f(
func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {llvm.emit_c_interface} {
  %0 = arith.addf %x, %x : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
