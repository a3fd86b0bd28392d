//===- Losses.td - distances from targets, and their gradients --------------------------------------------------===//
//
// `reduction` is 0 for none, 1 for the mean, 2 for the sum. Only graph has these: mutation removal spells them with others.

class Graph_LossOp<string mnemonic, string rule, dag rest = (ins), string format = defaultFormat, list<Trait> traits = []>
    : Graph_Op<mnemonic, rule, traits> {
  let arguments = !con((ins Reads<Graph_Tensor>:$self, Reads<Graph_Tensor>:$target), rest);
  let results = (outs Allocates<Graph_Tensor>:$result);
  let assemblyFormat = format;
}
defvar reduces = (ins DefaultValuedAttr<I64Attr, "1">:$reduction);
defvar weightedFormat = "$self `,` $target (`weight` $weight^ `:` type($weight))? attr-dict `:` type($self) `,` type($target)";
defvar weighted = !con((ins ReadsOptional<Graph_Tensor>:$weight), reduces);

let strides = "Loss", devices = ["Number"] in {
def Graph_MseLossOp      : Graph_LossOp<"mse_loss", "loss", reduces>;
def Graph_L1LossOp       : Graph_LossOp<"l1_loss", "loss", reduces>;
def Graph_SmoothL1LossOp : Graph_LossOp<"smooth_l1_loss", "loss", !con(reduces, (ins DefaultValuedAttr<F64Attr, "1.0">:$beta))>;
def Graph_KlDivOp        : Graph_LossOp<"kl_div", "loss", !con(reduces, (ins DefaultValuedAttr<BoolAttr, "false">:$log_target))>;
}
let strides = "Loss" in {
def Graph_HuberLossOp    : Graph_LossOp<"huber_loss", "loss", !con(reduces, (ins DefaultValuedAttr<F64Attr, "1.0">:$delta))>;
def Graph_BinaryCrossEntropyOp : Graph_LossOp<"binary_cross_entropy", "binary_cross_entropy", weighted, weightedFormat>;
def Graph_BinaryCrossEntropyWithLogitsOp
    : Graph_LossOp<"binary_cross_entropy_with_logits", "binary_cross_entropy_with_logits",
                   !con((ins ReadsOptional<Graph_Tensor>:$weight, ReadsOptional<Graph_Tensor>:$pos_weight), reduces), [{
    $self `,` $target (`weight` $weight^ `:` type($weight))? (`pos_weight` $pos_weight^ `:` type($pos_weight))? attr-dict
    `:` type($self) `,` type($target)
  }], [AttrSizedOperandSegments]>;
}

// What `binary_cross_entropy` takes for probabilities.
let strides = "Like" in
let elements = "Moved" in
def Functional_WithinOp : Functional_Op<"within", "same", [RustVerify]> {
  let summary = "its operand, of which all elements have to be between two numbers";
  let description = [{
    ```mlir
    %0 = functional.within %x {low = 0.0 : f64, high = 1.0 : f64, message = "expects probabilities"} : tensor<4xf32>
    ```
    The program ends with the message where an element is below `low`, above `high`, or nan.
  }];
  let arguments = (ins Terrace_Tensor:$self, F64Attr:$low, F64Attr:$high, StrAttr:$message);
  let results = (outs Terrace_Tensor:$result);
}

// Of classes: `self` has them in dimension 1, or in its only one.
defvar classes = !con(weighted, (ins DefaultValuedAttr<I64Attr, "-100">:$ignore_index));
def Graph_NllLossOp   : Graph_LossOp<"nll_loss", "nll_loss", classes, weightedFormat>;
def Graph_NllLossNdOp : Graph_LossOp<"nll_loss_nd", "nll_loss_nd", classes, weightedFormat>;
def Graph_CrossEntropyLossOp : Graph_LossOp<"cross_entropy_loss", "cross_entropy_loss",
    !con(classes, (ins DefaultValuedAttr<F64Attr, "0.0">:$label_smoothing)), weightedFormat>;
// Of a class per element of an image.
def Graph_NllLoss2dForwardOp : Graph_LossOp<"nll_loss2d_forward", "nll_loss2d_forward",
    (ins ReadsOptional<Graph_Tensor>:$weight, I64Attr:$reduction, I64Attr:$ignore_index), weightedFormat> {
  let results = (outs Allocates<Graph_Tensor>:$output, Allocates<Graph_Tensor>:$total_weight);
}
def Graph_NllLoss2dBackwardOp : Graph_Op<"nll_loss2d_backward", "nll_loss2d_backward"> {
  let arguments = (ins Reads<Graph_Tensor>:$grad_output, Reads<Graph_Tensor>:$self, Reads<Graph_Tensor>:$target,
                       ReadsOptional<Graph_Tensor>:$weight, I64Attr:$reduction, I64Attr:$ignore_index,
                       Reads<Graph_Tensor>:$total_weight);
  let results = (outs Allocates<Graph_Tensor>:$result);
  let assemblyFormat = [{
    $grad_output `,` $self `,` $target `total` $total_weight (`weight` $weight^ `:` type($weight))? attr-dict
    `:` type($grad_output) `,` type($self) `,` type($target) `,` type($total_weight)
  }];
}

class Graph_LossBackwardOp<string mnemonic, string rule, dag rest, string format = defaultFormat> : Graph_Op<mnemonic, rule> {
  let arguments = !con((ins Reads<Graph_Tensor>:$grad_output, Reads<Graph_Tensor>:$self, Reads<Graph_Tensor>:$target), rest);
  let results = (outs Allocates<Graph_Tensor>:$result);
  let assemblyFormat = format;
}
def Graph_MseLossBackwardOp : Graph_LossBackwardOp<"mse_loss_backward", "loss_backward", (ins I64Attr:$reduction)>;
def Graph_SmoothL1LossBackwardOp : Graph_LossBackwardOp<"smooth_l1_loss_backward", "loss_backward", (ins I64Attr:$reduction, F64Attr:$beta)>;
def Graph_HuberLossBackwardOp : Graph_LossBackwardOp<"huber_loss_backward", "loss_backward", (ins I64Attr:$reduction, F64Attr:$delta)>;
let strides = "LikeSecond" in
def Graph_BinaryCrossEntropyBackwardOp
    : Graph_LossBackwardOp<"binary_cross_entropy_backward", "binary_cross_entropy_backward", weighted, [{
    $grad_output `,` $self `,` $target (`weight` $weight^ `:` type($weight))? attr-dict
    `:` type($grad_output) `,` type($self) `,` type($target)
  }]>;
