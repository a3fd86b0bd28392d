//===- Creation.td - tensors out of numbers ---------------------------------------------------------------------===//

// The result has the dtype that `dtype` names.
class Graph_FactoryOp<string mnemonic, dag scalars, string scalarFormat, string scalarTypes>
    : Graph_Op<mnemonic, "factory"> {
  let arguments = !con(Ints<"size">.args, scalars, (ins TypeAttr:$dtype));
  let results = (outs Allocates<Graph_Tensor>:$result);
  let assemblyFormat = "custom<DynamicIndexList>($dynamic_size, $size)" # scalarFormat # " attr-dict" # scalarTypes;
}
def Graph_ZerosOp : Graph_FactoryOp<"zeros", (ins), "", "">;
def Graph_OnesOp  : Graph_FactoryOp<"ones", (ins), "", "">;
def Graph_FullOp  : Graph_FactoryOp<"full", (ins Graph_Scalar:$fill_value), " `,` $fill_value", " `:` type($fill_value)">;

def Graph_FullLikeOp : Graph_Op<"full_like", "full_like"> {
  let summary = "a tensor of the shape and, unless `dtype` is given, the dtype of `self`, filled with a number";
  let arguments = (ins Graph_Tensor:$self, Graph_Scalar:$fill_value, OptionalAttr<TypeAttr>:$dtype);
  let results = (outs Allocates<Graph_Tensor>:$result);
}
def Graph_ScalarTensorOp : Graph_Op<"scalar_tensor", "scalar_tensor"> {
  let summary = "a 0-dim tensor that holds a number";
  let arguments = (ins Graph_Scalar:$s, TypeAttr:$dtype);
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
  let arguments = (ins Optional<Graph_Scalar>:$start, Graph_Scalar:$end, Optional<Graph_Scalar>:$step, TypeAttr:$dtype);
  let results = (outs Allocates<Graph_Tensor>:$result);
  let assemblyFormat = [{
    (`start` $start^ `:` type($start))? `end` $end `:` type($end) (`step` $step^ `:` type($step))? attr-dict
  }];
}

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
