// A convolution of each channel alone.
func.func @main(%x: memref<4x114x114x64xf32>, %w: memref<3x3x64xf32>, %y: memref<4x112x112x64xf32>) {
  linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : memref<4x114x114x64xf32>, memref<3x3x64xf32>) outs(%y : memref<4x112x112x64xf32>)
  return
}
