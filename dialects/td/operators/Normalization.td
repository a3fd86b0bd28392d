//===- Normalization.td - softmax and layer norm ----------------------------------------------------------------===//

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
