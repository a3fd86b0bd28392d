//===- Normalization.td - softmax and norms ----------------------------------------------------------------------===//

let overloads = ["int"] in
defm Softmax   : Operator<"softmax", "softmax", (ins In:$self, I64Attr:$dim, OptionalAttr<TypeAttr>:$dtype)>;
// ATen's internal form: the operand is a float already.
def Graph__softmaxOp : Graph_Op<"_softmax", "softmax"> {
  let arguments = (ins Reads<Graph_Tensor>:$self, I64Attr:$dim, DefaultValuedAttr<BoolAttr, "false">:$half_to_float);
  let results = (outs Allocates<Graph_Tensor>:$result);
}
let overloads = ["int"] in
defm LogSoftmax : Operator<"log_softmax", "softmax", (ins In:$self, I64Attr:$dim, OptionalAttr<TypeAttr>:$dtype)>;
def Graph__log_softmaxOp : Graph_Op<"_log_softmax", "softmax"> {
  let arguments = (ins Reads<Graph_Tensor>:$self, I64Attr:$dim, DefaultValuedAttr<BoolAttr, "false">:$half_to_float);
  let results = (outs Allocates<Graph_Tensor>:$result);
}

defvar layerNormFormat = [{
  $input (`weight` $weight^ `:` type($weight))? (`bias` $bias^ `:` type($bias))? attr-dict `:` type($input)
}];
defm LayerNorm : Operator<"layer_norm", "layer_norm",
    (ins In:$input, DenseI64ArrayAttr:$normalized_shape, MaybeIn:$weight, MaybeIn:$bias,
         DefaultValuedAttr<F64Attr, "1.0e-5">:$eps), (outs Out:$result), layerNormFormat, [AttrSizedOperandSegments]>;
// Results: the normalized tensor, mean and reciprocal standard deviation.
defm NativeLayerNorm : Operator<"native_layer_norm", "native_layer_norm",
    (ins In:$input, DenseI64ArrayAttr:$normalized_shape, MaybeIn:$weight, MaybeIn:$bias, F64Attr:$eps),
    (outs Out:$output, Out:$mean, Out:$rstd), layerNormFormat, [AttrSizedOperandSegments]>;
// eps is the least positive number of the dtype's default where absent: eager's epsilon.
let strides = "Scaled" in
defm RmsNorm : Operator<"rms_norm", "rms_norm",
    (ins In:$input, DenseI64ArrayAttr:$normalized_shape, MaybeIn:$weight, OptionalAttr<F64Attr>:$eps), (outs Out:$result),
    "$input (`weight` $weight^ `:` type($weight))? attr-dict `:` type($input)">;

//===- Over channels: dimension 1 -------------------------------------------------------------------------------===//

defvar statisticsFormat = [{
  $input (`weight` $weight^ `:` type($weight))? (`bias` $bias^ `:` type($bias))?
  (`running_mean` $running_mean^ `:` type($running_mean))? (`running_var` $running_var^ `:` type($running_var))?
  attr-dict `:` type($input)
}];
class Graph_BatchNormOp<string mnemonic, string rule, dag attrs, dag outs_> : Graph_Op<mnemonic, rule, [AttrSizedOperandSegments]> {
  let strides = "BatchNorm";
  let arguments = !con((ins Reads<Graph_Tensor>:$input, ReadsOptional<Graph_Tensor>:$weight, ReadsOptional<Graph_Tensor>:$bias,
                            WritesOptional<Graph_Tensor>:$running_mean, WritesOptional<Graph_Tensor>:$running_var), attrs);
  let results = Allocating<outs_>.args;
  let assemblyFormat = statisticsFormat;
}
defvar batchNorms = (outs Out:$output, Out:$save_mean, Out:$save_invstd);
defvar batchNormAttrs = (ins BoolAttr:$training, F64Attr:$momentum, F64Attr:$eps);
// With `training` the statistics are the batch's, and the running ones move towards them.
def Graph_NativeBatchNormOp : Graph_BatchNormOp<"native_batch_norm", "batch_norm", batchNormAttrs, batchNorms>;
let overloads = ["", "no_stats"] in
def Graph__native_batch_norm_legitOp : Graph_BatchNormOp<"_native_batch_norm_legit", "batch_norm", batchNormAttrs, batchNorms>;
let strides = "BatchNorm" in
def Graph__native_batch_norm_legit_no_trainingOp
    : Graph_Op<"_native_batch_norm_legit_no_training", "batch_norm", [AttrSizedOperandSegments]> {
  let arguments = (ins Reads<Graph_Tensor>:$input, ReadsOptional<Graph_Tensor>:$weight, ReadsOptional<Graph_Tensor>:$bias,
                       Reads<Graph_Tensor>:$running_mean, Reads<Graph_Tensor>:$running_var, F64Attr:$momentum, F64Attr:$eps);
  let results = Allocating<batchNorms>.args;
  let assemblyFormat = [{
    $input (`weight` $weight^ `:` type($weight))? (`bias` $bias^ `:` type($bias))? `running_mean` $running_mean
    `running_var` $running_var attr-dict `:` type($input) `,` type($running_mean) `,` type($running_var)
  }];
}
def Graph_BatchNormOp_ : Graph_BatchNormOp<"batch_norm", "batch_norm",
    !con(batchNormAttrs, (ins BoolAttr:$cudnn_enabled)), (outs Out:$result)>;
// Each image has statistics of its own where `use_input_stats` is set.
let strides = "Contiguous" in
def Graph_InstanceNormOp : Graph_BatchNormOp<"instance_norm", "instance_norm",
    (ins BoolAttr:$use_input_stats, F64Attr:$momentum, F64Attr:$eps, BoolAttr:$cudnn_enabled), (outs Out:$result)>;
let strides = "BatchNorm" in
def Functional_NativeBatchNormOp : Functional_Op<"native_batch_norm", "batch_norm", [AttrSizedOperandSegments]> {
  let summary = "batch norm of all kinds: `running` are the running statistics after it, where `training` moves them";
  let arguments = Valued<!con((ins In:$input, MaybeIn:$weight, MaybeIn:$bias, MaybeIn:$running_mean, MaybeIn:$running_var),
                              batchNormAttrs)>.args;
  let results = Valued<!con(batchNorms, (outs ListOut:$running))>.args;
  let assemblyFormat = statisticsFormat;
}
// N, C and HxW are the sizes of the input: images, channels, elements of a channel.
let strides = "Suggested" in
defm NativeGroupNorm : Operator<"native_group_norm", "native_group_norm",
    (ins In:$input, MaybeIn:$weight, MaybeIn:$bias, I64Attr:$N, I64Attr:$C, I64Attr:$HxW, I64Attr:$group, F64Attr:$eps),
    (outs Out:$output, Out:$mean, Out:$rstd), layerNormFormat, [AttrSizedOperandSegments]>;
let strides = "Suggested" in
def Graph_GroupNormOp : Graph_Op<"group_norm", "group_norm", [AttrSizedOperandSegments]> {
  let arguments = (ins Reads<Graph_Tensor>:$input, I64Attr:$num_groups, ReadsOptional<Graph_Tensor>:$weight,
                       ReadsOptional<Graph_Tensor>:$bias, DefaultValuedAttr<F64Attr, "1.0e-5">:$eps,
                       DefaultValuedAttr<BoolAttr, "true">:$cudnn_enabled);
  let results = (outs Allocates<Graph_Tensor>:$result);
  let assemblyFormat = layerNormFormat;
}

// Weights as directions and lengths: `v * (g / norm of v)`, where the norm leaves `dim` alone. The second result of the
// interface is the norm.
defvar directions = (ins Reads<Graph_Tensor>:$v, Reads<Graph_Tensor>:$g, DefaultValuedAttr<I64Attr, "0">:$dim);
def Graph_WeightNormOp : Graph_Op<"_weight_norm", "weight_norm"> {
  let arguments = directions;
  let results = (outs Allocates<Graph_Tensor>:$result);
}
def Graph_WeightNormInterfaceOp : Graph_Op<"_weight_norm_interface", "weight_norm"> {
  let arguments = directions;
  let results = (outs Allocates<Graph_Tensor>:$result, Allocates<Graph_Tensor>:$norm);
}
def Graph_WeightNormInterfaceBackwardOp : Graph_Op<"_weight_norm_interface_backward", "weight_norm_backward"> {
  let arguments = (ins Reads<Graph_Tensor>:$grad_w, Reads<Graph_Tensor>:$saved_v, Reads<Graph_Tensor>:$saved_g,
                       Reads<Graph_Tensor>:$saved_norms, I64Attr:$dim);
  let results = (outs Allocates<Graph_Tensor>:$grad_v, Allocates<Graph_Tensor>:$grad_g);
}
