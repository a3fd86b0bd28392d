//===- Arranging.td - tensors stacked, repeated, turned, cut to triangles and padded ------------------------------===//

class Graph_JoinOp<string mnemonic, string rule, dag rest = (ins)> : Graph_Op<mnemonic, rule> {
  let arguments = !con((ins ReadsVariadic<Graph_Tensor>:$tensors), rest);
  let results = (outs Allocates<Graph_Tensor>:$result);
}
def Graph_StackOp  : Graph_JoinOp<"stack", "stack", (ins DefaultValuedAttr<I64Attr, "0">:$dim)>;
def Graph_HstackOp : Graph_JoinOp<"hstack", "nstack">;
def Graph_VstackOp : Graph_JoinOp<"vstack", "nstack">;
def Graph_DstackOp : Graph_JoinOp<"dstack", "nstack">;

class Graph_ArrangedOp<string mnemonic, string rule, dag rest = (ins)> : Graph_Op<mnemonic, rule> {
  let arguments = !con((ins Reads<Graph_Tensor>:$self), rest);
  let results = (outs Allocates<Graph_Tensor>:$result);
}
let strides = "Like" in
let elements = "Viewed" in
defm Flip : Operator<"flip", "flip", (ins In:$self, DenseI64ArrayAttr:$dims)>;
// Without `dims`: over all elements in row-major order.
def Graph_RollOp : Graph_ArrangedOp<"roll", "roll", (ins DenseI64ArrayAttr:$shifts, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$dims)>;
def Graph_RepeatOp : Graph_ArrangedOp<"repeat", "repeat", (ins DenseI64ArrayAttr:$repeats)>;
def Graph_TileOp : Graph_ArrangedOp<"tile", "tile", (ins DenseI64ArrayAttr:$dims)>;
def Graph_RepeatInterleaveOp : Graph_ArrangedOp<"repeat_interleave.self_int", "repeat_interleave",
    (ins I64Attr:$repeats, OptionalAttr<I64Attr>:$dim, OptionalAttr<I64Attr>:$output_size)> {
  let summary = "each index of a dimension, or each element, so many times";
}

// The elements on and below, or above, a diagonal; 0 elsewhere.
foreach name = ["tril", "triu"] in {
def Graph_#name#Op : Graph_ArrangedOp<name, "triangle", (ins DefaultValuedAttr<I64Attr, "0">:$diagonal)>;
def Graph_#name#_Op : Graph_InPlaceOp<name # "_", "triangle_in_place",
    (ins Writes<Graph_Tensor>:$self, DefaultValuedAttr<I64Attr, "0">:$diagonal)>;
}

defvar diffFormat = [{
  $self (`prepend` $prepend^ `:` type($prepend))? (`append` $append^ `:` type($append))? attr-dict `:` type($self)
}];
def Graph_DiffOp : Graph_Op<"diff", "diff", [AttrSizedOperandSegments]> {
  let summary = "differences of neighbours along a dimension, `n` times";
  let arguments = (ins Reads<Graph_Tensor>:$self, DefaultValuedAttr<I64Attr, "1">:$n, DefaultValuedAttr<I64Attr, "-1">:$dim,
                       ReadsOptional<Graph_Tensor>:$prepend, ReadsOptional<Graph_Tensor>:$append);
  let results = (outs Allocates<Graph_Tensor>:$result);
  let assemblyFormat = diffFormat;
}

//===- Padding: how much before and after a dimension, from the last one on; a negative number cuts ---------------===//

def Graph_ConstantPadNdOp : Graph_Op<"constant_pad_nd", "constant_pad_nd"> {
  let arguments = (ins Reads<Graph_Tensor>:$self, DenseI64ArrayAttr:$pad, Optional<Graph_Scalar>:$value);
  let results = (outs Allocates<Graph_Tensor>:$result);
  let assemblyFormat = "$self (`value` $value^ `:` type($value))? attr-dict `:` type($self)";
}
def Graph_PadOp : Graph_ArrangedOp<"pad", "pad", (ins DenseI64ArrayAttr:$pad, DefaultValuedAttr<StrAttr, "\"constant\"">:$mode,
                                                      OptionalAttr<F64Attr>:$value)> {
  let summary = "padded by a number, or as `mode` says: reflect, replicate or circular";
}
foreach n = ["1d", "2d", "3d"] in {
def Graph_ReflectionPad#n#Op  : Graph_ArrangedOp<"reflection_pad" # n, "border_pad", (ins DenseI64ArrayAttr:$padding)>;
def Graph_ReplicationPad#n#Op : Graph_ArrangedOp<"replication_pad" # n, "border_pad", (ins DenseI64ArrayAttr:$padding)>;
}

let strides = "Like", devices = ["There", "Anywhere"] in
def Graph_CopyOp : Graph_Op<"copy", "copy_in_place"> {
  let summary = "`self` after `copy_` of `src`, in a storage of its own";
  let arguments = (ins Reads<Graph_Tensor>:$self, Reads<Graph_Tensor>:$src);
  let results = (outs Allocates<Graph_Tensor>:$result);
}
