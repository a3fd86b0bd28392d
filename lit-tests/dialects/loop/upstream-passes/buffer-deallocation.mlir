// Memory that loop operations use is freed as that which linalg's use.

// RUN: terrace-opt %s --ownership-based-buffer-deallocation --canonicalize --buffer-deallocation-simplification \
// RUN:   --bufferization-lower-deallocations --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @of_linalg(
//       CHECK:   %[[A:.*]] = memref.alloc
//       CHECK:   linalg.exp
//       CHECK:   linalg.exp
//       CHECK:   memref.dealloc %[[A]]
//       CHECK:   return
func.func @of_linalg(%x: memref<8xf32>) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.exp ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  return %b : memref<8xf32>
}

// CHECK-LABEL: func.func @of_loop(
//       CHECK:   %[[A:.*]] = memref.alloc
//       CHECK:   loop.pointwise
//       CHECK:   loop.pointwise
//       CHECK:   memref.dealloc %[[A]]
//       CHECK:   return
func.func @of_loop(%x: memref<8xf32>) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  loop.pointwise (%i = 8) into %a {
    %v = loop.load %x[%i] : memref<8xf32>
    loop.yield %v : f32
  } : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  loop.pointwise (%i = 8) into %b {
    %v = loop.load %a[%i] : memref<8xf32>
    loop.yield %v : f32
  } : memref<8xf32>
  return %b : memref<8xf32>
}
