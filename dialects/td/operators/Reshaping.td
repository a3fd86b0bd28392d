//===- Reshaping.td - views where strides allow, else copies ------------------------------------------------------===//
//
// A memory format is named as torch names it: contiguous_format, channels_last, channels_last_3d, preserve_format.
//
//===------------------------------------------------------------------------------------------------------------===//

def Graph_ReshapeOp : Graph_AliasOrCopyOp<"reshape", "reshape", !con((ins Graph_Tensor:$self), Ints<"shape">.args),
    "$self" # Ints<"shape">.format # " attr-dict `:` type($self)"> {
  let summary = "the same elements in another shape; one size may be -1";
}
let devices = ["There", "Anywhere"] in
def Graph_ReshapeAsOp : Graph_AliasOrCopyOp<"reshape_as", "second_shape", (ins Graph_Tensor:$self, Graph_Tensor:$other)>;
def Graph_FlattenOp : Graph_AliasOrCopyOp<"flatten.using_ints", "flatten",
    (ins Graph_Tensor:$self, DefaultValuedAttr<I64Attr, "0">:$start_dim, DefaultValuedAttr<I64Attr, "-1">:$end_dim)> {
  let summary = "the dimensions from `start_dim` to `end_dim` joined";
}
def Graph_RavelOp : Graph_AliasOrCopyOp<"ravel", "ravel", (ins Graph_Tensor:$self)>;
def Graph_ContiguousOp : Graph_AliasOrCopyOp<"contiguous", "contiguous",
    (ins Graph_Tensor:$self, DefaultValuedAttr<StrAttr, "\"contiguous_format\"">:$memory_format)> {
  let summary = "`self` where its strides have the memory format, else a copy that has it";
}

// The operand itself where dtype, device and memory format are as asked. Every copy is done when it is used: `non_blocking`
// says nothing.
defvar copyAndFormat = (ins DefaultValuedAttr<BoolAttr, "false">:$non_blocking, DefaultValuedAttr<BoolAttr, "false">:$copy, OptionalAttr<StrAttr>:$memory_format);
let overloads = ["dtype", "dtype_layout"], strides = "Like" in
def Graph_ToOp : Graph_AliasOrCopyOp<"to", "to", !con(
    (ins Graph_Tensor:$self, OptionalAttr<TypeAttr>:$dtype, OptionalAttr<StrAttr>:$device), copyAndFormat)>;
let strides = "Like" in
def Graph_ToDeviceOp : Graph_AliasOrCopyOp<"to.device", "to", !con(
    (ins Graph_Tensor:$self, StrAttr:$device, TypeAttr:$dtype), copyAndFormat)>;
let devices = ["Anywhere", "There"] in
def Graph_ToOtherOp : Graph_AliasOrCopyOp<"to.other", "to_other", !con(
    (ins Graph_Tensor:$self, Graph_Tensor:$other), copyAndFormat)>;
let strides = "Like" in
def Graph_LiftFreshOp : Graph_AliasOrCopyOp<"lift_fresh", "same", (ins Graph_Tensor:$self)>;

// Aliases that their schemas do not tell.
let aliases = 0 in {
let devices = ["Anywhere", "There"] in
def Graph_TypeAsOp : Graph_AliasOrCopyOp<"type_as", "to_other", (ins Graph_Tensor:$self, Graph_Tensor:$other)>;
def Graph_UnsafeViewOp : Graph_AliasOrCopyOp<"_unsafe_view", "view", !con((ins Graph_Tensor:$self), Ints<"size">.args),
    "$self" # Ints<"size">.format # " attr-dict `:` type($self)">;
let results = (outs Variadic<Graph_Tensor>:$results) in {
let overloads = ["Tensor"] in
def Graph_UnsafeSplitOp : Graph_AliasOrCopyOp<"unsafe_split", "split",
    (ins Graph_Tensor:$self, I64Attr:$split_size, DefaultValuedAttr<I64Attr, "0">:$dim)>;
def Graph_UnsafeSplitWithSizesOp : Graph_AliasOrCopyOp<"unsafe_split_with_sizes", "split_with_sizes",
    (ins Graph_Tensor:$self, DenseI64ArrayAttr:$split_sizes, DefaultValuedAttr<I64Attr, "0">:$dim)>;
let overloads = ["", "indexing"] in
def Graph_MeshgridOp : Graph_AliasOrCopyOp<"meshgrid", "meshgrid",
    (ins Variadic<Graph_Tensor>:$tensors, DefaultValuedAttr<StrAttr, "\"ij\"">:$indexing)> {
  let summary = "each of the tensors of one dimension, expanded along those of the others";
}
}
}

let strides = "Like" in
def Graph_CloneOp : Graph_Op<"clone", "clone"> {
  let summary = "a copy in a storage of its own";
  let arguments = (ins Reads<Graph_Tensor>:$self, OptionalAttr<StrAttr>:$memory_format);
  let results = (outs Allocates<Graph_Tensor>:$result);
}
let strides = "Like" in
def Graph_LiftFreshCopyOp : Graph_Op<"lift_fresh_copy", "same"> {
  let arguments = (ins Reads<Graph_Tensor>:$self);
  let results = (outs Allocates<Graph_Tensor>:$result);
}
let strides = "Like" in
def Graph_ToCopyOp : Graph_Op<"_to_copy", "to"> {
  let summary = "a copy in another dtype, or on another device";
  let arguments = (ins Reads<Graph_Tensor>:$self, OptionalAttr<TypeAttr>:$dtype, OptionalAttr<StrAttr>:$device,
                       OptionalAttr<StrAttr>:$memory_format);
  let results = (outs Allocates<Graph_Tensor>:$result);
}
let elements = "Moved" in
def Functional_ToCopyOp : Functional_Op<"_to_copy", "to_copy"> {
  let arguments = (ins Terrace_Tensor:$self, TypeAttr:$dtype);
  let results = (outs Terrace_Tensor:$result);
}
