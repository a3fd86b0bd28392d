// RUN: terrace-opt %s | terrace-opt | FileCheck %s

kernel.func @k(%x: memref<4xf32>) grid(%i in 2) {
  kernel.return
}

// CHECK-LABEL: func.func @both
// CHECK: kernel.concurrent {
// CHECK-NEXT: kernel.launch @k grid [2](%arg0) : memref<4xf32>
// CHECK-NEXT: kernel.launch @k grid [2](%arg1) : memref<4xf32>
// CHECK-NEXT: }
func.func @both(%x: memref<4xf32>, %y: memref<4xf32>) {
  kernel.concurrent {
    kernel.launch @k grid [2](%x) : memref<4xf32>
    kernel.launch @k grid [2](%y) : memref<4xf32>
  }
  return
}
