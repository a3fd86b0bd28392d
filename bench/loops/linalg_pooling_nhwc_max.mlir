// Maxima of windows.
func.func @main(%x: memref<4x114x114x64xf32>, %y: memref<4x112x112x64xf32>) {
  %window = memref.alloc() : memref<3x3xf32>
  linalg.pooling_nhwc_max ins(%x, %window : memref<4x114x114x64xf32>, memref<3x3xf32>) outs(%y : memref<4x112x112x64xf32>)
  memref.dealloc %window : memref<3x3xf32>
  return
}
