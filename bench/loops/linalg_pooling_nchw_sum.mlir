// Sums of windows.
func.func @main(%x: memref<4x64x114x114xf32>, %y: memref<4x64x112x112xf32>) {
  %window = memref.alloc() : memref<3x3xf32>
  linalg.pooling_nchw_sum ins(%x, %window : memref<4x64x114x114xf32>, memref<3x3xf32>) outs(%y : memref<4x64x112x112xf32>)
  memref.dealloc %window : memref<3x3xf32>
  return
}
