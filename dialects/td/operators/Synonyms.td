//===- Synonyms.td - names that ATen has for operators that are there under another one --------------------------===//
//
// An importer takes a synonym for its operation; there is no operation of that name. `overloads` are those that the synonym has,
// where they are fewer than its operation's.

class Synonym<string operation, string name, list<string> overloads_ = [], string space = "aten"> {
  string operator = operation;
  string synonym = name;
  list<string> overloads = overloads_;
  string schemaNamespace = space;
}
// Out of place and in place.
multiclass Synonyms<string operation, string name, list<string> overloads_ = []> {
  def : Synonym<operation, name, overloads_>;
  def : Synonym<operation # "_", name # "_", overloads_>;
}

defm : Synonyms<"abs", "absolute">;
defm : Synonyms<"acos", "arccos">;
defm : Synonyms<"acosh", "arccosh">;
defm : Synonyms<"asin", "arcsin">;
defm : Synonyms<"asinh", "arcsinh">;
defm : Synonyms<"atan", "arctan">;
defm : Synonyms<"atan2", "arctan2">;
defm : Synonyms<"atanh", "arctanh">;
defm : Synonyms<"clamp", "clip">;
defm : Synonyms<"div", "divide">;
defm : Synonyms<"div", "true_divide", ["Tensor", "Scalar"]>;
defm : Synonyms<"ge", "greater_equal">;
defm : Synonyms<"gt", "greater">;
defm : Synonyms<"le", "less_equal">;
defm : Synonyms<"lt", "less">;
defm : Synonyms<"mul", "multiply">;
defm : Synonyms<"ne", "not_equal">;
defm : Synonyms<"neg", "negative">;
defm : Synonyms<"sub", "subtract">;
defm : Synonyms<"trunc", "fix">;

// Python's operators on integers and truth values.
def : Synonym<"bitwise_and", "__and__">;
def : Synonym<"bitwise_and_", "__iand__">;
def : Synonym<"bitwise_or", "__or__">;
def : Synonym<"bitwise_or_", "__ior__">;
def : Synonym<"bitwise_xor", "__xor__">;
def : Synonym<"bitwise_xor_", "__ixor__">;
def : Synonym<"bitwise_left_shift", "__lshift__", ["Tensor", "Scalar"]>;
def : Synonym<"bitwise_left_shift_", "__ilshift__", ["Tensor", "Scalar"]>;
def : Synonym<"bitwise_right_shift", "__rshift__", ["Tensor", "Scalar"]>;
def : Synonym<"bitwise_right_shift_", "__irshift__", ["Tensor", "Scalar"]>;

def : Synonym<"digamma", "special_digamma">;
def : Synonym<"digamma", "special_psi">;
def : Synonym<"erf", "special_erf">;
def : Synonym<"erfc", "special_erfc">;
def : Synonym<"erfinv", "special_erfinv">;
def : Synonym<"exp2", "special_exp2">;
def : Synonym<"expm1", "special_expm1">;
def : Synonym<"i0", "special_i0">;
def : Synonym<"lgamma", "special_gammaln">;
def : Synonym<"log1p", "special_log1p">;
def : Synonym<"log_softmax", "special_log_softmax", [""]>;
def : Synonym<"logit", "special_logit">;
def : Synonym<"logsumexp", "special_logsumexp">;
def : Synonym<"sigmoid", "special_expit">;
def : Synonym<"sinc", "special_sinc">;
def : Synonym<"softmax", "special_softmax", [""]>;
def : Synonym<"xlogy", "special_xlogy", ["", "self_scalar", "other_scalar"]>;

def : Synonym<"cat", "concat">;
def : Synonym<"cat", "concatenate">;
def : Synonym<"expand", "broadcast_to">;
def : Synonym<"movedim", "moveaxis">;
def : Synonym<"transpose", "swapdims", [""]>;
def : Synonym<"transpose_", "swapdims_">;

// What tracing calls them after decomposition.
def : Synonym<"_to_copy", "convert_element_type", [""], "prims">;
def : Synonym<"flip", "rev", [""], "prims">;
