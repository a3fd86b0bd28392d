//===- Scatters.td - elements read, written and summed at indices that are tensors --------------------------------===//
//
// `index` has, for each of its elements, the place along `dim`; the other places are the element's own.

defm Gather : Operator<"gather", "gather",
    (ins In:$self, I64Attr:$dim, In:$index, DefaultValuedAttr<BoolAttr, "false">:$sparse_grad)>;
let elements = "Moved" in
defm ScatterSrc   : Replacing<"scatter", "scatter", (ins I64Attr:$dim, In:$index, In:$src), "src">;
defm ScatterValue : GraphReplacing<"scatter", "scatter", (ins I64Attr:$dim, In:$index, Graph_Scalar:$value), "value">;
defm ScatterAdd   : Replacing<"scatter_add", "scatter", (ins I64Attr:$dim, In:$index, In:$src)>;
// `reduce` is add or multiply.
defm ScatterByReduce      : GraphReplacing<"scatter", "scatter_by", (ins I64Attr:$dim, In:$index, In:$src, StrAttr:$reduce), "reduce">;
defm ScatterByValueReduce : GraphReplacing<"scatter", "scatter_by", (ins I64Attr:$dim, In:$index, Graph_Scalar:$value, StrAttr:$reduce),
                                           "value_reduce">;
// `reduce` is sum, prod, mean, amax or amin.
defm ScatterReduce : Replacing<"scatter_reduce", "scatter_reduce",
    (ins I64Attr:$dim, In:$index, In:$src, StrAttr:$reduce, DefaultValuedAttr<BoolAttr, "true">:$include_self), "two">;

// `index` is a vector of places along `dim`.
def Graph_IndexSelectOp : Graph_Op<"index_select", "index_select"> {
  let arguments = (ins Reads<Graph_Tensor>:$self, I64Attr:$dim, Reads<Graph_Tensor>:$index);
  let results = (outs Allocates<Graph_Tensor>:$result);
}
defm IndexCopy : GraphReplacing<"index_copy", "index_copy", (ins I64Attr:$dim, In:$index, In:$source)>;
defm IndexAdd  : GraphReplacing<"index_add", "index_add",
    (ins I64Attr:$dim, In:$index, In:$source, Optional<Graph_Scalar>:$alpha), "", [{
      $self `,` $index `,` $source (`alpha` $alpha^ `:` type($alpha))? attr-dict
      `:` type($self) `,` type($index) `,` type($source)
    }]>;
let overloads = ["int_Scalar", "int_Tensor"], strides = "Like", devices = ["There", "There", "Anywhere"] in
defm IndexFill : GraphReplacing<"index_fill", "index_fill",
    (ins I64Attr:$dim, In:$index, Reads<Graph_TensorOrScalar>:$value)>;

// Elements in the order of the source, one for each place where the mask holds.
defm MaskedScatter : GraphReplacing<"masked_scatter", "masked_scatter", (ins In:$mask, In:$source)>;
// Places among all elements in row-major order.
let strides = "Like" in
defm Put : GraphReplacing<"put", "put", (ins In:$index, In:$source, DefaultValuedAttr<BoolAttr, "false">:$accumulate)>;
def Graph_TakeOp : Graph_Op<"take", "take"> {
  let arguments = (ins Reads<Graph_Tensor>:$self, Reads<Graph_Tensor>:$index);
  let results = (outs Allocates<Graph_Tensor>:$result);
}

// Places as those of `index`; what is added twice counts twice with `accumulate`.
let strides = "Like", devices = ["There", "Index", "Value"] in
defm IndexPut : Replacing<"index_put", "index_put",
    (ins ListIn:$indices, DenseBoolArrayAttr:$present, In:$values, DefaultValuedAttr<BoolAttr, "false">:$accumulate), "",
    "$self `[` $indices `]` `,` $values attr-dict `:` type($self) `[` type($indices) `]` `,` type($values)">;
let overloads = ["Tensor"], strides = "Index", devices = ["There", "Index"] in
def Graph__unsafe_indexOp : Graph_Op<"_unsafe_index", "unsafe_index"> {
  let arguments = (ins Reads<Graph_Tensor>:$self, ReadsVariadic<Graph_Tensor>:$indices, DenseBoolArrayAttr:$present);
  let results = (outs Allocates<Graph_Tensor>:$result);
  let assemblyFormat = "$self `[` $indices `]` attr-dict `:` type($self) `[` type($indices) `]`";
}
// Adds the values where the mask holds; indices out of range count as the nearest in it.
let strides = "Like", devices = ["There", "There", "Index", "Value"] in
def Graph__unsafe_masked_index_put_accumulateOp
    : Graph_Op<"_unsafe_masked_index_put_accumulate", "masked_index_put_accumulate"> {
  let arguments = (ins Reads<Graph_Tensor>:$self, Reads<Graph_Tensor>:$mask, ReadsVariadic<Graph_Tensor>:$indices,
                       DenseBoolArrayAttr:$present, Reads<Graph_Tensor>:$values);
  let results = (outs Allocates<Graph_Tensor>:$result);
  let assemblyFormat = [{
    $self `,` $mask `[` $indices `]` `,` $values attr-dict
    `:` type($self) `,` type($mask) `[` type($indices) `]` `,` type($values)
  }];
}
