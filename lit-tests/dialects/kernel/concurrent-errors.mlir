// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @no_launch(%x: memref<4xf32>) {
  // expected-error @+1 {{'kernel.concurrent' op expects launches in its body, got 'memref.dealloc'}}
  kernel.concurrent {
    memref.dealloc %x : memref<4xf32>
  }
  return
}

// -----

kernel.func @k(%x: memref<4xf32>) grid(%i in ?) {
  kernel.return
}
func.func @grid(%x: memref<4xf32>, %n: index) {
  // expected-error @+1 {{'kernel.concurrent' op launches 'k' on a grid that is not known}}
  kernel.concurrent {
    kernel.launch @k grid [%n](%x) : memref<4xf32>
  }
  return
}
