//! The rows of the table of operators: the rule of an operator, and how its values are computed.

use super::{
    activation_gradients, clamping, classes, convolutions, created, decomposer, einsum, flat,
    forms::{
        accumulate, arange, cat, choose, copy, copy_into, factory, fill, filled, pointwise, same_operands,
        softmax,
    },
    gates, gradients, images, losses,
    lowering::{Lowered, Lowering},
    norm_gradients, norms, numbers, places, prims, products, random, recurrent, statistics,
};

/// A row of the table.
pub struct Operator {
    /// The name of its type rule, without `_in_place`.
    pub rule: &'static str,
    /// The values of its results.
    pub lower: for<'l, 'c, 'a> fn(&mut Lowering<'l, 'c, 'a>) -> Lowered<'c, 'a>,
}

macro_rules! operators {
    ($($rule:literal $lower:path;)*) => {
        &[$(Operator { rule: $rule, lower: |l| $lower(l) }),*]
    };
}

/// The rows, by the names of type rules.
pub(crate) static OPERATORS: &[Operator] = operators! {
    "arithmetic" pointwise;
    "subtraction" pointwise;
    "negation" pointwise;
    "float_arithmetic" pointwise;
    "division" pointwise;
    "number" pointwise;
    "floats" pointwise;
    "square" pointwise;
    "gelu" pointwise;
    "bitwise" pointwise;
    "predicate" pointwise;
    "magnitude" pointwise;
    "complex" pointwise;
    "activation" decomposer::activation;
    "celu" decomposer::activation;
    "softshrink" decomposer::activation;
    "threshold" decomposer::threshold;
    "integers" pointwise;
    "heaviside" pointwise;
    "float_power" gates::float_power;
    "prelu" gates::prelu;
    "prelu_kernel" gates::prelu;
    "glu" gates::glu;
    "log_sigmoid" gates::log_sigmoid;
    "addcmul" decomposer::add_product;
    "addcdiv" decomposer::add_product;
    "masked_fill" decomposer::masked_fill;
    "where_" choose;
    "threshold_backward" gradients::threshold;
    "activation_backward" activation_gradients::activation;
    "gelu_backward" activation_gradients::activation;
    "softmax_backward" gradients::softmax;
    "native_layer_norm_backward" gradients::layer_norm;
    "convolution_backward" same_operands;
    "nll_loss_forward" same_operands;
    "nll_loss_backward" same_operands;
    "embedding_dense_backward" same_operands;
    "same" copy;
    "clone" copy;
    "to" copy;
    "copy" copy_into;
    "fill" fill;
    "factory" factory;
    "like" filled;
    "empty" created::empty;
    "eye" created::eye;
    "linspace" created::linspace;
    "triangle_indices" created::triangle_indices;
    "triangle" created::triangle;
    "flip" same_operands;
    "random" random::sized;
    "random_like" random::sized;
    "random_integers" random::integers;
    "random_integers_like" random::integers;
    "randperm" random::permutation;
    "uniform" random::uniform_in_place;
    "normal" random::normal_in_place;
    "bernoulli" random::trials;
    "multinomial" random::samples;
    "scalar_tensor" filled;
    "arange" arange;
    "sum" accumulate;
    "mean" accumulate;
    "prod" accumulate;
    "cumulative" accumulate;
    "amax" same_operands;
    "amin" same_operands;
    "any" same_operands;
    "mm" same_operands;
    "bmm" same_operands;
    "addmm" products::added;
    "addmv" products::added;
    "baddbmm" products::added;
    "addbmm" products::added;
    "matmul" products::matmul;
    "mv" products::matmul;
    "dot" products::matmul;
    "vdot" products::matmul;
    "outer" products::outer;
    "bilinear" products::bilinear;
    "einsum" einsum::einsum;
    "conv" convolutions::convolution;
    "conv_padding" convolutions::convolution;
    "conv_transpose" convolutions::convolution;
    "attention" same_operands;
    "flash_attention" same_operands;
    "batch_norm" norms::batch_norm;
    "instance_norm" norms::instance_norm;
    "native_group_norm" same_operands;
    "group_norm" norms::group_norm;
    "rms_norm" same_operands;
    "linear" same_operands;
    "convolution" same_operands;
    "softmax" softmax;
    "layer_norm" same_operands;
    "native_layer_norm" same_operands;
    "max_pool2d_with_indices" same_operands;
    "max_pool2d_with_indices_backward" same_operands;
    "max_pool2d" images::max_pool2d;
    "max_pool3d" images::max_pool3d;
    "max_pool3d_with_indices_backward" same_operands;
    "avg_pool3d" same_operands;
    "avg_pool3d_backward" same_operands;
    "grouped_product" same_operands;
    "recurrent_packed" recurrent::recurrent_packed;
    "max_pool1d" images::max_pool1d;
    "avg_pool2d" same_operands;
    "avg_pool1d" images::avg_pool1d;
    "adaptive_avg_pool2d" images::adaptive_avg_pool;
    "adaptive_avg_pool1d" images::adaptive_avg_pool;
    "adaptive_max_pool1d" images::adaptive_max_pool1d;
    "adaptive_max_pool2d" same_operands;
    "adaptive_max_pool2d_backward" same_operands;
    "adaptive_max_pool3d" same_operands;
    "adaptive_max_pool3d_backward" same_operands;
    "upsample" images::upsample;
    "upsample_vec" images::upsample;
    "pixel_shuffle" images::pixel_shuffle;
    "pixel_unshuffle" images::pixel_shuffle;
    "embedding" same_operands;
    "index" same_operands;
    "unsafe_index" places::unsafe_index;
    "gather" same_operands;
    "scatter" places::scatter;
    "scatter_reduce" places::scatter;
    "scatter_by" flat::scatter_by;
    "take" flat::take;
    "put" flat::put;
    "masked_scatter" flat::masked_scatter;
    "index_select" places::index_select;
    "index_copy" places::index_copy;
    "index_add" places::index_add;
    "index_fill" places::index_fill;
    "index_put" places::index_put;
    "masked_index_put_accumulate" places::masked_index_put_accumulate;
    "select_scatter" places::view_scatter;
    "slice_scatter" places::view_scatter;
    "diagonal_scatter" places::view_scatter;
    "as_strided_scatter" places::view_scatter;
    "clamp" clamping::clamp;
    "hardtanh" clamping::hardtanh;
    "lerp" clamping::lerp;
    "arg_extreme" same_operands;
    "extreme_dim" same_operands;
    "extreme_all" statistics::extreme;
    "aminmax" statistics::aminmax;
    "cumulative_extreme" same_operands;
    "cumulative_float" same_operands;
    "sort" same_operands;
    "argsort" statistics::argsort;
    "topk" same_operands;
    "count_nonzero" statistics::count_nonzero;
    "nonzero" same_operands;
    "masked_select" same_operands;
    "histc" same_operands;
    "bincount" same_operands;
    "variance" statistics::variance;
    "logsumexp" statistics::logsumexp;
    "vector_norm" statistics::vector_norm;
    "cat" cat;
    "item" numbers::item;
    "sym_size" numbers::of_dim;
    "sym_number" numbers::of_all;
    "fft_c2c" same_operands;
    "fft_r2c" same_operands;
    "fft_c2r" same_operands;
    "iota" prims::iota;
    "fma" prims::fma;
    "max_pool_with_offsets" prims::max_pool_with_offsets;
    "max_pool_offsets_to_indices" prims::max_pool_offsets_to_indices;
    "grouped_mm" same_operands;
    "grouped_mm_backward" same_operands;
    "flash_attention_backward" same_operands;
    "avg_pool2d_backward" same_operands;
    "adaptive_avg_pool2d_backward" same_operands;
    "adaptive_avg_pool3d" images::adaptive_avg_pool3d;
    "upsample_backward" images::upsample_backward;
    "grid_sampler" prims::grid_sampler;
    "grid_sampler_backward" same_operands;
    "embedding_bag" prims::embedding_bag;
    "embedding_bag_backward" same_operands;
    "embedding_bag_dense_backward" same_operands;
    "embedding_backward" prims::embedding_backward;
    "weight_norm" norm_gradients::weight_norm;
    "weight_norm_backward" norm_gradients::weight_norm_backward;
    "native_batch_norm_backward" norm_gradients::batch_norm;
    "native_group_norm_backward" norm_gradients::group_norm;
    "recurrent" recurrent::recurrent;
    "loss" losses::loss;
    "binary_cross_entropy" losses::binary_cross_entropy;
    "binary_cross_entropy_with_logits" losses::binary_cross_entropy;
    "loss_backward" losses::loss_backward;
    "binary_cross_entropy_backward" losses::loss_backward;
    "nll_loss" classes::nll_loss;
    "nll_loss_nd" classes::nll_loss;
    "nll_loss2d_forward" classes::nll_loss;
    "nll_loss2d_backward" classes::nll_loss2d_backward;
    "cross_entropy_loss" classes::cross_entropy_loss;
};
