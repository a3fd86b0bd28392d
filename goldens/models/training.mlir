func.func @main(%arg0: !graph.tensor<4x1x3x3xf32> {graph.storage = "s0"}, %arg1: !graph.tensor<4xf32> {graph.storage = "s1"}, %arg2: !graph.tensor<16x64xf32> {graph.storage = "s2"}, %arg3: !graph.tensor<16xf32> {graph.storage = "s3"}, %arg4: !graph.tensor<16xf32> {graph.storage = "s4"}, %arg5: !graph.tensor<16xf32> {graph.storage = "s5"}, %arg6: !graph.tensor<5x16xf32> {graph.storage = "s6"}, %arg7: !graph.tensor<5xf32> {graph.storage = "s7"}, %arg8: !graph.tensor<4x1x3x3xf32> {graph.storage = "s8"}, %arg9: !graph.tensor<4xf32> {graph.storage = "s9"}, %arg10: !graph.tensor<16x64xf32> {graph.storage = "s10"}, %arg11: !graph.tensor<16xf32> {graph.storage = "s11"}, %arg12: !graph.tensor<16xf32> {graph.storage = "s12"}, %arg13: !graph.tensor<16xf32> {graph.storage = "s13"}, %arg14: !graph.tensor<5x16xf32> {graph.storage = "s14"}, %arg15: !graph.tensor<5xf32> {graph.storage = "s15"}, %arg16: !graph.tensor<4x1x3x3xf32> {graph.storage = "s16"}, %arg17: !graph.tensor<4xf32> {graph.storage = "s17"}, %arg18: !graph.tensor<16x64xf32> {graph.storage = "s18"}, %arg19: !graph.tensor<16xf32> {graph.storage = "s19"}, %arg20: !graph.tensor<16xf32> {graph.storage = "s20"}, %arg21: !graph.tensor<16xf32> {graph.storage = "s21"}, %arg22: !graph.tensor<5x16xf32> {graph.storage = "s22"}, %arg23: !graph.tensor<5xf32> {graph.storage = "s23"}, %arg24: !graph.tensor<3x1x8x8xf32> {graph.storage = "s24"}, %arg25: !graph.tensor<3xi64> {graph.storage = "s25"}) -> (!graph.tensor<f32>) {
  %alias = "graph.alias"(%arg0) : (!graph.tensor<4x1x3x3xf32>) -> (!graph.tensor<4x1x3x3xf32>)
  %alias_1 = "graph.alias"(%arg1) : (!graph.tensor<4xf32>) -> (!graph.tensor<4xf32>)
  %alias_2 = "graph.alias"(%arg2) : (!graph.tensor<16x64xf32>) -> (!graph.tensor<16x64xf32>)
  %alias_3 = "graph.alias"(%arg3) : (!graph.tensor<16xf32>) -> (!graph.tensor<16xf32>)
  %alias_4 = "graph.alias"(%arg4) : (!graph.tensor<16xf32>) -> (!graph.tensor<16xf32>)
  %alias_5 = "graph.alias"(%arg5) : (!graph.tensor<16xf32>) -> (!graph.tensor<16xf32>)
  %alias_6 = "graph.alias"(%arg6) : (!graph.tensor<5x16xf32>) -> (!graph.tensor<5x16xf32>)
  %alias_7 = "graph.alias"(%arg7) : (!graph.tensor<5xf32>) -> (!graph.tensor<5xf32>)
  %convolution = "graph.convolution"(%arg24, %alias, %alias_1) <{stride = array<i64: 1, 1>, padding = array<i64: 1, 1>, dilation = array<i64: 1, 1>, transposed = false, output_padding = array<i64: 0, 0>, groups = 1 : i64}> : (!graph.tensor<3x1x8x8xf32>, !graph.tensor<4x1x3x3xf32>, !graph.tensor<4xf32>) -> (!graph.tensor<3x4x8x8xf32>)
  %relu = "graph.relu"(%convolution) : (!graph.tensor<3x4x8x8xf32>) -> (!graph.tensor<3x4x8x8xf32>)
  %alias_8 = "graph.alias"(%relu) : (!graph.tensor<3x4x8x8xf32>) -> (!graph.tensor<3x4x8x8xf32>)
  %max_pool2d_with_indices:2 = "graph.max_pool2d_with_indices"(%relu) <{kernel_size = array<i64: 2, 2>, stride = array<i64: 2, 2>}> : (!graph.tensor<3x4x8x8xf32>) -> (!graph.tensor<3x4x4x4xf32>, !graph.tensor<3x4x4x4xi64>)
  %view = "graph.view"(%max_pool2d_with_indices#0) <{size = array<i64: 3, 64>}> : (!graph.tensor<3x4x4x4xf32>) -> (!graph.tensor<3x64xf32>)
  %t = "graph.t"(%alias_2) : (!graph.tensor<16x64xf32>) -> (!graph.tensor<64x16xf32>)
  %addmm = "graph.addmm"(%alias_3, %view, %t) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (!graph.tensor<16xf32>, !graph.tensor<3x64xf32>, !graph.tensor<64x16xf32>) -> (!graph.tensor<3x16xf32>)
  %tanh = "graph.tanh"(%addmm) : (!graph.tensor<3x16xf32>) -> (!graph.tensor<3x16xf32>)
  %alias_9 = "graph.alias"(%tanh) : (!graph.tensor<3x16xf32>) -> (!graph.tensor<3x16xf32>)
  %native_layer_norm:3 = "graph.native_layer_norm"(%tanh, %alias_4, %alias_5) <{normalized_shape = array<i64: 16>, eps = 1.0e-05 : f64, operandSegmentSizes = array<i32: 1, 1, 1>}> : (!graph.tensor<3x16xf32>, !graph.tensor<16xf32>, !graph.tensor<16xf32>) -> (!graph.tensor<3x16xf32>, !graph.tensor<3x1xf32>, !graph.tensor<3x1xf32>)
  %t_1 = "graph.t"(%alias_6) : (!graph.tensor<5x16xf32>) -> (!graph.tensor<16x5xf32>)
  %addmm_1 = "graph.addmm"(%alias_7, %native_layer_norm#0, %t_1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (!graph.tensor<5xf32>, !graph.tensor<3x16xf32>, !graph.tensor<16x5xf32>) -> (!graph.tensor<3x5xf32>)
  %_log_softmax = "graph._log_softmax"(%addmm_1) <{dim = 1 : i64, half_to_float = false}> : (!graph.tensor<3x5xf32>) -> (!graph.tensor<3x5xf32>)
  %alias_10 = "graph.alias"(%_log_softmax) : (!graph.tensor<3x5xf32>) -> (!graph.tensor<3x5xf32>)
  %nll_loss_forward:2 = "graph.nll_loss_forward"(%_log_softmax, %arg25) <{reduction = 1 : i64, ignore_index = -100 : i64}> : (!graph.tensor<3x5xf32>, !graph.tensor<3xi64>) -> (!graph.tensor<f32>, !graph.tensor<f32>)
  %ones_like = "graph.ones_like"(%nll_loss_forward#0) <{memory_format = "preserve_format"}> : (!graph.tensor<f32>) -> (!graph.tensor<f32>)
  %nll_loss_backward = "graph.nll_loss_backward"(%ones_like, %_log_softmax, %arg25, %nll_loss_forward#1) <{reduction = 1 : i64, ignore_index = -100 : i64}> : (!graph.tensor<f32>, !graph.tensor<3x5xf32>, !graph.tensor<3xi64>, !graph.tensor<f32>) -> (!graph.tensor<3x5xf32>)
  %alias_11 = "graph.alias"(%alias_10) : (!graph.tensor<3x5xf32>) -> (!graph.tensor<3x5xf32>)
  %_log_softmax_backward_data = "graph._log_softmax_backward_data"(%nll_loss_backward, %alias_11) <{dim = 1 : i64, input_dtype = f32}> : (!graph.tensor<3x5xf32>, !graph.tensor<3x5xf32>) -> (!graph.tensor<3x5xf32>)
  %t_2 = "graph.t"(%t_1) : (!graph.tensor<16x5xf32>) -> (!graph.tensor<5x16xf32>)
  %mm = "graph.mm"(%_log_softmax_backward_data, %t_2) : (!graph.tensor<3x5xf32>, !graph.tensor<5x16xf32>) -> (!graph.tensor<3x16xf32>)
  %t_3 = "graph.t"(%_log_softmax_backward_data) : (!graph.tensor<3x5xf32>) -> (!graph.tensor<5x3xf32>)
  %mm_1 = "graph.mm"(%t_3, %native_layer_norm#0) : (!graph.tensor<5x3xf32>, !graph.tensor<3x16xf32>) -> (!graph.tensor<5x16xf32>)
  %t_4 = "graph.t"(%mm_1) : (!graph.tensor<5x16xf32>) -> (!graph.tensor<16x5xf32>)
  %sum_1 = "graph.sum"(%_log_softmax_backward_data) <{dim = array<i64: 0>, keepdim = true}> : (!graph.tensor<3x5xf32>) -> (!graph.tensor<1x5xf32>)
  %view_1 = "graph.view"(%sum_1) <{size = array<i64: 5>}> : (!graph.tensor<1x5xf32>) -> (!graph.tensor<5xf32>)
  %t_5 = "graph.t"(%t_4) : (!graph.tensor<16x5xf32>) -> (!graph.tensor<5x16xf32>)
  %native_layer_norm_backward:3 = "graph.native_layer_norm_backward"(%mm, %tanh, %native_layer_norm#1, %native_layer_norm#2, %alias_4, %alias_5) <{normalized_shape = array<i64: 16>, output_mask = array<i1: true, true, true>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1>}> : (!graph.tensor<3x16xf32>, !graph.tensor<3x16xf32>, !graph.tensor<3x1xf32>, !graph.tensor<3x1xf32>, !graph.tensor<16xf32>, !graph.tensor<16xf32>) -> (!graph.tensor<3x16xf32>, !graph.tensor<16xf32>, !graph.tensor<16xf32>)
  %alias_12 = "graph.alias"(%alias_9) : (!graph.tensor<3x16xf32>) -> (!graph.tensor<3x16xf32>)
  %tanh_backward = "graph.tanh_backward"(%native_layer_norm_backward#0, %alias_12) : (!graph.tensor<3x16xf32>, !graph.tensor<3x16xf32>) -> (!graph.tensor<3x16xf32>)
  %t_6 = "graph.t"(%t) : (!graph.tensor<64x16xf32>) -> (!graph.tensor<16x64xf32>)
  %mm_2 = "graph.mm"(%tanh_backward, %t_6) : (!graph.tensor<3x16xf32>, !graph.tensor<16x64xf32>) -> (!graph.tensor<3x64xf32>)
  %t_7 = "graph.t"(%tanh_backward) : (!graph.tensor<3x16xf32>) -> (!graph.tensor<16x3xf32>)
  %mm_3 = "graph.mm"(%t_7, %view) : (!graph.tensor<16x3xf32>, !graph.tensor<3x64xf32>) -> (!graph.tensor<16x64xf32>)
  %t_8 = "graph.t"(%mm_3) : (!graph.tensor<16x64xf32>) -> (!graph.tensor<64x16xf32>)
  %sum_2 = "graph.sum"(%tanh_backward) <{dim = array<i64: 0>, keepdim = true}> : (!graph.tensor<3x16xf32>) -> (!graph.tensor<1x16xf32>)
  %view_2 = "graph.view"(%sum_2) <{size = array<i64: 16>}> : (!graph.tensor<1x16xf32>) -> (!graph.tensor<16xf32>)
  %t_9 = "graph.t"(%t_8) : (!graph.tensor<64x16xf32>) -> (!graph.tensor<16x64xf32>)
  %view_3 = "graph.view"(%mm_2) <{size = array<i64: 3, 4, 4, 4>}> : (!graph.tensor<3x64xf32>) -> (!graph.tensor<3x4x4x4xf32>)
  %max_pool2d_with_indices_backward = "graph.max_pool2d_with_indices_backward"(%view_3, %relu, %max_pool2d_with_indices#1) <{kernel_size = array<i64: 2, 2>, stride = array<i64: 2, 2>, padding = array<i64: 0, 0>, dilation = array<i64: 1, 1>, ceil_mode = false}> : (!graph.tensor<3x4x4x4xf32>, !graph.tensor<3x4x8x8xf32>, !graph.tensor<3x4x4x4xi64>) -> (!graph.tensor<3x4x8x8xf32>)
  %alias_13 = "graph.alias"(%alias_8) : (!graph.tensor<3x4x8x8xf32>) -> (!graph.tensor<3x4x8x8xf32>)
  %number0 = arith.constant 0 : i64
  %threshold_backward = "graph.threshold_backward"(%max_pool2d_with_indices_backward, %alias_13, %number0) : (!graph.tensor<3x4x8x8xf32>, !graph.tensor<3x4x8x8xf32>, i64) -> (!graph.tensor<3x4x8x8xf32>)
  %convolution_backward:2 = "graph.convolution_backward"(%threshold_backward, %arg24, %alias) <{bias_sizes = array<i64: 4>, stride = array<i64: 1, 1>, padding = array<i64: 1, 1>, dilation = array<i64: 1, 1>, transposed = false, output_padding = array<i64: 0, 0>, groups = 1 : i64, output_mask = array<i1: false, true, true>}> : (!graph.tensor<3x4x8x8xf32>, !graph.tensor<3x1x8x8xf32>, !graph.tensor<4x1x3x3xf32>) -> (!graph.tensor<4x1x3x3xf32>, !graph.tensor<4xf32>)
  %number1 = arith.constant 0.9 : f64
  %mul_ = "graph.mul_"(%arg8, %number1) : (!graph.tensor<4x1x3x3xf32>, f64) -> (!graph.tensor<4x1x3x3xf32>)
  %number2 = arith.constant 0.1 : f64
  %add_ = "graph.add_"(%mul_, %convolution_backward#0, %number2) : (!graph.tensor<4x1x3x3xf32>, !graph.tensor<4x1x3x3xf32>, f64) -> (!graph.tensor<4x1x3x3xf32>)
  %number3 = arith.constant 0.999 : f64
  %mul__1 = "graph.mul_"(%arg16, %number3) : (!graph.tensor<4x1x3x3xf32>, f64) -> (!graph.tensor<4x1x3x3xf32>)
  %number4 = arith.constant 0.001 : f64
  %addcmul_ = "graph.addcmul_"(%mul__1, %convolution_backward#0, %convolution_backward#0, %number4) : (!graph.tensor<4x1x3x3xf32>, !graph.tensor<4x1x3x3xf32>, !graph.tensor<4x1x3x3xf32>, f64) -> (!graph.tensor<4x1x3x3xf32>)
  %number5 = arith.constant 0.09999999999999998 : f64
  %div = "graph.div"(%add_, %number5) : (!graph.tensor<4x1x3x3xf32>, f64) -> (!graph.tensor<4x1x3x3xf32>)
  %number6 = arith.constant 0.0010000000000000009 : f64
  %div_1 = "graph.div"(%addcmul_, %number6) : (!graph.tensor<4x1x3x3xf32>, f64) -> (!graph.tensor<4x1x3x3xf32>)
  %sqrt_ = "graph.sqrt_"(%div_1) : (!graph.tensor<4x1x3x3xf32>) -> (!graph.tensor<4x1x3x3xf32>)
  %number7 = arith.constant 1.0e-08 : f64
  %add__1 = "graph.add_"(%sqrt_, %number7) : (!graph.tensor<4x1x3x3xf32>, f64) -> (!graph.tensor<4x1x3x3xf32>)
  %number8 = arith.constant -0.01 : f64
  %addcdiv_ = "graph.addcdiv_"(%arg0, %div, %add__1, %number8) : (!graph.tensor<4x1x3x3xf32>, !graph.tensor<4x1x3x3xf32>, !graph.tensor<4x1x3x3xf32>, f64) -> (!graph.tensor<4x1x3x3xf32>)
  %number9 = arith.constant 0.9 : f64
  %mul__2 = "graph.mul_"(%arg9, %number9) : (!graph.tensor<4xf32>, f64) -> (!graph.tensor<4xf32>)
  %number10 = arith.constant 0.1 : f64
  %add__2 = "graph.add_"(%mul__2, %convolution_backward#1, %number10) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>, f64) -> (!graph.tensor<4xf32>)
  %number11 = arith.constant 0.999 : f64
  %mul__3 = "graph.mul_"(%arg17, %number11) : (!graph.tensor<4xf32>, f64) -> (!graph.tensor<4xf32>)
  %number12 = arith.constant 0.001 : f64
  %addcmul__1 = "graph.addcmul_"(%mul__3, %convolution_backward#1, %convolution_backward#1, %number12) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>, f64) -> (!graph.tensor<4xf32>)
  %number13 = arith.constant 0.09999999999999998 : f64
  %div_2 = "graph.div"(%add__2, %number13) : (!graph.tensor<4xf32>, f64) -> (!graph.tensor<4xf32>)
  %number14 = arith.constant 0.0010000000000000009 : f64
  %div_3 = "graph.div"(%addcmul__1, %number14) : (!graph.tensor<4xf32>, f64) -> (!graph.tensor<4xf32>)
  %sqrt__1 = "graph.sqrt_"(%div_3) : (!graph.tensor<4xf32>) -> (!graph.tensor<4xf32>)
  %number15 = arith.constant 1.0e-08 : f64
  %add__3 = "graph.add_"(%sqrt__1, %number15) : (!graph.tensor<4xf32>, f64) -> (!graph.tensor<4xf32>)
  %number16 = arith.constant -0.01 : f64
  %addcdiv__1 = "graph.addcdiv_"(%arg1, %div_2, %add__3, %number16) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>, f64) -> (!graph.tensor<4xf32>)
  %number17 = arith.constant 0.9 : f64
  %mul__4 = "graph.mul_"(%arg10, %number17) : (!graph.tensor<16x64xf32>, f64) -> (!graph.tensor<16x64xf32>)
  %number18 = arith.constant 0.1 : f64
  %add__4 = "graph.add_"(%mul__4, %t_9, %number18) : (!graph.tensor<16x64xf32>, !graph.tensor<16x64xf32>, f64) -> (!graph.tensor<16x64xf32>)
  %number19 = arith.constant 0.999 : f64
  %mul__5 = "graph.mul_"(%arg18, %number19) : (!graph.tensor<16x64xf32>, f64) -> (!graph.tensor<16x64xf32>)
  %number20 = arith.constant 0.001 : f64
  %addcmul__2 = "graph.addcmul_"(%mul__5, %t_9, %t_9, %number20) : (!graph.tensor<16x64xf32>, !graph.tensor<16x64xf32>, !graph.tensor<16x64xf32>, f64) -> (!graph.tensor<16x64xf32>)
  %number21 = arith.constant 0.09999999999999998 : f64
  %div_4 = "graph.div"(%add__4, %number21) : (!graph.tensor<16x64xf32>, f64) -> (!graph.tensor<16x64xf32>)
  %number22 = arith.constant 0.0010000000000000009 : f64
  %div_5 = "graph.div"(%addcmul__2, %number22) : (!graph.tensor<16x64xf32>, f64) -> (!graph.tensor<16x64xf32>)
  %sqrt__2 = "graph.sqrt_"(%div_5) : (!graph.tensor<16x64xf32>) -> (!graph.tensor<16x64xf32>)
  %number23 = arith.constant 1.0e-08 : f64
  %add__5 = "graph.add_"(%sqrt__2, %number23) : (!graph.tensor<16x64xf32>, f64) -> (!graph.tensor<16x64xf32>)
  %number24 = arith.constant -0.01 : f64
  %addcdiv__2 = "graph.addcdiv_"(%arg2, %div_4, %add__5, %number24) : (!graph.tensor<16x64xf32>, !graph.tensor<16x64xf32>, !graph.tensor<16x64xf32>, f64) -> (!graph.tensor<16x64xf32>)
  %number25 = arith.constant 0.9 : f64
  %mul__6 = "graph.mul_"(%arg11, %number25) : (!graph.tensor<16xf32>, f64) -> (!graph.tensor<16xf32>)
  %number26 = arith.constant 0.1 : f64
  %add__6 = "graph.add_"(%mul__6, %view_2, %number26) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>, f64) -> (!graph.tensor<16xf32>)
  %number27 = arith.constant 0.999 : f64
  %mul__7 = "graph.mul_"(%arg19, %number27) : (!graph.tensor<16xf32>, f64) -> (!graph.tensor<16xf32>)
  %number28 = arith.constant 0.001 : f64
  %addcmul__3 = "graph.addcmul_"(%mul__7, %view_2, %view_2, %number28) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>, !graph.tensor<16xf32>, f64) -> (!graph.tensor<16xf32>)
  %number29 = arith.constant 0.09999999999999998 : f64
  %div_6 = "graph.div"(%add__6, %number29) : (!graph.tensor<16xf32>, f64) -> (!graph.tensor<16xf32>)
  %number30 = arith.constant 0.0010000000000000009 : f64
  %div_7 = "graph.div"(%addcmul__3, %number30) : (!graph.tensor<16xf32>, f64) -> (!graph.tensor<16xf32>)
  %sqrt__3 = "graph.sqrt_"(%div_7) : (!graph.tensor<16xf32>) -> (!graph.tensor<16xf32>)
  %number31 = arith.constant 1.0e-08 : f64
  %add__7 = "graph.add_"(%sqrt__3, %number31) : (!graph.tensor<16xf32>, f64) -> (!graph.tensor<16xf32>)
  %number32 = arith.constant -0.01 : f64
  %addcdiv__3 = "graph.addcdiv_"(%arg3, %div_6, %add__7, %number32) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>, !graph.tensor<16xf32>, f64) -> (!graph.tensor<16xf32>)
  %number33 = arith.constant 0.9 : f64
  %mul__8 = "graph.mul_"(%arg12, %number33) : (!graph.tensor<16xf32>, f64) -> (!graph.tensor<16xf32>)
  %number34 = arith.constant 0.1 : f64
  %add__8 = "graph.add_"(%mul__8, %native_layer_norm_backward#1, %number34) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>, f64) -> (!graph.tensor<16xf32>)
  %number35 = arith.constant 0.999 : f64
  %mul__9 = "graph.mul_"(%arg20, %number35) : (!graph.tensor<16xf32>, f64) -> (!graph.tensor<16xf32>)
  %number36 = arith.constant 0.001 : f64
  %addcmul__4 = "graph.addcmul_"(%mul__9, %native_layer_norm_backward#1, %native_layer_norm_backward#1, %number36) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>, !graph.tensor<16xf32>, f64) -> (!graph.tensor<16xf32>)
  %number37 = arith.constant 0.09999999999999998 : f64
  %div_8 = "graph.div"(%add__8, %number37) : (!graph.tensor<16xf32>, f64) -> (!graph.tensor<16xf32>)
  %number38 = arith.constant 0.0010000000000000009 : f64
  %div_9 = "graph.div"(%addcmul__4, %number38) : (!graph.tensor<16xf32>, f64) -> (!graph.tensor<16xf32>)
  %sqrt__4 = "graph.sqrt_"(%div_9) : (!graph.tensor<16xf32>) -> (!graph.tensor<16xf32>)
  %number39 = arith.constant 1.0e-08 : f64
  %add__9 = "graph.add_"(%sqrt__4, %number39) : (!graph.tensor<16xf32>, f64) -> (!graph.tensor<16xf32>)
  %number40 = arith.constant -0.01 : f64
  %addcdiv__4 = "graph.addcdiv_"(%arg4, %div_8, %add__9, %number40) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>, !graph.tensor<16xf32>, f64) -> (!graph.tensor<16xf32>)
  %number41 = arith.constant 0.9 : f64
  %mul__10 = "graph.mul_"(%arg13, %number41) : (!graph.tensor<16xf32>, f64) -> (!graph.tensor<16xf32>)
  %number42 = arith.constant 0.1 : f64
  %add__10 = "graph.add_"(%mul__10, %native_layer_norm_backward#2, %number42) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>, f64) -> (!graph.tensor<16xf32>)
  %number43 = arith.constant 0.999 : f64
  %mul__11 = "graph.mul_"(%arg21, %number43) : (!graph.tensor<16xf32>, f64) -> (!graph.tensor<16xf32>)
  %number44 = arith.constant 0.001 : f64
  %addcmul__5 = "graph.addcmul_"(%mul__11, %native_layer_norm_backward#2, %native_layer_norm_backward#2, %number44) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>, !graph.tensor<16xf32>, f64) -> (!graph.tensor<16xf32>)
  %number45 = arith.constant 0.09999999999999998 : f64
  %div_10 = "graph.div"(%add__10, %number45) : (!graph.tensor<16xf32>, f64) -> (!graph.tensor<16xf32>)
  %number46 = arith.constant 0.0010000000000000009 : f64
  %div_11 = "graph.div"(%addcmul__5, %number46) : (!graph.tensor<16xf32>, f64) -> (!graph.tensor<16xf32>)
  %sqrt__5 = "graph.sqrt_"(%div_11) : (!graph.tensor<16xf32>) -> (!graph.tensor<16xf32>)
  %number47 = arith.constant 1.0e-08 : f64
  %add__11 = "graph.add_"(%sqrt__5, %number47) : (!graph.tensor<16xf32>, f64) -> (!graph.tensor<16xf32>)
  %number48 = arith.constant -0.01 : f64
  %addcdiv__5 = "graph.addcdiv_"(%arg5, %div_10, %add__11, %number48) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>, !graph.tensor<16xf32>, f64) -> (!graph.tensor<16xf32>)
  %number49 = arith.constant 0.9 : f64
  %mul__12 = "graph.mul_"(%arg14, %number49) : (!graph.tensor<5x16xf32>, f64) -> (!graph.tensor<5x16xf32>)
  %number50 = arith.constant 0.1 : f64
  %add__12 = "graph.add_"(%mul__12, %t_5, %number50) : (!graph.tensor<5x16xf32>, !graph.tensor<5x16xf32>, f64) -> (!graph.tensor<5x16xf32>)
  %number51 = arith.constant 0.999 : f64
  %mul__13 = "graph.mul_"(%arg22, %number51) : (!graph.tensor<5x16xf32>, f64) -> (!graph.tensor<5x16xf32>)
  %number52 = arith.constant 0.001 : f64
  %addcmul__6 = "graph.addcmul_"(%mul__13, %t_5, %t_5, %number52) : (!graph.tensor<5x16xf32>, !graph.tensor<5x16xf32>, !graph.tensor<5x16xf32>, f64) -> (!graph.tensor<5x16xf32>)
  %number53 = arith.constant 0.09999999999999998 : f64
  %div_12 = "graph.div"(%add__12, %number53) : (!graph.tensor<5x16xf32>, f64) -> (!graph.tensor<5x16xf32>)
  %number54 = arith.constant 0.0010000000000000009 : f64
  %div_13 = "graph.div"(%addcmul__6, %number54) : (!graph.tensor<5x16xf32>, f64) -> (!graph.tensor<5x16xf32>)
  %sqrt__6 = "graph.sqrt_"(%div_13) : (!graph.tensor<5x16xf32>) -> (!graph.tensor<5x16xf32>)
  %number55 = arith.constant 1.0e-08 : f64
  %add__13 = "graph.add_"(%sqrt__6, %number55) : (!graph.tensor<5x16xf32>, f64) -> (!graph.tensor<5x16xf32>)
  %number56 = arith.constant -0.01 : f64
  %addcdiv__6 = "graph.addcdiv_"(%arg6, %div_12, %add__13, %number56) : (!graph.tensor<5x16xf32>, !graph.tensor<5x16xf32>, !graph.tensor<5x16xf32>, f64) -> (!graph.tensor<5x16xf32>)
  %number57 = arith.constant 0.9 : f64
  %mul__14 = "graph.mul_"(%arg15, %number57) : (!graph.tensor<5xf32>, f64) -> (!graph.tensor<5xf32>)
  %number58 = arith.constant 0.1 : f64
  %add__14 = "graph.add_"(%mul__14, %view_1, %number58) : (!graph.tensor<5xf32>, !graph.tensor<5xf32>, f64) -> (!graph.tensor<5xf32>)
  %number59 = arith.constant 0.999 : f64
  %mul__15 = "graph.mul_"(%arg23, %number59) : (!graph.tensor<5xf32>, f64) -> (!graph.tensor<5xf32>)
  %number60 = arith.constant 0.001 : f64
  %addcmul__7 = "graph.addcmul_"(%mul__15, %view_1, %view_1, %number60) : (!graph.tensor<5xf32>, !graph.tensor<5xf32>, !graph.tensor<5xf32>, f64) -> (!graph.tensor<5xf32>)
  %number61 = arith.constant 0.09999999999999998 : f64
  %div_14 = "graph.div"(%add__14, %number61) : (!graph.tensor<5xf32>, f64) -> (!graph.tensor<5xf32>)
  %number62 = arith.constant 0.0010000000000000009 : f64
  %div_15 = "graph.div"(%addcmul__7, %number62) : (!graph.tensor<5xf32>, f64) -> (!graph.tensor<5xf32>)
  %sqrt__7 = "graph.sqrt_"(%div_15) : (!graph.tensor<5xf32>) -> (!graph.tensor<5xf32>)
  %number63 = arith.constant 1.0e-08 : f64
  %add__15 = "graph.add_"(%sqrt__7, %number63) : (!graph.tensor<5xf32>, f64) -> (!graph.tensor<5xf32>)
  %number64 = arith.constant -0.01 : f64
  %addcdiv__7 = "graph.addcdiv_"(%arg7, %div_14, %add__15, %number64) : (!graph.tensor<5xf32>, !graph.tensor<5xf32>, !graph.tensor<5xf32>, f64) -> (!graph.tensor<5xf32>)
  %alias_14 = "graph.alias"(%nll_loss_forward#0) : (!graph.tensor<f32>) -> (!graph.tensor<f32>)
  return %alias_14 : !graph.tensor<f32>
}
