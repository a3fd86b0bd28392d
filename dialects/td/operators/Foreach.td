//===- Foreach.td - an operator on each tensor of a list ----------------------------------------------------------===//
//
// The operator is the one of the name without `_foreach_`; `maximum` and `minimum` are `clamp_min` and `clamp_max`, `norm` is
// `linalg_vector_norm`. Each tensor gets its own entry of the arguments that are lists, and all others. They are taken one after
// another: what is written through an alias is seen by those that follow.
//
//===------------------------------------------------------------------------------------------------------------===//

// Operands that are lists, one value, and optional.
class ForeachFormat<list<string> lists, list<string> ones = [], list<string> maybe = []> {
  defvar values = !listconcat(!foreach(l, lists, "`[` $" # l # " `]`"), !foreach(o, ones, "$" # o));
  defvar types = !listconcat(!foreach(l, lists, "`[` type($" # l # ") `]`"), !foreach(o, ones, "type($" # o # ")"));
  string format = !interleave(values, " `,` ") # !interleave(!foreach(m, maybe, " (`" # m # "` $" # m # "^ `:` type($" # m # "))?"), "")
      # " attr-dict `:` " # !interleave(types, " `,` ");
  list<Trait> traits = !if(!gt(!add(!size(lists), !size(maybe)), 1), [AttrSizedOperandSegments], []<Trait>);
}

multiclass ForeachNew<string name, string overload, dag rest, list<string> lists, list<string> ones = [], list<string> maybe = []> {
  defvar form = ForeachFormat<lists, ones, maybe>;
  def Graph_Foreach_#name#overload#Op
      : Graph_Op<"_foreach_" # name # !if(!empty(overload), "", "." # overload), "foreach", form.traits> {
    let arguments = !con((ins ReadsVariadic<Graph_Tensor>:$self), rest);
    let results = (outs AllocatesVariadic<Graph_Tensor>:$results);
    let assemblyFormat = form.format;
  }
}
multiclass ForeachInPlace<string name, string overload, dag rest, list<string> lists, list<string> ones = [], list<string> maybe = []> {
  defvar form = ForeachFormat<lists, ones, maybe>;
  def Graph_Foreach_#name#overload#_Op
      : Graph_InPlaceOp<"_foreach_" # name # "_" # !if(!empty(overload), "", "." # overload), "foreach",
                        !con((ins WritesVariadic<Graph_Tensor>:$self), rest), form.format, form.traits> {
    let results = (outs);
  }
}
multiclass Foreach<string name, string overload, dag rest, list<string> lists, list<string> ones = [], list<string> maybe = []> {
  defm "" : ForeachNew<name, overload, rest, lists, ones, maybe>;
  defm "" : ForeachInPlace<name, overload, rest, lists, ones, maybe>;
}

foreach name = ["abs", "acos", "asin", "atan", "ceil", "cos", "cosh", "erf", "erfc", "exp", "expm1", "floor", "frac", "lgamma", "log",
                "log10", "log1p", "log2", "neg", "reciprocal", "round", "rsqrt", "sigmoid", "sign", "sin", "sinh", "sqrt", "tan",
                "tanh", "trunc"] in
defm "" : Foreach<name, "", (ins), ["self"]>;
defm "" : ForeachInPlace<"zero", "", (ins), ["self"]>;

// A second operand: a number, a tensor for each, a number for each.
multiclass ForeachScalars<string name, string scalar, string scalars> {
  defm "" : Foreach<name, "Scalar", !dag(ins, [Graph_Scalar], [scalar]), ["self"], [scalar]>;
  defm "" : Foreach<name, "ScalarList", !dag(ins, [Variadic<Graph_Scalar>], [scalars]), ["self", scalars]>;
}
foreach name = ["add", "sub", "mul", "div", "maximum", "minimum", "clamp_min", "clamp_max"] in
defm "" : ForeachScalars<name, "scalar", "scalars">;
defm "" : ForeachScalars<"pow", "exponent", "exponent">;
foreach name = ["mul", "div", "maximum", "minimum", "clamp_min", "clamp_max"] in
defm "" : Foreach<name, "List", (ins ReadsVariadic<Graph_Tensor>:$other), ["self", "other"]>;
defm "" : Foreach<"pow", "List", (ins ReadsVariadic<Graph_Tensor>:$exponent), ["self", "exponent"]>;
foreach name = ["add", "sub"] in
defm "" : Foreach<name, "List", (ins ReadsVariadic<Graph_Tensor>:$other, Optional<Graph_Scalar>:$alpha), ["self", "other"], [], ["alpha"]>;
// A tensor without dimensions for all.
foreach name = ["mul", "div"] in
defm "" : Foreach<name, "Tensor", (ins Reads<Graph_Tensor>:$other), ["self"], ["other"]>;
defm "" : Foreach<"add", "Tensor", (ins Reads<Graph_Tensor>:$other, Optional<Graph_Scalar>:$alpha), ["self"], ["other"], ["alpha"]>;
def Graph_ForeachPowScalarAndTensorOp : Graph_Op<"_foreach_pow.ScalarAndTensor", "foreach"> {
  let arguments = (ins Graph_Scalar:$self, ReadsVariadic<Graph_Tensor>:$exponent);
  let results = (outs AllocatesVariadic<Graph_Tensor>:$results);
  let assemblyFormat = ForeachFormat<["exponent"], ["self"]>.format;
}

defm "" : Foreach<"lerp", "List", (ins ReadsVariadic<Graph_Tensor>:$tensors1, ReadsVariadic<Graph_Tensor>:$weights),
                  ["self", "tensors1", "weights"]>;
defm "" : Foreach<"lerp", "Scalar", (ins ReadsVariadic<Graph_Tensor>:$tensors1, Graph_Scalar:$weight), ["self", "tensors1"], ["weight"]>;
defm "" : Foreach<"lerp", "ScalarList", (ins ReadsVariadic<Graph_Tensor>:$tensors1, Variadic<Graph_Scalar>:$weight),
                  ["self", "tensors1", "weight"]>;
foreach name = ["addcmul", "addcdiv"] in {
defm "" : Foreach<name, "Scalar", (ins ReadsVariadic<Graph_Tensor>:$tensor1, ReadsVariadic<Graph_Tensor>:$tensor2,
                                       Optional<Graph_Scalar>:$value), ["self", "tensor1", "tensor2"], [], ["value"]>;
defm "" : Foreach<name, "ScalarList", (ins ReadsVariadic<Graph_Tensor>:$tensor1, ReadsVariadic<Graph_Tensor>:$tensor2,
                                           Variadic<Graph_Scalar>:$scalars), ["self", "tensor1", "tensor2", "scalars"]>;
// The numbers are the elements of a vector.
defm "" : Foreach<name, "Tensor", (ins ReadsVariadic<Graph_Tensor>:$tensor1, ReadsVariadic<Graph_Tensor>:$tensor2,
                                       Reads<Graph_Tensor>:$scalars), ["self", "tensor1", "tensor2"], ["scalars"]>;
}

// Copies are done when they are used: `non_blocking` says nothing.
defvar foreachCopy = (ins ReadsVariadic<Graph_Tensor>:$src, DefaultValuedAttr<BoolAttr, "false">:$non_blocking);
defm "" : ForeachInPlace<"copy", "", foreachCopy, ["self", "src"]>;
defm "" : ForeachNew<"clone", "", (ins OptionalAttr<StrAttr>:$memory_format), ["self"]>;
defm "" : ForeachNew<"max", "", (ins), ["self"]>;
defm "" : ForeachNew<"norm", "Scalar", (ins Optional<Graph_Scalar>:$ord, OptionalAttr<TypeAttr>:$dtype), ["self"], [], ["ord"]>;
