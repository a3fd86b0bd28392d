// Two loops, one after the other, with the scan's elements in memory between: where the scan reads later what would be overwritten by
// then, where its elements are read at another index, where another member reads them, too, where
// they are read under a condition.

// RUN: terrace-opt %s --convert-loop-to-kernel=tile=16 --split-input-file | FileCheck %s

// CHECK-LABEL: kernel.func @mirrored.group_0(
//       CHECK: memref.alloca
//       CHECK: kernel.scan
//       CHECK: math.exp
func.func @mirrored(%y: memref<8x64xf32>) {
  loop.group (%i = 8) into (%y as %p : memref<8x64xf32>) {
    %s = loop.scan add (%j = 64) along %j {
      %a = loop.load %y[%i, -%j + 63] : memref<8x64xf32>
      loop.yield %a : f32
    } : tensor<64xf32>
    %e = loop.pointwise (%j = 64) {
      %a = loop.load %s[%j] : tensor<64xf32>
      %b = math.exp %a : f32
      loop.yield %b : f32
    } : tensor<64xf32>
    loop.in_parallel {
      loop.insert %e into %p at [%i, :] : tensor<64xf32> into memref<8x64xf32>
    }
  }
  return
}

// -----

// CHECK-LABEL: kernel.func @at_another_index.group_0(
//       CHECK: memref.alloca
//       CHECK: kernel.scan
//       CHECK: math.exp
func.func @at_another_index(%x: memref<8x64xf32>) -> memref<8x64xf32> {
  %y = memref.alloc() : memref<8x64xf32>
  loop.group (%i = 8) into (%y as %p : memref<8x64xf32>) {
    %s = loop.scan add (%j = 64) along %j {
      %a = loop.load %x[%i, %j] : memref<8x64xf32>
      loop.yield %a : f32
    } : tensor<64xf32>
    %e = loop.pointwise (%j = 64) {
      %a = loop.load %s[-%j + 63] : tensor<64xf32>
      %b = math.exp %a : f32
      loop.yield %b : f32
    } : tensor<64xf32>
    loop.in_parallel {
      loop.insert %e into %p at [%i, :] : tensor<64xf32> into memref<8x64xf32>
    }
  }
  return %y : memref<8x64xf32>
}

// -----

// CHECK-LABEL: kernel.func @read_twice.group_0(
//       CHECK: memref.alloca
//       CHECK: kernel.scan
//       CHECK: math.exp
func.func @read_twice(%x: memref<8x64xf32>, %z: memref<8x64xf32>) -> memref<8x64xf32> {
  %y = memref.alloc() : memref<8x64xf32>
  loop.group (%i = 8) into (%y as %p : memref<8x64xf32>, %z as %q : memref<8x64xf32>) {
    %s = loop.scan add (%j = 64) along %j {
      %a = loop.load %x[%i, %j] : memref<8x64xf32>
      loop.yield %a : f32
    } : tensor<64xf32>
    %e = loop.pointwise (%j = 64) {
      %a = loop.load %s[%j] : tensor<64xf32>
      %b = math.exp %a : f32
      loop.yield %b : f32
    } : tensor<64xf32>
    %r = loop.pointwise (%j = 64) {
      %a = loop.load %s[-%j + 63] : tensor<64xf32>
      loop.yield %a : f32
    } : tensor<64xf32>
    loop.in_parallel {
      loop.insert %e into %p at [%i, :] : tensor<64xf32> into memref<8x64xf32>
      loop.insert %r into %q at [%i, :] : tensor<64xf32> into memref<8x64xf32>
    }
  }
  return %y : memref<8x64xf32>
}

// -----

// What is read where a condition holds is something else where it does not.
// CHECK-LABEL: kernel.func @masked.group_0(
//       CHECK: memref.alloca
//       CHECK: kernel.scan
//       CHECK: math.exp
func.func @masked(%x: memref<8x64xf32>) -> memref<8x64xf32> {
  %y = memref.alloc() : memref<8x64xf32>
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  loop.group (%i = 8) into (%y as %p : memref<8x64xf32>) {
    %s = loop.scan add (%j = 64) along %j {
      %a = loop.load %x[%i, %j] : memref<8x64xf32>
      loop.yield %a : f32
    } : tensor<64xf32>
    %e = loop.pointwise (%j = 64) {
      %m = arith.cmpi ult, %j, %c32 : index
      %a = loop.load %s[%j] if %m else %zero : tensor<64xf32>, f32
      %b = math.exp %a : f32
      loop.yield %b : f32
    } : tensor<64xf32>
    loop.in_parallel {
      loop.insert %e into %p at [%i, :] : tensor<64xf32> into memref<8x64xf32>
    }
  }
  return %y : memref<8x64xf32>
}
// -----

// Two arguments may overlap.
// CHECK-LABEL: kernel.func @overlap.group_0(
//       CHECK: memref.alloca
//       CHECK: kernel.scan
//       CHECK: math.exp
func.func @overlap(%x: memref<1x64xf32>, %y: memref<1x64xf32>) {
  loop.group (%i = 1) into (%y as %p : memref<1x64xf32>) {
    %s = loop.scan add (%j = 64) along %j {
      %a = loop.load %x[%i, %j] : memref<1x64xf32>
      loop.yield %a : f32
    } : tensor<64xf32>
    %e = loop.pointwise (%j = 64) {
      %a = loop.load %s[%j] : tensor<64xf32>
      %b = math.exp %a : f32
      loop.yield %b : f32
    } : tensor<64xf32>
    loop.in_parallel {
      loop.insert %e into %p at [%i, :] : tensor<64xf32> into memref<1x64xf32>
    }
  }
  return
}
