// A kernel may need more memory than the threads of a block share: the rest is compiled, and it is said what is not.
// RUN: terrace-compile %s --target=nvptx --emit=ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=WARNING
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx

// WARNING: nvptx-left-out.mlir:[[#@LINE+4]]:3: warning: 'kernel.func' op '{{.*}}twice_0' stays behind, it is not in the code for the GPU: 
// PTX: .visible .entry {{.*}}pointwise
// PTX-NOT: twice
func.func @f(%x: memref<16384xf32>, %y: memref<16384xf32>) {
  loop.group @twice (%i = 1) into (%y as %d : memref<16384xf32>) {
    %row = loop.pointwise (%j = 16384) {
      %a = loop.load %x[%j] : memref<16384xf32>
      loop.yield %a : f32
    } : tensor<16384xf32>
    %back = loop.pointwise (%j = 16384) {
      %a = loop.load %row[16383 - %j] : tensor<16384xf32>
      loop.yield %a : f32
    } : tensor<16384xf32>
    loop.in_parallel {
      loop.insert %back into %d at [:] : tensor<16384xf32> into memref<16384xf32>
    }
  }
  loop.pointwise (%j = 16384) into %x {
    %a = loop.load %y[%j] : memref<16384xf32>
    %b = arith.addf %a, %a : f32
    loop.yield %b : f32
  } : memref<16384xf32>
  return
}
