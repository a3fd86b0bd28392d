//===- Views.td - another view of the same storage --------------------------------------------------------------===//

let strides = "Like" in
defm Alias      : GraphView<"alias", "same", (ins In:$self), copied = 1>;
let strides = "Like" in
defm Detach     : GraphView<"detach", "same", (ins In:$self), copied = 1>;
defm T          : GraphView<"t", "t", (ins In:$self), copied = 1>;
defm MT         : GraphView<"mT", "mT", (ins In:$self)>;
let overloads = ["int"] in
defm Transpose  : GraphView<"transpose", "transpose", (ins In:$self, I64Attr:$dim0, I64Attr:$dim1), copied = 1>;
defm Swapaxes   : GraphView<"swapaxes", "swapaxes", (ins In:$self, I64Attr:$axis0, I64Attr:$axis1)>;
// The conjugate of the transpose.
defm MH         : GraphView<"mH", "mT", (ins In:$self)>;
defm Adjoint    : GraphView<"adjoint", "mT", (ins In:$self)>;
defm Matrix_H   : GraphView<"matrix_H", "matrix_H", (ins In:$self)>;
defm Numpy_T    : GraphView<"numpy_T", "numpy_T", (ins In:$self)>;
let overloads = ["intlist", "int"] in
defm Movedim    : GraphView<"movedim", "movedim",
                            (ins In:$self, DenseI64ArrayAttr:$source, DenseI64ArrayAttr:$destination)>;
defm Permute    : View<"permute", "permute", (ins In:$self, DenseI64ArrayAttr:$dims)>;
defm Unsqueeze  : View<"unsqueeze", "unsqueeze", (ins In:$self, I64Attr:$dim)>;
// Without `dim`: every dimension of size 1.
let overloads = ["", "dim", "dims"] in
defm Squeeze    : View<"squeeze", "squeeze", (ins In:$self, OptionalAttr<DenseI64ArrayAttr>:$dim)>;
defm View       : View<"view", "view", !con((ins In:$self), Ints<"size">.args),
                       "$self" # Ints<"size">.format # " attr-dict `:` type($self)">;
let devices = ["There", "Anywhere"] in
defm ViewAs     : GraphView<"view_as", "second_shape", (ins In:$self, In:$other)>;
let overloads = ["int"] in
defm Unflatten  : GraphView<"unflatten", "unflatten", !con((ins In:$self, I64Attr:$dim), Ints<"sizes">.args),
                            "$self" # Ints<"sizes">.format # " attr-dict `:` type($self)">;
// -1 keeps a size.
defm Expand     : View<"expand", "expand", !con((ins In:$self), Ints<"size">.args),
                       "$self" # Ints<"size">.format # " attr-dict `:` type($self)">;
let devices = ["There", "Anywhere"] in
defm ExpandAs   : GraphView<"expand_as", "expand_as", (ins In:$self, In:$other)>;
let overloads = ["int"] in
defm Select     : View<"select", "select",
                       !con((ins In:$self, DefaultValuedAttr<I64Attr, "0">:$dim), Ints<"index">.args),
                       "$self" # Ints<"index">.format # " attr-dict `:` type($self)">;
// From `start` to `end` by `step`, clamped to the dimension; an end of 9223372036854775807 is the dimension's.
let overloads = ["Tensor"] in
defm Slice      : View<"slice", "slice",
                       !con((ins In:$self, DefaultValuedAttr<I64Attr, "0">:$dim), Ints<"start">.args,
                            Ints<"end">.args, Ints<"step">.args),
                       "$self" # Ints<"start">.format # Ints<"end">.format # Ints<"step">.format
                       # " attr-dict `:` type($self)", [AttrSizedOperandSegments]>;
defm Narrow     : GraphView<"narrow", "narrow",
                            !con((ins In:$self, I64Attr:$dim), Ints<"start">.args, Ints<"length">.args),
                            "$self" # Ints<"start">.format # Ints<"length">.format # " attr-dict `:` type($self)",
                            [AttrSizedOperandSegments]>;
defm Diagonal   : View<"diagonal", "diagonal",
                       (ins In:$self, DefaultValuedAttr<I64Attr, "0">:$offset, DefaultValuedAttr<I64Attr, "0">:$dim1,
                            DefaultValuedAttr<I64Attr, "1">:$dim2)>;
defm Unfold     : GraphView<"unfold", "unfold",
                            (ins In:$self, I64Attr:$dimension, I64Attr:$size, I64Attr:$step), copied = 1>;
// In functional form the operand's elements in row-major order stand for the storage.
defm AsStrided  : View<"as_strided", "as_strided",
                       !con((ins In:$self), Ints<"size">.args, Ints<"stride">.args, Ints<"storage_offset">.args),
                       "$self" # Ints<"size">.format # Ints<"stride">.format # Ints<"storage_offset">.format
                       # " attr-dict `:` type($self)", [AttrSizedOperandSegments], copied = 0>;
let overloads = ["Tensor"] in
defm Split          : GraphView<"split", "split", (ins In:$self, I64Attr:$split_size, DefaultValuedAttr<I64Attr, "0">:$dim),
                                defaultFormat, [], (outs ListOut:$results), copied = 1>;
defm SplitWithSizes : GraphView<"split_with_sizes", "split_with_sizes",
                                (ins In:$self, DenseI64ArrayAttr:$split_sizes, DefaultValuedAttr<I64Attr, "0">:$dim),
                                defaultFormat, [], (outs ListOut:$results), copied = 1>;
defm Chunk          : GraphView<"chunk", "chunk", (ins In:$self, I64Attr:$chunks, DefaultValuedAttr<I64Attr, "0">:$dim),
                                defaultFormat, [], (outs ListOut:$results)>;
let overloads = ["int"] in
defm Unbind         : GraphView<"unbind", "unbind", (ins In:$self, DefaultValuedAttr<I64Attr, "0">:$dim),
                                defaultFormat, [], (outs ListOut:$results), copied = 1>;
// In so many parts, the first ones an index longer; or between the indices of a list.
let overloads = [""] in {
defm TensorSplitSections : GraphView<"tensor_split.sections", "tensor_split",
                                     (ins In:$self, I64Attr:$sections, DefaultValuedAttr<I64Attr, "0">:$dim),
                                     defaultFormat, [], (outs ListOut:$results)>;
defm TensorSplitIndices  : GraphView<"tensor_split.indices", "tensor_split",
                                     (ins In:$self, DenseI64ArrayAttr:$indices, DefaultValuedAttr<I64Attr, "0">:$dim),
                                     defaultFormat, [], (outs ListOut:$results)>;
foreach name = ["hsplit", "vsplit", "dsplit"] in {
defm "" # name # "Int"   : GraphView<name # ".int", "tensor_split", (ins In:$self, I64Attr:$sections), defaultFormat, [],
                                     (outs ListOut:$results)>;
defm "" # name # "Array" : GraphView<name # ".array", "tensor_split", (ins In:$self, DenseI64ArrayAttr:$indices), defaultFormat,
                                     [], (outs ListOut:$results)>;
}
}

//===- Their inverses, which mutation removal makes -------------------------------------------------------------===//

// `self` with the elements that a view of it reads replaced by `src`.
multiclass ViewScatter<string name, dag args, string format = "", list<Trait> traits = []> {
  let role = "Scatter", strides = "Whole", devices = ["There", "Anywhere"] in
  defm "" : Operator<name, name, !con((ins In:$self, In:$src), args), (outs Out:$result),
                     "$self `,` $src" # format # " attr-dict `:` type($self) `,` type($src)", traits>;
}
let elements = "Moved" in {
defm SelectScatter   : ViewScatter<"select_scatter", !con((ins DefaultValuedAttr<I64Attr, "0">:$dim), Ints<"index">.args),
                                   Ints<"index">.format>;
defm SliceScatter    : ViewScatter<"slice_scatter",
                                   !con((ins DefaultValuedAttr<I64Attr, "0">:$dim), Ints<"start">.args, Ints<"end">.args,
                                        Ints<"step">.args),
                                   Ints<"start">.format # Ints<"end">.format # Ints<"step">.format,
                                   [AttrSizedOperandSegments]>;
defm DiagonalScatter : ViewScatter<"diagonal_scatter",
                                   (ins DefaultValuedAttr<I64Attr, "0">:$offset, DefaultValuedAttr<I64Attr, "0">:$dim1,
                                        DefaultValuedAttr<I64Attr, "1">:$dim2)>;
defm AsStridedScatter: ViewScatter<"as_strided_scatter",
                                   !con(Ints<"size">.args, Ints<"stride">.args, Ints<"storage_offset">.args),
                                   Ints<"size">.format # Ints<"stride">.format # Ints<"storage_offset">.format,
                                   [AttrSizedOperandSegments]>;
}
