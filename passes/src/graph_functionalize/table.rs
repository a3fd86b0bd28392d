//! The rows of the table of operators: the rule of an operator, the strides of its result, how its values are computed.

use super::{
    activation_gradients, clamping, classes, convolutions, created, einsum, flat,
    forms::{
        accumulate, arange, cat, choose, copy, copy_into, factory, fill, filled, pointwise, same_operands,
        softmax,
    },
    fourier, gates, gradients, images, layouts, losses, norm_gradients, norms,
    operators::{Operator, Strides},
    places, prims, products, recurrent, spelled, statistics,
};

macro_rules! operators {
    ($($rule:literal $strides:ident$(($layout:path))? $lower:path;)*) => {
        &[$(Operator { rule: $rule, strides: Strides::$strides$(($layout))?, lower: |l| $lower(l) }),*]
    };
}

/// The rows, by the names of type rules.
pub(super) static OPERATORS: &[Operator] = operators! {
    "arithmetic"        Pointwise  pointwise;
    "subtraction"       Pointwise  pointwise;
    "negation"          Pointwise  pointwise;
    "float_arithmetic"  Pointwise  pointwise;
    "division"          Pointwise  pointwise;
    "number"            Pointwise  pointwise;
    "floats"            Pointwise  pointwise;
    "square"            Pointwise  pointwise;
    "gelu"              Pointwise  pointwise;
    "bitwise"           Pointwise  pointwise;
    "predicate"         Pointwise  pointwise;
    "magnitude"         Pointwise  pointwise;
    "complex"           Pointwise  pointwise;
    "activation"        Pointwise  spelled::activation;
    "celu"              Pointwise  spelled::activation;
    "softshrink"        Pointwise  spelled::activation;
    "threshold"         Pointwise  spelled::threshold;
    "integers"          Pointwise  pointwise;
    "heaviside"         Pointwise  pointwise;
    "float_power"       Pointwise  gates::float_power;
    "prelu"             Like       gates::prelu;
    "prelu_kernel"      Like       gates::prelu;
    "glu"               Own(gates::glu_layout) gates::glu;
    "log_sigmoid"       Contiguous gates::log_sigmoid;
    "addcmul"           Pointwise  spelled::add_product;
    "addcdiv"           Pointwise  spelled::add_product;
    "masked_fill"       Contiguous spelled::masked_fill;
    "where_"            Pointwise  choose;
    "threshold_backward" Pointwise gradients::threshold;
    "activation_backward" Pointwise activation_gradients::activation;
    "gelu_backward"     Pointwise  activation_gradients::activation;
    "softmax_backward"  Contiguous gradients::softmax;
    "native_layer_norm_backward" Contiguous gradients::layer_norm;
    "convolution_backward" Contiguous same_operands;
    "nll_loss_forward"  Contiguous same_operands;
    "nll_loss_backward" Contiguous same_operands;
    "embedding_dense_backward" Contiguous same_operands;
    "same"              Like       copy;
    "clone"             Like       copy;
    "to"                Like       copy;
    "copy"              Like       copy_into;
    "fill"              Like       fill;
    "factory"           Contiguous factory;
    "like"              Like       filled;
    "empty"             Given      created::empty;
    "eye"               Contiguous created::eye;
    "linspace"          Contiguous created::linspace;
    "triangle_indices"  Contiguous created::triangle_indices;
    "triangle"          Contiguous created::triangle;
    "flip"              Like       same_operands;
    "scalar_tensor"     Contiguous filled;
    "arange"            Contiguous arange;
    "sum"               Contiguous accumulate;
    "mean"              Contiguous accumulate;
    "prod"              Contiguous accumulate;
    "cumulative"        Contiguous accumulate;
    "amax"              Contiguous same_operands;
    "amin"              Contiguous same_operands;
    "any"               Contiguous same_operands;
    "mm"                Contiguous same_operands;
    "bmm"               Contiguous same_operands;
    "addmm"             Contiguous products::added;
    "addmv"             Contiguous products::added;
    "baddbmm"           Contiguous products::added;
    "addbmm"            Contiguous products::added;
    "matmul"            Contiguous products::matmul;
    "mv"                Contiguous products::matmul;
    "dot"               Contiguous products::matmul;
    "vdot"              Contiguous products::matmul;
    "outer"             Own(layouts::outer) products::outer;
    "bilinear"          Own(layouts::bilinear) products::bilinear;
    "einsum"            Own(layouts::einsum) einsum::einsum;
    "conv"              Own(layouts::convolution) convolutions::convolution;
    "conv_padding"      Own(layouts::convolution) convolutions::convolution;
    "conv_transpose"    Own(layouts::convolution) convolutions::convolution;
    "attention"         Own(layouts::attention) same_operands;
    "flash_attention"   Own(layouts::flash_attention) same_operands;
    "batch_norm"        Suggested  norms::batch_norm;
    "instance_norm"     Contiguous norms::instance_norm;
    "native_group_norm" Suggested  same_operands;
    "group_norm"        Suggested  norms::group_norm;
    "rms_norm"          Suggested  same_operands;
    "linear"            Contiguous same_operands;
    "convolution"       Convolution same_operands;
    "softmax"           Contiguous softmax;
    "layer_norm"        Contiguous same_operands;
    "native_layer_norm" Contiguous same_operands;
    "max_pool2d_with_indices" Suggested same_operands;
    "max_pool2d_with_indices_backward" Own(layouts::suggested_by_second) same_operands;
    "max_pool3d"        Own(layouts::volumes) images::max_pool3d;
    "max_pool3d_with_indices_backward" Own(layouts::volumes) same_operands;
    "avg_pool3d"        Contiguous same_operands;
    "avg_pool3d_backward" Contiguous same_operands;
    "max_pool2d"        Suggested  images::max_pool2d;
    "max_pool1d"        Contiguous images::max_pool1d;
    "avg_pool2d"        Suggested  same_operands;
    "avg_pool1d"        Own(layouts::of_rows) images::avg_pool1d;
    "adaptive_avg_pool2d" Suggested images::adaptive_avg_pool;
    "adaptive_avg_pool1d" Own(layouts::of_rows) images::adaptive_avg_pool;
    "upsample"          Suggested  same_operands;
    "upsample_vec"      Suggested  images::upsample_vec;
    "pixel_shuffle"     Suggested  images::pixel_shuffle;
    "pixel_unshuffle"   Suggested  images::pixel_shuffle;
    "embedding"         Contiguous same_operands;
    "index"             Index      same_operands;
    "unsafe_index"      Index      places::unsafe_index;
    "gather"            Contiguous same_operands;
    "scatter"           Contiguous places::scatter;
    "scatter_reduce"    Contiguous places::scatter;
    "scatter_by"        Contiguous flat::scatter_by;
    "take"              Contiguous flat::take;
    "put"               Like       flat::put;
    "masked_scatter"    Contiguous flat::masked_scatter;
    "index_select"      Contiguous places::index_select;
    "index_copy"        Contiguous places::index_copy;
    "index_add"         Contiguous places::index_add;
    "index_fill"        Like       places::index_fill;
    "index_put"         Like       places::index_put;
    "masked_index_put_accumulate" Like places::masked_index_put_accumulate;
    "select_scatter"    Whole      places::view_scatter;
    "slice_scatter"     Whole      places::view_scatter;
    "diagonal_scatter"  Whole      places::view_scatter;
    "as_strided_scatter" Whole     places::view_scatter;
    "clamp"             Pointwise  clamping::clamp;
    "hardtanh"          Like       clamping::hardtanh;
    "lerp"              Pointwise  clamping::lerp;
    "arg_extreme"       Contiguous same_operands;
    "extreme_dim"       Contiguous same_operands;
    "extreme_all"       Contiguous statistics::extreme;
    "cumulative_extreme" Contiguous same_operands;
    "sort"              Like       same_operands;
    "argsort"           Like       statistics::argsort;
    "topk"              Contiguous same_operands;
    "count_nonzero"     Contiguous statistics::count_nonzero;
    "histc"             Contiguous same_operands;
    "bincount"          Contiguous same_operands;
    "variance"          Contiguous statistics::variance;
    "logsumexp"         Contiguous statistics::logsumexp;
    "vector_norm"       Contiguous statistics::vector_norm;
    "cat"               Cat        cat;
    "fft_c2c"           Own(fourier::layout) same_operands;
    "fft_r2c"           Own(fourier::layout) same_operands;
    "fft_c2r"           Own(fourier::layout) same_operands;
    "iota"              Contiguous prims::iota;
    "fma"               Own(layouts::fma) prims::fma;
    "max_pool_with_offsets" Own(layouts::windows) prims::max_pool_with_offsets;
    "max_pool_offsets_to_indices" Like prims::max_pool_offsets_to_indices;
    "grouped_mm"        Contiguous same_operands;
    "grouped_product"   Own(layouts::grouped_product) same_operands;
    "grouped_mm_backward" Own(layouts::like_each) same_operands;
    "flash_attention_backward" Own(layouts::heads_inside) same_operands;
    "avg_pool2d_backward" Own(layouts::suggested_by_second) same_operands;
    "adaptive_avg_pool2d_backward" Own(layouts::suggested_by_second) same_operands;
    "adaptive_avg_pool3d" Own(layouts::adaptive_avg_pool3d) images::adaptive_avg_pool3d;
    "upsample_backward" Own(layouts::upsample_backward) same_operands;
    "grid_sampler"      Contiguous prims::grid_sampler;
    "grid_sampler_backward" Contiguous same_operands;
    "embedding_bag"     Contiguous prims::embedding_bag;
    "embedding_bag_backward" Contiguous same_operands;
    "embedding_bag_dense_backward" Contiguous same_operands;
    "embedding_backward" Contiguous prims::embedding_backward;
    "weight_norm"       Contiguous norm_gradients::weight_norm;
    "weight_norm_backward" Contiguous norm_gradients::weight_norm_backward;
    "native_batch_norm_backward" Own(layouts::suggested_by_second) norm_gradients::batch_norm;
    "native_group_norm_backward" Own(layouts::suggested_by_second) norm_gradients::group_norm;
    "recurrent"         Own(layouts::recurrent) recurrent::recurrent;
    "recurrent_packed"  Contiguous recurrent::recurrent_packed;
    "loss"              Own(layouts::loss) losses::loss;
    "binary_cross_entropy" Own(layouts::loss) losses::binary_cross_entropy;
    "binary_cross_entropy_with_logits" Own(layouts::loss) losses::binary_cross_entropy;
    "loss_backward"     Contiguous losses::loss_backward;
    "binary_cross_entropy_backward" Own(layouts::like_second) losses::loss_backward;
    "nll_loss"          Contiguous classes::nll_loss;
    "nll_loss_nd"       Contiguous classes::nll_loss;
    "nll_loss2d_forward" Contiguous classes::nll_loss;
    "nll_loss2d_backward" Contiguous classes::nll_loss2d_backward;
    "cross_entropy_loss" Contiguous classes::cross_entropy_loss;
};
