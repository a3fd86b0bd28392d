//===- Reductions.td - fewer elements out of many ---------------------------------------------------------------===//
//
// Without `dim`: over all dimensions.

defm Sum  : Operator<"sum", "sum", (ins In:$self, OptionalAttr<DenseI64ArrayAttr>:$dim,
                                        DefaultValuedAttr<BoolAttr, "false">:$keepdim, OptionalAttr<TypeAttr>:$dtype)>;
defm Mean : Operator<"mean", "mean", (ins In:$self, OptionalAttr<DenseI64ArrayAttr>:$dim,
                                        DefaultValuedAttr<BoolAttr, "false">:$keepdim, OptionalAttr<TypeAttr>:$dtype)>;
defm Amax : Operator<"amax", "amax", (ins In:$self, OptionalAttr<DenseI64ArrayAttr>:$dim,
                                        DefaultValuedAttr<BoolAttr, "false">:$keepdim)>;
defm Any  : Operator<"any", "any", (ins In:$self, OptionalAttr<DenseI64ArrayAttr>:$dim,
                                        DefaultValuedAttr<BoolAttr, "false">:$keepdim)>;
