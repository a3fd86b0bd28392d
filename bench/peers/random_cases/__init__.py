"""Cases that nobody named: operators, shapes, layouts and dtypes that a seed draws. `./x bench --random N --seed S` measures N of them.

A case `random-S-7` is a Python program, drawn from the seed S and the number 7 alone:

    GROUP, SIZE = "norm", "4 MiB"
    INPUTS = [("f32", (96, 1024), "normal")]
    def program(x0):
        x0 = x0.t()
        v = torch.softmax(x0, 1)
        return v

Its class of operators and its class of bytes go round with the number, so that all have equally many cases. What it becomes elsewhere is the
importer's: each case goes through `torch.export`, as a user's program does. The text stands in the results. A case that is worth keeping is
a file of that text in bench/peers/kept: its name there is the name of the case.
"""

import functools
import pathlib
import re

import numpy as np

from cases import Bf16

from .draw import Draw, SIZES
from .programs import GROUPS

KEPT = pathlib.Path(__file__).resolve().parent.parent / "kept"
NAME = re.compile(r"random-([0-9a-f]+)-(\d+)$")
#: By how much a result may differ, relative to one more than the expected number, by the dtype of the inputs.
TOLERANCES = {"f32": 2e-3, "f16": 2e-2, "bf16": 1e-1}


def names(count, seed, groups):
    """The names of so many cases, of some classes of operators; where none is named, of all."""
    known = list(GROUPS)
    numbers = [number for number in range(count * len(known)) if known[number % len(known)] in (groups or known)]
    return [f"random-{seed}-{number}" for number in numbers[:count]]


@functools.cache
def text(name):
    """The program of a case, or None where it is no name of one."""
    if (kept := KEPT / f"{name}.py").exists():
        return kept.read_text()
    match = NAME.match(name)
    if not match:
        return None
    seed, number = int(match[1], 16), int(match[2])
    groups = list(GROUPS)
    group = groups[number % len(groups)]
    size = list(SIZES)[number // len(groups) % len(SIZES)]
    draw = Draw(np.random.default_rng((seed, number)), size)
    GROUPS[group](draw)
    return draw.text(group)


def case(name):
    """The case of that name, or None."""
    program = text(name)
    return program and random_case(name, program)


def kept():
    """The names of the cases that are kept."""
    return sorted(file.stem for file in KEPT.glob("*.py"))



def random_case(name, program):
    """The case of a program's text."""
    from models import Model

    head = executed(program)
    inputs = head["INPUTS"]
    tolerances = [TOLERANCES[dtype] for dtype, *_ in inputs if dtype in TOLERANCES]
    return Model(
        name, head["GROUP"], lambda random: [argument(random, *one) for one in inputs], module=functools.cache(lambda: module(program)),
        large=head["SIZE"] in ("16 MiB", "64 MiB"), tolerance=max(tolerances, default=2e-3), size=head["SIZE"], text=program,
    )


def executed(program):
    """What the text defines. Its function wants PyTorch when it runs."""
    found = {}
    exec(program, found)
    return found


def argument(random, dtype, shape, what):
    """An array: of `normal` numbers, of `positive` ones, of `mask`s, or of integers below a number."""
    if what == "mask":
        return random.random(shape) < 0.7
    if isinstance(what, int):
        return random.integers(0, what, shape)
    array = random.standard_normal(shape, dtype=np.float32)
    array = np.abs(array) + np.float32(0.1) if what == "positive" else array
    return Bf16(array) if dtype == "bf16" else array.astype(np.float16) if dtype == "f16" else array


def module(program):
    import torch

    found = executed(program)
    found |= {"torch": torch, "F": torch.nn.functional}

    class Program(torch.nn.Module):
        def forward(self, *arguments):
            return found["program"](*arguments)

    return Program()
