"""Arguments of a call that are not tensors, by the type and the name that the schema gives them.

NAMED has the arguments whose name says what they are, for every operator; OF_OPERATOR the few whose meaning is their
operator's. Anything else is drawn by its type. About one in eight does not fit, for eager's error.
"""

import torch

from shapes import expanded, mistaken, parts, positive, reshaped, shape, size
from values import DTYPES

INT64_MAX = (1 << 63) - 1


def rank(call):
    return call.self.dim() if call.self is not None else 2


def sizes(call):
    return list(call.self.shape) if call.self is not None else []


def dim(draw, call):
    n = max(rank(call), 1)
    if draw.chance(8):
        return draw.choice([-n - 1, n, n + 1])
    return draw.between(-n, n - 1)


def dims(draw, call):
    """Different dimensions, some counted from the end; seldom one twice or out of range."""
    n = rank(call)
    if draw.chance(8):
        return [dim(draw, call) for _ in range(2)]
    chosen = draw.shuffled(range(n))[: draw.below(n + 1)]
    return [d - n if draw.chance(30) else d for d in chosen]


def permutation(draw, call):
    n = rank(call)
    if draw.chance(12):
        return dims(draw, call)
    return [d - n if draw.chance(30) else d for d in draw.shuffled(range(n))]


def destination(draw, call):
    """As many dimensions as `source` has."""
    count = len(call.given["source"])
    drawn = permutation(draw, call)
    return drawn if draw.chance(8) else drawn[:count]


def small(draw, call):
    return draw.between(-4, 4)


def chosen(name, otherwise):
    """What the shapes were drawn for; seldom something else."""

    def of(draw, call):
        right = call.shapes.get(name)
        return otherwise(draw, call) if right is None or draw.chance(8) else right

    return of


def position(draw, call):
    """A place along `dim`, from either end; seldom beyond."""
    n = along(call)
    return draw.between(-n - 1, n) if draw.chance(15) else draw.between(-n, max(n - 1, 0))


def along(call):
    """The size of the dimension that `dim` names."""
    all_sizes, at = sizes(call), call.given.get("dim", 0)
    return all_sizes[at] if -len(all_sizes) <= at < len(all_sizes) else 2


def fitting(draw, right, wrong=mistaken):
    """Sizes that fit, or seldom do not."""
    return wrong(draw, right) if draw.chance(12) else right


def spatial(low, high):
    """A list with an entry per spatial dimension, or one for all."""

    def of(draw, call):
        count = 1 if draw.chance(15) else call.shapes["spatial"]
        values = [draw.between(low, high) for _ in range(count)]
        return [-1] if draw.chance(4) else values

    return of


def memory_format(draw, call):
    """One that tensors of the rank have; seldom another."""
    ranks = {4: torch.channels_last, 5: torch.channels_last_3d}
    formats = [torch.contiguous_format, torch.preserve_format, ranks.get(rank(call), torch.contiguous_format)]
    return torch.channels_last if draw.chance(6) else draw.choice(formats)


def shifts(draw, call):
    return [draw.between(-4, 4) for _ in range(0 if draw.chance(4) else draw.choice([1, 1, 2]))]


def rolled(draw, call):
    """A dimension for each shift; seldom too few or too many."""
    count = len(call.given["shifts"])
    if count == 1 and draw.chance(25):
        return []
    return [dim(draw, call) for _ in range(draw.between(0, 2) if draw.chance(8) else count)]


def repeats(draw, call):
    count = rank(call) + draw.choice([0, 0, 1]) - draw.chance(6)
    return [-1 if draw.chance(3) else draw.between(0, 2) for _ in range(count)]


def pads(draw, call):
    """Pairs, as many as the operator has dimensions; seldom another number of them."""
    count = call.shapes.get("pads", draw.between(0, max(rank(call), 1))) * 2
    if draw.chance(6):
        count += draw.choice([-1, 1, 2])
    return [draw.weighted({0: 6, 1: 8, 2: 5, -1: 3, -2: 1, 4: 1}) for _ in range(max(count, 0))]


def transformed(draw, call):
    """Different dimensions, counted from the front."""
    n = rank(call)
    return draw.shuffled(range(n))[: draw.between(0 if draw.chance(6) else min(n, 1), n)]


def halved(draw, call):
    """The size of a transform whose half is there."""
    dims = call.given["dim"]
    size = sizes(call)[dims[-1]] if dims else 1
    return max(2 * size - draw.choice([1, 2]), 1) if draw.chance(85) else size


def padded(draw, call):
    """A size for each of the dimensions of a transform; seldom one that is none."""
    count = draw.between(0, rank(call) + draw.chance(4))
    return [draw.between(-1, 0) if draw.chance(6) else draw.between(1, 5) for _ in range(count)]


def boxed(draw, call):
    """As many dimensions as there are sizes, where there are; seldom others."""
    given = call.given.get("s")
    count = rank(call) if given is None or draw.chance(8) else len(given)
    chosen = dims(draw, call) if draw.chance(8) else draw.shuffled(range(rank(call)))
    return [d - rank(call) if draw.chance(30) else d for d in chosen[:count]]


def strides_of_view(draw, call):
    count = len(call.given["size"])
    return [draw.between(0, 3) for _ in range(count if draw.chance(93) else count + 1)]


NAMED = {
    "input_dtype": lambda draw, call: call.self.dtype,
    "reduction": lambda draw, call: call.shapes["reduction"],
    "interpolation_mode": lambda draw, call: draw.below(3),
    "padding_mode": lambda draw, call: draw.below(3),
    "label_smoothing": lambda draw, call: draw.choice([0.0, 0.0, 0.25, 0.5, 1.5]),
    "dropout": lambda draw, call: 0.0,
    "train": lambda draw, call: draw.chance(50),
    "ignore_index": lambda draw, call: draw.choice([-100, -100, 0, 1]),
    "num_weights": lambda draw, call: draw.between(2, 4),
    "padding_idx": lambda draw, call: draw.choice([-1, -1, 0, 1]),
    "dim": dim,
    "dim0": dim,
    "dim1": dim,
    "dim2": dim,
    "axis0": dim,
    "axis1": dim,
    "dimension": dim,
    "source": dim,
    "destination": dim,
    "index": position,
    "start": position,
    "end": lambda draw, call: INT64_MAX if draw.chance(20) else draw.between(-5, 5),
    "step": lambda draw, call: draw.between(1, 3) if draw.chance(88) else draw.between(-1, 0),
    "length": lambda draw, call: draw.between(0, 3),
    "chunks": lambda draw, call: draw.between(0, 5),
    "split_size": lambda draw, call: draw.between(-1, 5),
    "groups": lambda draw, call: draw.between(0, 2) if draw.chance(8) else call.shapes["groups"],
    "transposed": lambda draw, call: call.shapes["transposed"],
    "storage_offset": lambda draw, call: draw.between(0, 3),
    "upscale_factor": lambda draw, call: draw.between(-1, 3) if draw.chance(12) else call.shapes["factor"],
    "downscale_factor": lambda draw, call: draw.between(-1, 3) if draw.chance(12) else call.shapes["factor"],
    "divisor_override": lambda draw, call: draw.choice([None, None, 1, 2, 3, -2, 0]),
    "scales_h": lambda draw, call: draw.choice([None, 2.0, 0.5, 1.5]),
    "scales_w": lambda draw, call: draw.choice([None, 2.0, 0.5, 1.5]),
    "num_groups": lambda draw, call: draw.between(-1, 3) if draw.chance(12) else call.shapes["num_groups"],
    "group": lambda draw, call: draw.between(-1, 3) if draw.chance(12) else call.shapes["group"],
    "N": lambda draw, call: call.shapes["N"] + draw.chance(6),
    "C": lambda draw, call: call.shapes["C"],
    "HxW": lambda draw, call: call.shapes["HxW"] + draw.chance(6),
    "momentum": lambda draw, call: draw.choice([0.25, 0.5, 0.0, 1.0]),
    "cudnn_enabled": lambda draw, call: False,
    "dropout_p": lambda draw, call: draw.choice([0.0] * 12 + [1.5, -0.5]),
    "scale": lambda draw, call: draw.choice([None, 0.5, 2.0]),
    "nan": lambda draw, call: draw.choice([None, 0.5, -2.0, 1e9]),
    "posinf": lambda draw, call: draw.choice([None, 3.0, 1e9]),
    "neginf": lambda draw, call: draw.choice([None, -3.0, -1e9]),
    "eps": lambda draw, call: draw.choice([1e-5, 0.5, 0.0]),
    "half_to_float": lambda draw, call: draw.chance(8),
    "approximate": lambda draw, call: draw.choice(["none", "none", "tanh", "tanh", "erf"]),
    "start_dim": dim,
    "end_dim": dim,
    "sections": lambda draw, call: draw.between(-1, 4),
    "device": lambda draw, call: torch.device("cpu"),
    "memory_format": memory_format,
    "indexing": lambda draw, call: "uv" if draw.chance(5) else draw.choice(["ij", "xy"]),
    "reduce": lambda draw, call: draw.choice(["sum", "prod", "mean", "amax", "amin", "amin", "max"]),
    "k": lambda draw, call: draw.between(-1, along(call) + 1) if draw.chance(15) else draw.between(0, along(call)),
    "bins": lambda draw, call: draw.between(1, 5) if draw.chance(90) else draw.between(-1, 0),
    "minlength": lambda draw, call: draw.between(-1, 8),
    "correction": lambda draw, call: draw.choice([None, 0, 1, 1, 2, 0.5, -1, 7, True]),
    "ord": lambda draw, call: draw.choice([0, 1, 2, 2.0, 3, 0.5, -1, -2, 2.5, True, float("inf"), -float("inf")]),
    "repeats": lambda draw, call: draw.between(-1, 3),
    "output_size": lambda draw, call: None if draw.chance(75) else draw.between(0, 9),
    "diagonal": lambda draw, call: draw.between(-3, 3),
    "mode": lambda draw, call: "mirror" if draw.chance(4) else draw.choice(["constant", "reflect", "replicate", "circular"]),
    "value": lambda draw, call: draw.choice([None, 0.0, 1.5, -2.0]),
    "n": lambda draw, call: draw.between(-1, 4),
    "m": lambda draw, call: draw.between(-1, 4),
    "row": lambda draw, call: draw.between(-1, 4),
    "col": lambda draw, call: draw.between(-1, 4),
    "steps": lambda draw, call: draw.between(-1, 7),
    "base": lambda draw, call: draw.choice([10.0, 2.0]),
    "low": lambda draw, call: draw.between(-3, 2),
    "high": lambda draw, call: draw.between(-1, 9) if draw.chance(85) else draw.choice([250, 2**40 + 7, 2**62 + 1]),
    "p": lambda draw, call: draw.choice([0.5, 0.25, 0.75, 0.0, 1.0, 1.5, -0.5]),
    "mean": lambda draw, call: draw.choice([0.0, 1.5, -0.25]),
    "std": lambda draw, call: draw.choice([1.0, 0.5, 3.0, 0.0, -1.0]),
    "from": lambda draw, call: draw.choice([0.0, 1.5, -0.25]),
    "to": lambda draw, call: draw.choice([call.given.get("from", 0.0), 2.5, 100.0, 2.5, -3.0]),
    "num_samples": lambda draw, call: draw.between(0, 4),
    "normalization": lambda draw, call: draw.between(0, 2),
    "norm": lambda draw, call: "none" if draw.chance(4) else draw.choice([None, "backward", "ortho", "forward"]),
    "rounding_mode": lambda draw, call: draw.choice([None, "trunc", "floor", "ceil"]),
}

# Lists of integers.
LISTS = {
    "dim": dims,
    "dims": permutation,
    "s": padded,
    "source": dims,
    "destination": destination,
    "size": lambda draw, call: shape(draw, (0, 1, 2, 3)) if draw.chance(92) else [-1, 2],
    "shape": lambda draw, call: fitting(draw, reshaped(draw, sizes(call))),
    "indices": lambda draw, call: [draw.between(-4, 5) for _ in range(draw.between(0, 3))],
    "sizes": lambda draw, call: fitting(draw, reshaped(draw, [along(call)])),
    "split_sizes": lambda draw, call: fitting(draw, parts(draw, along(call))),
    "shifts": shifts,
    "repeats": repeats,
    "pad": pads,
    "physical_layout": lambda draw, call: draw.shuffled(range(len(call.given["size"])))
    if draw.chance(85)
    else [draw.between(-1, 3) for _ in range(draw.between(0, 3))],
    "normalized_shape": lambda draw, call: fitting(draw, call.shapes["normalized_shape"]),
    "kernel_size": spatial(1, 3),
    "output_size": spatial(0, 4),
    "stride": spatial(1, 2),
    "padding": spatial(0, 1),
    "dilation": spatial(1, 2),
    "output_padding": spatial(0, 1),
}

# What the shapes were drawn for.
DRAWN = {
    "_low_memory_max_pool_with_offsets": "kernel_size stride padding dilation ceil_mode",
    "_low_memory_max_pool_offsets_to_indices": "kernel_size input_size stride padding dilation",
    "avg_pool2d_backward": "kernel_size stride padding ceil_mode",
    "avg_pool3d_backward": "kernel_size stride padding ceil_mode",
    "_embedding_bag": "mode include_last_offset",
    "embedding_bag": "mode include_last_offset",
    "_embedding_bag_backward": "num_weights mode",
    "_embedding_bag_dense_backward": "num_weights mode",
    "_weight_norm": "dim",
    "_weight_norm_interface": "dim",
    "_weight_norm_interface_backward": "dim",
    **{name: "has_biases num_layers bidirectional batch_first" for name in ("lstm", "gru", "rnn_tanh", "rnn_relu")},
}

OF_OPERATOR = {
    **{(f"_fft_{kind}", "dim"): transformed for kind in ("c2c", "r2c", "c2r")},
    ("_fft_c2r", "last_dim_size"): halved,
    **{(f"fft_{name}fft{n}", "dim"): boxed for name in ("", "i", "r", "ir") for n in ("2", "n")},
    **{(f"fft_{name}fft", "n"): lambda draw, call: draw.choice([None, 1, 2, 3, 4, 5, 6, 6, 0, -1]) for name in ("", "i", "r", "ir", "h", "ih")},
    **{
        (operator, name): lambda draw, call, name=name: call.shapes[name]
        for operator, names in DRAWN.items()
        for name in names.split()
    },
    **{
        (f"upsample_{kind}2d_backward", f"{which}_size"): lambda draw, call, which=which: call.shapes[f"size_of_{which}"]
        for kind in ("nearest", "bilinear", "bicubic")
        for which in ("output", "input")
    },
    ("_scaled_dot_product_flash_attention_for_cpu_backward", "dropout_p"): lambda draw, call: 0.0,
    ("_embedding_bag", "padding_idx"): lambda draw, call: draw.choice([-1, 0, 1]),
    ("embedding_bag", "padding_idx"): lambda draw, call: draw.choice([None, 0, 1, -1, 7]),
    ("_embedding_bag_backward", "padding_idx"): lambda draw, call: draw.choice([-1, -1, 0]),
    ("_embedding_bag_dense_backward", "padding_idx"): lambda draw, call: draw.choice([-1, -1, 0]),
    ("native_group_norm_backward", "N"): lambda draw, call: call.shapes["N"],
    ("native_group_norm_backward", "HxW"): lambda draw, call: call.shapes["HxW"],
    ("native_group_norm_backward", "group"): lambda draw, call: call.shapes["group"],
    **{
        (operator, "sparse"): lambda draw, call: False
        for operator in ("_embedding_bag", "_embedding_bag_backward", "embedding_bag", "embedding_backward")
    },
    ("smooth_l1_loss", "beta"): lambda draw, call: draw.choice([1.0, 1.0, 0.5, 2.0, 0.0, -1.0]),
    ("huber_loss", "delta"): lambda draw, call: draw.choice([1.0, 1.0, 0.5, 2.0, 0.0]),
    ("smooth_l1_loss_backward", "beta"): lambda draw, call: draw.choice([1.0, 0.5, 2.0]),
    ("huber_loss_backward", "delta"): lambda draw, call: draw.choice([1.0, 0.5, 2.0]),
    ("softplus_backward", "beta"): lambda draw, call: draw.choice([1, 2, 0.5]),
    ("softplus_backward", "threshold"): lambda draw, call: draw.choice([20, 2, 0.5]),
    ("hardtanh_backward", "min_val"): lambda draw, call: draw.choice([-1, -1.5, 0]),
    ("hardtanh_backward", "max_val"): lambda draw, call: draw.choice([1, 1.5, 0]),
    ("leaky_relu_backward", "negative_slope"): lambda draw, call: draw.choice([0.25, 0.5, 2, -1]),
    **{("elu_backward", name): lambda draw, call: draw.choice([1, 1, 0.5, 2, -1]) for name in ("alpha", "scale", "input_scale")},
    **{
        ("convolution_backward", name): lambda draw, call, name=name: call.shapes[name]
        for name in ("bias_sizes", "stride", "padding", "dilation", "output_padding", "groups", "transposed")
    },
    **{
        (f"max_pool{dims}d_with_indices_backward", name): lambda draw, call, name=name: call.shapes[name]
        for dims in (2, 3)
        for name in ("kernel_size", "stride", "padding", "dilation", "ceil_mode")
    },
    ("_grouped_mm", "out_dtype"): lambda draw, call: draw.choice([None, None, None, DTYPES["f32"][0]]),
    ("native_layer_norm_backward", "normalized_shape"): lambda draw, call: call.shapes["normalized_shape"],
    ("set", "stride"): strides_of_view,
    ("scatter", "reduce"): lambda draw, call: "sum" if draw.chance(10) else draw.choice(["add", "multiply"]),
    ("view_copy", "size"): lambda draw, call: fitting(draw, reshaped(draw, sizes(call))),
    ("_unsafe_view", "size"): lambda draw, call: fitting(draw, reshaped(draw, sizes(call))),
    ("expand_copy", "size"): lambda draw, call: fitting(draw, expanded(draw, sizes(call))),
    ("squeeze_copy", "dims"): dims,
    ("unfold_copy", "size"): lambda draw, call: draw.between(0, 4),
    ("diagonal_copy", "offset"): lambda draw, call: draw.between(-3, 3),
    ("einsum", "equation"): lambda draw, call: call.shapes["equation"],
    ("einsum", "path"): lambda draw, call: None,
    **{(f"{kind}_pad{n}d", "padding"): pads for kind in ("reflection", "replication") for n in (1, 2, 3)},
    ("flip", "dims"): dims,
    ("roll", "dims"): rolled,
    ("tile", "dims"): lambda draw, call: [-1 if draw.chance(3) else draw.between(0, 2) for _ in range(draw.between(0, 3))],
    ("linspace", "start"): lambda draw, call: draw.choice([0, 1, -2, 0.5, -1.5, 3.25, True]),
    ("linspace", "end"): lambda draw, call: draw.choice([0, 1, 4, 7, 3.5, -2.0, -3.25, 1e300]),
    ("logspace", "start"): lambda draw, call: draw.choice([0, 1, -2, 0.5, 2.0]),
    ("logspace", "end"): lambda draw, call: draw.choice([0, 1, 2, 3.0, -2.0]),
    ("empty_strided", "stride"): strides_of_view,
    ("new_empty_strided", "stride"): strides_of_view,
    ("tril_indices", "offset"): lambda draw, call: draw.between(-3, 3),
    ("triu_indices", "offset"): lambda draw, call: draw.between(-3, 3),
    ("view", "size"): lambda draw, call: fitting(draw, reshaped(draw, sizes(call))),
    ("expand", "size"): lambda draw, call: fitting(draw, expanded(draw, sizes(call))),
    ("as_strided", "size"): lambda draw, call: [size(draw) for _ in range(draw.between(0, 3))],
    ("as_strided", "stride"): strides_of_view,
    ("squeeze", "dims"): dims,
    ("unfold", "size"): lambda draw, call: draw.between(0, 4),
    ("arange", "start"): lambda draw, call: draw.choice([0, 0, 1, -2, 0.5, -1.5, True, 1.0]),
    ("arange", "end"): lambda draw, call: draw.choice([0, 1, 4, 7, 3.5, 2.0, -1, -3.25, float("inf"), float("nan")]),
    ("arange", "step"): lambda draw, call: draw.choice([1, 1, 2, -1, 0.5, -0.75, 0, 0.0, True]),
    ("diagonal", "offset"): lambda draw, call: draw.between(-3, 3),
    # In no order, they are in one that is up to the algorithm.
    ("topk", "sorted"): lambda draw, call: True,
    ("diagonal_scatter", "offset"): chosen("offset", lambda draw, call: draw.between(-3, 3)),
    ("diagonal_scatter", "dim1"): chosen("dim1", dim),
    ("diagonal_scatter", "dim2"): chosen("dim2", dim),
    ("select_scatter", "index"): chosen("index", position),
    ("slice_scatter", "start"): chosen("start", position),
    ("slice_scatter", "end"): chosen("end", NAMED["end"]),
    ("slice_scatter", "step"): chosen("step", NAMED["step"]),
    ("as_strided_scatter", "size"): lambda draw, call: fitting(draw, call.shapes["size"]),
    ("as_strided_scatter", "stride"): strides_of_view,
}

# The dimension that the shapes of these were drawn for.
for operator in (
    "gather scatter scatter_add scatter_reduce index_select index_copy index_add index_fill select_scatter slice_scatter"
).split():
    OF_OPERATOR[operator, "dim"] = chosen("dim", dim)

SCALARS = {
    "bool": [True, False],
    "integer": [0, 1, 2, 3, -1, -3],
    "float": [0.5, -1.5, 2.0, 0.0, 3.25, -0.5],
    "special": [float("nan"), float("inf"), -float("inf"), 1 << 40, 1e300, -(1 << 33), -0.0, 0.1],
    "complex": [1j, 0.5 - 2j, -1.5 + 0.25j, 2 + 0j, 0j, -3 - 1j],
}


def scalar(draw, dtypes, finite):
    """A number; a complex one only where such tensors are drawn."""
    if "c64" in dtypes:
        return draw.choice(SCALARS[draw.weighted({"complex": 6, "integer": 4, "float": 4, "bool": 1})])
    return draw.choice(SCALARS[draw.weighted({"bool": 2, "integer": 6, "float": 6} | ({} if finite else {"special": 3}))])


def argument(draw, call, operator, name, kind, dtypes):
    """A drawn value of a schema's argument, which is of the type `kind` as torch prints it."""
    optional = kind.startswith("Optional[")
    kind = kind.removeprefix("Optional[").removesuffix("]") if optional else kind
    own = OF_OPERATOR.get((operator, name))
    if own:
        return own(draw, call)
    if kind == "str" and name == "padding":
        return draw.choice(["same", "same", "valid", "valid", "full"])
    if kind == "ScalarType" and name not in NAMED:
        return DTYPES[draw.weighted(dtypes)][0]
    if kind == "List[number]":
        # A number for each tensor of a list; seldom too few of them.
        count = call.shapes.get("entries", 1) + (draw.choice([-1, 1]) if draw.chance(8) else 0)
        return [scalar(draw, dtypes, call.finite) for _ in range(max(count, 0))]
    if kind == "List[bool]":
        own, both = draw.chance(70), draw.chance(70)
        # Some kernels give the gradient of the weight along with that of the bias.
        return [own, both] if operator.startswith("grid_sampler") else [own, both, both]
    if kind == "List[float]":
        return None if optional and draw.chance(50) else [draw.choice([2.0, 0.5, 1.5, 1.0]) for _ in range(call.shapes["spatial"])]
    if kind == "List[int]":
        return None if optional and draw.chance(20) else LISTS[name](draw, call)
    if name in NAMED:
        return NAMED[name](draw, call)
    if kind == "number":
        return scalar(draw, dtypes, call.finite)
    if kind == "bool":
        return draw.chance(50)
    if kind == "int":
        return small(draw, call)
    raise SystemExit(f"{operator}: no way to draw '{name}' of type {kind}; generate/arguments.py says how")
