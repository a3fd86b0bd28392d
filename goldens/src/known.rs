//! What is known to differ from eager, each with its reason. Nothing else may.

use crate::case::{Case, Expected, Outcome};
use terrace_dialects::ir::refusal::Reason;

/// A difference that is known.
pub struct Known {
    /// Whether the cases as they are, interpreted, do not show it: compiled code does, or programs without
    /// sizes.
    pub compiled: bool,
    /// Why it is there.
    pub reason: &'static str,
    /// Whether it is this one: from the case, how it failed, and eager's message, empty where eager accepts
    /// the calls.
    applies: fn(&Case, &str, &str) -> bool,
}

/// The list.
pub const KNOWN: &[Known] = &[
    Known {
        compiled: true,
        reason: "a GPU has no library for sorts, histograms and Fourier transforms, and takes buffers and storages of fixed sizes",
        applies: |_, failure, _| Reason::of(failure) == Some(Reason::Device),
    },
    Known {
        compiled: true,
        reason: "as_strided_scatter beyond a tensor's own elements is refused, though its storage has more",
        applies: |case, failure, _| {
            case.last() == "as_strided_scatter" && failure.contains("reach beyond the")
        },
    },
    Known {
        compiled: true,
        reason: "compiled code gives an object whose storage is set no negative flag, though the object had it",
        applies: |case, failure, _| {
            case.calls.iter().any(|call| call.operator() == "set") && failure.contains("expected Flags")
        },
    },
    Known {
        compiled: true,
        reason: "how many elements a mask picks is not counted where the tensor that is written has none",
        applies: |case, failure, eager| {
            case.last() == "index_put"
                && failure.starts_with("is not refused")
                && eager.starts_with("shape mismatch: value tensor")
        },
    },
    Known {
        compiled: true,
        reason: "compiled code looks at no index of a tensor that has no elements",
        applies: |case, failure, eager| {
            let empty = case.tensors.first().is_some_and(|view| view.sizes.contains(&0));
            empty && failure.starts_with("is not refused") && eager == "index out of range in self"
        },
    },
    Known {
        compiled: true,
        reason: "compiled code does not look whether the element of a tensor is a number of the dtype that it fills",
        applies: |case, failure, eager| {
            let overflows = eager.starts_with("value cannot be converted to type");
            case.last() == "masked_fill" && failure.starts_with("is not refused") && overflows
        },
    },
    Known {
        compiled: false,
        reason: "prims.rev counts no dimension from the end; flip, which stands for it, does",
        applies: |case, _, eager| {
            case.name.starts_with("prims::rev/") && eager.contains("is out of bounds for rank")
        },
    },
    Known {
        compiled: false,
        reason: "logcumsumexp of complex numbers is refused",
        applies: |case, failure, _| {
            case.last() == "logcumsumexp" && failure.contains("is of complex numbers")
        },
    },
    Known {
        compiled: false,
        reason: "gradients of convolutions are of floats; some of eager's kernels take integers that autograd never gives",
        applies: |case, failure, _| {
            let of_integers = case.tensors.first().is_some_and(|view| !view.dtype.is_float());
            case.last() == "convolution_backward" && of_integers && failure.starts_with("refused")
        },
    },
    Known {
        compiled: false,
        reason: "eager makes real convolutions of a complex one before it chooses a kernel, but not where that is called directly",
        applies: |case, failure, eager| {
            let kernel = eager.starts_with("\"slow_conv") && failure.starts_with("is not refused");
            let words = failure.contains("Output size is too small");
            case.has_complex() && case.last().starts_with("conv") && (kernel || words)
        },
    },
    Known {
        compiled: false,
        reason: "eager copies conjugates that are read, and conjugates in place what is written, before it looks for elements that are shared",
        applies: |case, failure, eager| {
            let flagged = ["_conj", "_neg_view", "adjoint", "conj", "mH", "matrix_H"];
            let conjugates = case.calls.iter().any(|call| flagged.contains(&call.operator()));
            let words = "to a single memory location";
            let looks_first = eager.is_empty() && failure.contains(words);
            conjugates && (looks_first || failure.starts_with("is not refused") && eager.contains(words))
        },
    },
    Known {
        compiled: false,
        reason: "eager reshapes before it transforms, and cannot where there is nothing",
        applies: |case, failure, eager| {
            let both = failure.starts_with("refused in other words");
            case.last() == "_fft_c2r" && both && eager.starts_with("cannot reshape tensor of 0 elements")
        },
    },
    Known {
        compiled: false,
        reason: "that there are no complex numbers of half precision is said before what is wrong with strides",
        applies: |_, failure, eager| {
            failure.contains("complex numbers of half precision") && eager.starts_with("Tensor must have a ")
        },
    },
    Known {
        compiled: false,
        reason: "of two operands of a wrong dtype, weights that are complex among them, eager names the other",
        applies: |case, failure, eager| {
            let words = "Expected tensor for argument #1 'indices'";
            let both = failure.contains("argument #1 'weight'") && eager.starts_with(words);
            both && matches!(case.last(), "embedding_bag" | "_embedding_bag")
        },
    },
    Known {
        compiled: false,
        reason: "eager takes a volume alone for a batch of images where its strides suggest channels last, and refuses it",
        applies: |_, failure, eager| {
            failure.starts_with("is not refused")
                && eager.starts_with("Unsupported memory format. Supports only ChannelsLast3d")
        },
    },
    Known {
        compiled: false,
        reason: "eager asks for rows of multiples of 16 bytes before anything else, which products on a CPU do not need",
        applies: |case, _, eager| {
            let words = ["strides should be multiple of 16 bytes", "Invalid strides/sizes"];
            case.last() == "_grouped_mm" && words.iter().any(|words| eager.starts_with(words))
        },
    },
    Known {
        compiled: false,
        reason: "eager takes two matrices whose inner sizes differ where their groups end before either",
        applies: |case, failure, eager| {
            let words = "contraction dimension of mat_a and mat_b must match";
            case.last() == "_grouped_mm" && eager.is_empty() && failure.contains(words)
        },
    },
    Known {
        compiled: true,
        reason: "of zeros of both signs max pooling and aminmax take the positive one, or the negative one, eager the first",
        applies: |case, failure, _| {
            let pools = case.last().starts_with("max_pool") || case.last() == "aminmax";
            let zeros = ["expected -0.0, got 0.0", "expected 0.0, got -0.0"];
            pools && zeros.iter().any(|words| failure.ends_with(words))
        },
    },
    Known {
        compiled: false,
        reason: "the sign of a zero that is written through a negative",
        applies: |case, failure, _| {
            let negative = case.calls.iter().any(|call| call.operator() == "_neg_view");
            negative && (failure.contains("0.0), got (") || failure.ends_with(", -0.0)"))
        },
    },
    Known {
        compiled: false,
        reason: "what is not exact has other bits, seen as elements of another dtype",
        applies: |case, failure, _| {
            let reinterprets = case.calls.iter().any(|call| call.schema == "view.dtype");
            reinterprets && failure.starts_with("storage") && crate::bounds::of(case).is_some()
        },
    },
    Known {
        compiled: false,
        reason: "truth values have no negatives: eager says so where a view of them is read, here there is no such view",
        applies: |_, failure, eager| {
            let words = "\"neg_cpu\" not implemented for 'Bool'";
            failure.starts_with("refused") && (failure.contains(words) || eager.contains(words))
        },
    },
    Known {
        compiled: true,
        reason: "whether complex numbers of a vector go with real tensors, eager asks of the numbers; here types say that they do not",
        applies: |_, failure, _| {
            failure.starts_with("refused in other words")
                && failure.contains("takes numbers from a tensor when it runs")
        },
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
            case.last() == "index_fill" && failure.starts_with("refused") && eager.starts_with("setStorage")
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
                "Index tensor must have the same number of dimensions as src tensor",
                "passed in tensor to be used as storage must be contiguous",
                "bincount only supports 1-d non-negative integral inputs",
                "shape mismatch: value tensor of shape",
            ];
            let about = ["cannot be converted", "not implemented for"];
            let index = about.iter().any(|words| failure.contains(words))
                && eager.contains("is out of bounds for dimension");
            failure.starts_with("refused") && (index || late.iter().any(|message| eager.starts_with(message)))
        },
    },
    Known {
        compiled: false,
        reason: "eager looks for no kernel where there is nothing to compute; here dtypes and bounds are checked whatever the sizes",
        applies: |case, failure, eager| {
            let about_dtypes = [
                "not implemented for",
                "expected scalar type",
                "expects elements along the last dimension",
                "uniform_ expects to return",
            ];
            let made = match &case.outcome {
                Outcome::Results(results, _) => results.as_slice(),
                Outcome::Error(_) => &[],
            };
            let nothing =
                |result: &Expected| matches!(result, Expected::View(view, _) if view.sizes.contains(&0));
            let empty = case.tensors.iter().any(|view| view.sizes.contains(&0)) || made.iter().any(nothing);
            eager.is_empty() && empty && about_dtypes.iter().any(|words| failure.contains(words))
        },
    },
    Known {
        compiled: false,
        reason: "eager has powers of bools for the exponents 0 and 1 alone, where it fills or copies",
        applies: |case, failure, eager| {
            let power = matches!(case.last(), "pow" | "_foreach_pow");
            eager.is_empty() && power && failure.contains("not implemented for 'Bool'")
        },
    },
    Known {
        compiled: false,
        reason: "eager still takes mT and its kin of a tensor without dimensions, and warns that it is deprecated",
        applies: |_, failure, eager| {
            let words = ["is only supported on matrices", "0-D tensor"];
            !eager.contains(words[0]) && words.iter().all(|words| failure.contains(words))
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
            let picked = matches!(case.last(), "convolution" | "linear")
                || MIXED.split_whitespace().any(|prefix| case.last().starts_with(prefix));
            let mixed = case.tensors.iter().any(|view| view.dtype != case.tensors[0].dtype);
            picked && mixed && (failure.contains("refused") || failure.contains("expected strides"))
        },
    },
    Known {
        compiled: false,
        reason: "eager names the kernel, or its own way to compute linear of a vector of weights",
        applies: |case, failure, eager| {
            let kernels = [
                "\"softmax_lastdim_kernel_impl\"",
                "INDICES element is out of DATA bounds",
                "size mismatch, got input",
                "\"addmv_impl_cpu\"",
                "\"compute_columns3d\"",
                "\"slow_conv3d_cpu\"",
                "mean(): could not infer output dtype",
                "\"adaptive_avg_pool2d_channels_last\"",
                "\"adaptive_max_pool2d_channels_last\"",
                "foreach_tensor_norm_slow",
                "\"avg_pool2d_channels_last\"",
                "\"max_pool2d_backward_channels_last\"",
                "\"max_pool3d_backward_channels_last\"",
                "\"max_pool2d_channels_last\"",
            ];
            let of_vectors = [
                "\"dot\"",
                "inconsistent tensor size",
                "addmm: mat2 must be a matrix",
                "output with shape",
                "The size of tensor a",
            ];
            let begins = |messages: &[&str]| messages.iter().any(|message| eager.starts_with(message));
            failure.starts_with("refused")
                && (begins(&kernels) || case.last() == "linear" && begins(&of_vectors))
        },
    },
    Known {
        compiled: false,
        reason: "eager's attention reads as many values as there are keys, whether they are there or not",
        applies: |case, failure, eager| {
            let words = ["Expected size for first two dimensions of batch2 tensor", "mat1 and mat2 shapes"];
            let size = words.iter().any(|words| failure.contains(words));
            case.last() == "scaled_dot_product_attention" && eager.is_empty() && size
        },
    },
    Known {
        compiled: true,
        reason: "whether eager keeps channels last of volumes depends on the library that it calls",
        applies: |_, failure, _| failure.contains("strides in eager that depend on a library"),
    },
    Known {
        compiled: false,
        reason: "eager asks in some of its kernels alone whether parameters and biases have one dimension",
        applies: |case, failure, eager| {
            let words =
                ["TensorAccessor expected 1 dims", "the number of sizes provided (2) must be greater"];
            let asked = words.iter().any(|words| failure.contains(words));
            matches!(case.last(), "batch_norm" | "linear") && eager.is_empty() && asked
        },
    },
    Known {
        compiled: false,
        reason: "whether eager refuses a transposed convolution without elements depends on the library that it calls",
        applies: |case, failure, eager| {
            case.last().starts_with("conv")
                && eager.is_empty()
                && failure.contains("Output size is too small")
        },
    },
    Known {
        compiled: false,
        reason: "the strides of no elements, which say nothing, of a product",
        applies: |case, failure, _| {
            let empty = case.tensors.iter().any(|view| view.sizes.contains(&0));
            case.last() == "einsum" && empty && failure.contains("expected strides")
        },
    },
    Known {
        compiled: false,
        reason: "beside masks eager takes more indices than there are dimensions",
        applies: |case, failure, _| {
            case.last().starts_with("index") && failure.contains("Dimension out of range")
        },
    },
    Known {
        compiled: false,
        reason: "eager rounds the weights of bytes, too",
        applies: |case, failure, _| {
            let bytes = case.tensors.first().is_some_and(|view| view.dtype == terrace_tensor::Dtype::U8);
            case.last() == "upsample_bicubic2d" && bytes && failure.contains(" element ")
        },
    },
    Known {
        compiled: false,
        reason: "of three sizes that do not fit eager names another two",
        applies: |case, failure, eager| {
            let words = "The size of tensor a";
            let both = failure.contains(words) && eager.starts_with(words);
            case.last() == "binary_cross_entropy_with_logits" && both
        },
    },
    Known {
        compiled: false,
        reason: "of a list with the same tensor twice a tangent is taken of a tangent, near a pole",
        applies: |case, failure, _| case.last() == "_foreach_tan" && failure.starts_with("storage"),
    },
    Known {
        compiled: false,
        reason: "eager converts no number for a sum of no products",
        applies: |case, failure, eager| {
            let empty = case.tensors.iter().any(|view| view.sizes.contains(&0));
            let adds =
                case.last().starts_with("addbmm") || matches!(case.last(), "addmm" | "addmv" | "baddbmm");
            empty && adds && eager.is_empty() && failure.contains("without overflow")
        },
    },
    Known {
        compiled: false,
        reason: "eager's addmv and addbmm of matrices without elements have the sizes of self",
        applies: |case, failure, _| {
            let empty = case.tensors.iter().any(|view| view.sizes.contains(&0));
            let kept = failure.starts_with("result 0: expected ") || failure.contains("Bad in-place call");
            matches!(case.last(), "addbmm" | "addmv") && empty && kept
        },
    },
    Known {
        compiled: false,
        reason: "eager multiplies by a scale and adds a shift, which cancel, where the mean is taken off here",
        applies: |case, failure, _| {
            let norms = ["batch_norm", "group_norm", "instance_norm"];
            norms.iter().any(|norm| case.last().contains(norm))
                && failure.contains("more than the error bound")
        },
    },
    Known {
        compiled: false,
        reason: "the stride of one element, which says nothing",
        applies: |case, failure, _| {
            matches!(case.last(), "einsum" | "isinf" | "isfinite" | "_weight_norm")
                && failure.contains("expected strides")
        },
    },
    Known {
        compiled: true,
        reason: "compiled code does not look whether elements are probabilities",
        applies: |case, _, eager| {
            case.last() == "binary_cross_entropy" && eager.ends_with("should be between 0 and 1")
        },
    },
    Known {
        compiled: true,
        reason: "compiled code checks indices by which no elements are picked, too",
        applies: |case, failure, eager| {
            let empty = case.tensors.iter().any(|view| view.sizes.contains(&0));
            empty && eager.is_empty() && failure.contains("index is out of bounds for dimension")
        },
    },
    Known {
        compiled: true,
        reason: "the strides and the offset of what has no elements, which say nothing",
        applies: |case, failure, _| {
            let empty = case.tensors.iter().any(|view| view.sizes.contains(&0));
            matches!(case.last(), "copy" | "pixel_unshuffle") && empty && failure.contains("expected strides")
        },
    },
    Known {
        compiled: true,
        reason: "the element of a tensor without dimensions is copied once",
        applies: |_, failure, _| failure.contains("takes one index of a tensor without dimensions"),
    },
    Known {
        compiled: true,
        reason: "compiled code checks all indices at once and does not say which is out of bounds",
        applies: |_, failure, eager| {
            let of_indices = [
                "is out of bounds for dimension",
                "index out of range in self",
                "out of range: tried to access index",
                "Number of elements of source < number of ones in mask",
            ];
            failure.contains("index is out of bounds for dimension")
                && of_indices.iter().any(|words| eager.contains(words))
        },
    },
    Known {
        compiled: true,
        reason: "whether a mask holds nowhere is known when the program runs, and then nothing is left to take",
        applies: |_, failure, _| failure.contains("takes elements of a source that has none"),
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
        reason: "eager's native_dropout of tensors without elements gives a mask of their dtype; here it is one of truths, as of others",
        applies: |case, failure, _| {
            let of_none =
                failure.contains("got bool[") && [", 0", "[0"].iter().any(|none| failure.contains(none));
            case.last() == "native_dropout" && (of_none || failure.ends_with(", got Bool"))
        },
    },
    Known {
        compiled: true,
        reason: "strides of what masks pick may depend on how many it is",
        applies: |case, failure, _| {
            case.last().starts_with("index")
                && failure.contains("is returned with strides that eager derives")
        },
    },
];

/// What the operators begin with that mix dtypes in some of their kernels.
const MIXED: &str = "_native_batch_norm _scaled_dot addbmm baddbmm batch_norm conv group_norm \
    instance_norm matmul native_batch_norm native_group_norm rms_norm scaled_dot";

/// The reason of a difference, if it is known.
pub fn reason(case: &Case, failure: &str) -> Option<&'static str> {
    let eager = if let Outcome::Error(message) = &case.outcome { message.as_str() } else { "" };
    KNOWN.iter().find(|known| (known.applies)(case, failure, eager)).map(|known| known.reason)
}
