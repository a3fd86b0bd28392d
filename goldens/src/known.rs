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
        reason: "of two mistakes eager names the one in memory or values first; types are checked before anything runs",
        applies: |_, failure, eager| {
            let late = [
                "unsupported operation: more than one element of the written-to tensor",
                "unsupported operation: some elements of the input tensor",
                "Integers to negative integer powers",
                "shape mismatch: indexing tensors",
            ];
            failure.starts_with("refused") && late.iter().any(|message| eager.starts_with(message))
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
            let picked = matches!(last(case), "convolution" | "linear");
            let mixed = case.tensors.iter().any(|view| view.dtype != case.tensors[0].dtype);
            picked && mixed && failure.starts_with("refused")
        },
    },
    Known {
        compiled: false,
        reason: "eager names the kernel, or its own way to compute linear of a vector of weights",
        applies: |_, failure, eager| {
            let kernels =
                ["INDICES element is out of DATA bounds", "size mismatch, got input", "\"addmv_impl_cpu\""];
            failure.starts_with("refused") && kernels.iter().any(|message| eager.starts_with(message))
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
        compiled: false,
        reason: "a root of -inf: eager's is nan by the number 0.5 and inf by a tensor of it; here it is nan",
        applies: |case, failure, _| last(case) == "pow" && failure.ends_with("expected inf, got NaN"),
    },
    Known {
        compiled: true,
        reason: "compiled code checks all indices at once and does not say which is out of bounds",
        applies: |_, failure, eager| {
            failure.contains("index is out of bounds for dimension")
                && eager.contains("is out of bounds for dimension")
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
