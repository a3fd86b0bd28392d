//===- Prims.td - operators of other namespaces than ATen's -----------------------------------------------------===//
//
// `prims` is what PyTorch's tracing decomposes into; `transformers` registers operators of its own. Operators that ATen has
// under another name are synonyms.
//
//===------------------------------------------------------------------------------------------------------------===//

let schemaNamespace = "prims" in {
// Numbers from `start` by `step`, integers.
def Graph_PrimsIotaOp : Graph_Op<"prims.iota", "iota"> {
  let summary = "`length` numbers from `start` by `step`";
  let arguments = (ins I64Attr:$length, I64Attr:$start, I64Attr:$step, TypeAttr:$dtype, OptionalAttr<StrAttr>:$device);
  let results = (outs Allocates<Graph_Tensor>:$result);
  let assemblyFormat = "attr-dict";
}
// a * b + c, rounded once.
let strides = "Fma" in
defm PrimsFma : Operator<"prims.fma", "fma", (ins In:$a, In:$b, In:$c)>;

// The largest elements of windows over two or three dimensions, whose places count within their windows, as i8; and what turns these
// into places of the image or the volume.
defvar lists = (ins DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$padding, DenseI64ArrayAttr:$dilation);
let strides = "Pooling" in
def Graph_PrimsLowMemoryMaxPoolWithOffsetsOp
    : Graph_Op<"prims._low_memory_max_pool_with_offsets", "max_pool_with_offsets"> {
  let arguments = !con((ins Reads<Graph_Tensor>:$self, DenseI64ArrayAttr:$kernel_size), lists, (ins BoolAttr:$ceil_mode));
  let results = (outs Allocates<Graph_Tensor>:$result, Allocates<Graph_Tensor>:$offsets);
}
let strides = "Like" in
def Graph_PrimsLowMemoryMaxPoolOffsetsToIndicesOp
    : Graph_Op<"prims._low_memory_max_pool_offsets_to_indices", "max_pool_offsets_to_indices"> {
  let arguments = !con((ins Reads<Graph_Tensor>:$self, DenseI64ArrayAttr:$kernel_size, DenseI64ArrayAttr:$input_size), lists);
  let results = (outs Allocates<Graph_Tensor>:$result);
}
}

// Rows in groups, each group times a matrix of its own; `offs` says where each group ends.
let schemaNamespace = "transformers", elements = "ByDtype" in {
defm GroupedMmFallback : Operator<"transformers.grouped_mm_fallback", "grouped_mm", (ins In:$input, In:$weight, In:$offs)>;
let strides = "LikeEach" in
defm GroupedMmFallbackBackward : Operator<"transformers.grouped_mm_fallback_backward", "grouped_mm_backward",
    (ins In:$input, In:$weight, In:$offs, In:$grad_output), (outs Out:$grad_input, Out:$grad_weight)>;
}
