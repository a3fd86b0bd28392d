//===- Metadata.td - what changes the sizes, strides or storage of a tensor object --------------------------------===//
//
// A value is immutable, so the result is a new view, which later uses of the tensor name; the operand stands for the tensor
// no longer, and a later use of it is refused. Other views of the storage stay as they are. No element is written, but the
// tensor object is, so that no pass takes the operation out, twice, or past another.
//
//===------------------------------------------------------------------------------------------------------------===//

class Graph_MetadataOp<string mnemonic, string rule, dag rest = (ins), string format = defaultFormat, list<Trait> traits = []>
    : Graph_Op<mnemonic, rule, !listconcat([RustVerify], traits)> {
  let arguments = !con((ins Writes<Graph_Tensor>:$self), rest);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = format;
  bit aliases = 1;
}
let strides = "Like" in
def Graph_Detach_Op    : Graph_MetadataOp<"detach_", "same">;
def Graph_T_Op         : Graph_MetadataOp<"t_", "t">;
def Graph_Transpose_Op : Graph_MetadataOp<"transpose_", "transpose", (ins I64Attr:$dim0, I64Attr:$dim1)>;
def Graph_Swapaxes_Op  : Graph_MetadataOp<"swapaxes_", "swapaxes", (ins I64Attr:$axis0, I64Attr:$axis1)>;
def Graph_Unsqueeze_Op : Graph_MetadataOp<"unsqueeze_", "unsqueeze", (ins I64Attr:$dim)>;
let overloads = ["", "dim", "dims"] in
def Graph_Squeeze_Op   : Graph_MetadataOp<"squeeze_", "squeeze", (ins OptionalAttr<DenseI64ArrayAttr>:$dim)>;
def Graph_AsStrided_Op : Graph_MetadataOp<"as_strided_", "as_strided",
    !con(Ints<"size">.args, Ints<"stride">.args, Ints<"storage_offset">.args),
    "$self" # Ints<"size">.format # Ints<"stride">.format # Ints<"storage_offset">.format # " attr-dict `:` type($self)",
    [AttrSizedOperandSegments]>;
def Graph_Resize_Op    : Graph_MetadataOp<"resize_", "resize", !con(Ints<"size">.args, (ins OptionalAttr<StrAttr>:$memory_format)),
                                          "$self" # Ints<"size">.format # " attr-dict `:` type($self)"> {
  let summary = "row-major from its own offset on, with other sizes; the same sizes keep their strides";
  let description = [{
    A storage that is too small grows, for every tensor that is a view of it; what its new elements are is not defined. It does
    not shrink. In compiled code the storages of arguments have fixed sizes: there the elements must fit.
  }];
}
let devices = ["There", "Anywhere"] in
def Graph_ResizeAs_Op  : Graph_MetadataOp<"resize_as_", "resize_as",
                                          (ins Graph_Tensor:$the_template, OptionalAttr<StrAttr>:$memory_format)>;
let overloads = ["", "source_Tensor", "source_Tensor_storage_offset"] in
def Graph_Set_Op       : Graph_MetadataOp<"set_", "set",
    (ins Optional<Graph_Tensor>:$source, OptionalAttr<I64Attr>:$storage_offset, OptionalAttr<DenseI64ArrayAttr>:$size,
         OptionalAttr<DenseI64ArrayAttr>:$stride),
    "$self (`source` $source^ `:` type($source))? attr-dict `:` type($self)"> {
  let summary = "a view of another storage: the source, sizes of its storage, or without one no elements at all";
}

// ATen has no such operator; `inductor::resize_storage_bytes_` is one.
let overloads = []<string> in
def Graph_ResizeStorageOp : TerraceOp<Graph_Dialect, "resize_storage", "", [RustVerify]> {
  let role = "Boundary";
  let summary = "makes a storage so many bytes large, for every tensor that is a view of it";
  let description = [{
    What its further elements are is not defined, and those that it loses are lost: who reads or writes a tensor with elements beyond its storage
    is refused. With `at_least` it never shrinks.

    ```mlir
    graph.resize_storage %x bytes [0] : !graph.tensor<4xf32>
    graph.resize_storage %x bytes [16] : !graph.tensor<4xf32>
    ```
  }];
  let arguments = !con((ins Writes<Graph_Tensor>:$self), Ints<"bytes">.args, (ins UnitAttr:$at_least));
  let assemblyFormat = "$self" # Ints<"bytes">.format # " attr-dict `:` type($self)";
}
