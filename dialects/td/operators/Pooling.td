//===- Pooling.td - windows over images, and other sizes of them ------------------------------------------------===//
//
// An empty stride is the window's size; one number stands for both dimensions.

defvar window = (ins In:$self, DenseI64ArrayAttr:$kernel_size, OptionalAttr<DenseI64ArrayAttr>:$stride,
                     OptionalAttr<DenseI64ArrayAttr>:$padding);
defvar maxWindow = !con(window, (ins OptionalAttr<DenseI64ArrayAttr>:$dilation, DefaultValuedAttr<BoolAttr, "false">:$ceil_mode));
defvar averageWindow = !con(window, (ins DefaultValuedAttr<BoolAttr, "false">:$ceil_mode,
                                         DefaultValuedAttr<BoolAttr, "true">:$count_include_pad));
class Graph_ImageOp<string mnemonic, string rule, dag ins_> : Graph_Op<mnemonic, rule> {
  let arguments = Allocating<ins_>.args;
  let results = (outs Allocates<Graph_Tensor>:$result);
}

foreach n = [2, 3] in {
defvar suggested = !if(!eq(n, 2), "Suggested", "Volumes");
// The places of the largest elements count along the rows of an image or a volume.
let strides = suggested in
defm MaxPool#n#dWithIndices : Operator<"max_pool" # n # "d_with_indices", !if(!eq(n, 2), "max_pool2d_with_indices", "max_pool3d"),
                                       maxWindow, (outs Out:$result, Out:$indices)>;
// The sums of the gradients of what was taken from each place.
let strides = !if(!eq(n, 2), "SuggestedBySecond", "Volumes") in
defm MaxPool#n#dWithIndicesBackward : Operator<"max_pool" # n # "d_with_indices_backward", "max_pool" # n # "d_with_indices_backward",
    (ins In:$grad_output, In:$self, DenseI64ArrayAttr:$kernel_size, DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$padding,
         DenseI64ArrayAttr:$dilation, BoolAttr:$ceil_mode, In:$indices)>;
let strides = suggested in
def Graph_MaxPool#n#dOp : Graph_ImageOp<"max_pool" # n # "d", "max_pool" # n # "d", maxWindow>;
let strides = !if(!eq(n, 2), "Suggested", "Contiguous") in
defm AvgPool#n#d : Operator<"avg_pool" # n # "d", "avg_pool" # n # "d", !con(averageWindow, (ins OptionalAttr<I64Attr>:$divisor_override))>;
let strides = !if(!eq(n, 2), "SuggestedBySecond", "Contiguous") in
defm AvgPool#n#dBackward : Operator<"avg_pool" # n # "d_backward", "avg_pool" # n # "d_backward",
    (ins In:$grad_output, In:$self, DenseI64ArrayAttr:$kernel_size, DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$padding,
         BoolAttr:$ceil_mode, BoolAttr:$count_include_pad, OptionalAttr<I64Attr>:$divisor_override)>;
}
def Graph_MaxPool1dOp : Graph_ImageOp<"max_pool1d", "max_pool1d", maxWindow>;
let strides = "Rows" in
def Graph_AvgPool1dOp : Graph_ImageOp<"avg_pool1d", "avg_pool1d", averageWindow>;

// Windows as even as they come, one for each element of the result.
let strides = "Suggested" in
defm _adaptive_avg_pool2d : Operator<"_adaptive_avg_pool2d", "adaptive_avg_pool2d", (ins In:$self, DenseI64ArrayAttr:$output_size)>;
let strides = "SuggestedBySecond" in
defm _adaptive_avg_pool2d_backward : Operator<"_adaptive_avg_pool2d_backward", "adaptive_avg_pool2d_backward",
                                              (ins In:$grad_output, In:$self)>;
let strides = "AdaptiveAvgPool3d" in
defm _adaptive_avg_pool3d : Operator<"_adaptive_avg_pool3d", "adaptive_avg_pool3d", (ins In:$self, DenseI64ArrayAttr:$output_size)>;
let strides = "AdaptiveAvgPool3d" in
def Graph_AdaptiveAvgPool3dOp : Graph_ImageOp<"adaptive_avg_pool3d", "adaptive_avg_pool3d", (ins In:$self, DenseI64ArrayAttr:$output_size)>;
let strides = "Suggested" in
def Graph_AdaptiveAvgPool2dOp : Graph_ImageOp<"adaptive_avg_pool2d", "adaptive_avg_pool2d", (ins In:$self, DenseI64ArrayAttr:$output_size)>;
let strides = "Rows" in
def Graph_AdaptiveAvgPool1dOp : Graph_ImageOp<"adaptive_avg_pool1d", "adaptive_avg_pool1d", (ins In:$self, DenseI64ArrayAttr:$output_size)>;

// The largest elements of such windows, and their places along the rows of an image or a volume.
foreach n = [2, 3] in {
let strides = !if(!eq(n, 2), "Suggested", "Contiguous") in
defm AdaptiveMaxPool#n#d : Operator<"adaptive_max_pool" # n # "d", "adaptive_max_pool" # n # "d",
                                    (ins In:$self, DenseI64ArrayAttr:$output_size), (outs Out:$result, Out:$indices)>;
let strides = !if(!eq(n, 2), "SuggestedBySecond", "Contiguous") in
defm AdaptiveMaxPool#n#dBackward : Operator<"adaptive_max_pool" # n # "d_backward", "adaptive_max_pool" # n # "d_backward",
                                            (ins In:$grad_output, In:$self, In:$indices)>;
}
let strides = "Rows" in
def Graph_AdaptiveMaxPool1dOp : Graph_Op<"adaptive_max_pool1d", "adaptive_max_pool1d"> {
  let arguments = Allocating<(ins In:$self, DenseI64ArrayAttr:$output_size)>.args;
  let results = (outs Allocates<Graph_Tensor>:$result, Allocates<Graph_Tensor>:$indices);
}

// A scale, where given, stands for the quotient of the sizes.
defvar scales = (ins OptionalAttr<F64Attr>:$scales_h, OptionalAttr<F64Attr>:$scales_w);
defvar corners = (ins BoolAttr:$align_corners);
multiclass Upsample<string name, dag attrs> {
  let strides = "Suggested" in {
  defm "" : Operator<name, "upsample", !con((ins In:$self), Ints<"output_size">.args, attrs, scales), (outs Out:$result),
                     "$self" # Ints<"output_size">.format # " attr-dict `:` type($self)">;
  def Graph_#NAME#VecOp : Graph_ImageOp<name # ".vec", "upsample_vec",
      !con((ins In:$input, Variadic<I64>:$dynamic_output_size, OptionalAttr<DenseI64ArrayAttr>:$output_size), attrs,
           (ins OptionalAttr<DenseF64ArrayAttr>:$scale_factors))>;
  }
  let strides = "UpsampleBackward" in
  defm _backward : Operator<name # "_backward", "upsample_backward",
      !con((ins In:$grad_output), Ints<"output_size">.args, Ints<"input_size">.args, attrs, scales), (outs Out:$result),
      "$grad_output" # Ints<"output_size">.format # Ints<"input_size">.format # " attr-dict `:` type($grad_output)",
      [AttrSizedOperandSegments]>;
}
defm UpsampleNearest2d  : Upsample<"upsample_nearest2d", (ins)>;
defm UpsampleBilinear2d : Upsample<"upsample_bilinear2d", corners>;
defm UpsampleBicubic2d  : Upsample<"upsample_bicubic2d", corners>;

// Elements of images at the places that `grid` [N, H, W, 2] names by x and y from -1 to 1, or of volumes at those of a grid
// [N, D, H, W, 3]. The mode is 0 for linear, 1 for nearest, 2 for cubic; what lies outside is 0 for zeros, 1 for the border, 2 for a
// reflection.
defvar sampling = (ins I64Attr:$interpolation_mode, I64Attr:$padding_mode, BoolAttr:$align_corners);
foreach n = [2, 3] in {
defm GridSampler#n#d : Operator<"grid_sampler_" # n # "d", "grid_sampler", !con((ins In:$input, In:$grid), sampling)>;
defm GridSampler#n#dBackward : Operator<"grid_sampler_" # n # "d_backward", "grid_sampler_backward",
    !con((ins In:$grad_output, In:$input, In:$grid), sampling, (ins DenseBoolArrayAttr:$output_mask)), (outs ListOut:$results)>;
}
def Graph_GridSamplerOp : Graph_ImageOp<"grid_sampler", "grid_sampler", !con((ins In:$input, In:$grid), sampling)>;

let strides = "Suggested" in
def Graph_PixelShuffleOp   : Graph_ImageOp<"pixel_shuffle", "pixel_shuffle", (ins In:$self, I64Attr:$upscale_factor)>;
let strides = "Unshuffled" in
def Graph_PixelUnshuffleOp : Graph_ImageOp<"pixel_unshuffle", "pixel_unshuffle", (ins In:$self, I64Attr:$downscale_factor)>;
