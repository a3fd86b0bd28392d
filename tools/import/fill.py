"""Contents that any program can make anew: a hash of the argument's number and the element's.

Element `k` of argument `n` has the bits `splitmix64((n << 40) + k)`: the finalizer of Steele, Lea and Flood's SplitMix on
`(n << 40) + k + 1` steps of the golden gamma. A real number between `low` and `high` is `low + (high - low) * (bits >> 40) / 2^24`,
in f64 and then rounded to the dtype; an integer is `low + bits mod (high - low)`. Elements count in row-major order.
"""

import numpy
import torch

GAMMA = 0x9E3779B97F4A7C15


def bits(argument, count):
    with numpy.errstate(over="ignore"):
        z = (numpy.arange(count, dtype=numpy.uint64) + numpy.uint64((argument << 40) + 1)) * numpy.uint64(GAMMA)
        z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
        return z ^ (z >> numpy.uint64(31))


class Real:
    """Floats in `[low, high)`."""

    def __init__(self, *sizes, low=-1.0, high=1.0):
        self.sizes, self.low, self.high = list(sizes), float(low), float(high)

    def tensor(self, argument, dtype=torch.float32):
        count = int(numpy.prod(self.sizes, dtype=numpy.int64))
        unit = (bits(argument, count) >> numpy.uint64(40)).astype(numpy.float64) / 2**24
        return torch.from_numpy(self.low + (self.high - self.low) * unit).to(dtype).reshape(self.sizes)

    def described(self):
        return {"real": [self.low, self.high]}


class Integers:
    """Integers in `[low, high)`."""

    def __init__(self, *sizes, low=0, high):
        self.sizes, self.low, self.high = list(sizes), low, high

    def tensor(self, argument, dtype=torch.int64):
        count = int(numpy.prod(self.sizes, dtype=numpy.int64))
        drawn = bits(argument, count) % numpy.uint64(self.high - self.low)
        return (torch.from_numpy(drawn.astype(numpy.int64)) + self.low).to(dtype).reshape(self.sizes)

    def described(self):
        return {"integers": [self.low, self.high]}


class Values:
    """These very elements."""

    def __init__(self, tensor):
        self.values = tensor.detach().clone()
        self.sizes = list(tensor.shape)

    def tensor(self, argument, dtype=None):
        return self.values.clone()

    def described(self):
        return {"values": self.values.reshape(-1).tolist()}


def of_parameter(name, tensor):
    """What a parameter or a buffer of a model is filled with: of the size that training would begin with."""
    sizes = list(tensor.shape)
    if not tensor.is_floating_point():
        return Values(tensor)
    if name.endswith("running_var"):
        return Real(*sizes, low=0.5, high=1.5)
    if name.endswith("running_mean") or name.endswith("bias"):
        return Real(*sizes, low=-0.1, high=0.1)
    if len(sizes) < 2:
        return Real(*sizes, low=0.75, high=1.25)
    fan_in = numpy.prod(sizes[1:]) ** -0.5
    return Real(*sizes, low=-fan_in, high=fan_in)
