//===- Creation.td - tensors out of numbers ---------------------------------------------------------------------===//

// Where a tensor is made: `device` is a device as torch names it, `cuda:0`; without it the CPU, or where the operand is whose kind
// the tensor is of.
defvar deviceArg = (ins OptionalAttr<StrAttr>:$device);

// The result has the dtype that `dtype` names.
class Graph_FactoryOp<string mnemonic, dag scalars, string scalarFormat, string scalarTypes>
    : Graph_Op<mnemonic, "factory"> {
  let arguments = !con(Ints<"size">.args, scalars, (ins TypeAttr:$dtype), deviceArg);
  let results = (outs Allocates<Graph_Tensor>:$result);
  let assemblyFormat = "custom<DynamicIndexList>($dynamic_size, $size)" # scalarFormat # " attr-dict" # scalarTypes;
}
def Graph_ZerosOp : Graph_FactoryOp<"zeros", (ins), "", "">;
def Graph_OnesOp  : Graph_FactoryOp<"ones", (ins), "", "">;
def Graph_FullOp  : Graph_FactoryOp<"full", (ins Graph_Scalar:$fill_value), " `,` $fill_value", " `:` type($fill_value)">;

// ATen has no such operator.
let overloads = []<string> in
def Graph_FakeOp : Graph_FactoryOp<"fake", (ins), "", ""> {
  let summary = "a tensor without memory: row-major, on a storage of its own that has no elements";
  let description = [{
    It has sizes, strides, dtype and device as any tensor, and so have its views; tensors on its storage alias each other. What reads or
    writes an element is refused when the program runs, by what is asked for only. `graph-deferred-init` makes such tensors.

    ```mlir
    %w = graph.fake [8192, 8192] {dtype = f32}          // !graph.tensor<8192x8192xf32>, and no byte
    %t = graph.t %w : !graph.tensor<8192x8192xf32>
    ```
  }];
}

def Graph_ScalarTensorOp : Graph_Op<"scalar_tensor", "scalar_tensor"> {
  let summary = "a 0-dim tensor that holds a number";
  let arguments = !con((ins Graph_Scalar:$s, TypeAttr:$dtype), deviceArg);
  let results = (outs Allocates<Graph_Tensor>:$result);
}
let overloads = ["", "start", "start_step"] in
def Graph_ArangeOp : Graph_Op<"arange", "arange", [AttrSizedOperandSegments]> {
  let summary = "the numbers from `start` to `end`, exclusive, by `step`";
  let description = [{
    Without `start` from 0, without `step` by 1. The number of elements is `ceil((end - start) / step)`: known statically
    where the numbers are constants.
    ```mlir
    %t = graph.arange start %c2 : i64 end %c7 : i64 step %c2 : i64 {dtype = i64}    // 2, 4, 6
    ```
  }];
  let arguments = !con((ins Optional<Graph_Scalar>:$start, Graph_Scalar:$end, Optional<Graph_Scalar>:$step, TypeAttr:$dtype), deviceArg);
  let results = (outs Allocates<Graph_Tensor>:$result);
  let assemblyFormat = [{
    (`start` $start^ `:` type($start))? `end` $end `:` type($end) (`step` $step^ `:` type($step))? attr-dict
  }];
}

// Without `dtype` f32.
class Graph_NewOp<string mnemonic, string rule, dag args, string format, list<Trait> traits = []>
    : Graph_Op<mnemonic, rule, traits> {
  let arguments = args;
  let results = (outs Allocates<Graph_Tensor>:$result);
  let assemblyFormat = format;
}
defvar kindArgs = !con((ins OptionalAttr<TypeAttr>:$dtype), deviceArg);
let overloads = ["memory_format"], strides = "Given" in
def Graph_EmptyOp : Graph_NewOp<"empty", "empty", !con(Ints<"size">.args, kindArgs, (ins OptionalAttr<StrAttr>:$memory_format)),
    "custom<DynamicIndexList>($dynamic_size, $size) attr-dict"> {
  let summary = "a tensor whose elements are not defined";
}
def Graph_EmptyStridedOp : Graph_NewOp<"empty_strided", "empty_strided",
    !con(Ints<"size">.args, Ints<"stride">.args, kindArgs),
    "custom<DynamicIndexList>($dynamic_size, $size)" # Ints<"stride">.format # " attr-dict", [AttrSizedOperandSegments]>;
def Graph_EmptyPermutedOp : Graph_NewOp<"empty_permuted", "empty_permuted",
    !con(Ints<"size">.args, (ins DenseI64ArrayAttr:$physical_layout), kindArgs),
    "custom<DynamicIndexList>($dynamic_size, $size) attr-dict"> {
  let summary = "a tensor without gaps, dimension `physical_layout[0]` outermost, whose elements are not defined";
}
let overloads = ["", "m"] in
def Graph_EyeOp : Graph_NewOp<"eye", "eye", !con((ins I64Attr:$n, OptionalAttr<I64Attr>:$m), kindArgs), "attr-dict"> {
  let summary = "ones on the diagonal of a matrix of `n` rows and `m` or `n` columns";
}
def Graph_LinspaceOp : Graph_NewOp<"linspace", "linspace",
    !con((ins Graph_Scalar:$start, Graph_Scalar:$end, I64Attr:$steps), kindArgs), defaultFormat> {
  let summary = "numbers evenly spaced from `start` to `end`, both included";
}
def Graph_LogspaceOp : Graph_NewOp<"logspace", "linspace",
    !con((ins Graph_Scalar:$start, Graph_Scalar:$end, I64Attr:$steps, DefaultValuedAttr<F64Attr, "10.0">:$base), kindArgs),
    defaultFormat> {
  let summary = "powers of `base`, their exponents evenly spaced from `start` to `end`";
}
// Without `dtype` i64.
foreach name = ["tril", "triu"] in
def Graph_#name#IndicesOp : Graph_NewOp<name # "_indices", "triangle_indices",
    !con((ins I64Attr:$row, I64Attr:$col, DefaultValuedAttr<I64Attr, "0">:$offset), kindArgs), "attr-dict"> {
  let summary = "two rows: the indices of the elements of a triangle, in row-major order";
}

// Of the shape and, without `dtype`, of the dtype of `self`; only its sizes and strides are asked for.
class Graph_LikeOp<string mnemonic, dag numbers = (ins)> : Graph_NewOp<mnemonic, "like",
    !con((ins Graph_Tensor:$self), numbers, kindArgs, (ins OptionalAttr<StrAttr>:$memory_format)), defaultFormat> {
  let strides = "Like";
}
def Graph_EmptyLikeOp : Graph_LikeOp<"empty_like">;
def Graph_ZerosLikeOp : Graph_LikeOp<"zeros_like">;
def Graph_OnesLikeOp  : Graph_LikeOp<"ones_like">;
def Graph_FullLikeOp  : Graph_LikeOp<"full_like", (ins Graph_Scalar:$fill_value)>;

// Of any shape, and without `dtype` of the dtype of `self`.
class Graph_NewLikeOp<string mnemonic, dag numbers = (ins), string more = "", string types = "", list<Trait> traits = []>
    : Graph_NewOp<mnemonic, mnemonic, !con((ins Graph_Tensor:$self), Ints<"size">.args, numbers, kindArgs),
                  "$self" # Ints<"size">.format # more # " attr-dict `:` type($self)" # types, traits>;
let rule = "new_like" in {
def Graph_NewZerosOp : Graph_NewLikeOp<"new_zeros">;
def Graph_NewOnesOp  : Graph_NewLikeOp<"new_ones">;
def Graph_NewEmptyOp : Graph_NewLikeOp<"new_empty">;
def Graph_NewFullOp  : Graph_NewLikeOp<"new_full", (ins Graph_Scalar:$fill_value), " `,` $fill_value", " `,` type($fill_value)">;
def Graph_NewEmptyStridedOp : Graph_NewLikeOp<"new_empty_strided", Ints<"stride">.args, Ints<"stride">.format, "",
                                              [AttrSizedOperandSegments]>;
}

let elements = "Moved" in
def Functional_FullOp : TerraceOp<Functional_Dialect, "full", "", [Pure, RustVerify, RustFold]> {
  let summary = "a tensor filled with a number";
  let description = [{
    ```mlir
    %t = functional.full %k : f64 to tensor<64x1024xf32>
    ```
    The number is converted to the element type as a cast of ATen does.
  }];
  let arguments = (ins Graph_Scalar:$fill_value, Variadic<I64>:$dynamic_size);
  let results = (outs Terrace_Tensor:$result);
  let assemblyFormat = "$fill_value (`size` `(` $dynamic_size^ `)`)? attr-dict `:` type($fill_value) `to` type($result)";
}
def Functional_ArangeOp : TerraceOp<Functional_Dialect, "arange", "", [Pure, RustVerify]> {
  let summary = "element i is `start + i * step`";
  let description = [{
    The number of elements is the result's only dimension. Integers are computed in i64; floats in f64, rounded once to
    the element type.
    ```mlir
    %t = functional.arange %start step %step : i64 to tensor<16xi64>
    ```
  }];
  let arguments = (ins Graph_Scalar:$start, Graph_Scalar:$step, Variadic<I64>:$dynamic_size);
  let results = (outs Terrace_Tensor:$result);
  let assemblyFormat = [{
    $start `step` $step (`size` `(` $dynamic_size^ `)`)? attr-dict `:` type($start) `,` type($step) `to` type($result)
  }];
}
