"""Dtypes, contents of storages, layouts, and how they are written.

The sorts of contents:

* plain: small integers, and floats that are multiples of 1/4. Sums and products of a few of them are exact in any order, so
  that sum, mm or convolution can be compared bit by bit.
* special: nan, infinities and signed zeros among plain ones.
* extreme: the largest and smallest numbers as well, for operators that round each element once: where several steps overflow
  depends on how they are taken.
* wide: floats with all their bits, for the same operators.
* distinct: plain ones, none twice.

A further dtype is a row of DTYPES and, where its numbers are of a new kind, of CONTENTS.
"""

import numpy
import torch

# Our name: torch's dtype, the kind of number, the dtype of numpy in which it is written exactly: numpy has no bf16.
DTYPES = {
    "f32": (torch.float32, "float", numpy.float32),
    "f64": (torch.float64, "float", numpy.float64),
    "f16": (torch.float16, "float", numpy.float16),
    "bf16": (torch.bfloat16, "float", numpy.float32),
    "i64": (torch.int64, "integer", None),
    "i32": (torch.int32, "integer", None),
    "i16": (torch.int16, "integer", None),
    "i8": (torch.int8, "integer", None),
    "u8": (torch.uint8, "integer", None),
    "bool": (torch.bool, "bool", None),
    "c64": (torch.complex64, "complex", numpy.float32),
    "c128": (torch.complex128, "complex", numpy.float64),
}
# How often each is drawn.
WEIGHTS = {"f32": 6, "i64": 6, "f64": 3, "i32": 3, "bool": 3, "f16": 2, "bf16": 2, "u8": 2, "i8": 1, "i16": 1}
# The same where complex numbers take part, which are drawn apart.
COMPLEX_WEIGHTS = {"c64": 8, "c128": 4, "f32": 3, "f64": 2, "i64": 2, "bool": 1}
NAMES = {dtype: name for name, (dtype, _, _) in DTYPES.items()}

# What the parts of a complex number are.
PARTS = {"c64": "f32", "c128": "f64"}

# The sorts of contents that each kind of number has; the first is the usual one.
CONTENTS = {
    "float": ("plain", "special", "extreme", "wide", "distinct"),
    "integer": ("plain", "extreme", "distinct"),
    "bool": ("plain",),
    "complex": ("plain", "special"),
}


def kind(name):
    return DTYPES[name][1]


def element(draw, name, sort):
    """One drawn element."""
    dtype, number, _ = DTYPES[name]
    if number == "bool":
        return draw.chance(50)
    if number == "complex":
        return complex(*(element(draw, PARTS[name], sort) for _ in range(2)))
    if number == "integer":
        limits = torch.iinfo(dtype)
        if sort == "extreme" and draw.chance(40):
            # Not the least one: divided by -1 it ends eager's process.
            return draw.choice([limits.max, limits.min + 1, limits.max - 1, limits.min + 2, 0, max(-1, limits.min)])
        return max(draw.between(-4, 6), limits.min)
    if sort in ("special", "extreme") and draw.chance(50):
        limits = torch.finfo(dtype)
        extreme = [limits.max, -limits.max, limits.tiny, 1e-3, 100.0] if sort == "extreme" else []
        return draw.choice([float("nan"), float("inf"), -float("inf"), -0.0, 0.0] + extreme)
    if sort == "wide":
        return draw.between(-(1 << 52), 1 << 52) / (1 << 49) * draw.choice([1.0, 0.01, 2.5])
    return draw.between(-12, 14) / 4


def storage(draw, name, sort, count):
    """A 1-dim tensor of drawn elements."""
    if sort == "distinct":
        unit, least = (4, -count // 2) if kind(name) == "float" else (1, 0)
        return torch.tensor([(n + least) / unit for n in draw.shuffled(range(count))]).to(DTYPES[name][0])
    return torch.tensor([element(draw, name, sort) for _ in range(count)], dtype=DTYPES[name][0])


def numbers(tensor):
    """The elements in row-major order, each written as briefly as the dtype lets it be read back exactly."""
    name = NAMES[tensor.dtype]
    if kind(name) == "complex":
        # One part after the other.
        return numbers(torch.view_as_real(tensor.resolve_conj().resolve_neg()))
    flat = tensor.reshape(-1).tolist()
    if kind(name) != "float":
        return " ".join(str(int(value)) for value in flat)
    wide = DTYPES[name][2]

    def brief(value):
        text = numpy.format_float_positional(wide(value), trim="-", unique=True) if abs(value) < 1e6 else repr(value)
        if 0 < abs(value) < 1e-4 or abs(value) >= 1e6:
            text = numpy.format_float_scientific(wide(value), trim="-", unique=True)
        assert value != value or wide(float(text)) == wide(value), (text, value)
        return text

    return " ".join(brief(value) for value in flat)


def ints(values):
    return "[" + ",".join(str(value) for value in values) + "]"


def layout(number, tensor):
    """A view of storage `number`; strides, offset and flags are left out where they are those of a new tensor."""
    text = f"@{number} {NAMES[tensor.dtype]}{ints(tensor.shape)}"
    if tuple(tensor.stride()) != contiguous(tensor.shape):
        text += f" strides {ints(tensor.stride())}"
    if tensor.storage_offset() != 0:
        text += f" offset {tensor.storage_offset()}"
    for flag, is_set in (("conj", tensor.is_conj()), ("neg", tensor.is_neg())):
        text += f" {flag}" if is_set else ""
    return text


def contiguous(sizes):
    """Row-major strides; a size of 0 counts as 1."""
    strides, step = [], 1
    for size in reversed(sizes):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))


LAYOUTS = {"contiguous": 45, "offset": 8, "permuted": 16, "stepped": 13, "expanded": 10, "overlapping": 5}


def strides(draw, sizes, how):
    """Strides and an offset."""
    rank, plain = len(sizes), contiguous(sizes)
    if how == "offset":
        return plain, draw.between(1, 3)
    if how == "permuted":
        order = draw.shuffled(range(rank))
        inner = contiguous([sizes[dim] for dim in order])
        return tuple(inner[order.index(dim)] for dim in range(rank)), draw.choice([0, 0, 1])
    if how == "stepped":
        return tuple(stride * 2 for stride in plain), draw.choice([0, 1])
    if how == "expanded" and rank:
        dim = draw.below(rank)
        rest = contiguous(sizes[:dim] + [1] + sizes[dim + 1 :])
        return tuple(0 if d == dim else stride for d, stride in enumerate(rest)), 0
    if how == "overlapping":
        return tuple(1 for _ in sizes), 0
    return plain, 0


def reach(sizes, strides, offset):
    """The elements of storage that a view needs."""
    if 0 in sizes:
        return 0
    return offset + sum((size - 1) * stride for size, stride in zip(sizes, strides)) + 1
