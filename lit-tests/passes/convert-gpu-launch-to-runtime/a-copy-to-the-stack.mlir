// RUN: terrace-opt %s --convert-gpu-launch-to-runtime | FileCheck %s

// Bytes come from the device to the host at once.
// CHECK-LABEL: func.func @main(
// CHECK: %[[HERE:.*]] = memref.alloca() : memref<32xi8>
// CHECK: %[[SIZE:.*]] = arith.constant 32 : index
// CHECK: %[[A:.*]] = memref.extract_aligned_pointer_as_index %arg0
// CHECK: %[[B:.*]] = memref.extract_aligned_pointer_as_index %[[HERE]]
// CHECK: call @terrace_gpu_fetch(%[[A]], %[[SIZE]], %[[B]])
// CHECK: memref.load %[[HERE]]
func.func @main(%there: memref<32xi8>) -> i8 {
  %here = memref.alloca() : memref<32xi8>
  memref.copy %there, %here : memref<32xi8> to memref<32xi8>
  %c16 = arith.constant 16 : index
  %0 = memref.load %here[%c16] : memref<32xi8>
  return %0 : i8
}
