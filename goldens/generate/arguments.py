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


def strides_of_view(draw, call):
    count = len(call.given["size"])
    return [draw.between(0, 3) for _ in range(count if draw.chance(93) else count + 1)]


NAMED = {
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
    "eps": lambda draw, call: draw.choice([1e-5, 0.5, 0.0]),
    "half_to_float": lambda draw, call: draw.chance(8),
    "approximate": lambda draw, call: draw.choice(["none", "none", "tanh", "tanh", "erf"]),
    "start_dim": dim,
    "end_dim": dim,
    "sections": lambda draw, call: draw.between(-1, 4),
    "device": lambda draw, call: torch.device("cpu"),
    "memory_format": memory_format,
    "indexing": lambda draw, call: "uv" if draw.chance(5) else draw.choice(["ij", "xy"]),
    "rounding_mode": lambda draw, call: draw.choice([None, "trunc", "floor", "ceil"]),
}

# Lists of integers.
LISTS = {
    "dim": dims,
    "dims": permutation,
    "source": dims,
    "destination": destination,
    "size": lambda draw, call: shape(draw, (0, 1, 2, 3)) if draw.chance(92) else [-1, 2],
    "shape": lambda draw, call: fitting(draw, reshaped(draw, sizes(call))),
    "indices": lambda draw, call: [draw.between(-4, 5) for _ in range(draw.between(0, 3))],
    "sizes": lambda draw, call: fitting(draw, reshaped(draw, [along(call)])),
    "split_sizes": lambda draw, call: fitting(draw, parts(draw, along(call))),
    "normalized_shape": lambda draw, call: fitting(draw, call.shapes["normalized_shape"]),
    "stride": spatial(1, 2),
    "padding": spatial(0, 1),
    "dilation": spatial(1, 2),
    "output_padding": spatial(0, 1),
}

OF_OPERATOR = {
    ("view_copy", "size"): lambda draw, call: fitting(draw, reshaped(draw, sizes(call))),
    ("_unsafe_view", "size"): lambda draw, call: fitting(draw, reshaped(draw, sizes(call))),
    ("expand_copy", "size"): lambda draw, call: fitting(draw, expanded(draw, sizes(call))),
    ("squeeze_copy", "dims"): dims,
    ("unfold_copy", "size"): lambda draw, call: draw.between(0, 4),
    ("diagonal_copy", "offset"): lambda draw, call: draw.between(-3, 3),
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
}

SCALARS = {
    "bool": [True, False],
    "integer": [0, 1, 2, 3, -1, -3],
    "float": [0.5, -1.5, 2.0, 0.0, 3.25, -0.5],
    "special": [float("nan"), float("inf"), -float("inf"), 1 << 40, 1e300, -(1 << 33), -0.0, 0.1],
}


def scalar(draw):
    return draw.choice(SCALARS[draw.weighted({"bool": 2, "integer": 6, "float": 6, "special": 3})])


def argument(draw, call, operator, name, kind, dtypes):
    """A drawn value of a schema's argument, which is of the type `kind` as torch prints it."""
    optional = kind.startswith("Optional[")
    kind = kind.removeprefix("Optional[").removesuffix("]") if optional else kind
    own = OF_OPERATOR.get((operator, name))
    if own:
        return own(draw, call)
    if kind == "ScalarType":
        return DTYPES[draw.weighted(dtypes)][0]
    if kind == "List[int]":
        return None if optional and draw.chance(20) else LISTS[name](draw, call)
    if kind == "number":
        return scalar(draw)
    if name in NAMED:
        return NAMED[name](draw, call)
    if kind == "bool":
        return draw.chance(50)
    if kind == "int":
        return small(draw, call)
    raise SystemExit(f"{operator}: no way to draw '{name}' of type {kind}; generate/arguments.py says how")
