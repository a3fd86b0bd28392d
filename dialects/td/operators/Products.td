//===- Products.td - matrix products and convolution ------------------------------------------------------------===//

defm Mm     : Operator<"mm", "mm", (ins In:$self, In:$mat2)>;
defm Bmm    : Operator<"bmm", "bmm", (ins In:$self, In:$mat2)>;
defm Linear : Operator<"linear", "linear", (ins In:$input, In:$weight, MaybeIn:$bias), (outs Out:$result),
                       "$input `,` $weight (`bias` $bias^)? attr-dict `:` type($input) `,` type($weight) (`,` type($bias)^)?">;

// beta * self + alpha * (mat1 @ mat2), self broadcast. A `beta` of 0 ignores self, nan included.
def Graph_AddmmOp : Graph_Op<"addmm", "addmm", [AttrSizedOperandSegments]> {
  let summary = "`beta * self + alpha * (mat1 @ mat2)`; both numbers are 1 where absent";
  let arguments = (ins Reads<Graph_Tensor>:$self, Reads<Graph_Tensor>:$mat1, Reads<Graph_Tensor>:$mat2,
                       Optional<Graph_Scalar>:$beta, Optional<Graph_Scalar>:$alpha);
  let results = (outs Allocates<Graph_Tensor>:$result);
  let assemblyFormat = [{
    $self `,` $mat1 `,` $mat2 (`beta` $beta^ `:` type($beta))? (`alpha` $alpha^ `:` type($alpha))? attr-dict
    `:` type($self) `,` type($mat1) `,` type($mat2)
  }];
}

defm Convolution : Operator<"convolution", "convolution",
    (ins In:$input, In:$weight, MaybeIn:$bias, DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$padding,
         DenseI64ArrayAttr:$dilation, DefaultValuedAttr<BoolAttr, "false">:$transposed,
         DenseI64ArrayAttr:$output_padding, DefaultValuedAttr<I64Attr, "1">:$groups), (outs Out:$result),
    "$input `,` $weight (`bias` $bias^)? attr-dict `:` type($input) `,` type($weight) (`,` type($bias)^)?">;
