//===- Indexing.td - elements chosen by tensors of indices; joining -----------------------------------------------===//

defm Embedding : Operator<"embedding", "embedding",
    (ins In:$weight, In:$indices, DefaultValuedAttr<I64Attr, "-1">:$padding_idx,
         DefaultValuedAttr<BoolAttr, "false">:$scale_grad_by_freq, DefaultValuedAttr<BoolAttr, "false">:$sparse)>;
// `present[d]`: whether dimension d has an index tensor (the list of ATen holds None where not).
let overloads = ["Tensor"] in
defm Index : Operator<"index", "index", (ins In:$self, ListIn:$indices, DenseBoolArrayAttr:$present), (outs Out:$result),
    "$self `[` $indices `]` attr-dict `:` type($self) `[` type($indices) `]`">;
defm Cat : Operator<"cat", "cat", (ins ListIn:$tensors, DefaultValuedAttr<I64Attr, "0">:$dim)>;
