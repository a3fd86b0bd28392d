// Where there is no memory the call has an error; the process goes on.
// RUN: not bash -c 'ulimit -v 8000000; exec terrace-run %s --arg [1]' 2>&1 | FileCheck %s

// CHECK: no-memory.mlir:[[#@LINE+1]]:1: error: @main: no memory for {{1717986[0-9]*}} bytes
func.func @main(%x: !graph.tensor<1xf32>) -> !graph.tensor<65536x65536xf32> {
  %k = arith.constant 2.0 : f64
  %0 = graph.full [65536, 65536], %k {dtype = f32} : f64
  %1 = graph.add_ %0, %x : !graph.tensor<65536x65536xf32>, !graph.tensor<1xf32>
  return %1 : !graph.tensor<65536x65536xf32>
}
