// The call may write what both read and write.
// RUN: terrace-opt %s --loop-fuse --remarks-filter="loop-fuse" 2>&1 | FileCheck %s

// CHECK: does not join {{.*}}: another operation has to come between them
// CHECK-LABEL: func.func @called
// CHECK-NOT: loop.group
func.func private @f()
func.func @called(%x: memref<64x32xf32> {llvm.noalias}, %y: memref<64x32xf32> {llvm.noalias}, %z: memref<64x32xf32> {llvm.noalias}) {
  loop.pointwise (%i = 64, %j = 32) into %y {
    %a = loop.load %x[%i, %j] : memref<64x32xf32>
    loop.yield %a : f32
  } : memref<64x32xf32>
  func.call @f() : () -> ()
  loop.pointwise (%i = 64, %j = 32) into %z {
    %a = loop.load %x[%i, %j] : memref<64x32xf32>
    loop.yield %a : f32
  } : memref<64x32xf32>
  return
}
