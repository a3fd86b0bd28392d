//===- Operators.td - how one definition makes an operator's forms ----------------------------------------------===//
//
// An operator is written once, with the placeholders In, MaybeIn, ListIn, Out and ListOut for its tensors. A multiclass
// makes the graph form (with effects on storages), the in-place form where there is one, and the functional form.
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TERRACE_OPERATORS
#define TERRACE_OPERATORS

include "Functional.td"

def In : Type<CPred<"true">, "a tensor operand">;
def MaybeIn : Type<CPred<"true">, "an optional tensor operand">;
def ListIn : Type<CPred<"true">, "a list of tensor operands">;
def Out : Type<CPred<"true">, "a tensor result">;
def ListOut : Type<CPred<"true">, "a list of tensor results">;

// The graph dialect, out of place: reads storages, allocates the result.
class Allocating<dag d> {
  dag args = !foreach(x, d, !subst(In, Reads<Graph_Tensor>, !subst(MaybeIn, ReadsOptional<Graph_Tensor>,
      !subst(ListIn, ReadsVariadic<Graph_Tensor>, !subst(Out, Allocates<Graph_Tensor>,
      !subst(ListOut, AllocatesVariadic<Graph_Tensor>, x))))));
}
// The graph dialect, views: storages are neither read nor written.
class Viewing<dag d> {
  dag args = !foreach(x, d, !subst(In, Graph_Tensor, !subst(Out, Graph_Tensor,
      !subst(ListOut, Variadic<Graph_Tensor>, x))));
}
// The functional dialect.
class Valued<dag d> {
  dag args = !foreach(x, d, !subst(In, Terrace_Tensor, !subst(MaybeIn, Optional<Terrace_Tensor>,
      !subst(ListIn, Variadic<Terrace_Tensor>, !subst(Out, Terrace_Tensor,
      !subst(ListOut, Variadic<Terrace_Tensor>, x))))));
}

// A list of integers: a static array, with an operand for each of its dynamic entries.
class Ints<string name> {
  dag args = !dag(ins, [Variadic<I64>, DenseI64ArrayAttr], ["dynamic_" # name, name]);
  string format = " `" # name # "` custom<DynamicIndexList>($dynamic_" # name # ", $" # name # ")";
}

// An operator that makes a new tensor: graph.NAME and functional.NAME.
multiclass Operator<string name, string rule, dag ins_, dag outs_ = (outs Out:$result), string format = defaultFormat,
                    list<Trait> traits = []> {
  def Graph_#NAME#Op : Graph_Op<name, rule, traits> {
    let arguments = Allocating<ins_>.args;
    let results = Allocating<outs_>.args;
    let assemblyFormat = format;
  }
  def Functional_#NAME#Op : Functional_Op<name, rule, traits> {
    let arguments = Valued<ins_>.args;
    let results = Valued<outs_>.args;
    let assemblyFormat = format;
  }
}

// A view that only graph has: mutation removal spells it with the others. Where it is `copied`, graph.NAME_copy is a copy of
// it.
multiclass GraphView<string name, string rule, dag ins_, string format = defaultFormat, list<Trait> traits = [],
                     dag outs_ = (outs Out:$result), bit copied = 0> {
  def Graph_#NAME#Op : Graph_Op<name, rule, !listconcat([Pure, ViewOfFirst], traits)> {
    let arguments = Viewing<ins_>.args;
    let results = Viewing<outs_>.args;
    let assemblyFormat = format;
  }
  if copied then {
    def Graph_#NAME#_copyOp : Graph_Op<name # "_copy", rule, traits> {
      let arguments = Allocating<ins_>.args;
      let results = Allocating<outs_>.args;
      let assemblyFormat = format;
    }
  }
}

// A view: graph.NAME aliases its operand, functional.NAME is its elements, and functional.NAME_copy the same in memory of
// its own; the copy of `view.dtype` is `view_copy.dtype`.
multiclass View<string name, string rule, dag ins_, string format = defaultFormat, list<Trait> traits = [],
                dag outs_ = (outs Out:$result), bit copied = 1> {
  defm "" : GraphView<name, rule, ins_, format, traits, outs_, copied>;
  def Functional_#NAME#Op : Functional_Op<name, rule, traits> {
    let elements = "Viewed";
    let arguments = Valued<ins_>.args;
    let results = Valued<outs_>.args;
    let assemblyFormat = format;
  }
  defvar copy = !if(!lt(!find(name, "."), 0), name # "_copy", !subst(".", "_copy.", name));
  def Functional_#NAME#_copyOp : Functional_Op<copy, rule, traits> {
    let arguments = Valued<ins_>.args;
    let results = Valued<outs_>.args;
    let assemblyFormat = format;
  }
}

// What is the operand, a view of it or a copy, as its strides decide: graph-resolve-views says which. It declares no effects,
// so that no pass takes the result for a new tensor, nor one of two results for the other.
class Graph_AliasOrCopyOp<string mnemonic, string rule, dag args, string format = defaultFormat, list<Trait> traits = []>
    : Graph_Op<mnemonic, rule, traits> {
  let arguments = args;
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = format;
  // Whether the schema says that the result aliases the operand.
  bit aliases = 1;
}

// An in-place operator that only writes `self`.
class Graph_InPlaceOp<string mnemonic, string rule, dag args, string format = defaultFormat, list<Trait> traits = []>
    : Graph_Op<mnemonic, rule, traits> {
  let arguments = args;
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = format;
}

// One line for a pointwise operator of one tensor: graph.NAME, graph.NAME_, functional.NAME.
multiclass Unary<string name, string rule, dag attrs = (ins)> {
  let strides = "Pointwise" in {
  defm "" : Operator<name, rule, !con((ins In:$self), attrs)>;
  def Graph_#NAME#_Op : Graph_InPlaceOp<name # "_", rule # "_in_place", !con((ins Writes<Graph_Tensor>:$self), attrs)>;
  }
}

// The same for one that only graph has: mutation removal spells it with others.
multiclass GraphUnary<string name, string rule, dag attrs = (ins)> {
  let strides = "Pointwise" in {
  def Graph_#NAME#Op : Graph_Op<name, rule> {
    let arguments = !con((ins Reads<Graph_Tensor>:$self), attrs);
    let results = (outs Allocates<Graph_Tensor>:$result);
  }
  def Graph_#NAME#_Op : Graph_InPlaceOp<name # "_", rule # "_in_place", !con((ins Writes<Graph_Tensor>:$self), attrs)>;
  }
}

// The same with more operands; `first` is what `self` may be out of place.
multiclass GraphPointwise<string name, string rule, dag rest, list<string> outOfPlace = [""], list<string> inPlace = [""],
                          string format = defaultFormat, list<Trait> traits = [], TypeConstraint first = Graph_Tensor> {
  let strides = "Pointwise", devices = ["Number"] in {
  let overloads = outOfPlace in
  def Graph_#NAME#Op : Graph_Op<name, rule, traits> {
    let arguments = !con((ins Reads<first>:$self), rest);
    let results = (outs Allocates<Graph_Tensor>:$result);
    let assemblyFormat = format;
  }
  let overloads = inPlace in
  def Graph_#NAME#_Op : Graph_InPlaceOp<name # "_", rule # "_in_place", !con((ins Writes<Graph_Tensor>:$self), rest), format,
                                        traits>;
  }
}

// An operator that replaces elements of `self`, whose overload of a name of its own follows the underscore of the in-place
// form: graph.NAME.OVERLOAD and graph.NAME_.OVERLOAD, which mutation removal spells with others.
multiclass GraphReplacing<string name, string rule, dag rest, string overload = "", string format = defaultFormat,
                          list<Trait> traits = []> {
  defvar suffix = !if(!empty(overload), "", "." # overload);
  def Graph_#NAME#Op : Graph_Op<name # suffix, rule, traits> {
    let arguments = !con((ins Reads<Graph_Tensor>:$self), Allocating<rest>.args);
    let results = (outs Allocates<Graph_Tensor>:$result);
    let assemblyFormat = format;
  }
  def Graph_#NAME#_Op : Graph_InPlaceOp<name # "_" # suffix, rule # "_in_place",
      !con((ins Writes<Graph_Tensor>:$self), Allocating<rest>.args), format, traits>;
}
// The same with its functional form.
multiclass Replacing<string name, string rule, dag rest, string overload = "", string format = defaultFormat,
                     list<Trait> traits = []> {
  defm "" : GraphReplacing<name, rule, rest, overload, format, traits>;
  defvar suffix = !if(!empty(overload), "", "." # overload);
  def Functional_#NAME#Op : Functional_Op<name # suffix, rule, traits> {
    let role = "Scatter";
    let arguments = Valued<!con((ins In:$self), rest)>.args;
    let results = (outs Terrace_Tensor:$result);
    let assemblyFormat = format;
  }
}

// One line for a pointwise operator of two tensors.
multiclass Pair<string name, string rule> {
  let strides = "Pointwise", devices = ["Number"] in {
  defm "" : Operator<name, rule, (ins In:$self, In:$other)>;
  def Graph_#NAME#_Op : Graph_InPlaceOp<name # "_", rule # "_in_place",
      (ins Writes<Graph_Tensor>:$self, Reads<Graph_Tensor>:$other)>;
  }
}

// One line for a pointwise operator of two tensors, or a tensor and a number, which ATen calls `second`. The overloads of
// the in-place form are named apart where they differ; `first` is what `self` may be out of place.
multiclass Binary<string name, string rule, list<string> outOfPlace = ["Tensor", "Scalar"],
                  list<string> inPlace = ["Tensor", "Scalar"], dag attrs = (ins), string second = "other",
                  TypeConstraint first = Graph_Tensor> {
  let strides = "Pointwise", devices = ["Number"] in {
  let overloads = outOfPlace in
  def Graph_#NAME#Op : Graph_Op<name, rule> {
    let arguments = !con(!dag(ins, [Reads<first>, Reads<Graph_TensorOrScalar>], ["self", second]), attrs);
    let results = (outs Allocates<Graph_Tensor>:$result);
  }
  let overloads = inPlace in
  def Graph_#NAME#_Op : Graph_InPlaceOp<name # "_", rule # "_in_place",
      !con(!dag(ins, [Writes<Graph_Tensor>, Reads<Graph_TensorOrScalar>], ["self", second]), attrs)>;
  def Functional_#NAME#Op : Functional_Op<name, rule> {
    let arguments = !con(!dag(ins, [Terrace_Tensor, Terrace_Tensor], ["self", second]), attrs);
    let results = (outs Terrace_Tensor:$result);
  }
  }
}

// `other` is scaled by `alpha` first.
defvar alphaFormat = "$self `,` $other (`alpha` $alpha^)? attr-dict `:` type($self) `,` type($other) (`,` type($alpha)^)?";
multiclass BinaryAlpha<string name, string rule> {
  let strides = "Pointwise", devices = ["Number"] in {
  let overloads = ["Tensor", "Scalar"] in {
  def Graph_#NAME#Op : Graph_Op<name, rule> {
    let arguments = (ins Reads<Graph_Tensor>:$self, Reads<Graph_TensorOrScalar>:$other, Optional<Graph_Scalar>:$alpha);
    let results = (outs Allocates<Graph_Tensor>:$result);
    let assemblyFormat = alphaFormat;
  }
  def Graph_#NAME#_Op : Graph_InPlaceOp<name # "_", rule # "_in_place",
      (ins Writes<Graph_Tensor>:$self, Reads<Graph_TensorOrScalar>:$other, Optional<Graph_Scalar>:$alpha), alphaFormat>;
  }
  def Functional_#NAME#Op : Functional_Op<name, rule> {
    let arguments = (ins Terrace_Tensor:$self, Terrace_Tensor:$other);
    let results = (outs Terrace_Tensor:$result);
  }
  }
}

#endif
