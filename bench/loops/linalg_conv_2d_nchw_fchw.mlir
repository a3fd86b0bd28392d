// A convolution, channels first.
func.func @main(%x: memref<1x32x58x58xf32>, %w: memref<48x32x3x3xf32>, %y: memref<1x48x56x56xf32>) {
  linalg.conv_2d_nchw_fchw ins(%x, %w : memref<1x32x58x58xf32>, memref<48x32x3x3xf32>) outs(%y : memref<1x48x56x56xf32>)
  return
}
