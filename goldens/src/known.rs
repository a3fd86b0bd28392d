//! What is known to differ from eager, each with its reason. Nothing else may.

use crate::case::{Case, Outcome};

/// A difference that is known.
pub struct Known {
    /// Whether only compiled code shows it.
    pub compiled: bool,
    /// Why it is there.
    pub reason: &'static str,
    /// Whether it is this one: from the case, how it failed, and eager's message, empty where eager accepts the calls.
    applies: fn(&Case, &str, &str) -> bool,
}

/// The list.
pub const KNOWN: &[Known] = &[
    Known {
        compiled: true,
        reason: "as_strided_scatter beyond a tensor's own elements is refused, though its storage has more",
        applies: |case, failure, _| {
            last(case) == "as_strided_scatter" && failure.contains("reach beyond the")
        },
    },
    Known {
        compiled: true,
        reason: "how many elements a mask picks is not counted where nothing is written",
        applies: |case, failure, eager| {
            last(case) == "index_put"
                && failure.starts_with("is not refused")
                && eager.starts_with("shape mismatch: value tensor")
        },
    },
    Known {
        compiled: false,
        reason: "a quotient on the way overflows in f32, in which eager computes, and not in f64",
        applies: |case, failure, _| last(case) == "addcdiv" && failure.contains("expected NaN"),
    },
    Known {
        compiled: false,
        reason: "gradients of convolutions are of floats; some of eager's kernels take integers that autograd never gives",
        applies: |case, failure, _| {
            let of_integers = case.tensors.first().is_some_and(|view| !view.dtype.is_float());
            last(case) == "convolution_backward" && of_integers && failure.starts_with("refused")
        },
    },
    Known {
        compiled: true,
        reason: "operators on the list of those without a form as loops are interpreted only",
        applies: |_, failure, _| failure.contains("has no form as loops yet"),
    },
    Known {
        compiled: false,
        reason: "eager lets a result depend on the order of evaluation; here that is refused",
        applies: |_, failure, _| failure.contains("result depends on the order of evaluation"),
    },
    Known {
        compiled: false,
        reason: "eager names a storage that a fill of a tensor without elements would need, not the index that is out of range",
        applies: |case, failure, eager| {
            last(case) == "index_fill" && failure.starts_with("refused") && eager.starts_with("setStorage")
        },
    },
    Known {
        compiled: false,
        reason: "of two mistakes eager names the one in memory or values first; types are checked before anything runs",
        applies: |_, failure, eager| {
            let late = [
                "unsupported operation: more than one element of the written-to tensor",
                "unsupported operation: some elements of the input tensor",
                "Integers to negative integer powers",
                "setStorage: sizes",
                "shape mismatch: indexing tensors",
            ];
            let index =
                failure.contains("cannot be converted") && eager.contains("is out of bounds for dimension");
            failure.starts_with("refused") && (index || late.iter().any(|message| eager.starts_with(message)))
        },
    },
    Known {
        compiled: false,
        reason: "eager looks for no kernel where there is nothing to compute; here dtypes are checked whatever the sizes",
        applies: |case, failure, eager| {
            let about_dtypes = ["not implemented for", "expected scalar type"];
            let empty = case.tensors.iter().any(|view| view.sizes.contains(&0));
            eager.is_empty() && empty && about_dtypes.iter().any(|words| failure.contains(words))
        },
    },
    Known {
        compiled: false,
        reason: "eager has powers of bools for the exponents 0 and 1 alone, where it fills or copies",
        applies: |case, failure, eager| {
            eager.is_empty() && last(case) == "pow" && failure.contains("not implemented for 'Bool'")
        },
    },
    Known {
        compiled: false,
        reason: "eager still takes mT and its kin of a tensor without dimensions, and warns that it is deprecated",
        applies: |_, failure, eager| {
            eager.is_empty()
                && failure.contains("is only supported on matrices")
                && failure.contains("0-D tensor")
        },
    },
    Known {
        compiled: false,
        reason: "eager's words are those of a wrapper in Python; here the mistake itself is named",
        applies: |_, failure, eager| {
            failure.starts_with("refused") && eager.starts_with("unflatten got an unexpected error")
        },
    },
    Known {
        compiled: false,
        reason: "operands of several dtypes: what eager makes of them depends on the kernel that it picks",
        applies: |case, failure, _| {
            let picked = matches!(last(case), "convolution" | "linear")
                || MIXED.iter().any(|prefix| last(case).starts_with(prefix));
            let mixed = case.tensors.iter().any(|view| view.dtype != case.tensors[0].dtype);
            picked && mixed && (failure.contains("refused") || failure.contains("expected strides"))
        },
    },
    Known {
        compiled: false,
        reason: "eager names the kernel, or its own way to compute linear of a vector of weights",
        applies: |_, failure, eager| {
            let kernels = [
                "INDICES element is out of DATA bounds",
                "size mismatch, got input",
                "\"addmv_impl_cpu\"",
                "\"compute_columns3d\"",
                "mean(): could not infer output dtype",
                "\"adaptive_avg_pool2d_channels_last\"",
                "\"avg_pool2d_channels_last\"",
                "\"max_pool2d_backward_channels_last\"",
                "\"max_pool2d_channels_last\"",
            ];
            failure.starts_with("refused") && kernels.iter().any(|message| eager.starts_with(message))
        },
    },
    Known {
        compiled: false,
        reason: "eager's einsum of one tensor is a view, though its schema promises a tensor of its own",
        applies: |case, failure, _| {
            let differs = ["expected a view of storage", "expected strides"];
            last(case) == "einsum"
                && case.tensors.len() == 1
                && differs.iter().any(|words| failure.contains(words))
        },
    },
    Known {
        compiled: false,
        reason: "eager's attention reads as many values as there are keys, whether they are there or not",
        applies: |case, failure, eager| {
            let words = "Expected size for first two dimensions of batch2 tensor";
            last(case) == "scaled_dot_product_attention" && eager.is_empty() && failure.contains(words)
        },
    },
    Known {
        compiled: true,
        reason: "whether eager keeps channels last of volumes depends on the library that it calls",
        applies: |_, failure, _| failure.contains("strides in eager that depend on a library"),
    },
    Known {
        compiled: false,
        reason: "eager converts no number for a sum of no products",
        applies: |case, failure, eager| {
            let empty = case.tensors.iter().any(|view| view.sizes.contains(&0));
            let adds = last(case).starts_with("addbmm") || matches!(last(case), "addmv" | "baddbmm");
            empty && adds && eager.is_empty() && failure.contains("without overflow")
        },
    },
    Known {
        compiled: false,
        reason: "eager's addmv of a matrix without columns has the sizes of self",
        applies: |case, failure, _| last(case) == "addmv" && failure.contains("[], got"),
    },
    Known {
        compiled: false,
        reason: "eager scales and shifts by statistics: an infinite scale makes nan of more",
        applies: |case, failure, _| {
            let infinite = ["got inf", "got -inf"].iter().any(|words| failure.ends_with(words));
            last(case).ends_with("norm") && failure.contains("expected NaN") && infinite
        },
    },
    Known {
        compiled: false,
        reason: "the stride of one element, which says nothing, where eager fills instead of computing",
        applies: |case, failure, _| {
            matches!(last(case), "isinf" | "isfinite") && failure.contains("expected strides")
        },
    },
    Known {
        compiled: true,
        reason: "compiled code checks all indices at once and does not say which is out of bounds",
        applies: |_, failure, eager| {
            failure.contains("index is out of bounds for dimension")
                && (eager.contains("is out of bounds for dimension") || eager == "index out of range in self")
        },
    },
    Known {
        compiled: true,
        reason: "eager copies the whole storage of a tensor of which a part is replaced; graph-functionalize does not do so",
        applies: |_, failure, _| {
            failure.contains("copies the whole storage of a tensor that is a part of it")
        },
    },
    Known {
        compiled: true,
        reason: "draws from a generator are interpreted only",
        applies: |case, failure, _| {
            let draws =
                ["rand", "bernoulli", "multinomial", "uniform", "normal", "dropout", "native_dropout"];
            let drawn =
                case.calls.iter().any(|call| draws.iter().any(|name| call.operator().starts_with(name)));
            drawn
                && (failure.contains("is not known to graph-functionalize")
                    || failure.contains("draws from a generator"))
        },
    },
    Known {
        compiled: true,
        reason: "compiled code has static sizes, so no masks as indices",
        applies: |_, failure, _| {
            let words = ["graph-functionalize has no dynamic sizes", "indexes by a mask"];
            words.iter().any(|words| failure.contains(words))
        },
    },
];

/// What the operators begin with that mix dtypes in some of their kernels.
const MIXED: &[&str] = &[
    "_native_batch_norm",
    "_scaled_dot",
    "addbmm",
    "baddbmm",
    "batch_norm",
    "conv",
    "group_norm",
    "instance_norm",
    "matmul",
    "native_batch_norm",
    "native_group_norm",
    "rms_norm",
    "scaled_dot",
];

/// The operator of the last call.
fn last(case: &Case) -> &str {
    case.calls.last().map_or("", |call| call.operator())
}

/// The reason of a difference, if it is known.
pub fn reason(case: &Case, failure: &str) -> Option<&'static str> {
    let eager = match &case.outcome {
        Outcome::Error(message) => message,
        Outcome::Results(..) => "",
    };
    KNOWN.iter().find(|known| (known.applies)(case, failure, eager)).map(|known| known.reason)
}
