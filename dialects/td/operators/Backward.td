//===- Backward.td - gradients, as autograd calls them ------------------------------------------------------------===//

// Of an activation: the gradient of its result, then the result itself, or its operand.
class Graph_GradientOp<string mnemonic, string rule, string second, dag rest = (ins)> : Graph_Op<mnemonic, rule> {
  let arguments = !con(!dag(ins, [Reads<Graph_Tensor>, Reads<Graph_Tensor>], ["grad_output", second]), rest);
  let results = (outs Allocates<Graph_Tensor>:$result);
  let strides = "Pointwise";
}
def Graph_ThresholdBackwardOp : Graph_GradientOp<"threshold_backward", "threshold_backward", "self",
                                                 (ins Graph_Scalar:$threshold)>;
def Graph_TanhBackwardOp      : Graph_GradientOp<"tanh_backward", "activation_backward", "output">;
def Graph_SigmoidBackwardOp   : Graph_GradientOp<"sigmoid_backward", "activation_backward", "output">;
let kernel = "GeluBackwardKernelImpl" in
def Graph_GeluBackwardOp        : Graph_GradientOp<"gelu_backward", "gelu_backward", "self",
                                                   (ins DefaultValuedAttr<StrAttr, "\"none\"">:$approximate)>;
def Graph_SiluBackwardOp        : Graph_GradientOp<"silu_backward", "activation_backward", "self">;
let complex = 0 in
def Graph_HardswishBackwardOp   : Graph_GradientOp<"hardswish_backward", "activation_backward", "self">;
let kernel = "hardsigmoid_backward", complex = 0 in
def Graph_HardsigmoidBackwardOp : Graph_GradientOp<"hardsigmoid_backward", "activation_backward", "self">;
let kernel = "hardshrink_backward_cpu", complex = 0 in
def Graph_HardtanhBackwardOp    : Graph_GradientOp<"hardtanh_backward", "activation_backward", "self",
                                                   (ins Graph_Scalar:$min_val, Graph_Scalar:$max_val)>;
let complex = 0 in
def Graph_LeakyReluBackwardOp   : Graph_GradientOp<"leaky_relu_backward", "activation_backward", "self",
                                                   (ins Graph_Scalar:$negative_slope, BoolAttr:$self_is_result)>;
let complex = 0 in
def Graph_SoftplusBackwardOp    : Graph_GradientOp<"softplus_backward", "activation_backward", "self",
                                                   (ins Graph_Scalar:$beta, Graph_Scalar:$threshold)>;
let strides = "Pointwise", complex = 0 in
def Graph_EluBackwardOp : Graph_Op<"elu_backward", "activation_backward"> {
  let arguments = (ins Reads<Graph_Tensor>:$grad_output, Graph_Scalar:$alpha, Graph_Scalar:$scale, Graph_Scalar:$input_scale,
                       BoolAttr:$is_result, Reads<Graph_Tensor>:$self_or_result);
  let results = (outs Allocates<Graph_Tensor>:$result);
}
let strides = "Contiguous" in
def Graph__softmaxBackwardDataOp : Graph_GradientOp<"_softmax_backward_data", "softmax_backward", "output",
                                                    (ins I64Attr:$dim, TypeAttr:$input_dtype)>;
let strides = "Contiguous" in
def Graph__logSoftmaxBackwardDataOp : Graph_GradientOp<"_log_softmax_backward_data", "softmax_backward", "output",
                                                       (ins I64Attr:$dim, TypeAttr:$input_dtype)>;

// Results: the gradients that `output_mask` asks for, of input, weight and bias in this order.
def Graph_NativeLayerNormBackwardOp : Graph_Op<"native_layer_norm_backward", "native_layer_norm_backward",
                                               [AttrSizedOperandSegments]> {
  let arguments = (ins Reads<Graph_Tensor>:$grad_out, Reads<Graph_Tensor>:$input, DenseI64ArrayAttr:$normalized_shape,
                       Reads<Graph_Tensor>:$mean, Reads<Graph_Tensor>:$rstd, ReadsOptional<Graph_Tensor>:$weight,
                       ReadsOptional<Graph_Tensor>:$bias, DenseBoolArrayAttr:$output_mask);
  let results = (outs AllocatesVariadic<Graph_Tensor>:$results);
  let assemblyFormat = [{
    $grad_out `,` $input `mean` $mean `rstd` $rstd (`weight` $weight^ `:` type($weight))? (`bias` $bias^ `:` type($bias))?
    attr-dict `:` type($grad_out) `,` type($input) `,` type($mean) `,` type($rstd)
  }];
}
defm ConvolutionBackward : Operator<"convolution_backward", "convolution_backward",
    (ins In:$grad_output, In:$input, In:$weight, OptionalAttr<DenseI64ArrayAttr>:$bias_sizes, DenseI64ArrayAttr:$stride,
         DenseI64ArrayAttr:$padding, DenseI64ArrayAttr:$dilation, DefaultValuedAttr<BoolAttr, "false">:$transposed,
         DenseI64ArrayAttr:$output_padding, DefaultValuedAttr<I64Attr, "1">:$groups, DenseBoolArrayAttr:$output_mask),
    (outs ListOut:$results)>;

// The loss of class probabilities given as logarithms; `reduction` is 0 for none, 1 for the mean, 2 for the sum.
defm NllLossForward : Operator<"nll_loss_forward", "nll_loss_forward",
    (ins In:$self, In:$target, MaybeIn:$weight, I64Attr:$reduction, I64Attr:$ignore_index),
    (outs Out:$output, Out:$total_weight),
    "$self `,` $target (`weight` $weight^ `:` type($weight))? attr-dict `:` type($self) `,` type($target)">;
defm NllLossBackward : Operator<"nll_loss_backward", "nll_loss_backward",
    (ins In:$grad_output, In:$self, In:$target, MaybeIn:$weight, I64Attr:$reduction, I64Attr:$ignore_index, In:$total_weight),
    (outs Out:$result),
    [{$grad_output `,` $self `,` $target `total` $total_weight (`weight` $weight^ `:` type($weight))? attr-dict
      `:` type($grad_output) `,` type($self) `,` type($target) `,` type($total_weight)}]>;
defm EmbeddingDenseBackward : Operator<"embedding_dense_backward", "embedding_dense_backward",
    (ins In:$grad_output, In:$indices, I64Attr:$num_weights, I64Attr:$padding_idx, BoolAttr:$scale_grad_by_freq)>;
// Spelled by the dense one; gradients are never sparse here.
def Graph_EmbeddingBackwardOp : Graph_Op<"embedding_backward", "embedding_backward"> {
  let arguments = (ins Reads<Graph_Tensor>:$grad, Reads<Graph_Tensor>:$indices, I64Attr:$num_weights, I64Attr:$padding_idx,
                       BoolAttr:$scale_grad_by_freq, BoolAttr:$sparse);
  let results = (outs Allocates<Graph_Tensor>:$result);
}

let strides = "HeadsInside" in
defm ScaledDotProductFlashAttentionForCpuBackward
    : Operator<"_scaled_dot_product_flash_attention_for_cpu_backward", "flash_attention_backward",
    (ins In:$grad_out, In:$query, In:$key, In:$value, In:$out, In:$logsumexp, F64Attr:$dropout_p, BoolAttr:$is_causal,
         MaybeIn:$attn_mask, OptionalAttr<F64Attr>:$scale), (outs Out:$grad_query, Out:$grad_key, Out:$grad_value), [{
    $grad_out `,` $query `,` $key `,` $value `,` $out `,` $logsumexp (`mask` $attn_mask^ `:` type($attn_mask))? attr-dict
    `:` type($grad_out) `,` type($query) `,` type($key) `,` type($value) `,` type($out) `,` type($logsumexp)
  }]>;

// Results: the gradients that `output_mask` asks for, of input, weight and bias in this order.
let strides = "SuggestedBySecond" in
def Graph_NativeGroupNormBackwardOp : Graph_Op<"native_group_norm_backward", "native_group_norm_backward"> {
  let arguments = (ins Reads<Graph_Tensor>:$grad_out, Reads<Graph_Tensor>:$input, Reads<Graph_Tensor>:$mean,
                       Reads<Graph_Tensor>:$rstd, ReadsOptional<Graph_Tensor>:$weight, I64Attr:$N, I64Attr:$C, I64Attr:$HxW,
                       I64Attr:$group, DenseBoolArrayAttr:$output_mask);
  let results = (outs AllocatesVariadic<Graph_Tensor>:$results);
  let assemblyFormat = [{
    $grad_out `,` $input `mean` $mean `rstd` $rstd (`weight` $weight^ `:` type($weight))? attr-dict
    `:` type($grad_out) `,` type($input) `,` type($mean) `,` type($rstd)
  }];
}
let strides = "SuggestedBySecond" in
def Graph_NativeBatchNormBackwardOp
    : Graph_Op<"native_batch_norm_backward", "native_batch_norm_backward", [AttrSizedOperandSegments]> {
  let arguments = (ins Reads<Graph_Tensor>:$grad_out, Reads<Graph_Tensor>:$input, ReadsOptional<Graph_Tensor>:$weight,
                       ReadsOptional<Graph_Tensor>:$running_mean, ReadsOptional<Graph_Tensor>:$running_var,
                       ReadsOptional<Graph_Tensor>:$save_mean, ReadsOptional<Graph_Tensor>:$save_invstd, BoolAttr:$train,
                       F64Attr:$eps, DenseBoolArrayAttr:$output_mask);
  let results = (outs AllocatesVariadic<Graph_Tensor>:$results);
  let assemblyFormat = [{
    $grad_out `,` $input (`weight` $weight^ `:` type($weight))?
    (`running_mean` $running_mean^ `:` type($running_mean))? (`running_var` $running_var^ `:` type($running_var))?
    (`save_mean` $save_mean^ `:` type($save_mean))? (`save_invstd` $save_invstd^ `:` type($save_invstd))?
    attr-dict `:` type($grad_out) `,` type($input)
  }];
}
