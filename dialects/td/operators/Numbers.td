//===- Numbers.td - numbers out of tensors ----------------------------------------------------------------------===//

class Graph_NumberOp<string mnemonic, string rule, dag args, TypeConstraint number, list<Trait> traits = []>
    : Graph_Op<mnemonic, rule, traits> {
  let arguments = args;
  let results = (outs number:$result);
}
def Graph_ItemOp : Graph_NumberOp<"item", "item", (ins Reads<Graph_Tensor>:$self), Graph_Scalar> {
  let summary = "the only element, as an i64, an f64, an i1 or a `complex<f64>`";
}
def Graph_LocalScalarDenseOp : Graph_NumberOp<"_local_scalar_dense", "item", (ins Reads<Graph_Tensor>:$self), Graph_Scalar> {
  let summary = "the first element, as an i64, an f64, an i1 or a `complex<f64>`";
}
let overloads = ["int"] in {
def Graph_SymSizeOp : Graph_NumberOp<"sym_size", "sym_size", (ins Graph_Tensor:$self, I64Attr:$dim), I64, [Pure]> {
  let role = "Boundary";
  let summary = "the size of a dimension";
}
def Graph_SymStrideOp : Graph_NumberOp<"sym_stride", "sym_size", (ins Graph_Tensor:$self, I64Attr:$dim), I64, [Pure]> {
  let role = "Boundary";
  let summary = "the stride of a dimension, in elements";
}
}
def Graph_SymNumelOp : Graph_NumberOp<"sym_numel", "sym_number", (ins Graph_Tensor:$self), I64, [Pure]> {
  let summary = "the number of elements";
}
def Graph_SymStorageOffsetOp : Graph_NumberOp<"sym_storage_offset", "sym_number", (ins Graph_Tensor:$self), I64, [Pure]> {
  let role = "Boundary";
  let summary = "the elements of the storage before the first";
}
