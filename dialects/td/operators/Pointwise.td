//===- Pointwise.td - operators that work element by element ----------------------------------------------------===//
//
// The rule says how the result's dtype follows from the operands': `arithmetic` promotes; `float_arithmetic` promotes and
// turns integers into the default dtype; `predicate` promotes and gives bool; `number` is arithmetic without bool, `floats`
// with floats only.
//
//===------------------------------------------------------------------------------------------------------------===//

defm Add        : BinaryAlpha<"add", "arithmetic">;
defm Sub        : BinaryAlpha<"sub", "subtraction">;
defm Mul        : Binary<"mul", "arithmetic">;
defm Div        : Binary<"div", "division", ["Tensor", "Scalar", "Tensor_mode", "Scalar_mode"],
                         ["Tensor", "Scalar", "Tensor_mode", "Scalar_mode"], (ins OptionalAttr<StrAttr>:$rounding_mode)>;
defm Remainder  : Binary<"remainder", "number">;
defm Fmod       : Binary<"fmod", "number">;
defm Atan2      : Pair<"atan2", "float_arithmetic">;
defm Pow        : Binary<"pow", "arithmetic", ["Tensor_Tensor", "Tensor_Scalar"], second = "exponent">;
defm Maximum    : Operator<"maximum", "arithmetic", (ins In:$self, In:$other)>;
defm Minimum    : Operator<"minimum", "arithmetic", (ins In:$self, In:$other)>;
defm BitwiseAnd : Binary<"bitwise_and", "bitwise">;
defm BitwiseOr  : Binary<"bitwise_or", "bitwise">;
defm BitwiseXor : Binary<"bitwise_xor", "bitwise">;
defm LogicalAnd : Pair<"logical_and", "predicate">;
defm LogicalOr  : Pair<"logical_or", "predicate">;
defm LogicalXor : Pair<"logical_xor", "predicate">;
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
defm Exp2       : Unary<"exp2", "float_arithmetic">;
defm Expm1      : Unary<"expm1", "float_arithmetic">;
defm Log        : Unary<"log", "float_arithmetic">;
defm Log2       : Unary<"log2", "float_arithmetic">;
defm Log10      : Unary<"log10", "float_arithmetic">;
defm Log1p      : Unary<"log1p", "float_arithmetic">;
defm Sqrt       : Unary<"sqrt", "float_arithmetic">;
defm Rsqrt      : Unary<"rsqrt", "float_arithmetic">;
defm Reciprocal : Unary<"reciprocal", "float_arithmetic">;
defm Sigmoid    : Unary<"sigmoid", "float_arithmetic">;
defm Tanh       : Unary<"tanh", "float_arithmetic">;
defm Sinh       : Unary<"sinh", "float_arithmetic">;
defm Cosh       : Unary<"cosh", "float_arithmetic">;
defm Asinh      : Unary<"asinh", "float_arithmetic">;
defm Acosh      : Unary<"acosh", "float_arithmetic">;
defm Atanh      : Unary<"atanh", "float_arithmetic">;
defm Sin        : Unary<"sin", "float_arithmetic">;
defm Cos        : Unary<"cos", "float_arithmetic">;
defm Tan        : Unary<"tan", "float_arithmetic">;
defm Asin       : Unary<"asin", "float_arithmetic">;
defm Acos       : Unary<"acos", "float_arithmetic">;
defm Atan       : Unary<"atan", "float_arithmetic">;
defm Erf        : Unary<"erf", "float_arithmetic">;
defm Erfc       : Unary<"erfc", "float_arithmetic">;
defm Ceil       : Unary<"ceil", "number">;
defm Floor      : Unary<"floor", "number">;
defm Round      : Unary<"round", "number">;
defm Trunc      : Unary<"trunc", "number">;
defm Sign       : Unary<"sign", "arithmetic">;
defm Frac       : Unary<"frac", "floats">;
defm Silu       : Unary<"silu", "floats">;
defm Mish       : Unary<"mish", "floats">;
defm Hardsigmoid: Unary<"hardsigmoid", "floats">;
defm Hardswish  : Unary<"hardswish", "floats">;
defm Gelu       : Unary<"gelu", "gelu", (ins DefaultValuedAttr<StrAttr, "\"none\"">:$approximate)>;

defm Isnan      : Operator<"isnan", "predicate", (ins In:$self)>;
defm Isinf      : Operator<"isinf", "predicate", (ins In:$self)>;
defm Isfinite   : Operator<"isfinite", "predicate", (ins In:$self)>;

// Spelled by others in functional.
defm Square     : GraphUnary<"square", "square">;
let overloads = ["", "Scalar"] in
def Graph_FloorDivideOp : Graph_Op<"floor_divide", "number"> {
  let arguments = (ins Reads<Graph_Tensor>:$self, Reads<Graph_TensorOrScalar>:$other);
  let results = (outs Allocates<Graph_Tensor>:$result);
}
let overloads = ["Tensor", "Scalar"] in {
def Graph_FloorDivide_Op : Graph_InPlaceOp<"floor_divide_", "number_in_place",
    (ins Writes<Graph_Tensor>:$self, Reads<Graph_TensorOrScalar>:$other)>;
def Graph_RsubOp : Graph_Op<"rsub", "subtraction"> {
  let arguments = (ins Reads<Graph_Tensor>:$self, Reads<Graph_TensorOrScalar>:$other, Optional<Graph_Scalar>:$alpha);
  let results = (outs Allocates<Graph_Tensor>:$result);
  let assemblyFormat = alphaFormat;
}
}

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
