// An argument may be a global: who calls can take its buffer as well.
// RUN: terrace-opt %s --loop-fuse --remarks-filter="loop-fuse" 2>&1 | FileCheck %s

memref.global "private" @state : memref<64x32xf32> = uninitialized

// CHECK: does not join an operation that it depends on: both write memory that may be the same
// CHECK-LABEL: func.func @state_is_an_argument
// CHECK-NOT: loop.group
func.func @state_is_an_argument(%x: memref<64x32xf32>, %z: memref<64x32xf32>) {
  %state = memref.get_global @state : memref<64x32xf32>
  loop.pointwise (%i = 64, %j = 32) into %state {
    %a = loop.load %x[%i, %j] : memref<64x32xf32>
    loop.yield %a : f32
  } : memref<64x32xf32>
  loop.pointwise (%i = 64, %j = 32) into %z {
    %a = loop.load %x[%i, %j] : memref<64x32xf32>
    loop.yield %a : f32
  } : memref<64x32xf32>
  return
}

// Where it says that it is apart from all else it is.
// CHECK-LABEL: func.func @apart
// CHECK: loop.group
func.func @apart(%x: memref<64x32xf32> {llvm.noalias}, %z: memref<64x32xf32> {llvm.noalias}) {
  %state = memref.get_global @state : memref<64x32xf32>
  loop.pointwise (%i = 64, %j = 32) into %state {
    %a = loop.load %x[%i, %j] : memref<64x32xf32>
    loop.yield %a : f32
  } : memref<64x32xf32>
  loop.pointwise (%i = 64, %j = 32) into %z {
    %a = loop.load %x[%i, %j] : memref<64x32xf32>
    loop.yield %a : f32
  } : memref<64x32xf32>
  return
}
