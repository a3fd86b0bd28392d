//===- Pointwise.td - operators that work element by element ----------------------------------------------------===//
//
// The rule says how the result's dtype follows from the operands': `arithmetic` promotes; `float` promotes and turns
// integers into the default dtype; `predicate` promotes and gives bool.
//
//===------------------------------------------------------------------------------------------------------------===//

defm Add        : BinaryAlpha<"add", "arithmetic">;
defm Sub        : BinaryAlpha<"sub", "subtraction">;
defm Mul        : Binary<"mul", "arithmetic">;
defm Div        : Binary<"div", "float_arithmetic">;
defm Pow        : Binary<"pow", "arithmetic", ["Tensor_Tensor", "Tensor_Scalar"]>;
defm Maximum    : Binary<"maximum", "arithmetic", [""], []>;
defm Minimum    : Binary<"minimum", "arithmetic", [""], []>;
defm BitwiseAnd : Binary<"bitwise_and", "bitwise">;
defm Eq         : Binary<"eq", "predicate">;
defm Ne         : Binary<"ne", "predicate">;
defm Lt         : Binary<"lt", "predicate">;
defm Le         : Binary<"le", "predicate">;
defm Gt         : Binary<"gt", "predicate">;
defm Ge         : Binary<"ge", "predicate">;

defm Neg        : Unary<"neg", "negation">;
defm Abs        : Unary<"abs", "arithmetic">;
defm Relu       : Unary<"relu", "arithmetic">;
defm BitwiseNot : Unary<"bitwise_not", "bitwise">;
defm LogicalNot : Unary<"logical_not", "predicate">;
defm Exp        : Unary<"exp", "float_arithmetic">;
defm Sqrt       : Unary<"sqrt", "float_arithmetic">;
defm Rsqrt      : Unary<"rsqrt", "float_arithmetic">;
defm Sigmoid    : Unary<"sigmoid", "float_arithmetic">;
defm Tanh       : Unary<"tanh", "float_arithmetic">;
defm Cos        : Unary<"cos", "float_arithmetic">;
defm Sin        : Unary<"sin", "float_arithmetic">;
defm Gelu       : Unary<"gelu", "gelu", (ins DefaultValuedAttr<StrAttr, "\"none\"">:$approximate)>;

let overloads = ["self"] in
defm Where : Operator<"where", "where_", (ins In:$condition, In:$self, In:$other)>;
// A copy in another dtype.
defm ToCopy : Operator<"_to_copy", "to_copy", (ins In:$self, TypeAttr:$dtype)>;

def Graph_CloneOp : Graph_Op<"clone", "same"> {
  let summary = "a copy in a storage of its own";
  let arguments = (ins Reads<Graph_Tensor>:$self);
  let results = (outs Allocates<Graph_Tensor>:$result);
}
def Graph_Copy_Op : Graph_InPlaceOp<"copy_", "copy_in_place",
    (ins Overwrites<Graph_Tensor>:$self, Reads<Graph_Tensor>:$src)>;
let overloads = ["Scalar", "Tensor"] in
def Graph_Fill_Op : Graph_InPlaceOp<"fill_", "fill_in_place",
    (ins Overwrites<Graph_Tensor>:$self, Reads<Graph_TensorOrScalar>:$value)>;
def Graph_Zero_Op : Graph_InPlaceOp<"zero_", "fill_in_place", (ins Overwrites<Graph_Tensor>:$self)>;
