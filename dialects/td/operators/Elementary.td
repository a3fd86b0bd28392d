//===- Elementary.td - more functions of elements -----------------------------------------------------------------===//
//
// The rules are those of Pointwise.td; `integers` promotes and takes integers only.
//
//===------------------------------------------------------------------------------------------------------------===//

let kernel = "lshift_cpu" in
defm BitwiseLeftShift  : Binary<"bitwise_left_shift", "integers", ["Tensor", "Tensor_Scalar", "Scalar_Tensor"],
                                ["Tensor", "Tensor_Scalar"], first = Graph_TensorOrScalar>;
let kernel = "rshift_cpu" in
defm BitwiseRightShift : Binary<"bitwise_right_shift", "integers", ["Tensor", "Tensor_Scalar", "Scalar_Tensor"],
                                ["Tensor", "Tensor_Scalar"], first = Graph_TensorOrScalar>;
let complex = 0 in
defm Copysign  : Binary<"copysign", "float_arithmetic">;
let strides = "Pointwise", devices = ["Number"] in {
let complexRefusal = "fmax not implemented for complex tensors." in
defm Fmax      : Operator<"fmax", "arithmetic", (ins In:$self, In:$other)>;
let complexRefusal = "fmin not implemented for complex tensors." in
defm Fmin      : Operator<"fmin", "arithmetic", (ins In:$self, In:$other)>;
}
let devices = ["There"] in {
defm Gcd       : Pair<"gcd", "integers">;
defm Lcm       : Pair<"lcm", "integers">;
let elements = "ByDtype" in
defm Nextafter : Pair<"nextafter", "floats">;
}
let kernel = "erfinv_vml_cpu", complex = 0 in
defm Erfinv    : Unary<"erfinv", "float_arithmetic">;
let kernel = "lgamma_vml_cpu", complex = 0 in
defm Lgamma    : Unary<"lgamma", "float_arithmetic">;
let kernel = "digamma", complex = 0 in
defm Digamma   : Unary<"digamma", "float_arithmetic">;
// The modified Bessel function of the first kind, of order 0.
let kernel = "i0_vml_cpu", complex = 0 in
defm I0        : Unary<"i0", "float_arithmetic">;
// The same over the exponential of the magnitude.
let strides = "Pointwise", kernel = "i0e_cpu", complex = 0 in
defm SpecialI0e : Operator<"special_i0e", "float_arithmetic", (ins In:$self)>;

//===- Functional spells them with others -------------------------------------------------------------------------===//

let complexRefusal = "deg2rad is not supported for complex tensors." in
defm Deg2rad   : GraphUnary<"deg2rad", "float_arithmetic">;
let complexRefusal = "rad2deg is not supported for complex tensors." in
defm Rad2deg   : GraphUnary<"rad2deg", "float_arithmetic">;
defm Sinc      : GraphUnary<"sinc", "float_arithmetic">;
let complex = 0 in
defm Logit     : GraphUnary<"logit", "float_arithmetic", (ins OptionalAttr<F64Attr>:$eps)>;
defm NanToNum  : GraphUnary<"nan_to_num", "arithmetic", (ins OptionalAttr<F64Attr>:$nan, OptionalAttr<F64Attr>:$posinf,
                                                             OptionalAttr<F64Attr>:$neginf)>;
defm Hypot     : GraphPointwise<"hypot", "floats", (ins Reads<Graph_Tensor>:$other)>;
let complexRefusal = "heaviside is not yet implemented for complex tensors." in
defm Heaviside : GraphPointwise<"heaviside", "heaviside", (ins Reads<Graph_Tensor>:$values)>;
// 0 where self is 0, whatever the logarithm of the other is.
let complex = 0 in
defm Xlogy     : GraphPointwise<"xlogy", "float_arithmetic", (ins Reads<Graph_TensorOrScalar>:$other),
                                ["Tensor", "Scalar_Self", "Scalar_Other"], ["Tensor", "Scalar_Other"], first = Graph_TensorOrScalar>;
// Powers in f64.
defm FloatPower : GraphPointwise<"float_power", "float_power", (ins Reads<Graph_TensorOrScalar>:$exponent),
                                 ["Tensor_Tensor", "Scalar", "Tensor_Scalar"], ["Scalar", "Tensor"], first = Graph_TensorOrScalar>;
let kernel = "elu_cpu" in
defm Celu      : GraphPointwise<"celu", "celu", (ins Optional<Graph_Scalar>:$alpha), [""], [""], Parameters<["alpha"]>.format>;
let kernel = "elu_cpu" in
defm Selu      : GraphUnary<"selu", "activation">;

class Graph_PointwiseOp<string mnemonic, string rule, dag args, string format = defaultFormat> : Graph_Op<mnemonic, rule> {
  let strides = "Pointwise";
  let arguments = args;
  let results = (outs Allocates<Graph_Tensor>:$result);
  let assemblyFormat = format;
}
let complexRefusal = "signbit is not implemented for complex tensors." in
def Graph_SignbitOp  : Graph_PointwiseOp<"signbit", "predicate", (ins Reads<Graph_Tensor>:$self)>;
let complexRefusal = "isposinf does not support complex inputs." in
def Graph_IsposinfOp : Graph_PointwiseOp<"isposinf", "predicate", (ins Reads<Graph_Tensor>:$self)>;
let complexRefusal = "isneginf does not support complex inputs." in
def Graph_IsneginfOp : Graph_PointwiseOp<"isneginf", "predicate", (ins Reads<Graph_Tensor>:$self)>;
let kernel = "entr_cpu", complex = 0 in
def Graph_SpecialEntrOp : Graph_PointwiseOp<"special_entr", "float_arithmetic", (ins Reads<Graph_Tensor>:$self)>;
let overloads = ["", "self_scalar", "other_scalar"], devices = ["Number"], kernel = "xlog1py_cpu", complex = 0 in
def Graph_SpecialXlog1pyOp : Graph_PointwiseOp<"special_xlog1py", "float_arithmetic",
    (ins Reads<Graph_TensorOrScalar>:$self, Reads<Graph_TensorOrScalar>:$other)>;
def Graph_HardshrinkOp : Graph_PointwiseOp<"hardshrink", "activation",
    (ins Reads<Graph_Tensor>:$self, Optional<Graph_Scalar>:$lambd), Parameters<["lambd"]>.format>;
def Graph_SoftshrinkOp : Graph_PointwiseOp<"softshrink", "softshrink",
    (ins Reads<Graph_Tensor>:$self, Optional<Graph_Scalar>:$lambd), Parameters<["lambd"]>.format>;
let strides = "Like" in
def Graph_PreluOp : Graph_PointwiseOp<"prelu", "prelu", (ins Reads<Graph_Tensor>:$self, Reads<Graph_Tensor>:$weight)> {
  let summary = "self, below 0 times a weight: one for each index of dimension 1, or one for all";
}
let strides = "Like" in
def Graph_PreluKernelOp : Graph_PointwiseOp<"_prelu_kernel", "prelu_kernel", (ins Reads<Graph_Tensor>:$self, Reads<Graph_Tensor>:$weight)>;
let strides = "Glu" in
def Graph_GluOp : Graph_PointwiseOp<"glu", "glu", (ins Reads<Graph_Tensor>:$self, DefaultValuedAttr<I64Attr, "-1">:$dim)> {
  let summary = "one half of a dimension times the sigmoid of the other";
}
let strides = "LogSigmoid" in
def Graph_LogSigmoidOp : Graph_PointwiseOp<"log_sigmoid", "log_sigmoid", (ins Reads<Graph_Tensor>:$self)>;
let strides = "LogSigmoid" in
def Graph_LogSigmoidForwardOp : Graph_Op<"log_sigmoid_forward", "log_sigmoid"> {
  let summary = "`log_sigmoid`, and the exponential of the negative of magnitudes";
  let arguments = (ins Reads<Graph_Tensor>:$self);
  let results = (outs Allocates<Graph_Tensor>:$output, Allocates<Graph_Tensor>:$buffer);
}

def Graph_PositiveOp : Graph_AliasOrCopyOp<"positive", "positive", (ins Graph_Tensor:$self)>;
let overloads = ["Scalar", "Tensor"], strides = "Like", devices = ["There", "Anywhere"] in
def Graph_FillOp : Graph_PointwiseOp<"fill", "fill", (ins Reads<Graph_Tensor>:$self, Reads<Graph_TensorOrScalar>:$value)>;
// With `wrap` a matrix that is taller than wide has several diagonals, a row between each two.
def Graph_FillDiagonal_Op : Graph_InPlaceOp<"fill_diagonal_", "fill_diagonal_in_place",
    (ins Writes<Graph_Tensor>:$self, Graph_Scalar:$fill_value, DefaultValuedAttr<BoolAttr, "false">:$wrap)>;
