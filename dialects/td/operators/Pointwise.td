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
let complex = 0 in
defm Remainder  : Binary<"remainder", "number">;
let complex = 0 in
defm Fmod       : Binary<"fmod", "number">;
let complex = 0 in
defm Atan2      : Pair<"atan2", "float_arithmetic">;
let kernel = "pow" in
defm Pow        : Binary<"pow", "arithmetic", ["Tensor_Tensor", "Tensor_Scalar", "Scalar"], second = "exponent",
                         first = Graph_TensorOrScalar>;
let strides = "Pointwise" in {
defm Logaddexp  : Operator<"logaddexp", "floats", (ins In:$self, In:$other)>;
defm Logaddexp2 : Operator<"logaddexp2", "floats", (ins In:$self, In:$other)>;
}
let strides = "Pointwise", devices = ["Number"] in {
let complexRefusal = "maximum not implemented for complex tensors." in
defm Maximum    : Operator<"maximum", "arithmetic", (ins In:$self, In:$other)>;
let complexRefusal = "minimum not implemented for complex tensors." in
defm Minimum    : Operator<"minimum", "arithmetic", (ins In:$self, In:$other)>;
}
defm BitwiseAnd : Binary<"bitwise_and", "bitwise">;
defm BitwiseOr  : Binary<"bitwise_or", "bitwise">;
defm BitwiseXor : Binary<"bitwise_xor", "bitwise">;
defm LogicalAnd : Pair<"logical_and", "predicate">;
defm LogicalOr  : Pair<"logical_or", "predicate">;
defm LogicalXor : Pair<"logical_xor", "predicate">;
defm Eq         : Binary<"eq", "predicate">;
defm Ne         : Binary<"ne", "predicate">;
let complex = 0 in {
defm Lt         : Binary<"lt", "predicate">;
defm Le         : Binary<"le", "predicate">;
defm Gt         : Binary<"gt", "predicate">;
defm Ge         : Binary<"ge", "predicate">;
}

defm Neg        : Unary<"neg", "negation">;
defm Abs        : Unary<"abs", "magnitude">;
let complexRefusal = "clamp is not supported for complex types" in
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
let kernel = "erf_vml_cpu", complex = 0 in
defm Erf        : Unary<"erf", "float_arithmetic">;
let kernel = "erfc_vml_cpu", complex = 0 in
defm Erfc       : Unary<"erfc", "float_arithmetic">;
// The normal distribution's cumulative function. It has no in-place form.
let strides = "Pointwise", kernel = "erf_vml_cpu", complex = 0 in
defm SpecialNdtr : Operator<"special_ndtr", "float_arithmetic", (ins In:$self)>;
let kernel = "ceil_vml_cpu", complexRefusal = "ceil is not supported for complex inputs" in
defm Ceil       : Unary<"ceil", "number">;
let kernel = "floor_vml_cpu", complexRefusal = "floor is not supported for complex inputs" in
defm Floor      : Unary<"floor", "number">;
let kernel = "round_vml_cpu", complex = 0 in
defm Round      : Unary<"round", "number">;
let kernel = "trunc_vml_cpu", complexRefusal = "trunc is not supported for complex inputs" in
defm Trunc      : Unary<"trunc", "number">;
let complexRefusal = "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead." in
defm Sign       : Unary<"sign", "arithmetic">;
defm Frac       : Unary<"frac", "floats">;
defm Silu       : Unary<"silu", "floats">;
defm Mish       : Unary<"mish", "floats">;
defm Hardsigmoid: Unary<"hardsigmoid", "floats">;
defm Hardswish  : Unary<"hardswish", "floats">;
let kernel = "GeluKernelImpl" in
defm Gelu       : Unary<"gelu", "gelu", (ins DefaultValuedAttr<StrAttr, "\"none\"">:$approximate)>;

let strides = "Pointwise" in {
defm Isnan      : Operator<"isnan", "predicate", (ins In:$self)>;
defm Isinf      : Operator<"isinf", "predicate", (ins In:$self)>;
defm Isfinite   : Operator<"isfinite", "predicate", (ins In:$self)>;
}

// Spelled by others in functional.
defm Square     : GraphUnary<"square", "square">;
let overloads = ["", "Scalar"], strides = "Pointwise", devices = ["Number"], kernel = "div_floor_cpu", complex = 0 in
def Graph_FloorDivideOp : Graph_Op<"floor_divide", "number"> {
  let arguments = (ins Reads<Graph_Tensor>:$self, Reads<Graph_TensorOrScalar>:$other);
  let results = (outs Allocates<Graph_Tensor>:$result);
}
let overloads = ["Tensor", "Scalar"] in {
let strides = "Pointwise", devices = ["Number"], kernel = "div_floor_cpu", complex = 0 in
def Graph_FloorDivide_Op : Graph_InPlaceOp<"floor_divide_", "number_in_place",
    (ins Writes<Graph_Tensor>:$self, Reads<Graph_TensorOrScalar>:$other)>;
let strides = "Pointwise", devices = ["Number"] in
def Graph_RsubOp : Graph_Op<"rsub", "subtraction"> {
  let arguments = (ins Reads<Graph_Tensor>:$self, Reads<Graph_TensorOrScalar>:$other, Optional<Graph_Scalar>:$alpha);
  let results = (outs Allocates<Graph_Tensor>:$result);
  let assemblyFormat = alphaFormat;
}
}

//===- With parameters, and of three tensors: functional spells them with others --------------------------------===//

class Parameters<list<string> names> {
  string format = "$self " # !interleave(!foreach(n, names, "(`" # n # "` $" # n # "^ `:` type($" # n # "))?"), " ")
      # " attr-dict `:` type($self)";
}

defm LeakyRelu  : GraphPointwise<"leaky_relu", "activation", (ins Optional<Graph_Scalar>:$negative_slope), [""], [""],
                                 Parameters<["negative_slope"]>.format>;
defm Elu        : GraphPointwise<"elu", "activation", (ins Optional<Graph_Scalar>:$alpha, Optional<Graph_Scalar>:$scale,
                                                          Optional<Graph_Scalar>:$input_scale), [""], [""],
                                 Parameters<["alpha", "scale", "input_scale"]>.format, [AttrSizedOperandSegments]>;
let strides = "Pointwise" in
def Graph_SoftplusOp : Graph_Op<"softplus", "activation", [AttrSizedOperandSegments]> {
  let arguments = (ins Reads<Graph_Tensor>:$self, Optional<Graph_Scalar>:$beta, Optional<Graph_Scalar>:$threshold);
  let results = (outs Allocates<Graph_Tensor>:$result);
  let assemblyFormat = Parameters<["beta", "threshold"]>.format;
}
defm Threshold  : GraphPointwise<"threshold", "threshold", (ins Graph_Scalar:$threshold, Graph_Scalar:$value)>;

defvar productFormat = [{
  $self `,` $tensor1 `,` $tensor2 (`value` $value^ `:` type($value))? attr-dict
  `:` type($self) `,` type($tensor1) `,` type($tensor2)
}];
let kernel = "addcmul_cpu_out" in
defm Addcmul    : GraphPointwise<"addcmul", "addcmul", (ins Reads<Graph_Tensor>:$tensor1, Reads<Graph_Tensor>:$tensor2,
                                                           Optional<Graph_Scalar>:$value), [""], [""], productFormat>;
let kernel = "addcdiv_cpu_out" in
defm Addcdiv    : GraphPointwise<"addcdiv", "addcdiv", (ins Reads<Graph_Tensor>:$tensor1, Reads<Graph_Tensor>:$tensor2,
                                                           Optional<Graph_Scalar>:$value), [""], [""], productFormat>;
let strides = "Contiguous", devices = ["There", "There", "Scalar"] in
defm MaskedFill : GraphPointwise<"masked_fill", "masked_fill", (ins Reads<Graph_Tensor>:$mask, Reads<Graph_TensorOrScalar>:$value),
                                 ["Scalar", "Tensor"], ["Scalar", "Tensor"]>;

let overloads = ["self", "ScalarOther", "ScalarSelf", "Scalar"], strides = "Pointwise", devices = ["Scalar"] in
def Graph_WhereOp : Graph_Op<"where", "where_"> {
  let arguments = (ins Reads<Graph_Tensor>:$condition, Reads<Graph_TensorOrScalar>:$self, Reads<Graph_TensorOrScalar>:$other);
  let results = (outs Allocates<Graph_Tensor>:$result);
}
let strides = "Pointwise" in
let elements = "Moved" in
def Functional_WhereOp : Functional_Op<"where", "where_"> {
  let arguments = (ins Terrace_Tensor:$condition, Terrace_Tensor:$self, Terrace_Tensor:$other);
  let results = (outs Terrace_Tensor:$result);
}

let strides = "Like", devices = ["There", "Anywhere"] in
def Graph_Copy_Op : Graph_InPlaceOp<"copy_", "copy_in_place",
    (ins Overwrites<Graph_Tensor>:$self, Reads<Graph_Tensor>:$src)>;
let overloads = ["Scalar", "Tensor"], strides = "Like", devices = ["There", "Anywhere"] in
def Graph_Fill_Op : Graph_InPlaceOp<"fill_", "fill_in_place",
    (ins Overwrites<Graph_Tensor>:$self, Reads<Graph_TensorOrScalar>:$value)>;
let strides = "Like" in
def Graph_Zero_Op : Graph_InPlaceOp<"zero_", "fill_in_place", (ins Overwrites<Graph_Tensor>:$self)>;
