// RUN: terrace-opt %s -convert-kernel-to-nvptx -verify-diagnostics

func.func @order(%x: memref<8xf32>, %v: memref<8xf32>, %p: memref<8xi64>) {
  // expected-error @+1 {{'loop.sort' op is a call of the runtime on a CPU: it has no form on the threads of a GPU}}
  loop.sort %x along 0 into %v, %p : memref<8xf32> into memref<8xf32>, memref<8xi64>
  return
}
