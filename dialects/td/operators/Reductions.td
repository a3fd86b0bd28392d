//===- Reductions.td - fewer elements out of many ---------------------------------------------------------------===//
//
// Without `dim`: over all dimensions.

let overloads = ["", "dim_IntList"] in
defm Sum  : Operator<"sum", "sum", (ins In:$self, OptionalAttr<DenseI64ArrayAttr>:$dim,
                                        DefaultValuedAttr<BoolAttr, "false">:$keepdim, OptionalAttr<TypeAttr>:$dtype)>;
let overloads = ["", "dim"] in
defm Mean : Operator<"mean", "mean", (ins In:$self, OptionalAttr<DenseI64ArrayAttr>:$dim,
                                        DefaultValuedAttr<BoolAttr, "false">:$keepdim, OptionalAttr<TypeAttr>:$dtype)>;
defm Amax : Operator<"amax", "amax", (ins In:$self, OptionalAttr<DenseI64ArrayAttr>:$dim,
                                        DefaultValuedAttr<BoolAttr, "false">:$keepdim)>;
let overloads = ["", "dim", "dims"] in
defm Any  : Operator<"any", "any", (ins In:$self, OptionalAttr<DenseI64ArrayAttr>:$dim,
                                        DefaultValuedAttr<BoolAttr, "false">:$keepdim)>;
