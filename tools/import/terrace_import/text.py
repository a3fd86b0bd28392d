"""MLIR's text for types, attributes and locations."""

import math

import torch

ELEMENTS = {
    torch.bool: "i1",
    torch.uint8: "ui8",
    torch.int8: "i8",
    torch.int16: "i16",
    torch.int32: "i32",
    torch.int64: "i64",
    torch.float16: "f16",
    torch.bfloat16: "bf16",
    torch.float32: "f32",
    torch.float64: "f64",
    torch.complex64: "complex<f32>",
    torch.complex128: "complex<f64>",
}

MEMORY_FORMATS = {
    torch.contiguous_format: "contiguous_format",
    torch.preserve_format: "preserve_format",
    torch.channels_last: "channels_last",
    torch.channels_last_3d: "channels_last_3d",
}


# What stands in a list of integers for one that the run knows.
OF_THE_RUN = -(1 << 63)


def expression(size):
    """A size as a number or, where the run knows it, as an expression of SymPy. The program is not asked: that would specialize it."""
    if not isinstance(size, torch.SymInt):
        return int(size)
    expression = size.node.expr
    return int(expression) if expression.is_number else expression


def tensor_type(tensor):
    """`!graph.tensor<?x3xf32>`, with the device where it is not the CPU; ? is a size that the run knows."""
    sizes = [expression(size) for size in tensor.shape]
    sizes = "".join(f"{size if isinstance(size, int) else '?'}x" for size in sizes)
    device = "" if tensor.device.type == "cpu" else f', "{tensor.device}"'
    return f"!graph.tensor<{sizes}{ELEMENTS[tensor.dtype]}{device}>"


def value_type(value):
    """The type of what a node gives: a tensor, or a number that the run knows."""
    if isinstance(value, torch.Tensor):
        return tensor_type(value)
    if isinstance(value, (bool, torch.SymBool)):
        return "i1"
    return "f64" if isinstance(value, (float, torch.SymFloat)) else "i64"


def number(value):
    """A Python number as an attribute with its type: `2 : i64`, `2.0 : f64`, `true`, `[0.0, 1.0] : complex<f64>`."""
    if isinstance(value, complex):
        return f"[{decimal(value.real)}, {decimal(value.imag)}] : complex<f64>"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"{value} : i64"
    return f"{decimal(value)} : f64"


def decimal(value):
    """A float in the shortest form that reads back as the same one."""
    value = float(value)
    if math.isnan(value):
        return "0x7FF8000000000000"
    if math.isinf(value):
        return "0x7FF0000000000000" if value > 0 else "0xFFF0000000000000"
    text = repr(value)
    mantissa, _, exponent = text.partition("e")
    mantissa = mantissa if "." in mantissa else mantissa + ".0"
    return mantissa + (f"e{exponent}" if exponent else "")


def quoted(text):
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def attribute(kind, value):
    """A value as an attribute of a kind of operators.json; None where it is not one."""
    if kind == "integer" and isinstance(value, int):
        return f"{int(value)} : i64"
    if kind == "float" and isinstance(value, (int, float)):
        return f"{decimal(value)} : f64"
    if kind == "bool" and isinstance(value, (bool, int)):
        return "true" if value else "false"
    if kind == "string":
        value = MEMORY_FORMATS.get(value, str(value).removeprefix("torch."))
        return quoted(value)
    if kind == "dtype" and value in ELEMENTS:
        return ELEMENTS[value]
    if kind == "list of integers":
        return array("i64", value if isinstance(value, (list, tuple)) else [value])
    if kind == "list of bools":
        return array("i1", ["true" if entry else "false" for entry in value])
    if kind == "list of floats":
        return array("f64", [decimal(entry) for entry in value])
    return None


def array(element, entries):
    entries = ", ".join(str(entry) for entry in entries)
    return f"array<{element}: {entries}>" if entries else f"array<{element}>"
