//! How far an element may differ from eager's, by operator; elsewhere every bit is compared (nan is nan).
//!
//! Contents are such that sums and products are exact (`generate/values.py`), so that what is not exact is the elementary
//! functions and what divides by a number of elements. Sums are free in the sign of a zero, which depends on where they start.

use crate::case::Call;

/// A bound: so many units in the last place of the larger of the expected value and `least`; a zero has either sign.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bound {
    /// Units in the last place.
    pub ulps: f64,
    /// Values below count as this one: cancellation leaves the error of larger intermediates.
    pub least: f64,
}

/// A bound of nothing but the sign of a zero.
const EXACT: Bound = Bound { ulps: 0.0, least: 0.0 };

/// `self + alpha * other`, which an implementation may compute with one rounding or two, and by the negative of alpha.
const SCALED: Bound = Bound { ulps: 1.0, least: 0.0 };

/// A function whose implementations differ in the last place or two.
const FUNCTION: Bound = Bound { ulps: 2.0, least: 0.0 };

/// Norms that are computed as `x * scale + shift`, of which both may be larger than the result.
const CHANNELS: Bound = Bound { ulps: 8.0, least: 64.0 };

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
            "hardtanh",
            "index_put",
            "max",
            "min",
            "relu6",
            "scatter_add",
            "scatter_reduce",
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
            "rsqrt",
            "silu",
            "sqrt",
        ],
        FUNCTION,
    ),
    (&["sigmoid", "sin", "sinh", "tan", "tanh"], FUNCTION),
    (&["mean"], Bound { ulps: 1.0, least: 0.0 }),
    // Eager multiplies f32 in f64.
    (&["cumprod", "prod"], Bound { ulps: 4.0, least: 0.0 }),
    (&["leaky_relu"], EXACT),
    // Counted from either end, in the dtype itself.
    (&["linspace"], Bound { ulps: 2.0, least: 8.0 }),
    (&["logspace"], Bound { ulps: 32.0, least: 0.0 }),
    // Sums that cancel, and what a function of them is taken off.
    (
        &[
            "_log_softmax_backward_data",
            "_softmax_backward_data",
            "convolution_backward",
            "embedding_dense_backward",
            "native_layer_norm_backward",
        ],
        Bound { ulps: 8.0, least: 1.0 },
    ),
    (&["sigmoid_backward", "tanh_backward"], Bound { ulps: 4.0, least: 1.0 }),
    (&["nll_loss_forward", "nll_loss_backward"], Bound { ulps: 2.0, least: 1.0 }),
    // The logarithm may cancel the larger one.
    (&["logaddexp", "logaddexp2"], Bound { ulps: 2.0, least: 1.0 }),
    (&["elu", "softplus"], Bound { ulps: 4.0, least: 0.0 }),
    // A product that is rounded, and a sum in which it may cancel.
    (&["addcmul", "addcdiv"], Bound { ulps: 2.0, least: 1.0 }),
    (&["lerp"], Bound { ulps: 2.0, least: 1.0 }),
    (&["linalg_vector_norm", "std", "var", "var_mean"], Bound { ulps: 4.0, least: 0.0 }),
    (&["logsumexp"], Bound { ulps: 4.0, least: 1.0 }),
    (&["log_softmax", "_log_softmax"], Bound { ulps: 4.0, least: 1.0 }),
    (&["softmax", "_softmax"], Bound { ulps: 4.0, least: 0.0 }),
    // 1 + erf and 1 + tanh cancel where self is negative.
    (&["gelu"], Bound { ulps: 4.0, least: 2.0 }),
    // The mean is taken off before the rest is scaled.
    (&["layer_norm", "native_layer_norm", "rms_norm"], Bound { ulps: 4.0, least: 1.0 }),
    (&["_native_batch_norm_legit", "_native_batch_norm_legit_no_training", "batch_norm"], CHANNELS),
    (&["group_norm", "instance_norm", "native_batch_norm", "native_group_norm"], CHANNELS),
    (
        &["_adaptive_avg_pool2d", "adaptive_avg_pool1d", "adaptive_avg_pool2d", "avg_pool1d", "avg_pool2d"],
        Bound { ulps: 2.0, least: 0.0 },
    ),
    (&["upsample_bilinear2d", "upsample_bilinear2d.vec"], Bound { ulps: 4.0, least: 8.0 }),
    // Weights of a softmax, and a sum in which values may cancel.
    (
        &["_scaled_dot_product_flash_attention_for_cpu", "scaled_dot_product_attention"],
        Bound { ulps: 4.0, least: 4.0 },
    ),
];

/// The bound of calls one after another: that of the widest; none where every bit is compared.
pub fn of(calls: &[Call]) -> Option<Bound> {
    let of_call = |call: &Call| match call.operator() {
        "add" | "index_add" | "rsub" | "sub" if call.arguments.contains_key("alpha") => Some(SCALED),
        operator => BOUNDS.iter().find(|(names, _)| names.contains(&operator)).map(|(_, bound)| *bound),
    };
    let widest = |a: Bound, b: Bound| Bound { ulps: a.ulps.max(b.ulps), least: a.least.max(b.least) };
    calls.iter().filter_map(of_call).reduce(widest)
}

impl Bound {
    /// The difference allowed, for an expected value of a dtype with this distance from 1 to the next float.
    pub fn allowed(self, expected: f64, epsilon: f64) -> f64 {
        self.ulps * epsilon * expected.abs().max(self.least)
    }
}
