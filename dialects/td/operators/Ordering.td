//===- Ordering.td - what compares elements: extremes with their places, sorting, counting -----------------------===//

defvar keepdim = (ins DefaultValuedAttr<BoolAttr, "false">:$keepdim);
// Without `dim`: the place among all elements in row-major order.
let complexRefusal = "argmax(): does not support complex input" in
defm Argmax : Operator<"argmax", "arg_extreme", !con((ins In:$self, OptionalAttr<I64Attr>:$dim), keepdim)>;
let complexRefusal = "argmin(): does not support complex input" in
defm Argmin : Operator<"argmin", "arg_extreme", !con((ins In:$self, OptionalAttr<I64Attr>:$dim), keepdim)>;

multiclass Extreme<string name> {
  // The extreme elements along a dimension, and their places.
  defm Dim : Operator<name # ".dim", "extreme_dim", !con((ins In:$self, I64Attr:$dim), keepdim), (outs Out:$values, Out:$indices)>;
  // Of all elements; of two tensors: functional spells them with others.
  let kernel = name # "_all", complex = 0 in
  def Graph_#NAME#Op : Graph_Op<name, "extreme_all"> {
    let arguments = (ins Reads<Graph_Tensor>:$self);
    let results = (outs Allocates<Graph_Tensor>:$result);
  }
  let strides = "Pointwise", devices = ["Number"], kernel = name # "imum_cpu",
      complexRefusal = name # "imum not implemented for complex tensors." in
  def Graph_#NAME#OtherOp : Graph_Op<name # ".other", "arithmetic"> {
    let arguments = (ins Reads<Graph_Tensor>:$self, Reads<Graph_Tensor>:$other);
    let results = (outs Allocates<Graph_Tensor>:$result);
  }
}
defm Max : Extreme<"max">;
defm Min : Extreme<"min">;
defm Cummax : Operator<"cummax", "cumulative_extreme", (ins In:$self, I64Attr:$dim), (outs Out:$values, Out:$indices)>;
defm Cummin : Operator<"cummin", "cumulative_extreme", (ins In:$self, I64Attr:$dim), (outs Out:$values, Out:$indices)>;

defvar order = (ins DefaultValuedAttr<I64Attr, "-1">:$dim, DefaultValuedAttr<BoolAttr, "false">:$descending);
// Equal elements keep their order, `stable` or not.
let overloads = ["", "stable"] in {
let strides = "Like" in
defm Sort : Operator<"sort", "sort", !con((ins In:$self, OptionalAttr<BoolAttr>:$stable), order), (outs Out:$values, Out:$indices)>;
let strides = "Like" in
def Graph_ArgsortOp : Graph_Op<"argsort", "argsort"> {
  let arguments = !con((ins Reads<Graph_Tensor>:$self, OptionalAttr<BoolAttr>:$stable), order);
  let results = (outs Allocates<Graph_Tensor>:$result);
}
}
defm Topk : Operator<"topk", "topk",
    (ins In:$self, I64Attr:$k, DefaultValuedAttr<I64Attr, "-1">:$dim, DefaultValuedAttr<BoolAttr, "true">:$largest,
         DefaultValuedAttr<BoolAttr, "true">:$sorted), (outs Out:$values, Out:$indices)>;

// How many results there are, the elements decide.
let strides = "Columns" in
let elements = "ByDtype" in
defm Nonzero : Operator<"nonzero", "nonzero", (ins In:$self)>;
let elements = "Moved" in
defm MaskedSelect : Operator<"masked_select", "masked_select", (ins In:$self, In:$mask)>;
let overloads = ["", "dim_IntList"] in
def Graph_CountNonzeroOp : Graph_Op<"count_nonzero", "count_nonzero"> {
  let arguments = (ins Reads<Graph_Tensor>:$self, OptionalAttr<DenseI64ArrayAttr>:$dim);
  let results = (outs Allocates<Graph_Tensor>:$result);
}
let elements = "ByDtype" in
defm Histc : Operator<"histc", "histc",
    (ins In:$self, DefaultValuedAttr<I64Attr, "100">:$bins, Optional<Graph_Scalar>:$min, Optional<Graph_Scalar>:$max),
    (outs Out:$result), "$self (`min` $min^ `:` type($min))? (`max` $max^ `:` type($max))? attr-dict `:` type($self)",
    [AttrSizedOperandSegments]>;
let elements = "ByDtype" in
defm Bincount : Operator<"bincount", "bincount",
    (ins In:$self, MaybeIn:$weights, DefaultValuedAttr<I64Attr, "0">:$minlength), (outs Out:$result),
    "$self (`weights` $weights^ `:` type($weights))? attr-dict `:` type($self)">;

//===- Statistics: functional spells them with others -----------------------------------------------------------===//

defvar correctionFormat = "$self (`correction` $correction^ `:` type($correction))? attr-dict `:` type($self)";
class Graph_VarianceOp<string mnemonic> : Graph_Op<mnemonic, "variance"> {
  let arguments = (ins Reads<Graph_Tensor>:$self, OptionalAttr<DenseI64ArrayAttr>:$dim, Optional<Graph_Scalar>:$correction,
                       DefaultValuedAttr<BoolAttr, "false">:$keepdim);
  let results = (outs Allocates<Graph_Tensor>:$result);
  let assemblyFormat = correctionFormat;
}
// Squared distances from the mean, summed, over their number less `correction`, which is 1 where it is absent.
let overloads = ["correction"] in {
def Graph_VarOp : Graph_VarianceOp<"var">;
def Graph_StdOp : Graph_VarianceOp<"std">;
def Graph_VarMeanOp : Graph_VarianceOp<"var_mean"> {
  let results = (outs Allocates<Graph_Tensor>:$variance, Allocates<Graph_Tensor>:$mean);
}
}
def Graph_LogsumexpOp : Graph_Op<"logsumexp", "logsumexp"> {
  let arguments = (ins Reads<Graph_Tensor>:$self, DenseI64ArrayAttr:$dim, DefaultValuedAttr<BoolAttr, "false">:$keepdim);
  let results = (outs Allocates<Graph_Tensor>:$result);
}
def Graph_LinalgVectorNormOp : Graph_Op<"linalg_vector_norm", "vector_norm"> {
  let arguments = (ins Reads<Graph_Tensor>:$self, Optional<Graph_Scalar>:$ord, OptionalAttr<DenseI64ArrayAttr>:$dim,
                       DefaultValuedAttr<BoolAttr, "false">:$keepdim, OptionalAttr<TypeAttr>:$dtype);
  let results = (outs Allocates<Graph_Tensor>:$result);
  let assemblyFormat = "$self (`ord` $ord^ `:` type($ord))? attr-dict `:` type($self)";
}
