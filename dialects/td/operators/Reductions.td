//===- Reductions.td - fewer elements out of many ---------------------------------------------------------------===//
//
// Without `dim`: over all dimensions.

let overloads = ["", "dim_IntList"] in
defm Sum  : Operator<"sum", "sum", (ins In:$self, OptionalAttr<DenseI64ArrayAttr>:$dim,
                                        DefaultValuedAttr<BoolAttr, "false">:$keepdim, OptionalAttr<TypeAttr>:$dtype)>;
let overloads = ["", "dim"] in
defm Mean : Operator<"mean", "mean", (ins In:$self, OptionalAttr<DenseI64ArrayAttr>:$dim,
                                        DefaultValuedAttr<BoolAttr, "false">:$keepdim, OptionalAttr<TypeAttr>:$dtype)>;
let kernel = "max_values_cpu", complex = 0 in
defm Amax : Operator<"amax", "amax", (ins In:$self, OptionalAttr<DenseI64ArrayAttr>:$dim,
                                        DefaultValuedAttr<BoolAttr, "false">:$keepdim)>;
let overloads = ["", "dim", "dims"] in
defm Any  : Operator<"any", "any", (ins In:$self, OptionalAttr<DenseI64ArrayAttr>:$dim,
                                        DefaultValuedAttr<BoolAttr, "false">:$keepdim)>;
let overloads = ["", "dim", "dims"] in
defm All  : Operator<"all", "any", (ins In:$self, OptionalAttr<DenseI64ArrayAttr>:$dim,
                                        DefaultValuedAttr<BoolAttr, "false">:$keepdim)>;
let overloads = ["", "dim_int"] in
defm Prod : Operator<"prod", "prod", (ins In:$self, OptionalAttr<DenseI64ArrayAttr>:$dim,
                                          DefaultValuedAttr<BoolAttr, "false">:$keepdim, OptionalAttr<TypeAttr>:$dtype)>;
let kernel = "min_values_cpu", complex = 0 in
defm Amin : Operator<"amin", "amin", (ins In:$self, OptionalAttr<DenseI64ArrayAttr>:$dim,
                                          DefaultValuedAttr<BoolAttr, "false">:$keepdim)>;

// Both, over one dimension or all.
def Graph_AminmaxOp : Graph_Op<"aminmax", "aminmax"> {
  let arguments = Allocating<(ins In:$self, OptionalAttr<I64Attr>:$dim, DefaultValuedAttr<BoolAttr, "false">:$keepdim)>.args;
  let results = (outs Allocates<Graph_Tensor>:$min, Allocates<Graph_Tensor>:$max);
}

// As many elements: each combines those up to its place along a dimension.
multiclass Cumulative<string name> {
  defvar attrs = (ins I64Attr:$dim, OptionalAttr<TypeAttr>:$dtype);
  defm "" : Operator<name, "cumulative", !con((ins In:$self), attrs)>;
  def Graph_#NAME#_Op : Graph_InPlaceOp<name # "_", "cumulative_in_place", !con((ins Writes<Graph_Tensor>:$self), attrs)>;
}
let kernel = "cumsum_out_cpu" in
defm Cumsum  : Cumulative<"cumsum">;
let kernel = "cumprod_out_cpu" in
defm Cumprod : Cumulative<"cumprod">;
let kernel = "logcumsumexp_out_cpu" in
defm Logcumsumexp : Operator<"logcumsumexp", "cumulative_float", (ins In:$self, I64Attr:$dim)>;
