// RUN: terrace-opt --graph-propagate-fake %s | FileCheck %s

// CHECK: graph.pixel_unshuffle {{.*}}graph.fake = ["f64[3, 0, 4, 4] strides [1, 49, 3, 12]
func.func @main(%x: !graph.tensor<3x0x4x4xf64> {graph.layout = strided<[1, 49, 3, 12], offset: 2>}) {
  %0 = graph.pixel_unshuffle %x {downscale_factor = 2 : i64} : !graph.tensor<3x0x4x4xf64>
  return
}
