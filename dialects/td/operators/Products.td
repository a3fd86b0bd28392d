//===- Products.td - matrix products and convolution ------------------------------------------------------------===//

defm Mm     : Operator<"mm", "mm", (ins In:$self, In:$mat2)>;
defm Bmm    : Operator<"bmm", "bmm", (ins In:$self, In:$mat2)>;
defm Linear : Operator<"linear", "linear", (ins In:$input, In:$weight, MaybeIn:$bias), (outs Out:$result),
                       "$input `,` $weight (`bias` $bias^)? attr-dict `:` type($input) `,` type($weight) (`,` type($bias)^)?">;

// Products of groups. `offs` says where each group ends: of rows beside a batch of matrices, of columns behind one, or of what is summed over
// where both are matrices; two batches have none.
let strides = "GroupedProduct", elements = "ByDtype" in
defm GroupedMm : Operator<"_grouped_mm", "grouped_product",
    (ins In:$self, In:$mat2, MaybeIn:$offs, MaybeIn:$bias, OptionalAttr<TypeAttr>:$out_dtype), (outs Out:$result), [{
  $self `,` $mat2 (`offs` $offs^ `:` type($offs))? (`bias` $bias^ `:` type($bias))? attr-dict `:` type($self) `,` type($mat2)
}], [AttrSizedOperandSegments]>;

// Spelled by others in functional.
class Graph_ProductOp<string mnemonic, dag args> : Graph_Op<mnemonic, mnemonic> {
  let arguments = args;
  let results = (outs Allocates<Graph_Tensor>:$result);
}
def Graph_MatmulOp : Graph_ProductOp<"matmul", (ins Reads<Graph_Tensor>:$self, Reads<Graph_Tensor>:$other)>;
def Graph_MvOp     : Graph_ProductOp<"mv", (ins Reads<Graph_Tensor>:$self, Reads<Graph_Tensor>:$vec)>;
def Graph_DotOp    : Graph_ProductOp<"dot", (ins Reads<Graph_Tensor>:$self, Reads<Graph_Tensor>:$tensor)>;
def Graph_VdotOp   : Graph_ProductOp<"vdot", (ins Reads<Graph_Tensor>:$self, Reads<Graph_Tensor>:$other)>;
let strides = "Outer" in
def Graph_OuterOp  : Graph_ProductOp<"outer", (ins Reads<Graph_Tensor>:$self, Reads<Graph_Tensor>:$vec2)>;
// Of one tensor of which nothing is summed it is a view.
let aliases = 0, strides = "Einsum" in
def Graph_EinsumOp : Graph_AliasOrCopyOp<"einsum", "einsum", (ins StrAttr:$equation, Variadic<Graph_Tensor>:$tensors,
                                                                  OptionalAttr<DenseI64ArrayAttr>:$path),
                                         "$equation `,` $tensors attr-dict `:` type($tensors)"> {
  let summary = "sums of products, by an equation such as \"bij,bjk->bik\"; `path` says in which order, not what";
}
let strides = "Bilinear" in
def Graph_BilinearOp : Graph_ProductOp<"bilinear", (ins Reads<Graph_Tensor>:$input1, Reads<Graph_Tensor>:$input2,
                                                        Reads<Graph_Tensor>:$weight, ReadsOptional<Graph_Tensor>:$bias)>;

// beta * self + alpha * (a @ b), self broadcast. A `beta` of 0 ignores self, nan included.
multiclass AddProduct<string name, string a, string b> {
  defvar format = "$self `,` $" # a # " `,` $" # b # " (`beta` $beta^ `:` type($beta))? (`alpha` $alpha^ `:` type($alpha))? attr-dict "
                  "`:` type($self) `,` type($" # a # ") `,` type($" # b # ")";
  defvar rest = !con(!dag(ins, [Reads<Graph_Tensor>, Reads<Graph_Tensor>], [a, b]),
                     (ins Optional<Graph_Scalar>:$beta, Optional<Graph_Scalar>:$alpha));
  def Graph_#NAME#Op : Graph_Op<name, name, [AttrSizedOperandSegments]> {
    let summary = "`beta * self + alpha * (" # a # " @ " # b # ")`; both numbers are 1 where absent";
    let arguments = !con((ins Reads<Graph_Tensor>:$self), rest);
    let results = (outs Allocates<Graph_Tensor>:$result);
    let assemblyFormat = format;
  }
  def Graph_#NAME#_Op : Graph_InPlaceOp<name # "_", name # "_in_place", !con((ins Writes<Graph_Tensor>:$self), rest), format,
                                        [AttrSizedOperandSegments]>;
}
defm Addmm   : AddProduct<"addmm", "mat1", "mat2">;
defm Addmv   : AddProduct<"addmv", "mat", "vec">;
defm Baddbmm : AddProduct<"baddbmm", "batch1", "batch2">;
defm Addbmm  : AddProduct<"addbmm", "batch1", "batch2">;

//===- Attention ------------------------------------------------------------------------------------------------===//

defvar attentionFormat = [{
  $query `,` $key `,` $value (`mask` $attn_mask^ `:` type($attn_mask))? attr-dict
  `:` type($query) `,` type($key) `,` type($value)
}];
// softmax(query @ key^T * scale + mask) @ value: a mask of bools says what takes part; scale is 1 / sqrt(E) where absent.
let strides = "Attention" in
defm ScaledDotProductAttention : Operator<"scaled_dot_product_attention", "attention",
    (ins In:$query, In:$key, In:$value, MaybeIn:$attn_mask, DefaultValuedAttr<F64Attr, "0.0">:$dropout_p,
         DefaultValuedAttr<BoolAttr, "false">:$is_causal, OptionalAttr<F64Attr>:$scale,
         DefaultValuedAttr<BoolAttr, "false">:$enable_gqa), (outs Out:$result), attentionFormat>;
// The same, and the logarithm of the sum of the exponentials of each row.
let strides = "FlashAttention" in
defm ScaledDotProductFlashAttentionForCpu : Operator<"_scaled_dot_product_flash_attention_for_cpu", "flash_attention",
    (ins In:$query, In:$key, In:$value, DefaultValuedAttr<F64Attr, "0.0">:$dropout_p,
         DefaultValuedAttr<BoolAttr, "false">:$is_causal, MaybeIn:$attn_mask, OptionalAttr<F64Attr>:$scale),
    (outs Out:$output, Out:$logsumexp), attentionFormat>;

//===- Convolution ----------------------------------------------------------------------------------------------===//

let strides = "Convolution" in
defm Convolution : Operator<"convolution", "convolution",
    (ins In:$input, In:$weight, MaybeIn:$bias, DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$padding,
         DenseI64ArrayAttr:$dilation, DefaultValuedAttr<BoolAttr, "false">:$transposed,
         DenseI64ArrayAttr:$output_padding, DefaultValuedAttr<I64Attr, "1">:$groups), (outs Out:$result),
    "$input `,` $weight (`bias` $bias^)? attr-dict `:` type($input) `,` type($weight) (`,` type($bias)^)?">;

// Spelled by `convolution`. Absent lists are 1, of paddings 0.
defvar convolutionFormat =
    "$input `,` $weight (`bias` $bias^)? attr-dict `:` type($input) `,` type($weight) (`,` type($bias)^)?";
class Graph_ConvolutionOp<string mnemonic, string rule, dag attrs> : Graph_Op<mnemonic, rule> {
  let arguments = !con((ins Reads<Graph_Tensor>:$input, Reads<Graph_Tensor>:$weight, ReadsOptional<Graph_Tensor>:$bias), attrs);
  let results = (outs Allocates<Graph_Tensor>:$result);
  let assemblyFormat = convolutionFormat;
}
defvar List = OptionalAttr<DenseI64ArrayAttr>;
foreach n = ["1", "2", "3"] in {
  let strides = "ConvolutionOfOne" in
  def Graph_Conv#n#dOp : Graph_ConvolutionOp<"conv" # n # "d", "conv",
      (ins List:$stride, List:$padding, List:$dilation, DefaultValuedAttr<I64Attr, "1">:$groups)>;
  // `same` or `valid`.
  let strides = "ConvolutionOfOne" in
  def Graph_Conv#n#dPaddingOp : Graph_ConvolutionOp<"conv" # n # "d.padding", "conv_padding",
      (ins List:$stride, DefaultValuedAttr<StrAttr, "\"valid\"">:$padding, List:$dilation, DefaultValuedAttr<I64Attr, "1">:$groups)>;
  let overloads = !if(!eq(n, "1"), [""], ["input"]), strides = "ConvolutionOfOne" in
  def Graph_ConvTranspose#n#dOp : Graph_ConvolutionOp<"conv_transpose" # n # "d", "conv_transpose",
      (ins List:$stride, List:$padding, List:$output_padding, DefaultValuedAttr<I64Attr, "1">:$groups, List:$dilation)>;
}
