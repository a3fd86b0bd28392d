// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @padding_beyond_half_of_the_window(%x: !graph.tensor<1x2x4x4xf32>) {
  // expected-error @+1 {{pad should be at most half of effective kernel size, but got pad=2, kernel_size=2 and dilation=1}}
  %0 = graph.max_pool2d %x {kernel_size = array<i64: 2>, padding = array<i64: 2>} : !graph.tensor<1x2x4x4xf32>
  return
}

// -----

func.func @stride_of_zero(%x: !graph.tensor<1x2x4x4xf32>) {
  // expected-error @+1 {{stride should not be zero}}
  %0 = graph.avg_pool2d %x {kernel_size = array<i64: 2>, stride = array<i64: 0>} : !graph.tensor<1x2x4x4xf32>
  return
}

// -----

func.func @three_numbers_for_two_dimensions(%x: !graph.tensor<1x2x4x4xf32>) {
  // expected-error @+1 {{max_pool2d: kernel_size must either be a single int, or a tuple of two ints}}
  %0 = graph.max_pool2d %x {kernel_size = array<i64: 2, 2, 2>} : !graph.tensor<1x2x4x4xf32>
  return
}

// -----

func.func @window_beyond_the_image(%x: !graph.tensor<2x4x4xf32>) {
  // expected-error @+1 {{Given input size: (2x4x4). Calculated output size: (2x0x0). Output size is too small}}
  %0 = graph.max_pool2d %x {kernel_size = array<i64: 5>, stride = array<i64: 1>} : !graph.tensor<2x4x4xf32>
  return
}

// -----

func.func @image_without_channels(%x: !graph.tensor<4x4xf32>) {
  // expected-error @+1 {{non-empty 3D or 4D (batch mode) tensor expected for input}}
  %0 = graph.max_pool2d %x {kernel_size = array<i64: 2>} : !graph.tensor<4x4xf32>
  return
}

// -----

func.func @numbers_beyond_i64(%x: !graph.tensor<2x4x4xf32>) {
  // expected-error @+1 {{Output size is too small}}
  %0 = graph.max_pool2d %x {kernel_size = array<i64: 9223372036854775807>, dilation = array<i64: 9223372036854775807>} : !graph.tensor<2x4x4xf32>
  return
}

// -----

func.func @divisor_of_zero(%x: !graph.tensor<2x4x4xf32>) {
  // expected-error @+1 {{divisor must be not zero}}
  %0 = graph.avg_pool2d %x {kernel_size = array<i64: 2>, divisor_override = 0 : i64} : !graph.tensor<2x4x4xf32>
  return
}

// -----

func.func @adaptive_of_integers(%x: !graph.tensor<2x4x4xi64>) {
  // expected-error @+1 {{"adaptive_avg_pool2d" not implemented for 'Long'}}
  %0 = graph.adaptive_avg_pool2d %x {output_size = array<i64: 2, 2>} : !graph.tensor<2x4x4xi64>
  return
}

// -----

func.func @sizes_and_factors(%x: !graph.tensor<1x2x4x4xf32>) {
  // expected-error @+1 {{Must specify exactly one of output_size and scale_factors}}
  %0 = graph.upsample_nearest2d.vec %x {output_size = array<i64: 2, 2>, scale_factors = array<f64: 2.0, 2.0>} : !graph.tensor<1x2x4x4xf32>
  return
}

// -----

func.func @upsampled_to_nothing(%x: !graph.tensor<1x2x4x4xf32>) {
  // expected-error @+1 {{Input and output sizes should be greater than 0, but got input (H: 4, W: 4) output (H: 0, W: 2)}}
  %0 = graph.upsample_nearest2d %x output_size [0, 2] : !graph.tensor<1x2x4x4xf32>
  return
}

// -----

func.func @channels_that_are_no_squares(%x: !graph.tensor<3x4x4xf32>) {
  // expected-error @+1 {{pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, but input.size(-3)=3 is not divisible by 4}}
  %0 = graph.pixel_shuffle %x {upscale_factor = 2} : !graph.tensor<3x4x4xf32>
  return
}

// -----

func.func @height_that_is_no_multiple(%x: !graph.tensor<1x3x4xf32>) {
  // expected-error @+1 {{pixel_unshuffle expects height to be divisible by downscale_factor, but input.size(-2)=3 is not divisible by 2}}
  %0 = graph.pixel_unshuffle %x {downscale_factor = 2} : !graph.tensor<1x3x4xf32>
  return
}

// -----

func.func @gradient_of_another_size(%g: !graph.tensor<1x2x2x1xf32>, %x: !graph.tensor<1x2x4x4xf32>, %i: !graph.tensor<1x2x2x2xi64>) {
  // expected-error @+1 {{Expected a tensor of dimension 4 and tensor.size[3] == 2 but got: dimension 4 and tensor.size[3] = 1}}
  %0 = graph.max_pool2d_with_indices_backward %g, %x, %i {kernel_size = array<i64: 2>, stride = array<i64>, padding = array<i64: 0>, dilation = array<i64: 1>, ceil_mode = false}
    : !graph.tensor<1x2x2x1xf32>, !graph.tensor<1x2x4x4xf32>, !graph.tensor<1x2x2x2xi64>
  return
}

// -----

func.func @two_numbers_for_volumes(%x: !graph.tensor<2x3x3x3xf32>) {
  // expected-error @+1 {{max_pool3d: kernel_size must either be a single int, or a tuple of three ints}}
  %0 = graph.max_pool3d %x {kernel_size = array<i64: 2, 2>} : !graph.tensor<2x3x3x3xf32>
  return
}

// -----

func.func @two_numbers_for_means_over_volumes(%x: !graph.tensor<2x3x3x3xf32>) {
  // expected-error @+1 {{avg_pool3d: stride must be omitted, a single int, or a tuple of three ints}}
  %0 = graph.avg_pool3d %x {kernel_size = array<i64: 2>, stride = array<i64: 2, 2>} : !graph.tensor<2x3x3x3xf32>
  return
}

// -----

func.func @volume_without_channels(%x: !graph.tensor<3x3x3xf32>) {
  // expected-error @+1 {{non-empty 4D or 5D (batch mode) tensor expected for input}}
  %0 = graph.max_pool3d %x {kernel_size = array<i64: 2>} : !graph.tensor<3x3x3xf32>
  return
}

// -----

func.func @kernel_of_zero(%x: !graph.tensor<2x3x3x3xf32>) {
  // expected-error @+1 {{kernel size should be greater than zero, but got kT: 1 kH: 0 kW: 1}}
  %0 = graph.max_pool3d %x {kernel_size = array<i64: 1, 0, 1>, stride = array<i64: 1>} : !graph.tensor<2x3x3x3xf32>
  return
}

// -----

func.func @volume_of_nothing(%x: !graph.tensor<2x3x0x3xf32>) {
  // expected-error @+1 {{avg_pool3d(): Expected input to have non-zero size for non-batch dimensions, but input has sizes [2, 3, 0, 3] with dimension 2 being empty}}
  %0 = graph.avg_pool3d %x {kernel_size = array<i64: 1>} : !graph.tensor<2x3x0x3xf32>
  return
}

// -----

func.func @window_beyond_the_volume(%x: !graph.tensor<2x3x3x3xf32>) {
  // expected-error @+1 {{input image (T: 3 H: 3 W: 3) smaller than kernel size (kT: 4 kH: 1 kW: 1)}}
  %0 = graph.avg_pool3d %x {kernel_size = array<i64: 4, 1, 1>} : !graph.tensor<2x3x3x3xf32>
  return
}

// -----

func.func @divisor_of_zero_over_volumes(%x: !graph.tensor<2x3x3x3xf32>) {
  // expected-error @+1 {{divisor must be not zero}}
  %0 = graph.avg_pool3d %x {kernel_size = array<i64: 1>, divisor_override = 0 : i64} : !graph.tensor<2x3x3x3xf32>
  return
}

// -----

func.func @means_of_halves(%x: !graph.tensor<2x3x3x3xf16>) {
  // expected-error @+1 {{"avg_pool3d_out_frame" not implemented for 'Half'}}
  %0 = graph.avg_pool3d %x {kernel_size = array<i64: 1>} : !graph.tensor<2x3x3x3xf16>
  return
}

// -----

func.func @largest_of_truth_values(%x: !graph.tensor<2x3x3x3xi1>) {
  // expected-error @+1 {{"max_pool3d" not implemented for 'Bool'}}
  %0 = graph.max_pool3d %x {kernel_size = array<i64: 1>} : !graph.tensor<2x3x3x3xi1>
  return
}

// -----

func.func @gradient_of_another_shape(%x: !graph.tensor<2x3x3x3xf32>, %g: !graph.tensor<2x3x3x2xf32>) {
  // expected-error @+1 {{Expected a tensor of dimension 4 and tensor.size[3] == 3 but got: dimension 4 and tensor.size[3] = 2}}
  %0 = graph.avg_pool3d_backward %g, %x {kernel_size = array<i64: 1>, stride = array<i64>, padding = array<i64: 0>, ceil_mode = false, count_include_pad = true} : !graph.tensor<2x3x3x2xf32>, !graph.tensor<2x3x3x3xf32>
  return
}

// -----

func.func @gradient_of_another_dtype(%x: !graph.tensor<2x3x3x3xf32>, %g: !graph.tensor<2x3x3x3xf64>) {
  // expected-error @+1 {{expected scalar type Float but found Double}}
  %0 = graph.avg_pool3d_backward %g, %x {kernel_size = array<i64: 1>, stride = array<i64>, padding = array<i64: 0>, ceil_mode = false, count_include_pad = true} : !graph.tensor<2x3x3x3xf64>, !graph.tensor<2x3x3x3xf32>
  return
}

// -----

func.func @places_as_i32(%x: !graph.tensor<2x3x3x3xf32>, %i: !graph.tensor<2x3x3x3xi32>) {
  // expected-error @+1 {{expected scalar type Long but found Int}}
  %0 = graph.max_pool3d_with_indices_backward %x, %x, %i {kernel_size = array<i64: 1>, stride = array<i64>, padding = array<i64: 0>, dilation = array<i64: 1>, ceil_mode = false} : !graph.tensor<2x3x3x3xf32>, !graph.tensor<2x3x3x3xf32>, !graph.tensor<2x3x3x3xi32>
  return
}

// -----

func.func @offsets_over_one_dimension(%x: !graph.tensor<2x3x3x3xf32>) {
  // expected-error @+1 {{expects windows over two or three dimensions, got kernel_size of 1}}
  %0, %1 = graph.prims._low_memory_max_pool_with_offsets %x {kernel_size = array<i64: 1>, stride = array<i64: 1>, padding = array<i64: 0>, dilation = array<i64: 1>, ceil_mode = false} : !graph.tensor<2x3x3x3xf32>
  return
}

// -----

func.func @largest_of_integers(%x: !graph.tensor<2x4x4xi64>) {
  // expected-error @+1 {{"adaptive_max_pool2d" not implemented for 'Long'}}
  %0:2 = graph.adaptive_max_pool2d %x {output_size = array<i64: 2, 2>} : !graph.tensor<2x4x4xi64>
  return
}

// -----

func.func @largest_of_an_empty_image(%x: !graph.tensor<2x0x4xf32>) {
  // expected-error @+1 {{adaptive_max_pool2d(): Expected input to have non-zero size for non-batch dimensions, but input has sizes [2, 0, 4] with dimension 1 being empty}}
  %0:2 = graph.adaptive_max_pool2d %x {output_size = array<i64: 2, 2>} : !graph.tensor<2x0x4xf32>
  return
}

// -----

func.func @gradients_of_other_images(%g: !graph.tensor<1x2x2x2xf32>, %x: !graph.tensor<3x2x4x4xf32>, %i: !graph.tensor<1x2x2x2xi64>) {
  // expected-error @+1 {{expects a gradient for each image, got [1, 2, 2, 2]}}
  %0 = graph.adaptive_max_pool2d_backward %g, %x, %i : !graph.tensor<1x2x2x2xf32>, !graph.tensor<3x2x4x4xf32>, !graph.tensor<1x2x2x2xi64>
  return
}
