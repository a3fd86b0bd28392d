//! How far an element may differ from eager's, by operator; elsewhere every bit is compared (nan is nan). Of
//! a complex number each part may differ as the larger one may.
//!
//! Contents are such that sums and products are exact (`generate/values.py`), so that what is not exact is
//! the elementary functions and what divides by a number of elements. Sums are free in the sign of a zero,
//! which depends on where they start.

use crate::case::{Call, Case};

/// A bound: so many units in the last place of the larger of the expected value and `least`; a zero has
/// either sign.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bound {
    /// Units in the last place.
    pub ulps: f64,
    /// Values below count as this one: cancellation leaves the error of larger intermediates.
    pub least: f64,
    /// What the error of intermediates that are f64 in any dtype adds.
    pub of_doubles: f64,
}

const fn bound(ulps: f64, least: f64) -> Bound {
    Bound { ulps, least, of_doubles: 0.0 }
}

/// A bound of nothing but the sign of a zero.
const EXACT: Bound = bound(0.0, 0.0);

/// `self + alpha * other`, which an implementation may compute with one rounding or two, and by the negative
/// of alpha.
const SCALED: Bound = bound(1.0, 0.0);

/// A function whose implementations differ in the last place or two.
const FUNCTION: Bound = bound(2.0, 0.0);

/// Norms that are computed as `x * scale + shift`, of which both may be larger than the result.
const CHANNELS: Bound = bound(8.0, 64.0);

/// The operators that are not exact, without the underscore of their in-place forms.
const BOUNDS: &[(&[&str], Bound)] = &[
    (&["addbmm", "addmm", "addmv", "baddbmm", "bilinear", "bmm", "dot", "einsum", "linear"], EXACT),
    (&["matmul", "maximum", "minimum", "mm", "mv", "outer", "sum", "vdot"], EXACT),
    (
        &[
            "conv1d",
            "conv2d",
            "conv3d",
            "conv_transpose1d",
            "conv_transpose2d",
            "conv_transpose3d",
            "convolution",
        ],
        EXACT,
    ),
    (
        &[
            "clamp",
            "clamp_max",
            "clamp_min",
            "fmax",
            "fmin",
            "hardtanh",
            "index_put",
            "max",
            "min",
            "put",
            "relu6",
            "scatter_add",
            "scatter_reduce",
            "softshrink",
        ],
        EXACT,
    ),
    (
        &[
            "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cos", "cosh", "erf", "erfc", "exp",
            "exp2",
        ],
        FUNCTION,
    ),
    (
        &[
            "expm1",
            "hardsigmoid",
            "hardswish",
            "log",
            "log10",
            "log1p",
            "log2",
            "mish",
            "pow",
            "randn",
            "randn_like",
            "rsqrt",
            "silu",
            "sqrt",
        ],
        FUNCTION,
    ),
    (&["sigmoid", "sin", "sinh", "tan", "tanh"], FUNCTION),
    (&["deg2rad", "float_power", "glu", "hypot", "log_sigmoid", "log_sigmoid_forward", "rad2deg"], FUNCTION),
    // A product with a logarithm, and one that is rounded on the way.
    (&["special_entr", "special_xlog1py", "xlogy"], bound(4.0, 0.0)),
    // The sine of a product that is rounded; logarithms of quotients near 1, and functions that cross 0.
    (&["digamma", "lgamma", "logit", "sinc"], bound(8.0, 1.0)),
    (&["erfinv", "i0", "special_i0e"], bound(8.0, 0.0)),
    // Eager computes (1 + erf) / 2, whose tail cancels.
    (&["special_ndtr"], bound(2.0, 1.0)),
    (&["mean"], bound(1.0, 0.0)),
    // The logarithm may cancel what is largest.
    (&["logcumsumexp"], bound(2.0, 1.0)),
    // Eager multiplies f32 in f64.
    (&["cumprod", "prod"], bound(4.0, 0.0)),
    (&["leaky_relu"], EXACT),
    // Counted from either end, in the dtype itself.
    (&["linspace"], bound(2.0, 8.0)),
    (&["logspace"], bound(32.0, 0.0)),
    // Sums that cancel, and what a function of them is taken off.
    (
        &[
            "_log_softmax_backward_data",
            "_softmax_backward_data",
            "convolution_backward",
            "embedding_dense_backward",
            "native_layer_norm_backward",
        ],
        bound(8.0, 1.0),
    ),
    (&["sigmoid_backward", "tanh_backward"], bound(4.0, 1.0)),
    (&["nll_loss_forward", "nll_loss_backward"], bound(2.0, 1.0)),
    // The logarithm may cancel the larger one.
    (&["logaddexp", "logaddexp2"], bound(2.0, 1.0)),
    (&["celu", "elu", "selu", "softplus"], bound(4.0, 0.0)),
    // A product that is rounded, and a sum in which it may cancel.
    (&["addcmul", "addcdiv"], bound(2.0, 1.0)),
    (&["lerp"], bound(2.0, 1.0)),
    (&["linalg_vector_norm", "std", "var", "var_mean"], bound(4.0, 0.0)),
    (&["logsumexp"], bound(4.0, 1.0)),
    (&["log_softmax", "_log_softmax"], bound(4.0, 1.0)),
    (&["softmax", "_softmax"], bound(4.0, 0.0)),
    // 1 + erf and 1 + tanh cancel where self is negative.
    (&["gelu"], bound(4.0, 2.0)),
    // The mean is taken off before the rest is scaled.
    (&["layer_norm", "native_layer_norm", "rms_norm"], bound(4.0, 1.0)),
    (&["_native_batch_norm_legit", "_native_batch_norm_legit_no_training", "batch_norm"], CHANNELS),
    (&["group_norm", "instance_norm", "native_batch_norm", "native_group_norm"], CHANNELS),
    (
        &[
            "_adaptive_avg_pool2d",
            "adaptive_avg_pool1d",
            "adaptive_avg_pool2d",
            "avg_pool1d",
            "avg_pool2d",
            "avg_pool3d",
        ],
        bound(2.0, 0.0),
    ),
    (&["upsample_bilinear2d", "upsample_bilinear2d.vec"], bound(4.0, 8.0)),
    // Functions of one element and their slopes, of which parts cancel.
    (
        &[
            "elu_backward",
            "gelu_backward",
            "hardsigmoid_backward",
            "hardswish_backward",
            "silu_backward",
            "softplus_backward",
        ],
        bound(8.0, 4.0),
    ),
    (&["leaky_relu_backward"], EXACT),
    (&["l1_loss"], bound(1.0, 0.0)),
    // Losses: logarithms, and differences that cancel.
    (
        &[
            "binary_cross_entropy",
            "binary_cross_entropy_with_logits",
            "cross_entropy_loss",
            "huber_loss",
            "huber_loss_backward",
            "kl_div",
            "mse_loss",
            "mse_loss_backward",
            "smooth_l1_loss",
            "smooth_l1_loss_backward",
        ],
        bound(8.0, 4.0),
    ),
    (&["nll_loss", "nll_loss2d_forward", "nll_loss2d_backward", "nll_loss_nd"], bound(2.0, 1.0)),
    // Over a product that is next to nothing.
    (&["binary_cross_entropy_backward"], bound(8.0, 16.0)),
    // Steps of a sequence, each rounded.
    (&["gru", "lstm", "rnn_relu", "rnn_tanh"], bound(16.0, 4.0)),
    // Weights of four neighbours, and sums in which they cancel.
    (
        &[
            "grid_sampler",
            "grid_sampler_2d",
            "grid_sampler_2d_backward",
            "grid_sampler_3d",
            "grid_sampler_3d_backward",
            "upsample_bicubic2d",
            "upsample_bicubic2d_backward",
            "upsample_bilinear2d_backward",
            "upsample_nearest2d_backward",
        ],
        bound(16.0, 16.0),
    ),
    (
        &[
            "_adaptive_avg_pool2d_backward",
            "_adaptive_avg_pool3d",
            "adaptive_avg_pool3d",
            "avg_pool2d_backward",
            "avg_pool3d_backward",
        ],
        bound(4.0, 1.0),
    ),
    (
        &[
            "_embedding_bag",
            "_embedding_bag_backward",
            "_embedding_bag_dense_backward",
            "embedding_backward",
            "embedding_bag",
        ],
        bound(4.0, 1.0),
    ),
    (&["_weight_norm", "_weight_norm_interface"], bound(8.0, 0.0)),
    (&["_weight_norm_interface_backward"], bound(16.0, 16.0)),
    (&["native_batch_norm_backward", "native_group_norm_backward"], bound(16.0, 64.0)),
    (&["_grouped_mm", "fma", "grouped_mm_fallback", "grouped_mm_fallback_backward"], EXACT),
    (&["_scaled_dot_product_flash_attention_for_cpu_backward"], bound(32.0, 64.0)),
    // Weights of a softmax, and a sum in which values may cancel.
    (&["_scaled_dot_product_flash_attention_for_cpu", "scaled_dot_product_attention"], bound(4.0, 4.0)),
];

/// The operators that are not exact on complex numbers, or less exact than on real ones: the parts are made
/// of products that cancel, and zeros of either sign come of them.
const COMPLEX_BOUNDS: &[(&[&str], Bound)] = &[
    (&["add", "addcmul", "cumsum", "index_add", "lerp", "mul", "neg", "rsub", "square", "sub"], EXACT),
    (&["abs", "angle", "complex", "polar"], FUNCTION),
    (&["addcdiv", "cumprod", "div", "prod", "reciprocal", "sgn"], bound(4.0, 1.0)),
    (
        &[
            "acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "exp2", "expm1", "log",
            "log10", "log1p", "log2", "rsqrt", "sigmoid", "silu", "sin", "sinh", "sqrt", "tan", "tanh",
        ],
        bound(8.0, 1.0),
    ),
    (&["float_power", "pow", "rms_norm"], bound(32.0, 1.0)),
    (&["logaddexp", "logsumexp"], bound(32.0, 1.0)),
    (&["sigmoid_backward", "tanh_backward"], bound(8.0, 4.0)),
];

/// Fourier transforms: sums of a few dozen elements of which many may cancel.
const FOURIER: Bound = bound(8.0, 4.0);

/// The operator on one tensor of an operator on lists.
fn of_one(operator: &str) -> &str {
    match operator.strip_prefix("_foreach_") {
        Some("norm") => "linalg_vector_norm",
        Some(one) => one,
        None => operator,
    }
}

/// The bound of a case's calls one after another: that of the widest; none where every bit is compared.
pub fn of(case: &Case) -> Option<Bound> {
    let complex = case.has_complex();
    let of_call = |call: &Call| match of_one(call.operator()) {
        name if name.contains("fft_") => Some(FOURIER),
        name if complex && find(COMPLEX_BOUNDS, name).is_some() => find(COMPLEX_BOUNDS, name),
        "add" | "index_add" | "rsub" | "sub" if call.arguments.contains_key("alpha") => Some(SCALED),
        "scatter" if call.arguments.contains_key("reduce") => Some(SCALED),
        "normal" => Some(scaled_draw(call)),
        operator => find(BOUNDS, operator),
    };
    // Of a list with the same tensor twice a function is taken of a function.
    let of_call = |call: &Call| {
        let bound = of_call(call)?;
        let ulps = if call.operator().starts_with("_foreach_") { 8.0 * bound.ulps } else { bound.ulps };
        Some(Bound { ulps, ..bound })
    };
    let widest = |a: Bound, b: Bound| Bound {
        ulps: a.ulps.max(b.ulps),
        least: a.least.max(b.least),
        of_doubles: a.of_doubles.max(b.of_doubles),
    };
    case.calls.iter().filter_map(of_call).reduce(widest)
}

/// `mean + std * z` in f64, rounded to the dtype. As a function `z` has two units in the last place; of
/// `std * z`, which is no larger than the result and the mean together. The sum is rounded once more, and
/// so may fall to another side.
fn scaled_draw(call: &Call) -> Bound {
    let mean = call.arguments.get("mean").and_then(serde_json::Value::as_f64).unwrap_or(0.0);
    Bound { of_doubles: FUNCTION.ulps * f64::EPSILON * mean.abs(), ..bound(FUNCTION.ulps + 1.0, 0.0) }
}

fn find(bounds: &[(&[&str], Bound)], operator: &str) -> Option<Bound> {
    bounds.iter().find(|(names, _)| names.contains(&operator)).map(|(_, bound)| *bound)
}

impl Bound {
    /// The difference allowed, for an expected value of a dtype with this distance from 1 to the next float.
    pub fn allowed(self, expected: f64, epsilon: f64) -> f64 {
        self.ulps * epsilon * expected.abs().max(self.least) + self.of_doubles
    }
}
