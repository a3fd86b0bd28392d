// A convolution, channels last.
func.func @main(%x: memref<1x58x58x32xf32>, %w: memref<3x3x32x48xf32>, %y: memref<1x56x56x48xf32>) {
  linalg.conv_2d_nhwc_hwcf ins(%x, %w : memref<1x58x58x32xf32>, memref<3x3x32x48xf32>) outs(%y : memref<1x56x56x48xf32>)
  return
}
