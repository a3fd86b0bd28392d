"""What a case of the benchmark is, and the register of all of them.

A case says what is computed three times: eagerly in PyTorch, in JAX, and, where NumPy has it, in NumPy. `bench/cases/NAME.mlir` says it a
fourth time. Its inputs are drawn anew by every process, from one seed, so that they need not be sent.
"""

from dataclasses import dataclass
from typing import Callable, Sequence

import numpy as np

CASES = {}
SEED = 0


@dataclass
class Bf16:
    """An array whose elements are meant to be bf16. NumPy has none: it holds them as f32."""

    array: np.ndarray

    def bits(self):
        """The upper halves of the elements, rounded to nearest even, as an array of two bytes of no type, which is how .npy files have bf16."""
        whole = self.array.view(np.uint32)
        return ((whole + 0x7FFF + (whole >> 16 & 1)) >> 16).astype(np.uint16).view("V2")

    @staticmethod
    def from_bits(bits):
        """The numbers that the bits are, as f32."""
        return (bits.view(np.uint16).astype(np.uint32) << 16).view(np.float32)


@dataclass
class Case:
    """One computation at one size."""

    name: str
    #: What the table groups it by: pointwise, reduction, indexing, product, mutation or model.
    group: str
    #: Draws the arguments.
    make: Callable
    torch: Callable = None
    jax: Callable = None
    numpy: Callable = None
    #: The bytes that must go through memory at least, and the floating-point operations of products.
    bytes: int = 0
    flops: int = 0
    #: The arguments that are written in place, and by number that are results.
    written: Sequence[int] = ()
    #: Whether the data is larger than any cache, so that the limit is that of memory.
    large: bool = False
    #: By how much a result may differ, relative to one more than the expected number.
    tolerance: float = 2e-3
    #: Whether max-autotune changes anything: products.
    tuned: bool = False
    #: Makes the module of PyTorch that is measured instead of `torch`, and that the importer takes.
    module: Callable = None
    #: The same for ONNX Runtime: a module and its arguments.
    onnx: Callable = None
    #: Of a random case its class of bytes, and its program.
    size: str = ""
    text: str = ""
    #: Whether IREE is asked; False where it takes minutes or has no such thing.
    iree: bool = True

    def arguments(self):
        """The same ones each time: arrays, or `Bf16`s."""
        return self.make(np.random.default_rng(SEED))

    def compared(self, results, expected):
        """Both as they are held against the tolerance."""
        return results, expected

    def compiled(self, compiler):
        """What a compiler of PyTorch's makes of the function."""
        return compiler(self.module() if self.module else self.torch)


def register(name, group, make, torch=None, **others):
    assert name not in CASES, f"two cases are called {name}"
    CASES[name] = Case(name, group, make, torch, **others)


def normal(random, *sizes):
    return random.standard_normal(sizes, dtype=np.float32)


def drawn(*shapes):
    """Draws an argument of the normal distribution for each shape."""
    return lambda random: [normal(random, *shape) for shape in shapes]
