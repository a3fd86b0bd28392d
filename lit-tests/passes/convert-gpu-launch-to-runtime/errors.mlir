// RUN: terrace-opt %s --convert-gpu-launch-to-runtime --split-input-file --verify-diagnostics

func.func private @outside(memref<4xf32>)
func.func @call(%x: memref<4xf32>) {
  // expected-error @+1 {{'func.call' op computes on the host what lies on the GPU}}
  call @outside(%x) : (memref<4xf32>) -> ()
  return
}

// -----

func.func @copy(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{'memref.copy' op copies what lies on the GPU: 'convert-copy-to-loop' makes a kernel of it}}
  memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  return
}

// -----

kernel.func @k(%x: memref<4xf32>) grid() {
  kernel.return
}
func.func @left(%x: memref<4xf32>) {
  // expected-error @+1 {{'kernel.launch' op launches a kernel that has no form on a GPU}}
  kernel.launch @k grid [] (%x) : memref<4xf32>
  return
}

// -----

gpu.module @first {
}
// expected-error @+1 {{'gpu.module' op is a second GPU module: kernels are numbered within one}}
gpu.module @second {
}
