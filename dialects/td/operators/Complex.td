//===- Complex.td - complex numbers, their parts, other element types over one storage, Fourier transforms ---------===//
//
// A view has two flags: its elements are the conjugates, or the negatives, of what is stored. Values have none: the
// functional forms are `conj_physical` and `neg`.
//
//===------------------------------------------------------------------------------------------------------------===//

//===- Views ----------------------------------------------------------------------------------------------------===//

// The parts of complex numbers as a last dimension of size 2, and back.
defm ViewAsReal    : GraphView<"view_as_real", "view_as_real", (ins In:$self), copied = 1>;
defm ViewAsComplex : GraphView<"view_as_complex", "view_as_complex", (ins In:$self), copied = 1>;
// The view with one flag turned.
defm ConjView      : GraphView<"_conj", "conjugated", (ins In:$self), copied = 1>;
let strides = "Like" in
defm NegView       : GraphView<"_neg_view", "same", (ins In:$self), copied = 1>;
defm Imag          : GraphView<"imag", "part", (ins In:$self)>;
// The bytes of the elements as another element type; where its size is another, so is that of the last dimension.
let elements = "Moved" in
defm ViewDtype     : View<"view.dtype", "view_dtype", (ins In:$self, TypeAttr:$dtype), copied = 0>;
def Graph_ViewCopyDtypeOp : Graph_Op<"view_copy.dtype", "view_dtype"> {
  let arguments = (ins Reads<Graph_Tensor>:$self, TypeAttr:$dtype);
  let results = (outs Allocates<Graph_Tensor>:$result);
}

// Of real numbers the operand itself.
def Graph_RealOp : Graph_AliasOrCopyOp<"real", "part", (ins Graph_Tensor:$self)>;
def Graph_ConjOp : Graph_AliasOrCopyOp<"conj", "conj", (ins Graph_Tensor:$self)>;
// A copy where the flag is set.
def Graph_ResolveConjOp : Graph_AliasOrCopyOp<"resolve_conj", "conj", (ins Graph_Tensor:$self)>;
def Graph_ResolveNegOp  : Graph_AliasOrCopyOp<"resolve_neg", "conj", (ins Graph_Tensor:$self)>;

//===- Numbers --------------------------------------------------------------------------------------------------===//

// Of real numbers graph.conj_physical is the operand itself, which its schema does not tell.
let aliases = 0 in
def Graph_ConjPhysicalOp : Graph_AliasOrCopyOp<"conj_physical", "conj", (ins Graph_Tensor:$self)>;
def Graph_ConjPhysical_Op : Graph_InPlaceOp<"conj_physical_", "conj_in_place", (ins Writes<Graph_Tensor>:$self)>;
def Functional_ConjPhysicalOp : Functional_Op<"conj_physical", "conj"> {
  let arguments = (ins Terrace_Tensor:$self);
  let results = (outs Terrace_Tensor:$result);
}
let strides = "Pointwise" in
defm Angle   : Operator<"angle", "magnitude", (ins In:$self)>;
defm Sgn     : Unary<"sgn", "arithmetic">;
let strides = "Pointwise" in {
defm Complex : Operator<"complex", "complex", (ins In:$real, In:$imag)>;
defm Polar   : Operator<"polar", "complex", (ins In:$abs, In:$angle)>;
}

//===- Fourier transforms ---------------------------------------------------------------------------------------===//

// Over the dimensions `dim`; `normalization` is 0 for none, 1 for division by the root of the number of elements of a
// transform, 2 by that number. Of real numbers half of the last dimension's results tell the others.
let strides = "Fourier" in {
defm FftC2c : Operator<"_fft_c2c", "fft_c2c",
    (ins In:$self, DenseI64ArrayAttr:$dim, I64Attr:$normalization, BoolAttr:$forward)>;
defm FftR2c : Operator<"_fft_r2c", "fft_r2c",
    (ins In:$self, DenseI64ArrayAttr:$dim, I64Attr:$normalization, BoolAttr:$onesided)>;
defm FftC2r : Operator<"_fft_c2r", "fft_c2r",
    !con((ins In:$self, DenseI64ArrayAttr:$dim, I64Attr:$normalization), Ints<"last_dim_size">.args), (outs Out:$result),
    "$self" # Ints<"last_dim_size">.format # " attr-dict `:` type($self)">;
}

// Spelled by these. `n` and `s` say what size a dimension is cut or padded to first; `norm` is backward, ortho or forward. Without
// `dim` over all dimensions, or the last ones where sizes are given; of those whose names end in 2 over the last two.
class Graph_FourierOp<string mnemonic, string rule, dag sizes> : Graph_Op<mnemonic, rule> {
  let arguments = !con((ins Reads<Graph_Tensor>:$self), sizes, (ins OptionalAttr<StrAttr>:$norm));
  let results = (outs Allocates<Graph_Tensor>:$result);
}
foreach name = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"] in
def Graph_Fft#name#Op : Graph_FourierOp<"fft_" # name, "fft_line",
    (ins OptionalAttr<I64Attr>:$n, DefaultValuedAttr<I64Attr, "-1">:$dim)>;
foreach name = ["fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn"] in
def Graph_Fft#name#Op : Graph_FourierOp<"fft_" # name, "fft_box",
    (ins OptionalAttr<DenseI64ArrayAttr>:$s, OptionalAttr<DenseI64ArrayAttr>:$dim)>;
