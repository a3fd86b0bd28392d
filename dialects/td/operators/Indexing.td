//===- Indexing.td - elements chosen by tensors of indices; joining -----------------------------------------------===//

let elements = "Moved" in
defm Embedding : Operator<"embedding", "embedding",
    (ins In:$weight, In:$indices, DefaultValuedAttr<I64Attr, "-1">:$padding_idx,
         DefaultValuedAttr<BoolAttr, "false">:$scale_grad_by_freq, DefaultValuedAttr<BoolAttr, "false">:$sparse)>;
// `present[d]`: whether dimension d has an index tensor (the list of ATen holds None where not).
let overloads = ["Tensor"], strides = "Index", devices = ["There", "Index"] in
let elements = "Moved" in
defm Index : Operator<"index", "index", (ins In:$self, ListIn:$indices, DenseBoolArrayAttr:$present), (outs Out:$result),
    "$self `[` $indices `]` attr-dict `:` type($self) `[` type($indices) `]`">;
let strides = "Cat" in
let elements = "Moved" in
defm Cat : Operator<"cat", "cat", (ins ListIn:$tensors, DefaultValuedAttr<I64Attr, "0">:$dim)>;

// Rows reduced by bags: `mode` is 0 for the sum, 1 for the mean, 2 for the largest elements. Where each bag begins stands in
// `offsets`, with `include_last_offset` also where the last ends.
defvar bagAttrs = (ins DefaultValuedAttr<BoolAttr, "false">:$scale_grad_by_freq, DefaultValuedAttr<I64Attr, "0">:$mode,
                       DefaultValuedAttr<BoolAttr, "false">:$sparse);
defvar bagFormat = [{
  $weight `,` $indices `,` $offsets (`weights` $per_sample_weights^ `:` type($per_sample_weights))? attr-dict
  `:` type($weight) `,` type($indices) `,` type($offsets)
}];
defvar bagResults = (outs Out:$output, Out:$offset2bag, Out:$bag_size, Out:$max_indices);
defvar bagIns = !con((ins In:$weight, In:$indices, In:$offsets), bagAttrs,
                     (ins MaybeIn:$per_sample_weights, DefaultValuedAttr<BoolAttr, "false">:$include_last_offset));
defm _embedding_bag : Operator<"_embedding_bag", "embedding_bag", !con(bagIns, (ins DefaultValuedAttr<I64Attr, "-1">:$padding_idx)),
                               bagResults, bagFormat>;
let overloads = ["", "padding_idx"] in
def Graph_EmbeddingBagOp : Graph_Op<"embedding_bag", "embedding_bag"> {
  let arguments = Allocating<!con(bagIns, (ins OptionalAttr<I64Attr>:$padding_idx))>.args;
  let results = Allocating<bagResults>.args;
  let assemblyFormat = bagFormat;
}
defvar bagGradientFormat = [{
  $grad `,` $indices `,` $offset2bag `,` $bag_size `,` $maximum_indices
  (`weights` $per_sample_weights^ `:` type($per_sample_weights))? attr-dict
  `:` type($grad) `,` type($indices) `,` type($offset2bag) `,` type($bag_size) `,` type($maximum_indices)
}];
defm _embedding_bag_dense_backward : Operator<"_embedding_bag_dense_backward", "embedding_bag_dense_backward",
    (ins In:$grad, In:$indices, In:$offset2bag, In:$bag_size, In:$maximum_indices, I64Attr:$num_weights,
         BoolAttr:$scale_grad_by_freq, I64Attr:$mode, MaybeIn:$per_sample_weights, DefaultValuedAttr<I64Attr, "-1">:$padding_idx),
    (outs Out:$result), bagGradientFormat>;
defm _embedding_bag_backward : Operator<"_embedding_bag_backward", "embedding_bag_backward",
    (ins In:$grad, In:$indices, In:$offsets, In:$offset2bag, In:$bag_size, In:$maximum_indices, I64Attr:$num_weights,
         BoolAttr:$scale_grad_by_freq, I64Attr:$mode, BoolAttr:$sparse, MaybeIn:$per_sample_weights,
         DefaultValuedAttr<I64Attr, "-1">:$padding_idx), (outs Out:$result), [{
  $grad `,` $indices `,` $offsets `,` $offset2bag `,` $bag_size `,` $maximum_indices
  (`weights` $per_sample_weights^ `:` type($per_sample_weights))? attr-dict
  `:` type($grad) `,` type($indices) `,` type($offsets) `,` type($offset2bag) `,` type($bag_size) `,` type($maximum_indices)
}]>;
